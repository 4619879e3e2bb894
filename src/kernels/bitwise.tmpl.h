/*
 * bitwise.tmpl.h - BitwiseAnd, BitwiseOr, BitwiseXor of the integers of one size
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters: those of select.tmpl.h.
 */
#define COPY F(copy)
#define R T
#define MAP F(map)
#include "kernels/map.tmpl.h"

static inline T F(bitwiseand)(T x, T y)
{
    return x & y;
}

static inline T F(bitwiseor)(T x, T y)
{
    return x | y;
}

static inline T F(bitwisexor)(T x, T y)
{
    return x ^ y;
}

#define ROW(name)                                                                   \
    static void F(run_##name)(size_t n, const void *a, ptrdiff_t sa, const void *b, \
                              ptrdiff_t sb, void *y)                                \
    {                                                                               \
        F(map)(n, a, sa, b, sb, y, F(name));                                        \
    }                                                                               \
    static size_t F(row_##name)(const struct bl_row *row)                           \
    {                                                                               \
        return binary(row, F(run_##name), &F(of_map));                              \
    }

ROW(bitwiseand)
ROW(bitwiseor)
ROW(bitwisexor)
#undef ROW
#undef COPY
