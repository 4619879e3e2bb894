/*
 * matmul.h - the shader of a matrix product: see shader.h for what the functions do
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_BACKENDS_VULKAN_MATMUL_H
#define BL_BACKENDS_VULKAN_MATMUL_H

#include "backends/vulkan/shader.h"

const char *bl_matmul_refusal(const struct bl_matmul *step,
                              const struct bl_shader_features *features);

void bl_print_matmul(const struct bl_matmul *step,
                     const struct bl_shader_features *features, struct bl_text *glsl);

size_t bl_matmul_argument_bytes(const struct bl_matmul *step);

void bl_matmul_arguments(const struct bl_matmul *step, const uint64_t *addresses,
                         void *out);

struct bl_shader_groups bl_matmul_groups(const struct bl_matmul *step,
                                         const struct bl_shader_features *features);

#endif
