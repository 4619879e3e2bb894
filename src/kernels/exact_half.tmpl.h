/*
 * exact_half.tmpl.h - the exact operators on one operand of one 16-bit float
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters: those of unary_half.tmpl.h.  Needs the runs of f32 (exact_float.tmpl.h).
 */
#include "kernels/unary_half.tmpl.h"

#define ROW(name)                                                   \
    static BL_UNUSED size_t F(row_##name)(const struct bl_row *row) \
    {                                                               \
        return F(through1_f32)(row, run_##name##_f32);              \
    }

PLAIN_FUNCTIONS(ROW)
TUNED_FUNCTIONS(ROW)
#undef ROW
