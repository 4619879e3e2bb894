/*
 * reference.h - what the operators mean, one element at a time, in the plainest way
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shares no code with src/: no kernel, no half conversion, no broadcasting.  Slow on
 * purpose.
 */
#ifndef BL_CONFORM_REFERENCE_H
#define BL_CONFORM_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "broadloom/broadloom.h"

/*
 * One output element of a pointwise operator: *out = op(*in[0], *in[1], ...).
 *
 * `in` points to single elements as they lie in memory, of the types dtypes[0 .. inputs -
 * 1]; `out` is of the operator's output type.  The newest version's meaning; versions
 * differ in types and shapes alone. Returns false where there is no result: an integer
 * divided by zero, 0 to a negative power.
 */
bool bl_reference_element(const char *op, const bl_dtype *dtypes, const void *const *in,
                          size_t inputs, void *out);

/* A whole operator, as bl_apply with outputs[i] == NULL; the node's version rules the
 * broadcasting. */
bl_status bl_reference_apply(const bl_node *node, const bl_tensor *const *inputs,
                             size_t input_count, bl_tensor **outputs, size_t output_count,
                             bl_error *err);

#endif
