/*
 * activation64.h - erf and the activations of a float64, in pairs of doubles
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * As in math32.h, a formula is rounded as a whole, and is NaN where it has infinity times
 * 0.
 */
#ifndef BL_KERNELS_ACTIVATION64_H
#define BL_KERNELS_ACTIVATION64_H

#include "kernels/attributes.h"
#include "kernels/math64.h"
#include "kernels/polynomials.h"

/* x brought nearer to 1, so that neither a product of two overflows nor its low part
 * underflows. */
BL_FORCE_INLINE double balanced(double x, double *k)
{
    const double a = magnitude(x);
    const int large = a > 0x1p500;
    const int small = a < 0x1p-500;

    *k = large ? 540 : small ? -540 : 0;
    return x * (large ? 0x1p-540 : small ? 0x1p540 : 1);
}

/* ---- The normal distribution --------------------------------------------------------- */

/* erf(x) / x times a, for 0 <= x < 1 */
BL_FORCE_INLINE struct pair erf_near64(struct pair a, double x)
{
    const double w = x * x - 0.5;
    const struct pair sum = quick_sum(ERF_REST_13_0.high, w * erf_rest_13(w));

    return pair_multiply((struct pair){sum.high, sum.low + ERF_REST_13_0.low}, a);
}

/* exp(y^2) erfc(y) for y >= 1/2; what is beyond 28 is not told from 0. */
BL_FORCE_INLINE struct pair erfc_scaled64(struct pair y)
{
    const double near = within(y.high, 0.5, 28);
    const double low = near == y.high ? y.low : 0;
    const double t = (near - 3.75) / (near + 3.75);
    const struct pair sum = quick_sum(ERFC_REST_22_0.high, t * erfc_rest_22(t));
    const struct pair value = {sum.high, sum.low + ERFC_REST_22_0.low};

    return pair_divide(value, pair_add_double((struct pair){2 * near, 2 * low}, 1));
}

BL_FORCE_INLINE struct pair one_minus(struct pair x)
{
    return pair_add_double((struct pair){-x.high, -x.low}, 1);
}

BL_FORCE_INLINE double erf64(double x)
{
    const double a = within(magnitude(x), 0, 6.5);
    const struct pair y = {a, 0};
    const struct scaled e = exp_of64(product_of(a, -a));
    const struct pair tail = pair_multiply(erfc_scaled64(y), pair_of_power(e));
    double k; /* 0 for the far ones */
    const struct pair near = erf_near64((struct pair){balanced(a, &k), 0}, a);
    const struct pair value = pair_choose(a < 1, near, one_minus(tail));

    return with_sign(scale(pair_round(value), k), x);
}

/* x times the normal distribution at x: x erfc(-x / sqrt(2)) / 2 */
BL_FORCE_INLINE double gelu_erf64(double x)
{
    const double a = within(magnitude(x), 0, 50);
    const int near = a < 0.75;
    const struct pair root_half = {SQRT_HALF, SQRT_HALF_LOW};
    const struct pair y = pair_times_double(root_half, a);
    const struct scaled e = exp_of64(product_of(a, -0.5 * a));
    const struct pair tail = pair_multiply(pair_scale(erfc_scaled64(y), 0.5), e.m);
    const struct pair near_tail = pair_scale(one_minus(erf_near64(y, y.high)), 0.5);
    const double power = power_of_two(within(e.k, -200, 0));
    const struct pair near_or_far = pair_choose(near, near_tail, pair_scale(tail, power));
    const struct pair below = pair_choose(near, near_tail, tail);
    const struct pair factor = pair_choose(x > 0, one_minus(near_or_far), below);
    double x_k;
    const struct pair product = pair_times_double(factor, balanced(x, &x_k));
    const double result = scale(pair_round(product), x_k + (x > 0 || near ? 0 : e.k));

    return x > 50 ? x : x < -50 ? x * 0 : with_sign(result, x);
}

/* ---- Gates --------------------------------------------------------------------------- */

/* 1 / (1 + e^-u) */
BL_FORCE_INLINE struct scaled sigmoid_of64(struct pair u)
{
    const double minus = u.high > 0 ? -1 : 1;
    const struct scaled e = exp_of64(pair_scale(u, minus));
    const struct pair denominator = pair_add_double(pair_of_power(e), 1);
    const struct pair one = {1, 0};
    const struct pair numerator = pair_choose(u.high < 0, e.m, one);

    return (struct scaled){pair_divide(numerator, denominator), u.high < 0 ? e.k : 0};
}

BL_FORCE_INLINE double sigmoid64(double x)
{
    return scaled_round(sigmoid_of64((struct pair){x, 0}));
}

/* x sigmoid(u) b.  Where u < -EXPONENT_LIMIT that is 0: u is x times a float32, or grows as
 * x^3, and so x is below 2^160 or else u is far below the limit. */
