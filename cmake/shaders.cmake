# The Vulkan backend's headers, and what it makes shaders of and compiles them with.
# SPDX-License-Identifier: Apache-2.0
target_include_directories(bl_backends_vulkan SYSTEM PRIVATE ${BL_VULKAN_HEADERS})
target_compile_definitions(bl_backends_vulkan PRIVATE BL_LIBRARY_FOLDER="${CMAKE_INSTALL_LIBDIR}")

# The functions that the GPU's shaders are printed with, as strings.
file(GLOB bl_glsl CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/backends/vulkan/glsl/*.glsl)
set(bl_glsl_file ${PROJECT_BINARY_DIR}/shader_library.c)
add_custom_command(OUTPUT ${bl_glsl_file}
  COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${bl_glsl_file}" "-DSOURCES=${bl_glsl}"
          -P ${PROJECT_SOURCE_DIR}/cmake/embed_text.cmake
  DEPENDS ${bl_glsl} ${PROJECT_SOURCE_DIR}/cmake/embed_text.cmake VERBATIM)
add_library(bl_glsl OBJECT ${bl_glsl_file})
target_link_libraries(bl_glsl PRIVATE bl_flags)
list(APPEND bl_objects $<TARGET_OBJECTS:bl_glsl>)

include(cmake/glslang.cmake)
