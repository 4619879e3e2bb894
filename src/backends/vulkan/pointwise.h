/*
 * pointwise.h - the shader of a pointwise program: see shader.h for what the functions do
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_BACKENDS_VULKAN_POINTWISE_H
#define BL_BACKENDS_VULKAN_POINTWISE_H

#include "backends/vulkan/shader.h"

const char *bl_pointwise_refusal(const struct bl_pointwise *step,
                                 const struct bl_shader_features *features);

void bl_print_pointwise(const struct bl_pointwise *step,
                        const struct bl_shader_features *features, struct bl_text *glsl);

size_t bl_pointwise_argument_bytes(const struct bl_pointwise *step);

void bl_pointwise_arguments(const struct bl_pointwise *step,
                            const struct bl_shader_features *features,
                            const uint64_t *addresses, uint64_t failed_address, void *out);

struct bl_shader_groups bl_pointwise_groups(const struct bl_pointwise *step,
                                            const struct bl_shader_features *features);

#endif
