/*
 * compare.h - is a result what was expected?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CONFORM_COMPARE_H
#define BL_CONFORM_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "broadloom/broadloom.h"

/*
 * How far a result may be off.  An element passes if abs(got - want) <= tolerance +
 * rel_tolerance * abs(want), in double; integers are compared as integers.  An infinity
 * equals itself alone; the two zeros are equal; a NaN answers a NaN, and only where
 * allow_nan is set.
 */
struct bl_compare_rule {
    double tolerance;
    double rel_tolerance;
    bool allow_nan;
    bool exact; /* the bits are the same, whatever the tolerances; every NaN counts as the
                   same */
    int64_t max_ulp; /* floating types: and no further off than this; negative: any */
};

/* Room for any message of bl_compare. */
#define BL_COMPARE_TEXT 1024

/*
 * True if all of `got` is what is wanted: dtype, shape, elements.  Else a line in
 * why[BL_COMPARE_TEXT]: the first element that is off with its index, both values, their
 * distance, and how many are off.
 */
bool bl_compare(const bl_tensor *got, const bl_tensor *want,
                const struct bl_compare_rule *rule, char *why);

/* True if `got` has that type and shape; else a line in why[BL_COMPARE_TEXT]. */
bool bl_compare_type(const bl_tensor *got, bl_dtype dtype, const bl_shape *shape,
                     char *why);

/* How many numbers of a floating type lie from a to b; the two zeros are one.  UINT64_MAX
 * if one is a NaN and the other is not. */
uint64_t bl_compare_ulps(bl_dtype dtype, const void *a, const void *b);

#endif
