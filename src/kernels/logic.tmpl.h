/*
 * logic.tmpl.h - And, Or, Xor, Equal of bools: any byte but 0 is true, results are 0 or 1
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters: T the byte that holds a bool; TAG the suffix of every name made here.
 */
#define COPY copy_b8
#define R uint8_t
#define MAP F(test)
#include "kernels/map.tmpl.h"

static inline uint8_t F (and)(T x, T y)
{
    return (x != 0) & (y != 0);
}

static inline uint8_t F(or)(T x, T y)
{
    return (x | y) != 0;
}

static inline uint8_t F (xor)(T x, T y)
{
    return (x != 0) != (y != 0);
}

static inline uint8_t F(equal)(T x, T y)
{
    return (x != 0) == (y != 0);
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

TEST(and)
TEST(or)
TEST(xor)
TEST(equal)
#undef TEST
#undef COPY
