/*
 * half.tmpl.h - the operators of a 16-bit float, computed in float32 and rounded once
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters: TAG f16 or bf16, the suffix of every name made here; GROUPED 1 if it is to be
 * converted by the group.  Needs the conversions of that TAG (convert.tmpl.h) and the
 * functions of f32 (arith.tmpl.h, compare.tmpl.h).
 */
#if GROUPED
#include "kernels/half_group.tmpl.h"
#else

#define T uint16_t
#define COPY copy_b16

#define R T
#define MAP F(map)
#define C float
#define LOAD F(widen_one)
#define E float
#define STORE F(narrow_one)
#include "kernels/map.tmpl.h"

#define R uint8_t
#define MAP F(test)
#define C float
#define LOAD F(widen_one)
#include "kernels/map.tmpl.h"

#define FOLD F(fold)
#define C float
#define LOAD F(widen_one)
#define STORE F(narrow_one)
#include "kernels/fold.tmpl.h"

#undef T
#undef COPY

#endif

/* ---- Of two operands ------------------------------------------------------------------ */

#define BINARY(name, map, of)                                                       \
    static void F(run_##name)(size_t n, const void *a, ptrdiff_t sa, const void *b, \
                              ptrdiff_t sb, void *y)                                \
    {                                                                               \
        map(n, a, sa, b, sb, y, name##_f32);                                        \
    }                                                                               \
    static size_t F(row_##name)(const struct bl_row *row)                           \
    {                                                                               \
        return binary(row, F(run_##name), &of);                                     \
    }

BINARY(add, F(map), F(of_map))
BINARY(sub, F(map), F(of_map))
BINARY(mul, F(map), F(of_map))
BINARY(div, F(map), F(of_map))
BINARY(prelu, F(map), F(of_map))
BINARY(equal, F(test), F(of_test))
BINARY(less, F(test), F(of_test))
BINARY(lessorequal, F(test), F(of_test))
#undef BINARY

static size_t F(row_greater)(const struct bl_row *row)
{
    return exchanged(row, F(row_less));
}

static size_t F(row_greaterorequal)(const struct bl_row *row)
{
    return exchanged(row, F(row_lessorequal));
}

/* ---- Of any number of operands --------------------------------------------------------- */

#define MANY(name, op, finish)                                               \
    static void F(many_##name)(size_t n, const void *const *x, size_t count, \
                               size_t inputs, void *y)                       \
    {                                                                        \
        F(fold)(n, x, count, y, op, finish, (float)inputs);                  \
    }

MANY(add, add_f32, NULL)
MANY(mean, add_f32, div_f32)
MANY(max, max_f32, NULL)
MANY(min, min_f32, NULL)
#undef MANY

/* A row of more operands than `fold` takes at a time: what is folded so far is float32. */
static size_t F(folded)(const struct bl_row *row, run_fn run, run_fn finish)
{
    const float count = (float)row->inputs;
    uint16_t gathered[BLOCK];
    float all[BLOCK], next[BLOCK];

    for (size_t at = 0; at < row->n; at += BLOCK) {
        const size_t n = block_size(row, at);
        const size_t padded = round_up(n, F(of_map).step);

        F(widen)(padded, all, dense(row, 0, at, n, &F(of_map), gathered), 1);
        for (size_t j = 1; j < row->inputs; j++) {
            F(widen)(padded, next, dense(row, j, at, n, &F(of_map), gathered), 1);
            run(padded, all, 1, next, 1, all);
        }
        if (finish != NULL)
            finish(padded, all, 1, &count, 0, all);
        F(narrow)(n, (uint16_t *)row->out + at, all, 1);
    }
    return row->n;
}

#define FOLD(name, many, run, finish)                                             \
    static size_t F(row_##name)(const struct bl_row *row)                         \
    {                                                                             \
        return row->inputs > FOLDED                                               \
                   ? F(folded)(row, run, finish)                                  \
                   : fold(row, NULL, F(many_##many), F(many_##many), &F(of_map)); \
    }

FOLD(sum, add, run_add_f32, NULL)
FOLD(mean, mean, run_add_f32, run_div_f32)
FOLD(max, max, run_max_f32, NULL)
FOLD(min, min, run_min_f32, NULL)
#undef FOLD
