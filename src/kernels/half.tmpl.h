/*
 * half.tmpl.h - the operators of a 16-bit float, computed in float32 and rounded once
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters: TAG f16 or bf16, the suffix of every name made here.  Needs widen and narrow
 * of that TAG (convert.tmpl.h) and the runs of f32 (arith.tmpl.h, compare.tmpl.h).
 */

/* A block of an operand, widened: n elements of stride 1, or one of stride 0. */
static const float *F(widened)(const struct bl_row *row, size_t j, size_t at, size_t n,
                               float *buffer)
{
    const ptrdiff_t stride = row->stride[j];

    F(widen)(stride != 0 ? n : 1, buffer, operand(row, j, at, sizeof(uint16_t)), stride);
    return buffer;
}

/* One block after the other: out = narrow(run(widen(in[0]), widen(in[1]))). */
static size_t F(through_f32)(const struct bl_row *row, run_fn run)
{
    const ptrdiff_t sa = row->stride[0] != 0;
    const ptrdiff_t sb = row->stride[1] != 0;
    float a[BLOCK], b[BLOCK], y[BLOCK];

    for (size_t at = 0; at < row->n; at += BLOCK) {
        const size_t n = block_size(row, at);

        run(n, F(widened)(row, 0, at, n, a), sa, F(widened)(row, 1, at, n, b), sb, y);
        F(narrow)(n, (uint16_t *)row->out + at, y, 1);
    }
    return row->n;
}

/* The same for a comparison, whose results are bools. */
static size_t F(test_f32)(const struct bl_row *row, run_fn run)
{
    const ptrdiff_t sa = row->stride[0] != 0;
    const ptrdiff_t sb = row->stride[1] != 0;
    float a[BLOCK], b[BLOCK];

    for (size_t at = 0; at < row->n; at += BLOCK) {
        const size_t n = block_size(row, at);

        run(n, F(widened)(row, 0, at, n, a), sa, F(widened)(row, 1, at, n, b), sb,
            (uint8_t *)row->out + at);
    }
    return row->n;
}

/* As fold of arith.tmpl.h, with one rounding, at the end. */
static size_t F(fold)(const struct bl_row *row, run_fn run, run_fn finish)
{
    const float count = (float)row->inputs;
    float folded[BLOCK], x[BLOCK];

    for (size_t at = 0; at < row->n; at += BLOCK) {
        const size_t n = block_size(row, at);

        F(widen)(n, folded, operand(row, 0, at, sizeof(uint16_t)), row->stride[0]);
        for (size_t j = 1; j < row->inputs; j++)
            run(n, folded, 1, F(widened)(row, j, at, n, x), row->stride[j] != 0, folded);
        if (finish != NULL)
            finish(n, folded, 1, &count, 0, folded);
        F(narrow)(n, (uint16_t *)row->out + at, folded, 1);
    }
    return row->n;
}

#define ROW(name, through, ...)                           \
    static size_t F(row_##name)(const struct bl_row *row) \
    {                                                     \
        return F(through)(row, __VA_ARGS__);              \
    }

ROW(add, through_f32, run_add_f32)
ROW(sub, through_f32, run_sub_f32)
ROW(mul, through_f32, run_mul_f32)
ROW(div, through_f32, run_div_f32)
ROW(prelu, through_f32, run_prelu_f32)
ROW(equal, test_f32, run_equal_f32)
ROW(less, test_f32, run_less_f32)
ROW(lessorequal, test_f32, run_lessorequal_f32)
ROW(max, fold, run_max_f32, NULL)
ROW(min, fold, run_min_f32, NULL)
ROW(sum, fold, run_add_f32, NULL)
ROW(mean, fold, run_add_f32, run_div_f32)
#undef ROW

static size_t F(row_greater)(const struct bl_row *row)
{
    return exchanged(row, F(row_less));
}

static size_t F(row_greaterorequal)(const struct bl_row *row)
{
    return exchanged(row, F(row_lessorequal));
}
