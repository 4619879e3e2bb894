/*
 * lanes_test.c - which elements the quick lanes call doubtful, in which order
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A result that is taken for certain by mistake is wrong once in many millions, so comparisons
 * of results do not tell.  For the vectors of this unit's instruction set.
 */
#include "kernels/math_quick.h"

#include <stdio.h>

/* Doubles of which just the i-th lies in the middle between two floats. */
static struct both one_in_the_middle(unsigned i)
{
    struct both y = {all(1), all(1)};
    const double middle = 1 + 0x1p-24;

    if (i < QUICK_STEP / 2)
        y.a[i] = middle;
    else
        y.b[i - QUICK_STEP / 2] = middle;
    return y;
}

static int check(unsigned i, const char *what, unsigned mask, unsigned expected)
{
    if (mask != expected)
        printf("element %u, %s: 0x%x, not 0x%x\n", i, what, mask, expected);
    return mask != expected;
}

int main(void)
{
    int failed = 0;

    (void)quick_run; /* what else the header has */
    for (unsigned i = 0; i < QUICK_STEP; i++) {
        const struct both y = one_in_the_middle(i);
        float x[QUICK_STEP] = {0};

        x[i] = -1;
        failed += check(i, "signs", signs(*(const ints *)x), 1u << i);
        failed += check(i, "narrowed", signs((ints)narrowed(widened(x))), 1u << i);
        failed += check(i, "doubtful", unshuffled(signs(doubtful(y, 36))), 1u << i);
    }
    printf("%d elements a step, %d failed\n", QUICK_STEP, failed);
    return failed != 0;
}
