/*
 * run.h - the shape of a run of two or more operands, and rows of any length and strides
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A run is what is compiled once for each operator, type and tier, and so it does one thing:
 * whole vectors of dense operands.  What does not fill a vector, or has other strides, is
 * gathered into a buffer here, by one function for all of them.
 *
 * For kernel units only; all is static, as in row.h.
 */
#ifndef BL_KERNELS_RUN_H
#define BL_KERNELS_RUN_H

#include <string.h>

#include "kernels/row.h"

/* Bytes of a vector of this unit's instruction set. */
#if defined(__AVX512F__)
#define VECTOR_BYTES 64
#elif defined(__AVX2__)
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif

/* A run: y[i] = op(a[i * sa], b[i * sb]) for i < n, of types that both sides know.  sa and
 * sb are 1 or 0, not both 0, and n is a multiple of the run's `step`, not 0. */
typedef void (*run_fn)(size_t n, const void *a, ptrdiff_t sa, const void *b, ptrdiff_t sb,
                       void *y);

/* What calls a run: the bytes of an operand's and of a result's element, the elements of
 * which it takes a multiple, a power of two, and what copies an operand. */
struct run {
    size_t in_size, out_size, step;
    bl_convert_fn copy;
};

static inline size_t round_up(size_t n, size_t step)
{
    return (n + step - 1) & ~(step - 1);
}

/* step is a power of two: a division would take longer than a short row. */
static inline size_t round_down(size_t n, size_t step)
{
    return n & ~(step - 1);
}

/* n elements of input j from `at` on, dense: where they lie, or in `buffer`.  What is
 * missing to a multiple of the step are copies of the first, which has a result wherever the
 * row has. */
static const void *dense(const struct bl_row *row, size_t j, size_t at, size_t n,
                         const struct run *of, void *buffer)
{
    const void *x = operand(row, j, at, of->in_size);
    const size_t missing = round_up(n, of->step) - n;

    if (row->stride[j] == 1 && missing == 0)
        return x;
    of->copy(n, buffer, x, row->stride[j]);
    if (missing != 0)
        of->copy(missing, (char *)buffer + n * of->in_size, x, 0);
    return buffer;
}

/* A row that the run cannot take as it is. */
static void binary_gathered(const struct bl_row *row, run_fn run, const struct run *of)
{
    uint64_t a[BLOCK], b[BLOCK], y[BLOCK]; /* of up to 8 bytes each */

    for (size_t at = 0; at < row->n; at += BLOCK) {
        const size_t n = block_size(row, at);
        const void *x = dense(row, 0, at, n, of, a);

        run(round_up(n, of->step), x, 1, dense(row, 1, at, n, of, b), 1, y);
        memcpy((char *)row->out + at * of->out_size, y, n * of->out_size);
    }
}

/*
 * The last elements, which do not fill a vector, are computed first, as part of a vector
 * that does, for out may be an operand; they are written last.
 */
static size_t binary(const struct bl_row *row, run_fn run, const struct run *of)
{
    const size_t n = row->n;
    const ptrdiff_t sa = row->stride[0];
    const ptrdiff_t sb = row->stride[1];
    const size_t whole = round_down(n, of->step);
    const size_t rest = n - of->step;
    char last[VECTOR_BYTES * 8];

    if (whole == 0 || (sa & ~1) != 0 || (sb & ~1) != 0 || (sa | sb) == 0) {
        binary_gathered(row, run, of);
        return n;
    }
    if (whole != n)
        run(of->step, operand(row, 0, rest, of->in_size), sa,
            operand(row, 1, rest, of->in_size), sb, last);
    run(whole, row->in[0], sa, row->in[1], sb, row->out);
    if (whole != n)
        memcpy((char *)row->out + rest * of->out_size, last, of->step * of->out_size);
    return n;
}

/* ---- One input, and bounds --------------------------------------------------------------- */

/* y[i] = x[i] within bounds[0] and bounds[1]; n as for a run. */
typedef void (*clip_fn)(size_t n, const void *x, const void *bounds, void *y);

