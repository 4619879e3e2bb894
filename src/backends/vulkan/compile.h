/*
 * compile.h - GLSL to SPIR-V, by a compiler that is found at run time
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_BACKENDS_VULKAN_COMPILE_H
#define BL_BACKENDS_VULKAN_COMPILE_H

#include "base/status.h"

struct bl_vk_compiler;

/* Words of SPIR-V, from the allocator. */
struct bl_vk_spirv {
    uint32_t *words;
    size_t bytes;
};

/* Open the module with glslang (glslang/module.h).  BL_ERR_UNSUPPORTED: it is not there. */
bl_status bl_vk_compiler_open(const bl_allocator *allocator, struct bl_vk_compiler **out,
                              bl_error *err);
void bl_vk_compiler_close(const bl_allocator *allocator, struct bl_vk_compiler *compiler);

/* Compile the text, ended by a 0, of a compute shader. */
bl_status bl_vk_compile(const struct bl_vk_compiler *compiler,
                        const bl_allocator *allocator, const char *text,
                        struct bl_vk_spirv *out, bl_error *err);

#endif
