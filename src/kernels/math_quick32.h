/*
 * math_quick32.h - functions of a float32 in vectors of doubles, quick and nearly exact
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The functions of math32.h by other means: with a fused multiply-add, shorter polynomials,
 * and one division for two vectors.  Bits may differ between tiers; what is certain of
 * them (math_quick.h) does not.
 */
#ifndef BL_KERNELS_MATH_QUICK32_H
#define BL_KERNELS_MATH_QUICK32_H

#include "kernels/lanes.h"
#include "kernels/attributes.h"
#include "kernels/math_polynomials.h"
#include "kernels/math_vectors.h"

#define LN2 0x1.62e42fefa39efp-1

/* Adding this leaves the nearest integer, as TO_INTEGER does, plus the bias of an exponent. */
#define TO_EXPONENT (TO_INTEGER + 1023)

/* ---- Exponentials -------------------------------------------------------------------- */

/* e^x = power * e^rest for |x| < 700, with |rest| <= ln 2 / 2. */
struct exponent {
    doubles power, rest;
};

/* Of e^(x * unit), where unit is a power of two; the rest is over unit, too. */
BL_FORCE_INLINE struct exponent exponent_of(doubles x, double unit)
{
    const doubles sum = fused(x, all(LOG2_E * unit), all(TO_EXPONENT));
    const doubles k = sum - all(TO_EXPONENT);

    return (struct exponent){(doubles)((longs)sum << 52),
                             fused_less(k, all(LN2 / unit), x)};
}

BL_FORCE_INLINE doubles exp_of(doubles x)
{
    const struct exponent e = exponent_of(x, 1);

    return e.power * exp_9(e.rest);
}

/* e^x - 1 */
BL_FORCE_INLINE doubles expm1_of(doubles x)
{
    const struct exponent e = exponent_of(x, 1);
    const doubles p = e.rest * expm1_over_8(e.rest);

    return fused(e.power, p, e.power - 1);
}

/* With t = tanh(r / 2), e^r is (1 + t) / (1 - t). */
BL_FORCE_INLINE doubles quick_tanh(doubles x, BL_UNUSED struct attributes with)
{
    const struct exponent e = exponent_of(x, 2);
    const doubles t = e.rest * tanh_over_5(e.rest * e.rest);
    const doubles sum = e.power + 1;
    const doubles less = 1 - e.power;

    return fused_minus(sum, t, less) / fused_less(less, t, sum); /* -0 stays */
}

/* The terms of sigmoid(x). */
struct ratio {
    doubles above, below;
};

BL_FORCE_INLINE struct ratio sigmoid_of(doubles x)
{
    const struct exponent e = exponent_of(x, 1);
    const doubles t = e.rest * half_tanh_over_5(e.rest * e.rest);
    const doubles above = fused(e.power, t, e.power);

    return (struct ratio){above, above + (1 - t)};
}

/* ---- Logarithms ---------------------------------------------------------------------- */

BL_FORCE_INLINE doubles quick_log(doubles x, BL_UNUSED struct attributes with)
{
    /* as split of lanes.h */
    const uint64_t root = UINT64_C(0x3FE6A09E667F3BCD); /* the bits of sqrt(1/2) */
    const uint64_t one = UINT64_C(1023) << 52;
    const unsigned_longs bits = (unsigned_longs)x;
    const unsigned_longs moved = bits - (root - one);
    const unsigned_longs biased = (moved >> 52) | UINT64_C(0x4330000000000000);
    const unsigned_longs m = bits - (moved & ~((UINT64_C(1) << 52) - 1)) + one;
    const doubles k = (doubles)biased - (0x1p52 + 1023);
    const doubles f = (doubles)m - 1;
    const doubles s = f / (f + 2);

    return fused(k, all(LN2), s * log_over_5(s * s));
}

/* max(x, 0) + log(1 + e^-|x|), the latter as 2 atanh(e / (2 + e)) */
BL_FORCE_INLINE doubles quick_softplus(doubles x, BL_UNUSED struct attributes with)
{
    const doubles e = exp_of(greater(all(-100), -absolute(x)));
    const doubles s = e / (e + 2);

    return fused(s, log_over_7(s * s), greater(x, all(0)));
}

/* ---- Circles ------------------------------------------------------------------------- */

/* The sine of x, of quarter turns more. */
BL_FORCE_INLINE doubles sine_of(doubles x, int64_t quarters)
{
    const doubles sum = fused(x, all(TWO_OVER_PI), all(TO_INTEGER));
    const doubles k = sum - TO_INTEGER;
    const longs quarter = (longs)sum + quarters;
    const doubles near = fused_less(k, all(PI_HALF), x);
    const doubles r = fused_less(k, all(PI_HALF_LOW), near);
    const doubles z = r * r;
    const doubles y = chosen(-(quarter & 1), cos_6(z), r * sin_over_5(z));

    return (doubles)((longs)y ^ ((quarter & 2) << 62));
}

BL_FORCE_INLINE doubles quick_sin(doubles x, BL_UNUSED struct attributes with)
{
    return sine_of(x, 0);
}

BL_FORCE_INLINE doubles quick_cos(doubles x, BL_UNUSED struct attributes with)
{
    return sine_of(x, 1);
}

/* ---- The normal distribution --------------------------------------------------------- */

BL_FORCE_INLINE doubles quick_erf(doubles x, BL_UNUSED struct attributes with)
{
    const doubles near = greater(all(-4), lesser(all(4), x));
    const doubles z = near * near;

    return near * erf_above(z) / erf_below(z);
}

/* x times the normal distribution at x */
BL_FORCE_INLINE doubles quick_gelu_erf(doubles x, BL_UNUSED struct attributes with)
{
    const doubles a = lesser(absolute(x), all(14));
    const doubles tail = exp_of(a * a * -0.5) * tail_above(a);
    const doubles below = tail_below(a);

    return x * chosen(x > 0, below - tail, tail) / below;
}

/* ---- Activations --------------------------------------------------------------------- */

BL_FORCE_INLINE doubles gated(doubles x, doubles u)
{
    const struct ratio gate = sigmoid_of(lesser(all(100), u));

    return x * gate.above / gate.below;
}

BL_FORCE_INLINE doubles quick_gelu_tanh(doubles x, BL_UNUSED struct attributes with)
{
    return gated(x, x * fused(x * x, all(GELU_3), all(GELU_1)));
}

BL_FORCE_INLINE doubles quick_swish(doubles x, struct attributes with)
{
    return gated(x, greater(all(-700), x * with.alpha));
}

BL_FORCE_INLINE doubles quick_mish(doubles x, BL_UNUSED struct attributes with)
{
    const doubles e = exp_of(lesser(all(100), x));
    const doubles above = fused(e, e, e + e);

    return x * above / (above + 2);
}

BL_FORCE_INLINE doubles quick_elu(doubles x, struct attributes with)
{
    const doubles y = with.alpha * expm1_of(greater(all(-100), lesser(x, all(0))));

    return chosen(x < 0, y, x);
}

BL_FORCE_INLINE doubles quick_selu(doubles x, struct attributes with)
{
    return with.gamma * quick_elu(x, with);
}

/* For an alpha above 0. */
BL_FORCE_INLINE doubles quick_celu(doubles x, struct attributes with)
{
    const doubles quotient = lesser(x, all(0)) / with.alpha;
    const doubles y = with.alpha * expm1_of(greater(all(-100), quotient));

    return greater(x, all(0)) + y;
}

#endif
