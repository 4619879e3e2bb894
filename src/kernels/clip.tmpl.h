/*
 * clip.tmpl.h - Clip of one element type
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters: those of arith.tmpl.h, whose min and max it needs; NO_MIN and NO_MAX, bounds
 * that bound nothing.
 *
 * The row's inputs 1 and 2 are the bounds, each NULL or one element.  Before version 11
 * they are attributes, and both inputs NULL.
 */

/* min(max(x, low), high): where the bounds have crossed, high.  A NaN in x stays, one in a
 * bound spreads. */
static void F(run_clip)(size_t n, const T *x, ptrdiff_t stride, T low, T high, T *y)
{
    if (stride == 1) {
        BL_LANEWISE
        for (size_t i = 0; i < n; i++)
            y[i] = F(min)(F(max)(x[i], low), high);
    } else {
        for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++)
            y[i] = F(min)(F(max)(x[i * stride], low), high);
    }
}

/* The bound in input j; without it `attribute`, if that is there. */
static T F(bound)(const struct bl_row *row, size_t j, bool has, float attribute, T none)
{
    if (j < row->inputs && row->in[j] != NULL)
        return *(const T *)row->in[j];
    return has ? (T)attribute : none;
}

static size_t F(row_clip)(const struct bl_row *row)
{
    static const struct bl_params no_params = {.has_min = false};
    const struct bl_params *params = row->params != NULL ? row->params : &no_params;
    const T low = F(bound)(row, 1, params->has_min, params->min, NO_MIN);
    const T high = F(bound)(row, 2, params->has_max, params->max, NO_MAX);

    F(run_clip)(row->n, row->in[0], row->stride[0], low, high, row->out);
    return row->n;
}
