/*
 * module.h - what the module exports that holds the shader compiler
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * glslang is C++ and larger than Broadloom.  So it is linked into a module of its own, which the
 * library opens when a shader has to be compiled, and does without where it is not there.
 */
#ifndef BL_BACKENDS_VULKAN_GLSLANG_MODULE_H
#define BL_BACKENDS_VULKAN_GLSLANG_MODULE_H

#include <stddef.h>

#define BL_GLSLANG_MODULE "libbroadloom-glslang.so"
#define BL_GLSLANG_START "bl_glslang_start"
#define BL_GLSLANG_COMPILE "bl_glslang_compile"
#define BL_GLSLANG_END "bl_glslang_end"

/* Before the first compilation and after the last; counted.  Between them glslang keeps the tables
 * that take it ten times as long to make as a shader takes.  0: no memory. */
typedef int bl_glslang_start_function(void);
typedef void bl_glslang_end_function(void);

/* Where the module's caller wants the SPIR-V, of `bytes`; NULL where there is no memory. */
typedef void *bl_glslang_take(void *user, size_t bytes);

/*
 * Compile a compute shader in GLSL to SPIR-V 1.5 for Vulkan 1.2.
 *
 * @param text     ended by a 0.
 * @param message  [size]: why it does not compile.
 * @return         0: compiled; 1: it does not; 2: no memory.
 */
typedef int bl_glslang_compile_function(const char *text, bl_glslang_take *take, void *user,
                                        char *message, size_t size);

#endif
