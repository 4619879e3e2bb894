/*
 * refusal.c - which pointwise steps a device cannot do, and why
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "backends/vulkan/pointwise.h"
#include "backends/vulkan/print.h"

static bool is_string(bl_dtype dtype)
{
    return dtype == BL_STRING;
}

static const char *instruction_refusal(const struct bl_instruction *instruction,
                                       const struct bl_shader_features *features)
{
    const uint32_t needs = bl_instruction_needs(instruction);

    if (is_string(instruction->dtype) || is_string(instruction->second))
        return "strings, which lie in the host's memory";
    if (needs == 0)
        return "an operator that has no shader in this type";
    if (needs & BL_NEEDS_MATH64 && !features->f64)
        return "transcendental functions of float64, without float64 in shaders";
    return NULL;
}

const char *bl_pointwise_refusal(const struct bl_pointwise *step,
                                 const struct bl_shader_features *features)
{
    for (size_t i = 0; i < step->instruction_count; i++) {
        const char *refusal = instruction_refusal(&step->instruction[i], features);

        if (refusal != NULL)
            return refusal;
    }
    if (!bl_layout_of(step, features).wide)
        return NULL;
    if (!features->i64)
        return "2^31 elements and more, without 64-bit integers in shaders";
    for (size_t i = 0; i < step->instruction_count; i++)
        if (!features->atomic64 && bl_instruction_can_fail(&step->instruction[i]))
            return "a division of 2^31 elements and more, without 64-bit atomics";
    return NULL;
}
