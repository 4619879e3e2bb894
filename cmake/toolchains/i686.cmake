# i686.cmake - 32-bit x86, with SSE2, on Linux: gcc-i686-linux-gnu of Debian, qemu-i386
# SPDX-License-Identifier: Apache-2.0
set(CMAKE_SYSTEM_PROCESSOR i686)
set(bl_machine i686-linux-gnu)
set(bl_qemu qemu-i386)
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
