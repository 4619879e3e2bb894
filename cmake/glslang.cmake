# The shader compiler as a module: glslang's static libraries behind one C function, opened at run time.
# SPDX-License-Identifier: Apache-2.0
#
# The module needs the C library and libm alone, so that it can be carried to any machine.
find_path(BL_GLSLANG_HEADERS glslang/Include/glslang_c_interface.h)
set(bl_glslang_libraries "")
foreach(name glslang SPIRV MachineIndependent GenericCodeGen OGLCompiler OSDependent
        glslang-default-resource-limits SPIRV-Tools-opt SPIRV-Tools)
  find_library(BL_GLSLANG_${name} NAMES lib${name}.a)
  mark_as_advanced(BL_GLSLANG_${name})
  list(APPEND bl_glslang_libraries ${BL_GLSLANG_${name}})
endforeach()
execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libstdc++.a
  OUTPUT_VARIABLE bl_libstdcxx OUTPUT_STRIP_TRAILING_WHITESPACE)

find_package(Threads REQUIRED) # the module's, whatever the library does

# Archives of another processor, or that cannot be part of a module, do not count.
set(bl_glslang_link -Wl,--start-group ${bl_glslang_libraries} -Wl,--end-group ${bl_libstdcxx} m Threads::Threads)
if(BL_GLSLANG_HEADERS AND NOT bl_glslang_libraries MATCHES "NOTFOUND" AND EXISTS "${bl_libstdcxx}")
  include(CheckCSourceCompiles)
  set(CMAKE_REQUIRED_INCLUDES ${BL_GLSLANG_HEADERS})
  set(CMAKE_REQUIRED_LIBRARIES ${bl_glslang_link})
  check_c_source_compiles("
    #include <glslang/Include/glslang_c_interface.h>
    int main(void) { return glslang_initialize_process(); }" BL_GLSLANG_LINKS)
  unset(CMAKE_REQUIRED_INCLUDES)
  unset(CMAKE_REQUIRED_LIBRARIES)
endif()

if(BL_GLSLANG_LINKS)
  add_library(broadloom_glslang MODULE src/backends/vulkan/glslang/module.c)
  set_target_properties(broadloom_glslang PROPERTIES OUTPUT_NAME broadloom-glslang
    C_EXTENSIONS OFF)
  target_include_directories(broadloom_glslang SYSTEM PRIVATE ${BL_GLSLANG_HEADERS})
  target_link_libraries(broadloom_glslang PRIVATE bl_flags ${bl_glslang_link})
  target_link_options(broadloom_glslang PRIVATE -Wl,--exclude-libs,ALL -Wl,-Bsymbolic -Wl,--gc-sections -static-libgcc)
else()
  message(STATUS "glslang's development files were not found: shaders cannot be compiled (Debian: glslang-dev, spirv-tools)")
endif()
