/*
 * library.c - the GLSL functions that shaders are made of
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "backends/vulkan/library.h"

#include "base/compiler.h"

/* In the order of enum bl_library. */
static const struct {
    const char *text;
    uint32_t needs;
} files[] = {
    {bl_glsl_memory, 0},
    {bl_glsl_wide, BL_NEEDS(MEMORY)},
    {bl_glsl_failure, BL_NEEDS(MEMORY)},
    {bl_glsl_small, 0},
    {bl_glsl_u32, 0},
    {bl_glsl_u64, 0},
    {bl_glsl_divide, BL_NEEDS(U32) | BL_NEEDS(U64) | BL_NEEDS(FAILURE)},
    {bl_glsl_f32, 0},
    {bl_glsl_f32_exact, BL_NEEDS(F32)},
    {bl_glsl_f64, BL_NEEDS(U64)},
    {bl_glsl_f64_exact, BL_NEEDS(F64)},
    {bl_glsl_cast, BL_NEEDS(SMALL) | BL_NEEDS(U64) | BL_NEEDS(F32) | BL_NEEDS(F64_EXACT)},
    {bl_glsl_pairs, BL_NEEDS(F32)},
    {bl_glsl_math, BL_NEEDS(PAIRS) | BL_NEEDS(F32_EXACT)},
    {bl_glsl_circle, BL_NEEDS(MATH)},
    {bl_glsl_activation, BL_NEEDS(MATH)},
    {bl_glsl_power, BL_NEEDS(MATH) | BL_NEEDS(CAST) | BL_NEEDS(FAILURE)},
    {bl_glsl_power64, BL_NEEDS(POWER)},
    {bl_glsl_pairs64, BL_NEEDS(F64_EXACT)},
    {bl_glsl_math64, BL_NEEDS(PAIRS64)},
    {bl_glsl_circle64, BL_NEEDS(MATH64)},
    {bl_glsl_activation64, BL_NEEDS(MATH64)},
};

void bl_library_put(struct bl_text *glsl, uint32_t needs)
{
    for (size_t i = BL_COUNT_OF(files); i-- > 0;)
        if (needs >> i & 1)
            needs |= files[i].needs;
    for (size_t i = 0; i < BL_COUNT_OF(files); i++)
        if (needs >> i & 1)
            bl_text_put(glsl, "%s", files[i].text);
}
