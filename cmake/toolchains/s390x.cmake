# s390x.cmake - IBM Z: big-endian, on Linux: gcc-s390x-linux-gnu of Debian, qemu-s390x
# SPDX-License-Identifier: Apache-2.0
set(CMAKE_SYSTEM_PROCESSOR s390x)
set(bl_machine s390x-linux-gnu)
set(bl_qemu qemu-s390x)
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
