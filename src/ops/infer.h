/*
 * infer.h - the types and shapes of a node's outputs, from those of its inputs
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_OPS_INFER_H
#define BL_OPS_INFER_H

#include "broadloom/broadloom.h"
#include "ops/node.h"

/* Check arity, types, attributes and shapes of a node, as bl_infer does; params are the
 * node's. */
bl_status bl_node_infer(const bl_node *node, const bl_tensor_type *inputs,
                        size_t input_count, bl_tensor_type *outputs, size_t output_count,
                        struct bl_params *params, bl_error *err);

/* The shapes alone; types and arity are checked.  (infer_shape.c) */
bl_status bl_node_infer_shape(const bl_node *node, const struct bl_params *params,
                              const bl_tensor_type *inputs, size_t input_count,
                              bl_shape *out, bl_error *err);

/*
 * The axis of the output on which the first axis of input i lies, for a node whose shapes
 * are checked.  Negative where the input has more axes than the output, which then are
 * all 1.
 */
int bl_node_offset(const bl_node *node, const struct bl_params *params, size_t i,
                   const bl_shape *input, const bl_shape *output);

/* "B", or "data_3" for a variadic input, in `buffer` of 32 bytes; returns it. */
const char *bl_input_name(const bl_op *op, size_t i, char *buffer);

#endif
