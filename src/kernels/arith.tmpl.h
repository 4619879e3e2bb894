/*
 * arith.tmpl.h - Add, Sub, Mul, Div, PRelu, Max, Min, Sum, Mean of one element type
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters:
 *   T         the element type; TAG, the suffix of every name made here
 *   COPY      the function that copies elements of T's size (select.tmpl.h)
 *   W         the type in which T wraps without undefined behaviour: for an integer,
 *             unsigned and at least as wide as int; for a float, T itself
 *   FLOATING  0 or 1.  If 1, TO_BITS and FROM_BITS convert to T's bits and back
 *   SIGNED    0 or 1, for an integer
 */
#define R T
#define MAP F(map)
#include "kernels/map.tmpl.h"

/* ---- What the operators mean ------------------------------------------------ */

static inline T F(add)(T x, T y)
{
    return (T)((W)x + (W)y);
}

static inline T F(sub)(T x, T y)
{
    return (T)((W)x - (W)y);
}

static inline T F(mul)(T x, T y)
{
    return (T)((W)x * (W)y);
}

static inline T F(prelu)(T x, T slope)
{
    const T zero = 0;
    const T product = F(mul)(slope, x);

    return x < zero ? product : x;
}

#if FLOATING

static inline T F(div)(T x, T y)
{
    return x / y;
}

/* IEEE 754-2019 maximum: a NaN on either side wins, and +0 is above -0.  The two greater
 * ones differ where the operands compare equal, and then in the sign of zero at most, so
 * that their common bits are the greater zero. */
static inline T F(max)(T x, T y)
{
    const T one = x > y ? x : y;
    const T other = y > x ? y : x;
    const T greater = FROM_BITS(TO_BITS(one) & TO_BITS(other));

    return isunordered(x, y) ? x + y : greater;
}

static inline T F(min)(T x, T y)
{
    const T one = x < y ? x : y;
    const T other = y < x ? y : x;
    const T lesser = FROM_BITS(TO_BITS(one) | TO_BITS(other));

    return isunordered(x, y) ? x + y : lesser;
}

#else

static inline T F(max)(T x, T y)
{
    return x > y ? x : y;
}

static inline T F(min)(T x, T y)
{
    return x < y ? x : y;
}

#endif

/* ---- Runs --------------------------------------------------------------------- */

#define RUN(name)                                                                   \
    static void F(run_##name)(size_t n, const void *a, ptrdiff_t sa, const void *b, \
                              ptrdiff_t sb, void *y)                                \
    {                                                                               \
        F(map)(n, a, sa, b, sb, y, F(name));                                        \
    }

RUN(add)
RUN(sub)
RUN(mul)
RUN(max)
RUN(min)

#define FOLD F(fold)
#include "kernels/fold.tmpl.h"

#define MANY(name, op, finish)                                               \
    static void F(many_##name)(size_t n, const void *const *x, size_t count, \
                               size_t inputs, void *y)                       \
    {                                                                        \
        F(fold)(n, x, count, y, op, finish, (T)inputs);                      \
    }

MANY(max, F(max), NULL)
MANY(min, F(min), NULL)

/* ---- Rows --------------------------------------------------------------------- */

#define BINARY(name)                                      \
    static size_t F(row_##name)(const struct bl_row *row) \
    {                                                     \
        return binary(row, F(run_##name), &F(of_map));    \
    }

BINARY(add)
BINARY(sub)
BINARY(mul)

static size_t F(row_max)(const struct bl_row *row)
{
    return fold(row, F(run_max), F(many_max), F(many_max), &F(of_map));
}

static size_t F(row_min)(const struct bl_row *row)
{
    return fold(row, F(run_min), F(many_min), F(many_min), &F(of_map));
}

#if FLOATING || WIDTH >= 32

RUN(prelu)
BINARY(prelu)

#endif

#if FLOATING

RUN(div)
BINARY(div)

MANY(add, F(add), NULL)
MANY(mean, F(add), F(div))

static size_t F(row_sum)(const struct bl_row *row)
{
    return fold(row, F(run_add), F(many_add), F(many_add), &F(of_map));
}

static size_t F(row_mean)(const struct bl_row *row)
{
    return fold(row, NULL, F(many_add), F(many_mean), &F(of_map));
}

#endif

#undef MANY
#undef BINARY
#undef RUN
