/*
 * arith.tmpl.h - Add, Sub, Mul, Div, PRelu, Max, Min, Sum, Mean of one element type
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters:
 *   T         the element type; TAG, the suffix of every name made here
 *   COPY      the function that copies elements of T's size (select.tmpl.h)
 *   W         the type in which T wraps without undefined behaviour: for an integer,
 *             unsigned and at least as wide as int; for a float, T itself
 *   FLOATING  0 or 1.  If 1, TO_BITS and FROM_BITS convert to T's bits and back
 *   SIGNED    0 or 1, for an integer; and Q, a type whose quotients, truncated, are T's
 */
#define R T
#define MAP F(map)
#include "kernels/map.tmpl.h"

/* ---- What the operators mean ------------------------------------------------ */

static inline T F(add)(T x, T y)
{
    return (T)((W)x + (W)y);
}

static inline T F(sub)(T x, T y)
{
    return (T)((W)x - (W)y);
}

static inline T F(mul)(T x, T y)
{
    return (T)((W)x * (W)y);
}

static inline T F(prelu)(T x, T slope)
{
    const T zero = 0;

    return x < zero ? F(mul)(slope, x) : x;
}

#if FLOATING

static inline T F(div)(T x, T y)
{
    return x / y;
}

/* IEEE 754-2019 maximum: a NaN on either side wins, and +0 is above -0.  Operands that
 * compare equal differ in the sign of zero at most, and so their common bits are the
 * greater one. */
static inline T F(max)(T x, T y)
{
    const T larger = x > y ? x : y;
    const T equal = FROM_BITS(TO_BITS(x) & TO_BITS(y));

    return isunordered(x, y) ? x + y : x == y ? equal : larger;
}

static inline T F(min)(T x, T y)
{
    const T smaller = x < y ? x : y;
    const T equal = FROM_BITS(TO_BITS(x) | TO_BITS(y));

    return isunordered(x, y) ? x + y : x == y ? equal : smaller;
}

#else

/* y is not 0.  Processors divide vectors of floats, not of integers.  A quotient that is
 * no integer lies 1/y or more below the next one, which is 1/x of itself: with more bits
 * than x has, Q does not round it up to there. */
static inline T F(div)(T x, T y)
{
#if SIGNED
    const T divisor = y == -1 ? 1 : y; /* MIN / -1 does not fit: it wraps to MIN */
    const T quotient = (T)((Q)x / (Q)divisor);

    return y == -1 ? F(sub)(0, x) : quotient;
#else
    return (T)((Q)x / (Q)y);
#endif
}

static inline T F(max)(T x, T y)
{
    return x > y ? x : y;
}

static inline T F(min)(T x, T y)
{
    return x < y ? x : y;
}

#endif

/* ---- Runs --------------------------------------------------------------------- */

#define RUN(name)                                                                   \
    static void F(run_##name)(size_t n, const void *a, ptrdiff_t sa, const void *b, \
                              ptrdiff_t sb, void *y)                                \
    {                                                                               \
        F(map)(n, a, sa, b, sb, y, F(name));                                        \
    }

RUN(add)
RUN(sub)
RUN(mul)
RUN(div)
RUN(prelu)
RUN(max)
RUN(min)
#undef RUN

/*
 * out[i] = (in[0][i] op in[1][i]) op in[2][i] ... in one pass over memory; `finish`, if
 * there is one, makes the result from that and the number of inputs.
 *
 * A block is written when all its operands have been read, since out may be any of them.
 */
static size_t F(fold)(const struct bl_row *row, run_fn run, run_fn finish)
{
    const T count = (T)row->inputs;
    T folded[BLOCK];

    if (row->inputs == 1) { /* whatever the fold, and a mean, give of one value */
        COPY(row->n, row->out, row->in[0], row->stride[0]);
        return row->n;
    }
    for (size_t at = 0; at < row->n; at += BLOCK) {
        const size_t n = block_size(row, at);
        const void *left = operand(row, 0, at, sizeof(T));
        ptrdiff_t left_stride = row->stride[0];
        T *out = (T *)row->out + at;

        for (size_t j = 1; j < row->inputs; j++) {
            const bool to_out = j + 1 == row->inputs && finish == NULL;

            run(n, left, left_stride, operand(row, j, at, sizeof(T)), row->stride[j],
                to_out ? out : folded);
            left = folded;
            left_stride = 1;
        }
        if (finish != NULL)
            finish(n, folded, 1, &count, 0, out);
    }
    return row->n;
}

/* ---- Rows --------------------------------------------------------------------- */

/* The tables name no row of 8 and 16 bits for PRelu, which ONNX does not have there. */
#define BINARY(name)                                                \
    static BL_UNUSED size_t F(row_##name)(const struct bl_row *row) \
    {                                                               \
        return binary(row, F(run_##name));                          \
    }
#define FOLD(name, run, finish)                           \
    static size_t F(row_##name)(const struct bl_row *row) \
    {                                                     \
        return F(fold)(row, F(run), finish);              \
    }

BINARY(add)
BINARY(sub)
BINARY(mul)
BINARY(prelu)
FOLD(max, run_max, NULL)
FOLD(min, run_min, NULL)

#if FLOATING

BINARY(div)
FOLD(sum, run_add, NULL)
FOLD(mean, run_add, F(run_div))

#else

/* The index of the first 0 among n elements; n if there is none. */
static size_t F(first_zero)(size_t n, const T *x, ptrdiff_t stride)
{
    T zeros = 0;

    if (stride == 1)
        for (size_t i = 0; i < n; i++)
            zeros |= x[i] == 0;
    else
        for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++)
            zeros |= x[i * stride] == 0;
    if (!zeros)
        return n;
    size_t i = 0;

    while (x[(ptrdiff_t)i * stride] != 0)
        i++;
    return i;
}

/* A row of quotients or remainders, up to the first divisor that is 0. */
static size_t F(divide)(const struct bl_row *row, run_fn run)
{
    for (size_t at = 0; at < row->n; at += BLOCK) {
        const size_t n = block_size(row, at);
        const void *x = operand(row, 0, at, sizeof(T));
        const void *y = operand(row, 1, at, sizeof(T));
        const size_t sound = F(first_zero)(n, y, row->stride[1]);
        T *out = (T *)row->out + at;

        run(sound, x, row->stride[0], y, row->stride[1], out);
        if (sound < n)
            return at + sound;
    }
    return row->n;
}

static size_t F(row_div)(const struct bl_row *row)
{
    return F(divide)(row, F(run_div));
}

#endif

#undef BINARY
#undef FOLD
