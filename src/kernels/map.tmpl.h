/*
 * map.tmpl.h - the loop over a function of two operands
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters: T the operands' type, R the result's, MAP the loop's name, COPY the function
 * that copies operands (select.tmpl.h); it undefines R and MAP.
 */
/* Elements of a vector of the smaller type: the loop takes a multiple of that. */
#define STEP (VECTOR_BYTES / (sizeof(R) < sizeof(T) ? sizeof(R) : sizeof(T)))

/*
 * As run_fn.  `f` is a constant in every call, so each call becomes vector loops of its own,
 * and no others, since the compiler sees that nothing is left when the vectors are done.
 */
BL_FORCE_INLINE void MAP(size_t n, const T *a, ptrdiff_t sa, const T *b, ptrdiff_t sb, R *y,
                         R (*f)(T, T))
{
    const size_t whole = n & ~(STEP - 1);

    if (sa != 0 && sb != 0) {
        BL_LANEWISE
        for (size_t i = 0; i < whole; i++)
            y[i] = f(a[i], b[i]);
    } else if (sa != 0) {
        const T b0 = *b;

        BL_LANEWISE
        for (size_t i = 0; i < whole; i++)
            y[i] = f(a[i], b0);
    } else {
        const T a0 = *a;

        BL_LANEWISE
        for (size_t i = 0; i < whole; i++)
            y[i] = f(a0, b[i]);
    }
}

/* What the callers of such a run have to know. */
static const struct run BL_CAT(of, MAP) = {sizeof(T), sizeof(R), STEP, COPY};

#undef STEP
#undef R
#undef MAP
