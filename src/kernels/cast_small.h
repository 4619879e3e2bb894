/*
 * cast_small.h - the numbers in types of a byte and less, an element at a time
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * For kernel units only; all is static, as in row.h.
 */
#ifndef BL_KERNELS_CAST_SMALL_H
#define BL_KERNELS_CAST_SMALL_H

#include "base/float8.h"
#include "base/half.h"
#include "kernels/row.h"

/* The low bits of an integer, as an integer of 4 or 2 bits has them in memory: a byte, a
 * signed one extended. */
static inline uint8_t wrapped_small(bl_dtype dtype, uint64_t bits)
{
    switch (dtype) {
    case BL_UINT4:
        return bits & 15;
    case BL_INT4:
        return (uint8_t)(((bits & 15) ^ 8) - 8);
    case BL_UINT2:
        return bits & 3;
    default: /* BL_INT2 */
        return (uint8_t)(((bits & 3) ^ 2) - 2);
    }
}

static inline bool is_small_integer(bl_dtype dtype)
{
    return dtype == BL_UINT4 || dtype == BL_INT4 || dtype == BL_UINT2 || dtype == BL_INT2;
}

static inline bool is_small_signed(bl_dtype dtype)
{
    return dtype == BL_INT4 || dtype == BL_INT2;
}

/* As a float32, of the floats of 8 bits and less and the integers of less. */
static inline float small_value(bl_dtype dtype, uint8_t code)
{
    if (!is_small_integer(dtype))
        return bl_float8_to_f32(dtype, code);
    if (is_small_signed(dtype))
        return (float)(int8_t)wrapped_small(dtype, code);
    return (float)wrapped_small(dtype, code);
}

/* Truncated, then modulo 2^n, as ONNX's data have it; infinity and NaN are 0.  From 2^57 on
 * a double is a multiple of 16. */
static inline uint8_t small_integer(bl_dtype dtype, double x)
{
    const bool low_bits = x > -0x1p57 && x < 0x1p57;

    return wrapped_small(dtype, low_bits ? (uint64_t)(int64_t)x : 0);
}

#endif
