/*
 * map.tmpl.h - the loop over a function of two operands
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters: T the operands' type, R the result's, MAP the loop's name, COPY the function
 * that copies operands (select.tmpl.h).  Where the function is one of other types, C is what
 * it takes, which LOAD makes of a T, and E what it puts out, of which STORE makes an R.
 * All but T and COPY it undefines.
 */
#ifndef C
#define C T
#define LOAD(x) (x)
#endif
#ifndef E
#define E R
#define STORE(x) (x)
#endif

/* Elements of a vector of the smaller type: the loop takes a multiple of that. */
#define STEP (VECTOR_BYTES / (sizeof(R) < sizeof(T) ? sizeof(R) : sizeof(T)))

/*
 * As run_fn.  `f` is a constant in every call, so each call becomes vector loops of its own,
 * and no others, since the compiler sees that nothing is left when the vectors are done.
 */
BL_FORCE_INLINE void MAP(size_t n, const T *a, ptrdiff_t sa, const T *b, ptrdiff_t sb, R *y,
                         E (*f)(C, C))
{
    const size_t whole = n & ~(STEP - 1);

    if (sa != 0 && sb != 0) {
        BL_LANEWISE
        for (size_t i = 0; i < whole; i++)
            y[i] = STORE(f(LOAD(a[i]), LOAD(b[i])));
    } else if (sa != 0) {
        const C b0 = LOAD(*b);

        BL_LANEWISE
        for (size_t i = 0; i < whole; i++)
            y[i] = STORE(f(LOAD(a[i]), b0));
    } else {
        const C a0 = LOAD(*a);

        BL_LANEWISE
        for (size_t i = 0; i < whole; i++)
            y[i] = STORE(f(a0, LOAD(b[i])));
    }
}

/* What the callers of such a run have to know. */
static const struct run BL_CAT(of, MAP) = {sizeof(T), sizeof(R), STEP, COPY};

#undef STEP
#undef C
#undef LOAD
#undef E
#undef STORE
#undef R
#undef MAP
