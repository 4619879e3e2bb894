/*
 * bitwise.tmpl.h - BitwiseAnd, BitwiseOr, BitwiseXor of the integers of one size
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters: those of select.tmpl.h.
 */
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

#define ROW(name)                                                                  \
    static size_t F(row_##name)(const struct bl_row *row)                          \
    {                                                                              \
        F(map)                                                                     \
        (row->n, row->in[0], row->stride[0], row->in[1], row->stride[1], row->out, \
         F(name));                                                                 \
        return row->n;                                                             \
    }

ROW(bitwiseand)
ROW(bitwiseor)
ROW(bitwisexor)
#undef ROW
