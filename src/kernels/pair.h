/*
 * pair.h - numbers of twice the precision of double: unevaluated sums of two
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * For the vector math of float64.  `low` is at most about an ulp of `high`.  Products are
 * split by masks, not by a fused multiply-add, which not every processor has; they are
 * within 2^-104 of exact, relatively. Source: T. J. Dekker, A floating-point technique for
 * extending the available precision, 1971.
 */
#ifndef BL_KERNELS_PAIR_H
#define BL_KERNELS_PAIR_H

#include "kernels/lanes.h"

struct pair {
    double high, low;
};

/* a + b, exact. */
BL_FORCE_INLINE struct pair sum_of(double a, double b)
{
    const double high = a + b;
    const double from_b = high - a;

    return (struct pair){high, (a - (high - from_b)) + (b - from_b)};
}

/* The same where b is known to be the smaller one, or a is 0. */
BL_FORCE_INLINE struct pair quick_sum(double a, double b)
{
    const double high = a + b;

    return (struct pair){high, b - (high - a)};
}

/* The 26 upper bits of the significand. */
BL_FORCE_INLINE double upper_half(double x)
{
    return bl_f64_from_bits(bl_f64_bits(x) & UINT64_C(0xFFFFFFFFF8000000));
}

BL_FORCE_INLINE struct pair product_of(double a, double b)
{
    const double high = a * b;
    const double a_upper = upper_half(a), a_lower = a - a_upper;
    const double b_upper = upper_half(b), b_lower = b - b_upper;

    return (struct pair){
        high, ((a_upper * b_upper - high) + a_upper * b_lower + a_lower * b_upper) +
                  a_lower * b_lower};
}

BL_FORCE_INLINE struct pair pair_add(struct pair a, struct pair b)
{
    const struct pair sum = sum_of(a.high, b.high);

    return quick_sum(sum.high, sum.low + (a.low + b.low));
}

BL_FORCE_INLINE struct pair pair_add_double(struct pair a, double b)
{
    const struct pair sum = sum_of(a.high, b);

    return quick_sum(sum.high, sum.low + a.low);
}

BL_FORCE_INLINE struct pair pair_multiply(struct pair a, struct pair b)
{
    const struct pair product = product_of(a.high, b.high);

    return quick_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

BL_FORCE_INLINE struct pair pair_times_double(struct pair a, double b)
{
    const struct pair product = product_of(a.high, b);

    return quick_sum(product.high, product.low + a.low * b);
}

/* times a power of two */
BL_FORCE_INLINE struct pair pair_scale(struct pair a, double power)
{
    return (struct pair){a.high * power, a.low * power};
}

BL_FORCE_INLINE struct pair pair_divide(struct pair a, struct pair b)
{
    const double quotient = a.high / b.high;
    const struct pair back = product_of(quotient, b.high);
    const double rest = ((a.high - back.high) - back.low) + (a.low - quotient * b.low);

    return quick_sum(quotient, rest / b.high);
}

/* a is not negative. */
BL_FORCE_INLINE struct pair pair_root(struct pair a)
{
    const double root = sqrt(a.high);
    const struct pair back = product_of(root, root);
    const double rest = ((a.high - back.high) - back.low) + a.low;

    return quick_sum(root, root > 0 ? rest / (2 * root) : 0);
}

BL_FORCE_INLINE struct pair pair_choose(int first, struct pair a, struct pair b)
{
    return (struct pair){first ? a.high : b.high, first ? a.low : b.low};
}

BL_FORCE_INLINE double pair_round(struct pair a)
{
    return a.high + a.low;
}

#endif
