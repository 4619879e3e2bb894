# reproducible.cmake - the same sources give the same bytes, wherever and whenever they are built
# SPDX-License-Identifier: Apache-2.0
#
# What could differ is a path (in __FILE__ and in what debuggers read) and, in an archive, time and owner
# of each object.  `make check-reproducible` builds twice and compares.

# A debugger finds sources by their absolute path; so does gcov.
if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
  set(bl_map -ffile-prefix-map=${PROJECT_BINARY_DIR}=build -ffile-prefix-map=${PROJECT_SOURCE_DIR}=.)
  check_c_compiler_flag(-ffile-prefix-map=/from=/to BL_HAVE_FILE_PREFIX_MAP)
  if(BL_HAVE_FILE_PREFIX_MAP)
    target_compile_options(bl_flags INTERFACE ${bl_map})
  endif()
endif()

# D: neither times nor owners.  Debian's ar does without being told, others do not.
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  set(CMAKE_C_ARCHIVE_CREATE "<CMAKE_AR> qcD <TARGET> <LINK_FLAGS> <OBJECTS>")
  set(CMAKE_C_ARCHIVE_APPEND "<CMAKE_AR> qD <TARGET> <LINK_FLAGS> <OBJECTS>")
  set(CMAKE_C_ARCHIVE_FINISH "<CMAKE_RANLIB> -D <TARGET>")
endif()
