/*
 * infer.h - the types and shapes of a node's outputs, from those of its inputs
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_OPS_INFER_H
#define BL_OPS_INFER_H

#include "broadloom/broadloom.h"
#include "ops/node.h"

/*
 * Check arity, types, attributes and shapes of a node, as bl_infer does; params are the
 * node's.
 *
 * @param values  NULL, or [input_count]: what is known of the inputs' elements, NULL where
 *                nothing is.  Those that bl_node_reads_value names have to be known:
 *                without one it is BL_ERR_ARGUMENT, "... needs the value of input ...".
 */
bl_status bl_node_infer(const bl_node *node, const bl_tensor_type *inputs,
                        const bl_tensor *const *values, size_t input_count,
                        bl_tensor_type *outputs, size_t output_count,
                        struct bl_params *params, bl_error *err);

/* True if the elements of an input have to be known for the output's shape: Reshape's
 * shape, Range's limit. */
bool bl_node_reads_value(const bl_op *op, size_t input);

/*
 * The axis of the output on which the first axis of input i lies, for a node whose shapes
 * are checked.  Negative where the input has more axes than the output, which then are
 * all 1.
 */
int bl_node_offset(const bl_node *node, const struct bl_params *params, size_t i,
                   const bl_shape *input, const bl_shape *output);

/* "B", or "data_3" or "inputs_3" for a variadic input, in `buffer` of 32 bytes; returns
 * it. */
const char *bl_input_name(const bl_op *op, size_t i, char *buffer);

#endif
