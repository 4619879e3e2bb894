/*
 * pow_integer.tmpl.h - Pow of one integer type: products of squares, in vectors
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters, which it undefines:
 *   T      int32_t or int64_t; TAG, the suffix of every name made here; DTYPE
 *   W      the unsigned type of T's width, in which results wrap
 *
 * Negative exponents, exponents beyond T and floating ones are pow.c's.
 */

/* y = x^e, e below 4. */
static void F(power_small)(size_t n, const W *x, const W *e, W *y)
{
    BL_LANEWISE
    for (size_t i = 0; i < n; i++) {
        const W square = (e[i] & 2) != 0 ? x[i] * x[i] : 1;

        y[i] = square * ((e[i] & 1) != 0 ? x[i] : 1);
    }
}

/* y = x^e, where no e has a bit that is not in `all`; y is none of the operands. */
static void F(power_large)(size_t n, const W *x, const W *e, W all, W *y)
{
    W square[BLOCK];

    for (size_t i = 0; i < n; i++) {
        square[i] = x[i];
        y[i] = (e[i] & 1) != 0 ? x[i] : 1;
    }
    for (unsigned bit = 1; bit < 8 * sizeof(W) && all >> bit != 0; bit++)
        for (size_t i = 0; i < n; i++) {
            const W s = square[i] * square[i];

            square[i] = s;
            y[i] *= (e[i] >> bit & 1) != 0 ? s : 1;
        }
}

/* The n exponents from `at`, side by side, in T's type; NULL if one does not fit. */
static const W *F(whole_exponents)(const struct bl_row *row, size_t at, size_t n, W *buffer)
{
    int64_t whole[BLOCK];
    uint64_t all = 0;

    if (row->second == DTYPE) {
        if (row->stride[1] == 1)
            return (const W *)row->in[1] + at;
        spread(n, buffer, operand(row, 1, at, sizeof(T)), row->stride[1], sizeof(T));
        return buffer;
    }
    if (!bl_pow_whole_exponents(row, at, n, whole))
        return NULL;
    for (size_t i = 0; i < n; i++) {
        all |= (uint64_t)whole[i];
        buffer[i] = (W)whole[i];
    }
    return all >> (8 * sizeof(W) - 1) == 0 ? buffer : NULL;
}

/* A block.  Returns false if it is pow.c's. */
static int F(power_block)(const struct bl_row *row, size_t at, size_t n)
{
    W x_buffer[BLOCK], e_buffer[BLOCK], y[BLOCK];
    const W *x = x_buffer;
    const W *e = F(whole_exponents)(row, at, n, e_buffer);
    W all = 0;

    if (e == NULL)
        return 0;
    for (size_t i = 0; i < n; i++)
        all |= e[i];
    if (all >> (8 * sizeof(W) - 1) != 0)
        return 0;
    if (row->stride[0] == 1)
        x = (const W *)row->in[0] + at;
    else
        spread(n, x_buffer, operand(row, 0, at, sizeof(T)), row->stride[0], sizeof(T));
    if (all < 4) {
        F(power_small)(n, x, e, (W *)row->out + at);
    } else {
        F(power_large)(n, x, e, all, y);
        memcpy((W *)row->out + at, y, n * sizeof(W));
    }
    return 1;
}

static size_t F(row)(const struct bl_row *row)
{
    const int floating = row->second == BL_FLOAT16 || row->second == BL_BFLOAT16 ||
                         row->second == BL_FLOAT32 || row->second == BL_FLOAT64;

    if (floating)
        return bl_pow_integers(row, DTYPE, 0, row->n);
    for (size_t at = 0; at < row->n; at += BLOCK) {
        const size_t n = block_size(row, at);

        if (!F(power_block)(row, at, n)) {
            const size_t end = bl_pow_integers(row, DTYPE, at, at + n);

            if (end != at + n)
                return end;
        }
    }
    return row->n;
}

#undef T
#undef W
#undef TAG
#undef DTYPE
