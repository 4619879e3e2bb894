/*
 * checked.h - arithmetic on sizes that says when the result does not fit
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each function with an `out` returns false, and leaves *out unspecified, where the exact result
 * does not fit.
 */
#ifndef BL_BASE_CHECKED_H
#define BL_BASE_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool bl_size_add(size_t a, size_t b, size_t *out)
{
    *out = a + b;
    return *out >= a;
}

static inline bool bl_size_mul(size_t a, size_t b, size_t *out)
{
    *out = a * b;
    return a == 0 || *out / a == b;
}

/* For counts: both are >= 0. */
static inline bool bl_count_mul(int64_t a, int64_t b, int64_t *out)
{
    if (a != 0 && b > INT64_MAX / a)
        return false;
    *out = a * b;
    return true;
}

static inline int64_t bl_smaller(int64_t x, int64_t y)
{
    return x < y ? x : y;
}

#endif
