/*
 * library.h - the GLSL functions that shaders are made of
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each file of glsl/ is one string, embedded when the library is built.
 */
#ifndef BL_BACKENDS_VULKAN_LIBRARY_H
#define BL_BACKENDS_VULKAN_LIBRARY_H

#include <stdint.h>

#include "base/text.h"

extern const char bl_glsl_memory[];
extern const char bl_glsl_wide[];
extern const char bl_glsl_failure[];
extern const char bl_glsl_small[];
extern const char bl_glsl_u32[];
extern const char bl_glsl_u64[];
extern const char bl_glsl_divide[];
extern const char bl_glsl_f32[];
extern const char bl_glsl_f32_exact[];
extern const char bl_glsl_f64[];
extern const char bl_glsl_f64_exact[];
extern const char bl_glsl_cast[];
extern const char bl_glsl_pairs[];
extern const char bl_glsl_math[];
extern const char bl_glsl_circle[];
extern const char bl_glsl_activation[];
extern const char bl_glsl_power[];
extern const char bl_glsl_power64[];
extern const char bl_glsl_pairs64[];
extern const char bl_glsl_math64[];
extern const char bl_glsl_circle64[];
extern const char bl_glsl_activation64[];

extern const char bl_glsl_matmul[]; /* not among the files below */

/* The files, each after those that it needs. */
enum bl_library {
    BL_LIBRARY_MEMORY,
    BL_LIBRARY_WIDE,
    BL_LIBRARY_FAILURE,
    BL_LIBRARY_SMALL,
    BL_LIBRARY_U32,
    BL_LIBRARY_U64,
    BL_LIBRARY_DIVIDE,
    BL_LIBRARY_F32,
    BL_LIBRARY_F32_EXACT,
    BL_LIBRARY_F64,
    BL_LIBRARY_F64_EXACT,
    BL_LIBRARY_CAST,
    BL_LIBRARY_PAIRS,
    BL_LIBRARY_MATH,
    BL_LIBRARY_CIRCLE,
    BL_LIBRARY_ACTIVATION,
    BL_LIBRARY_POWER,
    BL_LIBRARY_POWER64,
    BL_LIBRARY_PAIRS64,
    BL_LIBRARY_MATH64,
    BL_LIBRARY_CIRCLE64,
    BL_LIBRARY_ACTIVATION64,
    BL_LIBRARY_COUNT
};

#define BL_NEEDS(file) (UINT32_C(1) << BL_LIBRARY_##file)

/* What there is only where shaders have float64. */
#define BL_NEEDS_MATH64 (BL_NEEDS(MATH64) | BL_NEEDS(CIRCLE64) | BL_NEEDS(ACTIVATION64))

/* Append the files of a set of BL_NEEDS, and those that they need. */
void bl_library_put(struct bl_text *glsl, uint32_t needs);

#endif
