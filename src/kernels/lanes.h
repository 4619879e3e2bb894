/*
 * lanes.h - doubles taken apart and put together without a branch
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * For the vector math.  A compiler turns a loop over such functions into vectors, for the
 * oldest x86-64 too, whose vectors neither round to integers, nor compare 64-bit integers,
 * nor shift them right with their sign: so integers stay in doubles, and choices are made
 * by comparing doubles.  All is addition, multiplication, division and square root in a
 * fixed order, so the bits are the same on every processor.
 */
#ifndef BL_KERNELS_LANES_H
#define BL_KERNELS_LANES_H

#include <math.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/half.h"

/* Adding this to a double of less than 2^51 leaves the nearest integer in the low bits of
 * the sum, in two's complement. */
#define TO_INTEGER 0x1.8p52

#define SIGN_BIT UINT64_C(0x8000000000000000)

/* The nearest integer, ties to even, of |x| < 2^51. */
BL_FORCE_INLINE double nearest(double x)
{
    return x + TO_INTEGER - TO_INTEGER;
}

/* The low bits of an integer, |k| < 2^51. */
BL_FORCE_INLINE uint64_t integer_bits(double k)
{
    return bl_f64_bits(k + TO_INTEGER);
}

/* 2^k of an integer from -1022 to 1023. */
BL_FORCE_INLINE double power_of_two(double k)
{
    return bl_f64_from_bits((integer_bits(k) + 1023) << 52);
}

/* y * 2^k of an integer from -2040 to 2040, rounded once if y is normal. */
BL_FORCE_INLINE double scale(double y, double k)
{
    const double half = nearest(k * 0.5);

    return y * power_of_two(half) * power_of_two(k - half);
}

/* x, but no less than `low` and no more than `high`; NaN stays NaN. */
BL_FORCE_INLINE double within(double x, double low, double high)
{
    const double raised = x < low ? low : x;

    return raised > high ? high : raised;
}

BL_FORCE_INLINE double magnitude(double x)
{
    return bl_f64_from_bits(bl_f64_bits(x) & ~SIGN_BIT);
}

/* The magnitude of y with the sign of x. */
BL_FORCE_INLINE double with_sign(double y, double x)
{
    return bl_f64_from_bits((bl_f64_bits(y) & ~SIGN_BIT) | (bl_f64_bits(x) & SIGN_BIT));
}

/* y, negated where x is negative. */
BL_FORCE_INLINE double flip_sign(double y, double x)
{
    return bl_f64_from_bits(bl_f64_bits(y) ^ (bl_f64_bits(x) & SIGN_BIT));
}

/* A positive, normal x is m * 2^k with m from sqrt(1/2) to sqrt(2). */
struct split {
    double m, k;
};

BL_FORCE_INLINE struct split split(double x)
{
    const uint64_t root = UINT64_C(0x3FE6A09E667F3BCD); /* the bits of sqrt(1/2) */
    const uint64_t one = UINT64_C(1023) << 52;
    const uint64_t moved = bl_f64_bits(x) - root + one;
    const double biased = bl_f64_from_bits(moved >> 52 | UINT64_C(0x4330000000000000));
    const uint64_t m = bl_f64_bits(x) - (moved & UINT64_C(0xFFF0000000000000)) + one;

    return (struct split){bl_f64_from_bits(m), biased - (0x1p52 + 1023)};
}

/* ---- Constants ----------------------------------------------------------------------- */

#define LOG2_E 0x1.71547652b82fep+0
#define SQRT_HALF 0x1.6a09e667f3bcdp-1
#define SQRT_HALF_LOW -0x1.bdd3413b26456p-55
#define PI_HALF 0x1.921fb54442d18p+0
#define PI_HALF_LOW 0x1.1a62633145c07p-54
#define TWO_OVER_PI 0x1.45f306dc9c883p-1
#define TAN_PI_EIGHTH 0x1.a827999fcef32p-2

/* ln 2: the upper part's product with an exponent is exact. */
#define LN2_UPPER 0x1.62e42fefa3800p-1
#define LN2_LOWER 0x1.ef35793c76730p-45

/* pi / 2: products of the first three parts with integers below 2^20 are exact. */
#define PI_HALF_1 0x1.921fb54400000p+0
#define PI_HALF_2 0x1.0b4611a600000p-34
#define PI_HALF_3 0x1.3198a2e000000p-69
#define PI_HALF_4 0x1.b839a252049c1p-104

/* Gelu's tanh form is x * sigmoid(x * (GELU_1 + GELU_3 * x * x)): 2 sqrt(2 / pi), and that
 * times 0.044715; each continues in the one below. */
#define GELU_1 0x1.9884533d43651p+0
#define GELU_1_LOW -0x1.cbc0d30ebfd15p-54
#define GELU_3 0x1.2444f2a4d8b4bp-4
#define GELU_3_LOW -0x1.6c843a29d1c70p-61

/* Below, sigmoid is 0 in the widest of formats; only then is it NaN times infinity. */
#define SIGMOID_ZERO -11356

#endif
