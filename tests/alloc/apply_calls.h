/*
 * apply_calls.h - a call of each kind of operator, and what it ought to give
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_TESTS_ALLOC_APPLY_CALLS_H
#define BL_TESTS_ALLOC_APPLY_CALLS_H

#include <stdbool.h>

#include "broadloom/broadloom.h"

extern const size_t apply_call_count;

/* Make the tensors, and the results with memory enough; 0 where that works. */
int apply_start(void);
void apply_end(void);

/* The tensor of a name. */
const bl_tensor *apply_tensor(const char *name);

/* Do the i-th call; BL_ERR_FORMAT where the result has other bits than it ought to have. */
bl_status apply_call(bl_context *context, size_t i, bl_error *err);

/* True if type, shape and elements are the same. */
bool apply_same(const bl_tensor *a, const bl_tensor *b);

#endif
