/*
 * math_half.tmpl.h - the rows of the vector math, for one 16-bit float
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters: those of unary_half.tmpl.h.  Needs the runs of f32 (math_run.tmpl.h).
 */
#include "kernels/unary_half.tmpl.h"

#define ROW_OF(name, run)                                 \
    static size_t F(row_##name)(const struct bl_row *row) \
    {                                                     \
        return F(through1_f32)(row, run);                 \
    }
#define ROW(name) ROW_OF(name, run_##name##_f32)
#define PAIR_ROW(name) ROW_OF(name, QUICK_F32(name))
#define QUICK_ROW(name, ...) ROW_OF(name, QUICK_F32(name))

EXACT_FUNCTIONS(ROW)
PAIR_FUNCTIONS(PAIR_ROW)
QUICK_FUNCTIONS(QUICK_ROW)
#undef ROW_OF
#undef ROW
#undef PAIR_ROW
#undef QUICK_ROW

static size_t F(row_swiglu)(const struct bl_row *row)
{
    const struct attributes with = attributes_of(row->params);
    float a[BLOCK], b[BLOCK];

    for (size_t at = 0; at < row->n; at += BLOCK) {
        const size_t n = block_size(row, at);

        F(widen)(n, a, operand(row, 0, at, sizeof(uint16_t)), row->stride[0]);
        F(widen)(n, b, operand(row, 1, at, sizeof(uint16_t)), row->stride[1]);
        run_swiglu_f32(n, a, b, a, with);
        F(narrow)(n, (uint16_t *)row->out + at, a, 1);
    }
    return row->n;
}
