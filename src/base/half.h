/*
 * half.h - the bits of float16 and bfloat16, to and from float32 and float64
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * All roundings are to nearest, ties to even, in integers: no mode of the processor
 * matters.  A NaN stays a NaN (quiet, its top payload bits kept).  Written without branches
 * on the data where a loop over the function has to vectorise.
 */
#ifndef BL_BASE_HALF_H
#define BL_BASE_HALF_H

#include <stdint.h>
#include <string.h>

static inline uint32_t bl_f32_bits(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float bl_f32_from_bits(uint32_t bits)
{
    float x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint64_t bl_f64_bits(double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double bl_f64_from_bits(uint64_t bits)
{
    double x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

/* ---- bfloat16: the upper half of a float32 ------------------------------ */

static inline float bl_bf16_to_f32(uint16_t h)
{
    return bl_f32_from_bits((uint32_t)h << 16);
}

static inline uint16_t bl_f32_to_bf16(float x)
{
    const uint32_t bits = bl_f32_bits(x);
    const uint32_t rounded = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
    const uint32_t nan = (bits >> 16) | 0x0040;

    return (uint16_t)((bits & 0x7FFFFFFF) > 0x7F800000 ? nan : rounded);
}

/* ---- float16: 1 sign, 5 exponent (bias 15), 10 fraction bits -------------- */

static inline float bl_f16_to_f32(uint16_t h)
{
    const uint32_t sign = (uint32_t)(h & 0x8000) << 16;
    const uint32_t rest = (uint32_t)(h & 0x7FFF) << 13;
    /* A normal number's exponent moves from bias 15 to bias 127; infinity and NaN to 255.
     */
    const uint32_t normal = rest + (112u << 23);
    const uint32_t special = rest + (224u << 23);
    /* A subnormal is fraction * 2^-24: put the fraction below 2^-14's leading one, and take
     * that one away again.  Exact, and neither operand nor result is a float32 subnormal.
     */
    const uint32_t subnormal =
        bl_f32_bits(bl_f32_from_bits(rest + (113u << 23)) - bl_f32_from_bits(113u << 23));
    const uint32_t magnitude = (h & 0x7C00) == 0        ? subnormal
                               : (h & 0x7C00) == 0x7C00 ? special
                                                        : normal;

    return bl_f32_from_bits(sign | magnitude);
}

static inline uint16_t bl_f32_to_f16(float x)
{
    const uint32_t bits = bl_f32_bits(x);
    const uint32_t sign = bits >> 16 & 0x8000;
    const uint32_t magnitude = bits & 0x7FFFFFFF;
    /* Normal: rebias, then round away the low 13 bits; a carry runs into the exponent, and
     * from 65504 on into infinity, as it should. */
    const uint32_t normal =
        (magnitude - (112u << 23) + 0xFFF + (magnitude >> 13 & 1)) >> 13;
    /* Below 2^-14: shift the significand right until its unit is 2^-24, half's smallest
     * step, and round to even. */
    const uint32_t shift = 126 - (magnitude >> 23);
    const uint32_t capped = shift > 31 ? 31 : shift;
    const uint32_t significand = (magnitude & 0x7FFFFF) | 0x800000;
    const uint32_t kept = significand >> capped;
    const uint32_t lost = significand & ((1u << capped) - 1);
    const uint32_t halfway = 1u << ((capped - 1) & 31);
    const uint32_t up = lost > halfway || (lost == halfway && (kept & 1));
    const uint32_t subnormal = kept + up;
    const uint32_t result = magnitude > 0x7F800000    ? 0x7E00 | (magnitude >> 13 & 0x3FF)
                            : magnitude >= 0x47800000 ? 0x7C00 /* 2^16 and more, infinity */
                            : magnitude < 0x38800000  ? subnormal
                                                      : normal;

    return (uint16_t)(sign | result);
}

/* ---- From float64, rounded once ------------------------------------------ */

/* float64 to float32, to odd: exact, or with the last bit set.  A later rounding to 22 bits
 * or fewer then gives what rounding the float64 once would have given. */
static inline float bl_f64_to_f32_odd(double x)
{
    const uint64_t bits = bl_f64_bits(x);
    const uint64_t magnitude = bits & 0x7FFFFFFFFFFFFFFF;
    const uint32_t sign = (uint32_t)(bits >> 32) & 0x80000000;
    uint32_t result;

    if (magnitude > 0x7FF0000000000000) {
        result = 0x7FC00000 | ((uint32_t)(magnitude >> 29) & 0x3FFFFF);
    } else if (magnitude >= 0x47F0000000000000) { /* 2^128 and more */
        result = magnitude == 0x7FF0000000000000 ? 0x7F800000 : 0x7F7FFFFF;
    } else if (magnitude <
               0x3810000000000000) { /* below 2^-126, far below what 16 bits tell apart */
        const uint64_t exponent = magnitude >> 52;
        const uint64_t shift = 926 - exponent; /* bits below 2^-149 */
        const uint64_t significand = (magnitude & 0xFFFFFFFFFFFFF) | 0x10000000000000;

        if (exponent == 0 || shift > 53)
            result = magnitude != 0;
        else
            result = (uint32_t)(significand >> shift) |
                     ((significand & ((UINT64_C(1) << shift) - 1)) != 0);
    } else {
        result = (uint32_t)((magnitude - (UINT64_C(896) << 52)) >> 29) |
                 ((magnitude & 0x1FFFFFFF) != 0);
    }
    return bl_f32_from_bits(sign | result);
}

static inline uint16_t bl_f64_to_f16(double x)
{
    return bl_f32_to_f16(bl_f64_to_f32_odd(x));
}

static inline uint16_t bl_f64_to_bf16(double x)
{
    return bl_f32_to_bf16(bl_f64_to_f32_odd(x));
}

#endif
