# cross.cmake - what the toolchain files have in common: Debian's cross compiler, and qemu to run what it makes
# SPDX-License-Identifier: Apache-2.0
#
# Before: bl_machine is Debian's name of the target (aarch64-linux-gnu), bl_qemu the emulator.
# jansson and cmocka for the target come from tools/cross_deps.sh.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_C_COMPILER ${bl_machine}-gcc)
set(CMAKE_CROSSCOMPILING_EMULATOR ${bl_qemu})
# One file each: they start faster, and qemu 7.2 hangs where a 32-bit program with a shared libc starts a thread.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)

set(bl_roots /usr/${bl_machine})
include(${CMAKE_CURRENT_LIST_DIR}/cross_deps.cmake)