/* As binary, of input 0. */
static size_t clipped(const struct bl_row *row, clip_fn run, const void *bounds,
                      const struct run *of)
{
    const size_t whole = round_down(row->n, of->step);
    uint64_t gathered[BLOCK], y[BLOCK];

    if (whole != 0 && row->stride[0] == 1) {
        const size_t rest = row->n - of->step;

        if (whole != row->n)
            run(of->step, operand(row, 0, rest, of->in_size), bounds, y);
        run(whole, row->in[0], bounds, row->out);
        if (whole != row->n)
            memcpy((char *)row->out + rest * of->out_size, y, of->step * of->out_size);
        return row->n;
    }
    for (size_t at = 0; at < row->n; at += BLOCK) {
        const size_t n = block_size(row, at);

        run(round_up(n, of->step), dense(row, 0, at, n, of, gathered), bounds, y);
        memcpy((char *)row->out + at * of->out_size, y, n * of->out_size);
    }
    return row->n;
}

/* ---- Any number of inputs -------------------------------------------------------------- */

/* y[i] = ((x[0][i] op x[1][i]) op x[2][i]) ... for 2 to 4 dense operands; n as for a run.
 * `inputs` is how many the row has, which a mean has to know. */
typedef void (*fold_fn)(size_t n, const void *const *x, size_t count, size_t inputs,
                        void *y);

#define FOLDED 4

/*
 * A row of a fold of two inputs or more, up to four at a time; `last` does the last of them,
 * and whatever ends it.
 *
 * A block is written when all its operands have been read, since out may be any of them.
 */
static size_t folded(const struct bl_row *row, fold_fn fold, fold_fn last,
                     const struct run *of)
{
    uint64_t partial[BLOCK], gathered[FOLDED][BLOCK], y[BLOCK];

    for (size_t at = 0; at < row->n; at += BLOCK) {
        const size_t n = block_size(row, at);
        const size_t padded = round_up(n, of->step);
        char *out = (char *)row->out + at * of->out_size;
        const void *x[FOLDED];
        size_t count = 0;

        for (size_t j = 0; j < row->inputs; j++) {
            if (count == FOLDED) {
                fold(padded, x, count, row->inputs, partial);
                x[0] = partial;
                count = 1;
            }
            x[count] = dense(row, j, at, n, of, gathered[count]);
            count++;
        }
        last(padded, x, count, row->inputs, padded == n ? (void *)out : y);
        if (padded != n)
            memcpy(out, y, n * of->out_size);
    }
    return row->n;
}

/* A row of a fold: of one input that itself, which is also its mean; of two by `two`, unless
 * that is NULL. */
static inline size_t fold(const struct bl_row *row, run_fn two, fold_fn many, fold_fn last,
                          const struct run *of)
{
    if (row->inputs > 2 || (row->inputs == 2 && two == NULL))
        return folded(row, many, last, of);
    if (row->inputs == 2)
        return binary(row, two, of);
    of->copy(row->n, row->out, row->in[0], row->stride[0]);
    return row->n;
}

/* ---- Integers divided -------------------------------------------------------------------- */

enum division { QUOTIENT, REMAINDER, MODULO };

/* What one type brings: the index of the first 0 among n elements, or n; and a block of
 * which none is divided by 0. */
struct divider {
    const struct run *of;
    size_t (*first_zero)(size_t n, const void *x);
    void (*block)(size_t n, const void *a, const void *b, ptrdiff_t sb, void *y,
                  enum division result);
};

/* A row of quotients or remainders, up to the first divisor that is 0. */
static size_t divided(const struct bl_row *row, enum division result,
                      const struct divider *by)
{
    const struct run *of = by->of;
    const ptrdiff_t sb = row->stride[1] != 0;
    uint64_t a[BLOCK], b[BLOCK], y[BLOCK];

    for (size_t at = 0; at < row->n; at += BLOCK) {
        const size_t n = block_size(row, at);
        const size_t padded = round_up(n, of->step);
        const size_t divisors = sb != 0 ? padded : 1;
        const void *x = dense(row, 0, at, n, of, a);
        const void *z = sb != 0 ? dense(row, 1, at, n, of, b) : row->in[1];
        const size_t sound = by->first_zero(divisors, z);
        char *out = (char *)row->out + at * of->out_size;

        if (sound == 0)
            return at;
        if (sound < divisors) { /* from there on anything will do but 0 */
            of->copy(sound, b, z, 1);
            of->copy(padded - sound, (char *)b + sound * of->in_size, z, 0);
            z = b;
        }
        by->block(padded, x, z, sb, padded == n ? (void *)out : y, result);
        if (padded != n)
            memcpy(out, y, n * of->out_size);
        if (sound < divisors)
            return at + sound;
    }
    return row->n;
}

#endif
