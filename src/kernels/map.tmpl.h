/*
 * map.tmpl.h - the loop over a function of two operands
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters: T the operands' type, R the result's, MAP the loop's name; it undefines the
 * last two.
 */

/*
 * y[i] = f(a[i * sa], b[i * sb]) for i < n.
 *
 * `f` is a constant in every call, so each call becomes vector loops of its own.  y may be
 * an operand of stride 1 whose elements have its size.
 */
BL_FORCE_INLINE void MAP(size_t n, const T *a, ptrdiff_t sa, const T *b, ptrdiff_t sb, R *y,
                         R (*f)(T, T))
{
    if (sa == 1 && sb == 1) {
        BL_LANEWISE
        for (size_t i = 0; i < n; i++)
            y[i] = f(a[i], b[i]);
    } else if (sa == 1 && sb == 0) {
        const T b0 = *b;

        BL_LANEWISE
        for (size_t i = 0; i < n; i++)
            y[i] = f(a[i], b0);
    } else if (sa == 0 && sb == 1) {
        const T a0 = *a;

        BL_LANEWISE
        for (size_t i = 0; i < n; i++)
            y[i] = f(a0, b[i]);
    } else {
        for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++)
            y[i] = f(a[i * sa], b[i * sb]);
    }
}

#undef R
#undef MAP
