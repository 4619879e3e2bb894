/*
 * exact_bits.tmpl.h - IsNaN and IsInf of a float that is known by its bits alone
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters, which it undefines:
 *   T        the unsigned type that holds the bits; TAG, the suffix of every name made here
 *   IS_NAN   IS_NAN(x), of the bits
 *   INFINITE the bits of infinity; 0 where there is none (0 itself is a number)
 */

static void F(run_isnan)(size_t n, const void *in, void *out,
                         BL_UNUSED struct attributes with)
{
    const T *x = in;
    uint8_t *y = out;

    for (size_t i = 0; i < n; i++)
        y[i] = IS_NAN(x[i]);
}

static void F(run_isinf)(size_t n, const void *in, void *out, struct attributes with)
{
    const T minus = (T)(INFINITE | (T)1 << (8 * sizeof(T) - 1));
    const T *x = in;
    uint8_t *y = out;

    for (size_t i = 0; i < n; i++)
        y[i] = INFINITE != 0 &&
               ((x[i] == INFINITE && with.positive) || (x[i] == minus && with.negative));
}

static size_t F(row_isnan)(const struct bl_row *row)
{
    return unary(row, F(run_isnan), sizeof(T), 1);
}

static size_t F(row_isinf)(const struct bl_row *row)
{
    return unary(row, F(run_isinf), sizeof(T), 1);
}

#undef T
#undef TAG
#undef IS_NAN
#undef INFINITE
