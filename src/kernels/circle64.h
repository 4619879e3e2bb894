/*
 * circle64.h - sine, cosine, tangent and their inverses of a float64, in pairs of doubles
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_KERNELS_CIRCLE64_H
#define BL_KERNELS_CIRCLE64_H

#include "kernels/lanes.h"
#include "kernels/pair.h"
#include "kernels/polynomials.h"

/* x - k * pi / 2 for an integer k below 2^20. */
BL_FORCE_INLINE struct pair turned64(double x, double k)
{
    const struct pair second = sum_of(x - k * PI_HALF_1, -(k * PI_HALF_2));
    const struct pair third = sum_of(second.high, -(k * PI_HALF_3));

    const struct pair r = quick_sum(third.high, third.low + (second.low - k * PI_HALF_4));

    return (struct pair){x == 0 ? x : r.high, r.low}; /* -0 stays */
}

/* Both for |r| < 0.79. */
BL_FORCE_INLINE struct pair sin_of64(struct pair r)
{
    const struct pair z = product_of(r.high, r.high);
    double q = -1.0 / 121645100408832000;

    q = q * z.high + 1.0 / 355687428096000;
    q = q * z.high - 1.0 / 1307674368000;
    q = q * z.high + 1.0 / 6227020800;
    q = q * z.high - 1.0 / 39916800;
    q = q * z.high + 1.0 / 362880;
    q = q * z.high - 1.0 / 5040;
    q = q * z.high + 1.0 / 120;

    /* -r^3 / 6 in a pair; its low part also serves for r's own, by sin' = cos. */
    const struct pair sixth = {-1.0 / 6, -0x1.5555555555555p-57};
    const struct pair cube = pair_times_double(pair_multiply(z, sixth), r.high);
    const double rest = r.low * (1 - 0.5 * z.high) + z.high * z.high * r.high * q;
    const struct pair start = quick_sum(r.high, cube.high);

    return quick_sum(start.high, start.low + (cube.low + rest));
}

BL_FORCE_INLINE struct pair cos_of64(struct pair r)
{
    const struct pair z = product_of(r.high, r.high);
    double q = 1.0 / 2432902008176640000;

    q = q * z.high - 1.0 / 6402373705728000;
    q = q * z.high + 1.0 / 20922789888000;
    q = q * z.high - 1.0 / 87178291200;
    q = q * z.high + 1.0 / 479001600;
    q = q * z.high - 1.0 / 3628800;
    q = q * z.high + 1.0 / 40320;
    q = q * z.high - 1.0 / 720;
    q = q * z.high + 1.0 / 24;

    const struct pair start = quick_sum(1, -0.5 * z.high);
    const double rest = z.high * z.high * q - (0.5 * z.low + r.high * r.low);

    return quick_sum(start.high, start.low + rest);
}

/* Whether an integer is odd, as a double for choices between doubles. */
BL_FORCE_INLINE double odd(double k)
{
    return bl_f64_from_bits(integer_bits(0) | (integer_bits(k) & 1)) - TO_INTEGER;
}

/* The sine of quarter * pi / 2 + r. */
BL_FORCE_INLINE double sin_turned64(struct pair r, double quarter)
{
    const double sine = with_sign(pair_round(sin_of64(r)), r.high);
    const double y = odd(quarter) != 0 ? pair_round(cos_of64(r)) : sine;

    return flip_sign(y, bl_f64_from_bits(integer_bits(quarter) << 62));
}

BL_FORCE_INLINE double cos_turned64(struct pair r, double quarter)
{
    return sin_turned64(r, quarter + 1);
}

BL_FORCE_INLINE double tan_turned64(struct pair r, double quarter)
{
    const int turned = odd(quarter) != 0;
    const struct pair sine = sin_of64(r);
    const struct pair cosine = cos_of64(r);
    const double y = pair_round(
        pair_divide(pair_choose(turned, cosine, sine), pair_choose(turned, sine, cosine)));

    return turned ? -y : with_sign(y, r.high);
}

/* The angle whose tangent is a / b, for a and b of which neither is negative nor both are
 * 0. */
BL_FORCE_INLINE struct pair angle64(struct pair a, struct pair b)
{
    const int flat = a.high <= b.high * TAN_PI_EIGHTH;
    const int steep = b.high <= a.high * TAN_PI_EIGHTH;
    const struct pair minus_b = {-b.high, -b.low};
    const struct pair numerator =
        pair_choose(flat, a, pair_choose(steep, minus_b, pair_add(a, minus_b)));
    const struct pair denominator =
        pair_choose(flat, b, pair_choose(steep, a, pair_add(a, b)));
    const struct pair s = pair_divide(numerator, denominator);
    const double z = s.high * s.high;
    const double quarter = flat ? 0 : steep ? 1 : 0.5;
    const struct pair start = sum_of(quarter * PI_HALF, s.high);

    return quick_sum(start.high, start.low + (quarter * PI_HALF_LOW +
                                              (s.low + s.high * z * atan_rest_12(z))));
}

BL_FORCE_INLINE double atan64(double x)
{
    const double a = within(magnitude(x), 0, 0x1p100); /* beyond, all is pi / 2 */

    return with_sign(pair_round(angle64((struct pair){a, 0}, (struct pair){1, 0})), x);
}

/* sqrt(1 - a^2) for 0 <= a */
BL_FORCE_INLINE struct pair cosine_of_asin64(double a)
{
    return pair_root(pair_multiply(sum_of(1, -a), sum_of(1, a)));
}

BL_FORCE_INLINE double asin64(double x)
{
    const double a = magnitude(x);
    const double y = pair_round(angle64((struct pair){a, 0}, cosine_of_asin64(a)));

    return a <= 1 ? with_sign(y, x) : NAN;
}

BL_FORCE_INLINE double acos64(double x)
{
    const double a = magnitude(x);
    const struct pair y = angle64(cosine_of_asin64(a), (struct pair){a, 0});
    const struct pair pi = {2 * PI_HALF, 2 * PI_HALF_LOW};
    const double behind = pair_round(pair_add(pi, (struct pair){-y.high, -y.low}));
    const double front = pair_round(y);

    return a <= 1 ? (x < 0 ? behind : front) : NAN;
}

#endif
