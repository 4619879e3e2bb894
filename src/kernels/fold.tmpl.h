/*
 * fold.tmpl.h - the loop over a function of two to four operands
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters: T the type of operands and result; FOLD the loop's name, which it undefines.
 */
/* y[i] = finish(((x0[i] op x1[i]) op x2[i]) op x3[i], with) of `count` operands.  All
 * parameters are constants but n, x, y and `with`; without `finish` it is left out. */
BL_FORCE_INLINE void BL_CAT(loop, FOLD)(size_t n, const void *const *x, size_t count, T *y,
                                        T (*op)(T, T), T (*finish)(T, T), T with)
{
    const size_t whole = n & ~(VECTOR_BYTES / sizeof(T) - 1);
    const T *x0 = x[0];
    const T *x1 = x[1];
    const T *x2 = count > 2 ? x[2] : x0;
    const T *x3 = count > 3 ? x[3] : x0;

    BL_LANEWISE
    for (size_t i = 0; i < whole; i++) {
        const T two = op(x0[i], x1[i]);
        const T three = count > 2 ? op(two, x2[i]) : two;
        const T four = count > 3 ? op(three, x3[i]) : three;

        y[i] = finish != NULL ? finish(four, with) : four;
    }
}

/* As fold_fn. */
BL_FORCE_INLINE void FOLD(size_t n, const void *const *x, size_t count, T *y, T (*op)(T, T),
                          T (*finish)(T, T), T with)
{
    if (count == 2)
        BL_CAT(loop, FOLD)(n, x, 2, y, op, finish, with);
    else if (count == 3)
        BL_CAT(loop, FOLD)(n, x, 3, y, op, finish, with);
    else
        BL_CAT(loop, FOLD)(n, x, 4, y, op, finish, with);
}

#undef FOLD
