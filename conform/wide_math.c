/*
 * wide_math.c - functions in long double by its arithmetic alone
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>

#include "conform/wide_math.h"

typedef long double wide;

/* ---- Powers of e ---------------------------------------------------------------- */

/* log(2) in two parts; the first has 40 bits, so that its product with an exponent is exact. */
static const wide ln2_high = 0x1.62e42fefa2p-1L;
static const wide ln2_low = 0x1.9ef35793c7673007e5ed5e81e686p-41L;

/* e^x is 0 or infinite beyond this: the exponents of long double have 15 bits. */
#define EXP_LIMIT 12000

/* e^x - 1 for |x| < 0.36, by the series for x / 256: e^2t - 1 is (e^t - 1) (e^t + 1). */
static wide near_expm1(wide x)
{
    const wide part = x / 256;
    wide term = part, sum = part, before = 0;

    for (int n = 2; sum != before; n++) {
        before = sum;
        term *= part / n;
        sum += term;
    }
    for (int i = 0; i < 8; i++)
        sum *= sum + 2;
    return sum;
}

wide bl_wide_exp(wide x)
{
    if (isnan(x) || fabsl(x) > EXP_LIMIT)
        return isnan(x) ? x : x > 0 ? INFINITY : 0;
    const wide exponent = rintl(x / ln2_high);

    return ldexpl(1 + near_expm1(x - exponent * ln2_high - exponent * ln2_low),
                  (int)exponent);
}

wide bl_wide_expm1(wide x)
{
    if (x == 0)
        return x;
    return fabsl(x) < 0.35L ? near_expm1(x) : bl_wide_exp(x) - 1;
}

/* ---- Logarithms ----------------------------------------------------------------- */

/* A step of Halley's method from double, which makes three times as many bits right. */
wide bl_wide_log1p(wide x)
{
    if (!(x > -1) || isinf(x) || x == 0)
        return log1pl(x);
    if (fabsl(x) < 0x1p-60L)
        return x - x * x / 2;
    if (x < -0.5L || x > 1)
        return bl_wide_log(1 + x);
    const wide near = log1p((double)x);
    const wide power = bl_wide_expm1(near);

    return near + 2 * (x - power) / (2 + x + power);
}

wide bl_wide_log(wide x)
{
    int exponent;

    if (!(x > 0) || isinf(x))
        return logl(x);
    if (x >= 0.5L && x <= 2)
        return bl_wide_log1p(x - 1);
    const wide fraction = frexpl(x, &exponent);

    return exponent * ln2_high + (exponent * ln2_low + bl_wide_log1p(fraction - 1));
}

/* The logarithm's error is multiplied by that of the power: up to 10 bits are lost. */
wide bl_wide_pow(wide x, wide y)
{
    if (x == 0 || y == 0 || !isfinite(x) || !isfinite(y) || (x < 0 && y != rintl(y)))
        return powl(x, y);
    const wide power = bl_wide_exp(y * bl_wide_log(fabsl(x)));

    return x < 0 && fmodl(fabsl(y), 2) == 1 ? -power : power;
}

/* ---- Hyperbolic functions and their inverses -------------------------------------- */

wide bl_wide_sinh(wide x)
{
    const wide power = bl_wide_expm1(fabsl(x));

    return copysignl(isinf(power) ? power : (power + power / (power + 1)) / 2, x);
}

wide bl_wide_cosh(wide x)
{
    const wide power = bl_wide_exp(fabsl(x));

    return (power + 1 / power) / 2;
}

wide bl_wide_tanh(wide x)
{
    const wide power = bl_wide_expm1(2 * fabsl(x));

    return copysignl(isinf(power) ? 1 : power / (power + 2), x);
}

wide bl_wide_asinh(wide x)
{
    const wide size = fabsl(x);

    if (!isfinite(x))
        return x;
    return copysignl(bl_wide_log1p(size + size * size / (1 + sqrtl(size * size + 1))), x);
}

wide bl_wide_acosh(wide x)
{
    if (!(x >= 1) || isinf(x))
        return acoshl(x);
    return bl_wide_log1p(x - 1 + sqrtl((x - 1) * (x + 1)));
}

wide bl_wide_atanh(wide x)
{
    const wide size = fabsl(x);

    if (!(size < 1))
        return atanhl(x);
    return copysignl(bl_wide_log1p(2 * size / (1 - size)) / 2, x);
}

/* ---- The error function ----------------------------------------------------------- */

static const wide one_by_root_pi = 0.56418958354775628694807945156077258584L;

/* From here on the continued fraction, and below it the series; neither cancels there. */
#define ERF_FAR 2
/* At 2, 190 terms of the fraction are enough for 113 bits; further out it takes fewer. */
#define ERF_TERMS 250

/* e^(-x^2), without the error of the square. */
static wide bell(wide x)
{
    const wide square = x * x;

    return bl_wide_exp(-square) * (1 - fmal(x, x, -square));
}

/* erfc x = e^(-x^2) / sqrt(pi) / (x + (1/2) / (x + (2/2) / (x + (3/2) / ...))) for x >= ERF_FAR. */
static wide far_erfc(wide x)
{
    wide fraction = x;

    if (x > EXP_LIMIT)
        return 0;
    for (int n = ERF_TERMS; n > 0; n--)
        fraction = x + n * 0.5L / fraction;
    return bell(x) * one_by_root_pi / fraction;
}

/* erf x = 2 / sqrt(pi) e^(-x^2) (x + 2 x^3 / 3 + 4 x^5 / (3 5) + ...), for |x| < ERF_FAR. */
static wide near_erf(wide x)
{
    wide term = x, sum = x, before = 0;

    for (int n = 3; sum != before; n += 2) {
        before = sum;
        term *= 2 * x * x / n;
        sum += term;
    }
    return 2 * one_by_root_pi * bell(x) * sum;
}

wide bl_wide_erf(wide x)
{
    if (isnan(x) || fabsl(x) < ERF_FAR)
        return isnan(x) ? x : near_erf(x);
    return copysignl(1 - far_erfc(fabsl(x)), x);
}

wide bl_wide_erfc(wide x)
{
    if (isnan(x) || fabsl(x) < ERF_FAR)
        return isnan(x) ? x : 1 - near_erf(x);
    return x > 0 ? far_erfc(x) : 2 - far_erfc(-x);
}
