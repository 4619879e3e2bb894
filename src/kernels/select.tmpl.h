/*
 * select.tmpl.h - Where and Identity of elements of one size, whose bits are copied
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters: T a type of the elements' size and alignment that may alias any other; TAG
 * the suffix of every name made here; LANES 1 if a vector holds several elements.
 * A NaN keeps its payload, a zero its sign, a string its pointer.
 */

/* As bl_convert_fn, but out may be `in` if stride is 1. */
static void F(copy)(size_t n, void *out, const void *in, ptrdiff_t stride)
{
    const T *x = in;
    T *y = out;

    if (stride == 1) {
        memmove(y, x, n * sizeof(T));
    } else if (stride == 0) {
        const T x0 = *x;

        for (size_t i = 0; i < n; i++)
            y[i] = x0;
    } else {
        for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++)
            y[i] = x[i * stride];
    }
}

static size_t F(row_identity)(const struct bl_row *row)
{
    F(copy)(row->n, row->out, row->in[0], row->stride[0]);
    return row->n;
}

#if LANES

/* y[i] = c[i] ? a[i * sa] : b[i * sb].  sa and sb are constants, 0 or 1, in every call. */
BL_FORCE_INLINE void F(choose)(size_t n, const uint8_t *c, const T *a, ptrdiff_t sa,
                               const T *b, ptrdiff_t sb, T *y)
{
    const T a0 = *a;
    const T b0 = *b;

    BL_LANEWISE
    for (size_t i = 0; i < n; i++) {
        const T x = sa ? a[i] : a0;
        const T otherwise = sb ? b[i] : b0;

        y[i] = c[i] != 0 ? x : otherwise;
    }
}

#endif

static size_t F(row_where)(const struct bl_row *row)
{
    const uint8_t *c = row->in[0];
    const T *a = row->in[1];
    const T *b = row->in[2];
    const ptrdiff_t sc = row->stride[0];
    const ptrdiff_t sa = row->stride[1];
    const ptrdiff_t sb = row->stride[2];
    T *y = row->out;

    if (sc == 0)
        F(copy)(row->n, y, *c != 0 ? a : b, *c != 0 ? sa : sb);
#if LANES
    else if (sc == 1 && sa == 1 && sb == 1)
        F(choose)(row->n, c, a, 1, b, 1, y);
    else if (sc == 1 && sa == 1 && sb == 0)
        F(choose)(row->n, c, a, 1, b, 0, y);
    else if (sc == 1 && sa == 0 && sb == 1)
        F(choose)(row->n, c, a, 0, b, 1, y);
    else if (sc == 1 && sa == 0 && sb == 0)
        F(choose)(row->n, c, a, 0, b, 0, y);
#endif
    else
        for (ptrdiff_t i = 0; i < (ptrdiff_t)row->n; i++)
            y[i] = c[i * sc] != 0 ? a[i * sa] : b[i * sb];
    return row->n;
}
