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

/* y[i] = c[i] ? a[i * sa] : b[i * sb]. */
static void F(choose_each)(size_t n, const uint8_t *c, ptrdiff_t sc, const T *a,
                           ptrdiff_t sa, const T *b, ptrdiff_t sb, T *y)
{
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++)
        y[i] = c[i * sc] != 0 ? a[i * sa] : b[i * sb];
}

#if LANES

#if MASKS

/* As choose_loop, of elements of 4 or 8 bytes. */
BL_FORCE_INLINE void F(choose_masked)(size_t n, const uint8_t *c, const T *a, ptrdiff_t sa,
                                      const T *b, ptrdiff_t sb, T *y)
{
    typedef T choice BL_VECTOR(T, VECTOR_BYTES);
    const choice zero = {0};
    const choice a0 = zero + *a;
    const choice b0 = zero + *b;

    for (size_t i = 0; i < n; i += VECTOR_BYTES / sizeof(T)) {
        const choice x = sa ? *(const choice *)(a + i) : a0;
        const choice otherwise = sb ? *(const choice *)(b + i) : b0;

        *(choice *)(y + i) = (choice)_mm256_blendv_epi8((__m256i)x, (__m256i)otherwise,
                                                        mask_of_false(c + i, sizeof(T)));
    }
}

#endif

/* The same of dense conditions, for a multiple of VECTOR_BYTES elements.  sa and sb are
 * constants, 0 or 1, in every call. */
BL_FORCE_INLINE void F(choose_loop)(size_t n, const uint8_t *c, const T *a, ptrdiff_t sa,
                                    const T *b, ptrdiff_t sb, T *y)
{
    const size_t whole = n & ~(size_t)(VECTOR_BYTES - 1);

#if MASKS
    if (sizeof(T) >= 4) {
        F(choose_masked)(whole, c, a, sa, b, sb, y);
        return;
    }
#endif
    const T a0 = *a;
    const T b0 = *b;

    BL_LANEWISE
    for (size_t i = 0; i < whole; i++) {
        const T x = sa ? a[i] : a0;
        const T otherwise = sb ? b[i] : b0;

        y[i] = c[i] != 0 ? x : otherwise;
    }
}

static void F(choose)(size_t n, const uint8_t *c, const T *a, ptrdiff_t sa, const T *b,
                      ptrdiff_t sb, T *y)
{
    if (sa != 0 && sb != 0)
        F(choose_loop)(n, c, a, 1, b, 1, y);
    else if (sa != 0)
        F(choose_loop)(n, c, a, 1, b, 0, y);
    else if (sb != 0)
        F(choose_loop)(n, c, a, 0, b, 1, y);
    else
        F(choose_loop)(n, c, a, 0, b, 0, y);
}

/* The last elements are chosen first, as in binary of run.h. */
static void F(choose_dense)(size_t n, const uint8_t *c, const T *a, ptrdiff_t sa,
                            const T *b, ptrdiff_t sb, T *y)
{
    const size_t rest = n - VECTOR_BYTES;
    const size_t whole = round_down(n, VECTOR_BYTES);
    T last[VECTOR_BYTES];

    if (whole != n)
        F(choose)(VECTOR_BYTES, c + rest, a + rest * sa, sa, b + rest * sb, sb, last);
    F(choose)(whole, c, a, sa, b, sb, y);
    if (whole != n)
        memcpy(y + rest, last, sizeof last);
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
    else if (sc == 1 && (sa & ~1) == 0 && (sb & ~1) == 0 && row->n >= VECTOR_BYTES)
        F(choose_dense)(row->n, c, a, sa, b, sb, y);
#endif
    else
        F(choose_each)(row->n, c, sc, a, sa, b, sb, y);
    return row->n;
}
