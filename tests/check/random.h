/*
 * random.h - elements to try kernels with: random bits among values that are odd in some
 * way
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CHECK_RANDOM_H
#define BL_CHECK_RANDOM_H

#include <stddef.h>
#include <stdint.h>

#include "broadloom/broadloom.h"

/* The state of a generator; any number but 0 to begin with. */
typedef uint64_t random_state;

uint64_t random_bits(random_state *state);

/* A number below `limit`. */
size_t random_below(random_state *state, size_t limit);

/*
 * Fill an element: zeros of both signs, subnormals, infinities, NaNs, the type's limits, 1
 * and -1 and their neighbours, small whole numbers, or any bits.  Strings are drawn from a
 * few, some of them equal in content alone.
 */
void random_element(random_state *state, bl_dtype dtype, void *element);

#endif
