# aarch64.cmake - 64-bit ARM, with NEON, on Linux: gcc-aarch64-linux-gnu of Debian, qemu-aarch64
# SPDX-License-Identifier: Apache-2.0
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(bl_machine aarch64-linux-gnu)
set(bl_qemu qemu-aarch64)
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
