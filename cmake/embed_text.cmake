# Write a C file that holds text files as strings: cmake -DOUTPUT=x.c -DSOURCES=a;b -P embed_text.cmake
# SPDX-License-Identifier: Apache-2.0
#
# For each NAME.glsl there is `const char bl_glsl_NAME[]`.  Comments, indentation and spaces that part no
# words stay at home: a twelfth of it all.
set(text "/* Made by cmake/embed_text.cmake.  SPDX-License-Identifier: Apache-2.0 */\n#include \"backends/vulkan/library.h\"\n")
foreach(source ${SOURCES})
  get_filename_component(name ${source} NAME_WE)
  file(READ ${source} content)
  string(REGEX REPLACE "\n[ \t]*//[^\n]*" "" content "\n${content}")
  string(REGEX REPLACE "[ \t]+//[^\n]*" "" content "${content}")
  string(REGEX REPLACE "\n[ \t\n]+" "\n" content "${content}")
  string(REGEX REPLACE "^\n" "" content "${content}")
  string(REGEX REPLACE " ?([=,?:*{}()|<>]) ?" "\\1" content "${content}")
  string(HEX "${content}" bytes)
  string(REGEX REPLACE "(................................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND text "const char bl_glsl_${name}[] = {\n${bytes}0};\n")
endforeach()
file(WRITE ${OUTPUT} "${text}")
