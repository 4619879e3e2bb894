# cross_deps.cmake - where a toolchain file finds the target's libraries: what tools/cross_deps.sh built
# SPDX-License-Identifier: Apache-2.0
#
# Before: bl_machine is the target; bl_roots, if set, are other folders of libraries for it.
set(bl_cross_deps ${CMAKE_CURRENT_LIST_DIR}/../../build-cross/${bl_machine})
set(CMAKE_FIND_ROOT_PATH ${bl_roots} ${bl_cross_deps})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
# pkg-config is to find the target's libraries, and none of this machine's.
set(ENV{PKG_CONFIG_LIBDIR} ${bl_cross_deps}/lib/pkgconfig)
set(ENV{PKG_CONFIG_PATH})
