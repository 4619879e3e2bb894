/*
 * math_pairs32.h - functions of a float32 in pairs of floats, quick and nearly exact
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Quick lanes as those of math_quick32.h, but for results whose terms are few: a float and
 * a small one beside it hold some 40 bits, and a vector has twice as many floats as
 * doubles.  A lane gives two floats, its result less and plus its error, each rounded once.
 * Where they are equal that is the result.  NaN is never equal: it leaves the element to
 * the exact lanes.
 *
 * A lane is in two halves, each a loop of its own: a processor has the instructions of
 * more elements in flight where the chain of each is short.
 */
#ifndef BL_KERNELS_MATH_PAIRS32_H
#define BL_KERNELS_MATH_PAIRS32_H

#include "kernels/math_quick.h"

/* The relative error of a lane: roundings of r^2 / 2 and its like.  That it is enough was found by
 * trying all of float32: see docs/numerics-math.md. */
#define PAIR_ERROR 0x1.cp-33f

/* Elements between the two loops. */
#define PAIR_BLOCK 256

/* An unevaluated sum. */
struct floats_pair {
    floats high, low;
};

/* -1 for what is certain: equal to the result less the error. */
struct result {
    floats y;
    ints certain;
};

typedef struct floats_pair (*pair_begin_fn)(floats x);
typedef struct result (*pair_end_fn)(floats x, struct floats_pair begun);

/* ---- Exponentials -------------------------------------------------------------------- */

/* Eighths of an octave in a float32's integer: those of 2^(j/8), less j 2^20, to which k 2^20
 * adds floor(k / 8) to the exponent, for j = k mod 8. */
#define EIGHTHS_OF_ONE                                                              \
    {                                                                               \
        0x3F800000, 0x3F8B95C2 - (1 << 20), 0x3F9837F0 - (2 << 20),                 \
            0x3FA5FED7 - (3 << 20), 0x3FB504F3 - (4 << 20), 0x3FC5672A - (5 << 20), \
            0x3FD744FD - (6 << 20), 0x3FEAC0C7 - (7 << 20)                          \
    }

/* By how much the logarithms of these floats are below j ln 2 / 8. */
#define EIGHTHS_REST                                                             \
    {                                                                            \
        0, -0x1.9c0c22p-27f, 0x1.125002p-25f, -0x1.0a3552p-25f, 0x1.26055cp-26f, \
            0x1.67a1cap-28f, -0x1.f9c306p-27f, -0x1.a5217cp-28f                  \
    }

#define EIGHTHS_IN_E 0x1.715476p+3f /* 8 / ln 2 */
#define EIGHTH_UPPER 0x1.62e43p-4f  /* ln 2 / 8 */
#define EIGHTH_LOWER -0x1.05c61p-32f

/* (e^r - 1 - r) / r^2, |r| < ln 2 / 16: through Chebyshev nodes, rounded.  Error 2^-28. */
#define EXP_TAIL_0 0.5f
#define EXP_TAIL_1 0x1.555556p-3f
#define EXP_TAIL_2 0x1.555adp-5f
#define EXP_TAIL_3 0x1.111432p-7f

/* e^x, or e^-x with a `sign` of -1, is power (1 + near + low), |near| < 0.044 and
 * |low| < 0.001.  |x| < 90; NaN where x is, or where the exponent is too large. */
struct pair_exponent {
    floats power, near, low;
};

BL_FORCE_INLINE struct pair_exponent pair_exponent(floats x, int sign)
{
    static const int32_t eighths[8] = EIGHTHS_OF_ONE;
    static const float rests[8] = EIGHTHS_REST;
    const floats sum = fused32(x, all32(EIGHTHS_IN_E * (float)sign), all32(0x1.8p23f));
    const floats k = sum - 0x1.8p23f;
    const floats near = sign < 0 ? fused_negative32(k, all32(EIGHTH_UPPER), x)
                                 : fused_less32(k, all32(EIGHTH_UPPER), x); /* exact */
    const floats rest = fused32(k, all32(-EIGHTH_LOWER), looked_up(rests, (ints)sum));
    const unsigned_ints power = (unsigned_ints)looked_up((const float *)eighths, (ints)sum);
    const floats r = near + rest;
    const floats square = r * r;
    const floats odd = fused32(all32(EXP_TAIL_3), r, all32(EXP_TAIL_2));
    const floats tail = fused32(odd, r, all32(EXP_TAIL_1));
    const floats small = fused32(square * r, tail, rest);

    return (struct pair_exponent){(floats)(power + ((unsigned_ints)sum << 20)), near,
                                  fused32(square, all32(EXP_TAIL_0), small)};
}

BL_FORCE_INLINE struct floats_pair pair_exp_of(floats x, int sign)
{
    const struct pair_exponent e = pair_exponent(x, sign);
    const floats high = fused32(e.power, e.near, e.power);
    const floats low = fused32(e.power, e.near, e.power - high); /* what `high` lacks */

    return (struct floats_pair){high, fused32(e.power, e.low, low)};
}

BL_FORCE_INLINE struct floats_pair pair_begin_exp(floats x)
{
    return pair_exp_of(x, 1);
}

/* Below -78 the error would underflow; below -104 the result is 0. */
BL_FORCE_INLINE struct result pair_end_exp(floats x, struct floats_pair e)
{
    const ints zero = x < -104;
    const floats least = e.high + fused32(e.high, all32(-PAIR_ERROR), e.low);
    const floats most = e.high + fused32(e.high, all32(PAIR_ERROR), e.low);

    return (struct result){(floats)(~zero & (ints)most),
                           zero | ((least == most) & (x > -78) & (x < 88.25f))};
}

/* e^-x */
BL_FORCE_INLINE struct floats_pair pair_begin_sigmoid(floats x)
{
    return pair_exp_of(greater32(all32(-89), lesser32(all32(60), x)), -1);
}

/* 1 / (1 + e) */
BL_FORCE_INLINE struct result pair_end_sigmoid(BL_UNUSED floats x, struct floats_pair e)
{
    const floats y = 1 / (1 + (e.high + e.low));
    const floats less = 1 - y;
    const floats less_low = (1 - less) - y;
    /* 1 - y (1 + e) */
    const floats rest = fused_less32(y, e.high, less) + fused_less32(y, e.low, less_low);
    const floats least = fused32(y, rest - PAIR_ERROR, y);
    const floats most = fused32(y, rest + PAIR_ERROR, y);

    return (struct result){most, least == most};
}

/* ---- Loops --------------------------------------------------------------------------- */

/* The loops that a quick_block_fn consists of; the functions are constant. */
BL_FORCE_INLINE void pair_loop(size_t n, const float *x, float *y, struct leftover *left,
                               pair_begin_fn begin, pair_end_fn end)
{
    struct floats_pair begun[PAIR_BLOCK / QUICK_STEP];

    for (size_t at = 0; at < n; at += PAIR_BLOCK) {
        const size_t stop = n - at < PAIR_BLOCK ? n : at + PAIR_BLOCK;
        struct floats_pair *pair = begun;

        for (size_t i = at; i < stop; i += QUICK_STEP)
            *pair++ = begin(*(const floats *)(x + i));
        pair = begun;
        for (size_t i = at; i < stop; i += QUICK_STEP) {
            const struct result result = end(*(const floats *)(x + i), *pair++);
            const unsigned good = signs(result.certain);

            if (!BL_LIKELY(good == EVERY_SIGN))
                leave(left, x, i, good ^ EVERY_SIGN);
            *(floats *)(y + i) = result.y;
        }
    }
}

#endif
