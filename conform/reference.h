/*
 * reference.h - what the operators mean, one element at a time, in the plainest way
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shares no code with src/: no kernel, no half conversion, no broadcasting, no inference.
 * Slow on purpose.
 *
 * Operators that are exact are computed as the specification writes them, each step rounded
 * to the type (float32 for 16-bit types, which are rounded once more at the end).  The
 * transcendental ones are computed in long double and rounded once: where that has 64 bits
 * of significand (x86), the results are the correctly rounded ones but for rare ties; where
 * it is no wider than double, float64 results may be 1 ulp off.
 */
#ifndef BL_CONFORM_REFERENCE_H
#define BL_CONFORM_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "broadloom/broadloom.h"

/*
 * One output element of a pointwise operator: *out = op(*in[0], *in[1], ...).
 *
 * The node gives operator, version and attributes.  `in` points to single elements as they
 * lie in memory, of the types dtypes[0 .. inputs - 1]; an absent optional input is NULL, of
 * type BL_UNDEFINED.  `out` is an element of `out_dtype`, the type that the operator gives;
 * a string in it belongs to an input.
 *
 * Returns false where there is no result: an integer divided by zero, 0 to a negative
 * power, a text that is no number, types that the operator has no meaning for; and for
 * operators that make new strings, which only bl_reference_apply has room for.
 */
bool bl_reference_element(const bl_node *node, const bl_dtype *dtypes,
                          const void *const *in, size_t inputs, bl_dtype out_dtype,
                          void *out);

/* A whole operator, as bl_apply with outputs[i] == NULL; the node's version rules the
 * broadcasting. */
bl_status bl_reference_apply(const bl_node *node, const bl_tensor *const *inputs,
                             size_t input_count, bl_tensor **outputs, size_t output_count,
                             bl_error *err);

#endif
