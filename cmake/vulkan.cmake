# Whether there is a Vulkan backend: sets bl_vulkan, and which of its files are compiled.
# SPDX-License-Identifier: Apache-2.0
#
# Vulkan needs its headers alone: loader and shader compiler are opened at run time, where they are.
set(BL_VULKAN AUTO CACHE STRING "The Vulkan backend: AUTO (where its headers are found), ON or OFF")
find_path(BL_VULKAN_HEADERS vulkan/vulkan_core.h)
if(BL_VULKAN STREQUAL "ON" AND NOT BL_VULKAN_HEADERS)
  message(FATAL_ERROR "BL_VULKAN is ON, but there is no vulkan/vulkan_core.h (Debian: libvulkan-dev)")
endif()
string(COMPARE NOTEQUAL "${BL_VULKAN_HEADERS}" "BL_VULKAN_HEADERS-NOTFOUND" bl_vulkan)
# What this machine's headers and archives are for is this machine.
if(BL_VULKAN STREQUAL "OFF" OR (BL_VULKAN STREQUAL "AUTO" AND CMAKE_CROSSCOMPILING))
  set(bl_vulkan OFF)
endif()
set(bl_vulkan_sources INCLUDE) # absent.c alone
if(bl_vulkan)
  set(bl_vulkan_sources EXCLUDE)
endif()
