/*
 * compare.tmpl.h - Equal, Greater, Less, and or equal, of one element type; the results are
 * bools, 0 or 1
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters: T the element type; TAG the suffix of every name made here; COPY the function
 * that copies elements of T's size.
 */
#define R uint8_t
#define MAP F(test)
#include "kernels/map.tmpl.h"

static inline uint8_t F(equal)(T x, T y)
{
    return x == y;
}

static inline uint8_t F(less)(T x, T y)
{
    return x < y;
}

static inline uint8_t F(lessorequal)(T x, T y)
{
    return x <= y;
}

#define TEST(name)                                                                  \
    static void F(run_##name)(size_t n, const void *a, ptrdiff_t sa, const void *b, \
                              ptrdiff_t sb, void *y)                                \
    {                                                                               \
        F(test)(n, a, sa, b, sb, y, F(name));                                       \
    }                                                                               \
    static size_t F(row_##name)(const struct bl_row *row)                           \
    {                                                                               \
        return binary(row, F(run_##name), &F(of_test));                             \
    }

TEST(equal)
TEST(less)
TEST(lessorequal)
#undef TEST

static size_t F(row_greater)(const struct bl_row *row)
{
    return exchanged(row, F(row_less));
}

static size_t F(row_greaterorequal)(const struct bl_row *row)
{
    return exchanged(row, F(row_lessorequal));
}
