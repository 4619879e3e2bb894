/*
 * host.h - operators that are functions of whole tensors
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shape, Size, Constant, ConstantOfShape, Range, Concat, Gather, StringConcat, and Cast to and
 * from strings: small, or moves of memory, with nothing to fuse.
 */
#ifndef BL_BACKENDS_CPU_HOST_H
#define BL_BACKENDS_CPU_HOST_H

#include <stdbool.h>

#include "base/guard.h"
#include "ops/node.h"
#include "tensor/tensor.h"

/* True if the node is run by bl_host_run: its form says so, or it casts strings.  (Not between
 * strings and the floats of 8 bits and less: those go by way of a larger type.) */
bool bl_host_runs(const bl_node *node, bl_dtype input, bl_dtype output);

/*
 * Fill `output`, whose type and shape are the node's result's, and which overlaps no input.
 *
 * Strings that are written are references to bytes of the inputs, or new ones of the output's
 * allocator: a string output has to own its memory, and owns all its strings afterwards.
 * Errors: BL_ERR_MEMORY; BL_ERR_ARGUMENT for an index or a text that is out of range, naming the
 *         node and the value; BL_ERR_CANCELLED, if the guard (or NULL) says so.
 */
bl_status bl_host_run(const bl_node *node, const struct bl_params *params,
                      const bl_tensor *const *inputs, size_t input_count, bl_tensor *output,
                      struct bl_guard *guard, bl_error *err);

#endif
