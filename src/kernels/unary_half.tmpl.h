/*
 * unary_half.tmpl.h - operators of one 16-bit float: in float32, rounded once
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters: TAG f16 or bf16, the suffix of every name made here.  Needs widen and narrow
 * of that TAG (convert.tmpl.h).
 */

/* out = narrow(run(widen(in))), a block at a time. */
static size_t F(through1_f32)(const struct bl_row *row, run1_fn run)
{
    const struct attributes with = attributes_of(row->params);
    float x[BLOCK];

    for (size_t at = 0; at < row->n; at += BLOCK) {
        const size_t n = block_size(row, at);

        F(widen)(n, x, operand(row, 0, at, sizeof(uint16_t)), row->stride[0]);
        run(n, x, x, with);
        F(narrow)(n, (uint16_t *)row->out + at, x, 1);
    }
    return row->n;
}
