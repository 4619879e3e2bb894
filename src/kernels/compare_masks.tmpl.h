/*
 * compare_masks.tmpl.h - the loop over a comparison of vectors, whose masks become bools
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * In place of map.tmpl.h, for elements of 2, 4 or 8 bytes where MASKS (masks.h).  Parameters: T
 * the element type; TAG the suffix of every name made here; COPY as in map.tmpl.h.
 */
typedef T F(compared) BL_VECTOR(T, VECTOR_BYTES);
typedef __m256i (*F(comparison))(F(compared), F(compared));

/* y[i] = f(a[i], b[i]), or of the first element where sa or sb, which are constants, is
 * false; n is a multiple of VECTOR_BYTES. */
BL_FORCE_INLINE void F(compare_loop)(size_t n, const T *a, bool sa, const T *b, bool sb,
                                     uint8_t *y, F(comparison) f)
{
    const size_t lanes = VECTOR_BYTES / sizeof(T);
    const F(compared) zero = {0};
    const F(compared) a0 = *a - zero;
    const F(compared) b0 = *b - zero;

    for (size_t i = 0; i < n; i += VECTOR_BYTES) {
        __m256i masks[sizeof(T)];

        BL_UNROLL
        for (size_t j = 0; j < sizeof(T); j++) {
            const T *x = a + i + j * lanes;
            const T *z = b + i + j * lanes;

            masks[j] =
                f(sa ? *(const F(compared) *)x : a0, sb ? *(const F(compared) *)z : b0);
        }
        _mm256_storeu_si256((void *)(y + i), bools_of(masks, sizeof(T)));
    }
}

/* As run_fn. */
BL_FORCE_INLINE void F(test)(size_t n, const T *a, ptrdiff_t sa, const T *b, ptrdiff_t sb,
                             uint8_t *y, F(comparison) f)
{
    if (sa != 0 && sb != 0)
        F(compare_loop)(n, a, true, b, true, y, f);
    else if (sa != 0)
        F(compare_loop)(n, a, true, b, false, y, f);
    else
        F(compare_loop)(n, a, false, b, true, y, f);
}

static const struct run F(of_test) = {sizeof(T), sizeof(uint8_t), VECTOR_BYTES, COPY};
