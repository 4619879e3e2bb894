/*
 * pow_lanes.h - x^y of a positive float32 x in double, and whether its rounding is certain
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * x^y = 2^e, e = y * log2 x.  Whether products and sums are fused decides the last bits of
 * these functions, but none of a result that is certain: so they may be fused, here alone.
 *
 * How far a power p is from the truth, relatively:
 *   log2 x   2^-45.0 of it: the polynomial's error, beside which roundings vanish.  x next
 *            to 1 loses nothing, for m - 1 is exact; with k = -1 the sum is half of k at least
 *   e        |e| < 126, so 126 * 2^-45.0 = 2^-38.0, which moves 2^e by ln 2 of it: 2^-38.5
 *   2^f      2^-39.7, the polynomial's error
 * In all below 2^-38.0.  p counts as certain if it lies 2^-37 or more from the middle
 * between two float32 numbers.  Then p, the true power and any double near it (the C
 * library's) round to the same float32.
 */
#ifndef BL_KERNELS_POW_LANES_H
#define BL_KERNELS_POW_LANES_H

#include "kernels/lanes.h"

/* a * b + c, rounded once where the processor does that at no cost. */
BL_FORCE_INLINE double fused(double a, double b, double c)
{
#if defined(__FMA__) || defined(__AVX512F__)
    return __builtin_fma(a, b, c);
#else
    return a * b + c;
#endif
}

/* ---- Polynomials: tools/fit_polynomials.py pow ----------------------------------------- */

/* log2((1 + s) / (1 - s)) / s of z = s^2, s from 0 to 3 - sqrt(8).  Error 2^-45.08. */
BL_FORCE_INLINE double log2_rest_6(double z)
{
    double y = 0x1.21ac9c9040d9ep-2;

    y = fused(y, z, 0x1.4795a63079ddfp-2);
    y = fused(y, z, 0x1.a61a2cc1ced3bp-2);
    y = fused(y, z, 0x1.2776c295f01cfp-1);
    y = fused(y, z, 0x1.ec709dc539e76p-1);
    y = fused(y, z, 0x1.71547652b8253p+1);
    return y;
}

/* 2^f of f from -1/2 to 1/2.  Error 2^-39.77. */
BL_FORCE_INLINE double exp2_9(double f)
{
    double y = 0x1.63d136366db24p-20;

    y = fused(y, f, 0x1.00dc4a532fb8ep-16);
    y = fused(y, f, 0x1.4308ac85aa947p-13);
    y = fused(y, f, 0x1.5d8745a728441p-10);
    y = fused(y, f, 0x1.3b2ab7181b755p-7);
    y = fused(y, f, 0x1.c6b08dd6fd234p-5);
    y = fused(y, f, 0x1.ebfbdff823cedp-3);
    y = fused(y, f, 0x1.62e42fef84cf0p-1);
    y = fused(y, f, 0x1.0000000000000p+0);
    return y;
}

/* ---- Certainty ------------------------------------------------------------------------- */

/* Beyond, a power may leave the normal numbers of float32. */
#define POW_LIMIT 126

/* A double has 29 bits beyond a float32; they are 2^28 in the middle between two.  2^16 units
 * of a double are 2^-37 of it, or more. */
#define POW_MARGIN (UINT64_C(1) << 16)
#define POW_MIDDLE (UINT64_C(1) << 28)
#define POW_FAR ((UINT64_C(1) << 29) - 2 * POW_MARGIN)

/* Stands for a power that is not known yet; it is doubtful. */
#define POW_UNKNOWN (UINT64_C(0x3FF0000000000000) | POW_MIDDLE)

/* The sign bit is set if the power with these bits is doubtful. */
BL_FORCE_INLINE uint64_t doubt(uint64_t power)
{
    return ((power + POW_MARGIN - POW_MIDDLE) & POW_FAR) - 1;
}

BL_FORCE_INLINE int is_doubtful(double power)
{
    return (doubt(bl_f64_bits(power)) & SIGN_BIT) != 0;
}

#endif
