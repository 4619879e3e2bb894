/*
 * math_quick.h - the loop over quick lanes, which leaves doubtful results to the exact ones
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A quick lane computes a function of a float32 in double, with a known error.  Where every
 * double within that error rounds to one float32, that is the result, and the bits are
 * those of the lanes of math32.h, which err by less.  The others, one of some hundreds, are
 * collected and given to those lanes.
 */
#ifndef BL_KERNELS_MATH_QUICK_H
#define BL_KERNELS_MATH_QUICK_H

#include <float.h>
#include <math.h>
#include <string.h>

#include "kernels/math_vectors.h"
#include "kernels/unary.h"

typedef doubles (*quick_fn)(doubles x, struct attributes with);

/* Elements between two calls of the exact lanes: enough of them that the few doubtful
 * ones fill a vector now and then, few enough for the stack. */
#define QUICK_BLOCK 2048

/* A first, shorter block shows whether the row is one for the exact lanes: elements that
 * are left cost twice what they do there. */
#define QUICK_PROBE 256

enum quick_care {
    QUICK_TINY = 1, /* results may be subnormal, or 0 though x is not */
    QUICK_ALPHA = 2 /* the attribute alpha has to be positive and finite */
};

/* A quick lane and what it is good for. */
struct quick {
    quick_fn f;
    /* For low < x < high, and for x < zero; an infinity spares a test, and one is spared
     * where low is -high. */
    float low, high, zero;
    int bits;  /* |error| < 2^-bits relatively, math32.h's included */
    int cares; /* a set of enum quick_care */
};

/* Elements of a block that the exact lanes have to do. */
struct leftover {
    size_t count;
    float x[QUICK_BLOCK];
    uint16_t index[QUICK_BLOCK];
};

/* y[i] = f(x[i]) for i < n, but for what it leaves.  n is a multiple of QUICK_STEP, and at
 * most QUICK_BLOCK; y may be x. */
typedef void (*quick_block_fn)(size_t n, const float *x, float *y, struct attributes with,
                               struct leftover *left);

/* -1 for what the quick lane is good for, 0 for the others. */
BL_FORCE_INLINE ints inside(floats x, struct quick quick)
{
    ints good;

    if (quick.low == -quick.high)
        return (floats)((ints)x & INT32_MAX) < quick.high;
    good = x > quick.low;
    if (quick.high < INFINITY)
        good &= x < quick.high;
    if (quick.zero > -INFINITY)
        good |= x < quick.zero;
    return good;
}

/* -1, in low_halves's order, for results within the error of the middle between two
 * float32.  That is where the 29 bits below a float32's are nearly 2^28. */
BL_FORCE_INLINE ints doubtful(struct both y, int bits)
{
    const int32_t error = INT32_C(1) << (53 - bits + 3);
    const unsigned_ints below = (unsigned_ints)low_halves(y) << 3;

    return (ints)(below + (uint32_t)error) < INT32_MIN + 2 * error;
}

/* -1 for results that are normal, or of 0. */
BL_FORCE_INLINE ints plain(floats x, floats y)
{
    return (((ints)y & INT32_MAX) >= INT32_C(0x00800000)) | (x == 0);
}

static __attribute__((noinline)) void leave(struct leftover *left, const float *x,
                                            size_t at, unsigned mask)
{
    for (; mask != 0; mask &= mask - 1) {
        const size_t i = at + (size_t)__builtin_ctz(mask);

        left->x[left->count] = x[i];
        left->index[left->count++] = (uint16_t)i;
    }
}

/* The loop that a quick_block_fn consists of; `quick` is constant. */
BL_FORCE_INLINE void quick_loop(size_t n, const float *x, float *y, struct attributes with,
                                struct leftover *left, struct quick quick)
{
    for (size_t i = 0; i < n; i += QUICK_STEP) {
        const floats in = *(const floats *)(x + i);
        const struct both wide = widened(x + i);
        const struct both result = {quick.f(wide.a, with), quick.f(wide.b, with)};
        const floats out = narrowed(result);
        ints good = inside(in, quick);

        if (quick.cares & QUICK_TINY)
            good &= plain(in, out);
        const unsigned fit = signs(good);
        const unsigned doubts = signs(doubtful(result, quick.bits));

        if (!BL_LIKELY((doubts | (fit ^ EVERY_SIGN)) == 0))
            leave(left, x, i, (fit ^ EVERY_SIGN) | unshuffled(doubts));
        *(floats *)(y + i) = out;
    }
}

/* The exact lanes work best on whole vectors. */
static void settle(struct leftover *left, float *y, struct attributes with, run1_fn exact)
{
    size_t n = left->count;

    while (n % QUICK_STEP != 0)
        left->x[n++] = left->x[0];
    exact(n, left->x, left->x, with);
    for (size_t i = 0; i < left->count; i++)
        y[left->index[i]] = left->x[i];
}

/* y[i] = f(x[i]) for i < n.  Once a fourth of a block is left, the exact lanes do the rest
 * of the row: where most are out of the domain (the logarithms of negative numbers), the
 * quick lanes are wasted. */
static __attribute__((noinline)) void quick_run(size_t n, const float *x, float *y,
                                                struct attributes with,
                                                quick_block_fn block, run1_fn exact)
{
    struct leftover left;
    float last[QUICK_STEP] = {0};
    size_t size;

    for (size_t at = 0; at < n; at += size) {
        const int is_last = n - at < QUICK_STEP;
        const size_t most = at == 0 ? QUICK_PROBE : QUICK_BLOCK;
        float *out = is_last ? last : y + at;

        size = n - at < most ? n - at : most;
        if (is_last)
            memcpy(last, x + at, size * sizeof *x);
        else
            size -= size % QUICK_STEP;
        left.count = 0;
        block(is_last ? QUICK_STEP : size, is_last ? last : x + at, out, with, &left);
        if (left.count != 0)
            settle(&left, out, with, exact);
        if (is_last) {
            memcpy(y + at, last, size * sizeof *y);
        } else if (left.count > size / 4) {
            exact(n - at - size, x + at + size, y + at + size, with);
            return;
        }
    }
}

#endif
