/*
 * math64.h - exponentials and logarithms of a float64, in pairs of doubles, rounded at the
 * end
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A series takes its first terms in pairs; what follows is so much smaller that its own
 * roundings do not matter.  Arguments of magnitude 1400 and more count as 1400: e^1400 is
 * far out of float64.
 */
#ifndef BL_KERNELS_MATH64_H
#define BL_KERNELS_MATH64_H

#include "kernels/lanes.h"
#include "kernels/pair.h"

#define EXPONENT_LIMIT 1400

/* m * 2^k */
struct scaled {
    struct pair m;
    double k;
};

BL_FORCE_INLINE double scaled_round(struct scaled x)
{
    return scale(pair_round(x.m), x.k);
}

/* ---- Exponentials -------------------------------------------------------------------- */

/* e^x = 2^k (1 + m), in this one function.  m is relatively precise, |m| < 0.42. */
BL_FORCE_INLINE struct scaled exponential64(struct pair argument)
{
    const double high = within(argument.high, -EXPONENT_LIMIT, EXPONENT_LIMIT);
    const double low = high == argument.high ? argument.low : 0;
    const double k = nearest(high * LOG2_E);
    const struct pair near = sum_of(high - k * LN2_UPPER, -(k * LN2_LOWER));
    const struct pair r = quick_sum(near.high, near.low + low);
    const struct pair square = product_of(r.high, r.high);
    double q = 1.0 / 6227020800;

    q = q * r.high + 1.0 / 479001600;
    q = q * r.high + 1.0 / 39916800;
    q = q * r.high + 1.0 / 3628800;
    q = q * r.high + 1.0 / 362880;
    q = q * r.high + 1.0 / 40320;
    q = q * r.high + 1.0 / 5040;
    q = q * r.high + 1.0 / 720;
    q = q * r.high + 1.0 / 120;
    q = q * r.high + 1.0 / 24;
    q = q * r.high + 1.0 / 6;

    const double rest = square.high * r.high * q;
    const struct pair start = quick_sum(r.high, 0.5 * square.high);
    const double second = r.low + (0.5 * square.low + r.high * r.low);

    return (struct scaled){quick_sum(start.high, start.low + (second + rest)), k};
}

/* e^x */
BL_FORCE_INLINE struct scaled exp_of64(struct pair x)
{
    const struct scaled e = exponential64(x);

    return (struct scaled){pair_add_double(e.m, 1), e.k};
}

BL_FORCE_INLINE double exp64(double x)
{
    return scaled_round(exp_of64((struct pair){x, 0}));
}

/* The value of e^x, for x <= 0, where less than 2^-200 is as good as 2^-200. */
BL_FORCE_INLINE struct pair pair_of_power(struct scaled e)
{
    return pair_scale(e.m, power_of_two(within(e.k, -200, 0)));
}

/* e^x - 1.  One of the powers is 1, and neither overflows. */
BL_FORCE_INLINE struct scaled expm1_of64(struct pair x)
{
    const struct scaled e = exponential64(x);
    const double up = e.k > 0 ? e.k : 0;
    const double power = power_of_two(within(e.k, -200, 0));
    const double unit = power_of_two(-within(e.k, 0, 200));

    return (struct scaled){pair_add_double(pair_scale(e.m, power), power - unit), up};
}

/* As hyperbolic32 of math32.h. */
struct hyperbolic64 {
    struct pair sinh, cosh, denominator;
    double k;
};

BL_FORCE_INLINE struct hyperbolic64 hyperbolic64(double x)
{
    const struct scaled e = exponential64((struct pair){magnitude(x), 0});
    const double c = power_of_two(-2 * within(e.k, 0, 60)); /* less changes nothing */
    const struct pair q = pair_multiply(e.m, pair_add_double(e.m, 2));

    return (struct hyperbolic64){pair_add(quick_sum(1, -c), q),
                                 pair_add(quick_sum(1, c), q), pair_add_double(e.m, 1),
                                 e.k};
}

BL_FORCE_INLINE double sinh64(double x)
{
    const struct hyperbolic64 h = hyperbolic64(x);
    const double y = scale(pair_round(pair_divide(h.sinh, h.denominator)), h.k - 1);

    return with_sign(y, x);
}

BL_FORCE_INLINE double cosh64(double x)
{
    const struct hyperbolic64 h = hyperbolic64(x);

    return scale(pair_round(pair_divide(h.cosh, h.denominator)), h.k - 1);
}