BL_FORCE_INLINE double gated64(double x, struct pair u, double b)
{
    double x_k, b_k;
    const struct scaled gate = sigmoid_of64(u);
    const struct pair left = pair_times_double(gate.m, balanced(x, &x_k));
    const struct pair product = pair_times_double(left, balanced(b, &b_k));
    const double y = scale(pair_round(product), within(gate.k + x_k + b_k, -2040, 2040));
    const int finite = magnitude(x) < INFINITY && magnitude(b) < INFINITY;
    const double with_infinity = u.high >= SIGMOID_ZERO ? x * b : NAN;
    const double near = u.high < -EXPONENT_LIMIT ? x * 0 * b : y;

    return finite ? with_sign(near, flip_sign(x, b)) : with_infinity;
}

BL_FORCE_INLINE double swish64(double x, struct attributes with)
{
    return gated64(x, product_of(x, with.alpha), 1);
}

BL_FORCE_INLINE double swiglu64(double a, double b, struct attributes with)
{
    return gated64(a, product_of(a, with.alpha), b);
}

BL_FORCE_INLINE double gelu_tanh64(double x)
{
    const double near = within(x, -100, 100);
    const struct pair square = product_of(near, near);
    const struct pair third = {GELU_3, GELU_3_LOW};
    const struct pair first = {GELU_1, GELU_1_LOW};
    const struct pair slope = pair_add(pair_multiply(square, third), first);

    return gated64(x, pair_times_double(slope, near), 1);
}

/* ---- Softplus, Mish, and the Elus ---------------------------------------------------- */

BL_FORCE_INLINE double softplus64(double x)
{
    const struct scaled e = exp_of64((struct pair){-magnitude(x), 0});
    const struct pair log = log1p_of64(pair_of_power(e));
    const double y = pair_round(pair_add_double(log, x < 0 ? 0 : x));
    const double edge = x > 0 ? x : scaled_round(e); /* log(1 + e^x) is e^x */

    return magnitude(x) > 45 ? edge : y;
}

/* As mish32 of math32.h; below 0 the common factor e^x is left to the last. */
BL_FORCE_INLINE double mish64(double x)
{
    const int positive = x > 0;
    const struct scaled scaled = exp_of64((struct pair){-magnitude(x), 0});
    const struct pair e = pair_of_power(scaled);
    const struct pair above = pair_add_double(pair_scale(e, 2), 1);
    const struct pair square = pair_multiply(e, e);
    const struct pair below = pair_add(square, pair_scale(e, 2));
    const struct pair numerator =
        pair_choose(positive, above, pair_multiply(scaled.m, pair_add_double(e, 2)));
    const struct pair two = {2, 0};
    const struct pair denominator =
        pair_add(pair_choose(positive, above, below),
                 pair_choose(positive, pair_scale(square, 2), two));
    const struct pair factor = pair_divide(numerator, denominator);
    double x_k;
    const struct pair product = pair_times_double(factor, balanced(x, &x_k));
    const double y = scale(pair_round(product), x_k + (positive ? 0 : scaled.k));

    return x > 100 ? x : x < -EXPONENT_LIMIT ? x * 0 : with_sign(y, x);
}

/* alpha (e^x - 1) */
BL_FORCE_INLINE struct scaled exponential_part64(struct pair x, double alpha)
{
    const struct scaled e = expm1_of64(x);
    const int small = magnitude(e.m.high) < 0x1p-500; /* as in balanced */
    const struct pair m = pair_scale(e.m, small ? 0x1p540 : 1);

    return (struct scaled){pair_times_double(m, alpha), small ? -540 : e.k};
}

BL_FORCE_INLINE double elu64(double x, struct attributes with)
{
    const struct pair argument = {x < 0 ? x : 0, 0};

    const double y = scaled_round(exponential_part64(argument, with.alpha));

    return x < 0 ? with_sign(y, -with.alpha) : x;
}

/* The product of two float32 is exact. */
BL_FORCE_INLINE double selu64(double x, struct attributes with)
{
    const double factor = with.alpha * with.gamma;
    const struct pair argument = {x < 0 ? x : 0, 0};
    const double y = scaled_round(exponential_part64(argument, factor));

    return x < 0 ? with_sign(y, -factor) : with.gamma * x;
}

/* max(x, 0) + min(0, alpha (exp(x / alpha) - 1)); where x / alpha is small that is x. */
BL_FORCE_INLINE double celu64(double x, struct attributes with)
{
    const double a = with.alpha;
    const double quotient = x / a;
    const struct pair back = product_of(quotient, a);
    const double rest = ((x - back.high) - back.low) / a;
    const double e = scaled_round(exponential_part64((struct pair){quotient, rest}, a));
    const double curve = magnitude(quotient) < 0x1p-60 ? x : e;
    const double y = quotient == INFINITY ? a * quotient : curve;

    return (x > 0 ? x : 0) + (y > 0 ? 0 : y);
}

#endif