BL_FORCE_INLINE double tanh64(double x)
{
    const struct hyperbolic64 h = hyperbolic64(x);

    return with_sign(pair_round(pair_divide(h.sinh, h.cosh)), x);
}

/* ---- Logarithms ---------------------------------------------------------------------- */

/* 1 + f, from sqrt(1/2) to sqrt(2), times 2^k */
struct parts64 {
    struct pair f;
    double k;
};

/* log(1 + f) + k ln 2: with s = 2 f / (2 + f) the first is 2 atanh(s / 2). */
BL_FORCE_INLINE struct pair log_of64(struct parts64 x)
{
    const struct pair s = pair_divide(pair_scale(x.f, 2), pair_add_double(x.f, 2));
    const double z = 0.25 * (s.high * s.high);
    double q = 1.0 / 25;

    q = q * z + 1.0 / 23;
    q = q * z + 1.0 / 21;
    q = q * z + 1.0 / 19;
    q = q * z + 1.0 / 17;
    q = q * z + 1.0 / 15;
    q = q * z + 1.0 / 13;
    q = q * z + 1.0 / 11;
    q = q * z + 1.0 / 9;
    q = q * z + 1.0 / 7;
    q = q * z + 1.0 / 5;
    q = q * z + 1.0 / 3;

    const struct pair sum = sum_of(x.k * LN2_UPPER, s.high);

    return quick_sum(sum.high, sum.low + (x.k * LN2_LOWER + (s.low + s.high * z * q)));
}

/* The parts of a positive, finite x. */
BL_FORCE_INLINE struct parts64 parts_of64(double x)
{
    const int tiny = x < 0x1p-1022;
    const struct split parts = split(tiny ? x * 0x1p54 : x);

    return (struct parts64){{parts.m - 1, 0}, tiny ? parts.k - 54 : parts.k};
}

/* The parts of 1 + y, for 0 <= y < 2^1000. */
BL_FORCE_INLINE struct parts64 parts_of_sum64(struct pair y)
{
    const struct pair sum = pair_add_double(y, 1);
    const struct split parts = split(sum.high);
    const struct pair f = quick_sum(parts.m - 1, sum.low * power_of_two(-parts.k));
    const struct pair swapped = sum_of(f.high, f.low);

    return (struct parts64){pair_choose(parts.k == 0, y, swapped), parts.k};
}

BL_FORCE_INLINE double log64(double x)
{
    const double y = pair_round(log_of64(parts_of64(x)));
    const double edge = x == 0 ? -INFINITY : x > 0 ? x : NAN;

    return x > 0 && x < INFINITY ? y : edge;
}

/* log(1 + y) for 0 <= y < 2^1000 */
BL_FORCE_INLINE struct pair log1p_of64(struct pair y)
{
    return log_of64(parts_of_sum64(y));
}

/* log(1 + y), or log(2 x) where x is so large that the two are the same. */
BL_FORCE_INLINE double log_or_double64(struct pair y, double x)
{
    const int large = x > 0x1p30;
    const struct parts64 near =
        parts_of_sum64((struct pair){large ? 0 : y.high, large ? 0 : y.low});
    const struct parts64 far = parts_of64(large ? x : 1);

    return pair_round(log_of64(
        (struct parts64){pair_choose(large, far.f, near.f), large ? far.k + 1 : near.k}));
}

BL_FORCE_INLINE double asinh64(double x)
{
    const double a = magnitude(x);
    const struct pair square = product_of(a, a);
    const struct pair root = pair_root(pair_add_double(square, 1));
    const struct pair rest = pair_divide(square, pair_add_double(root, 1));
    const double y = log_or_double64(pair_add_double(rest, a), a);

    return a < INFINITY ? with_sign(y, x) : x;
}

BL_FORCE_INLINE double acosh64(double x)
{
    const struct pair t = sum_of(x, -1);
    const struct pair root = pair_root(pair_multiply(t, pair_add_double(t, 2)));
    const double y = log_or_double64(pair_add(t, root), x);
    const double edge = x >= 1 ? x : NAN;

    return x >= 1 && x < INFINITY ? y : edge;
}

BL_FORCE_INLINE double atanh64(double x)
{
    const double a = magnitude(x);
    const struct pair rest = sum_of(1, a < 1 ? -a : 0);
    const struct pair y = log1p_of64(pair_divide((struct pair){2 * a, 0}, rest));
    const double edge = a == 1 ? INFINITY : NAN;

    return with_sign(a < 1 ? 0.5 * pair_round(y) : edge, x);
}

#endif
