/*
 * work.h - what a node asks for: a result, and time; and whether the limits allow it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_OPS_WORK_H
#define BL_OPS_WORK_H

#include "ops/node.h"

/*
 * Check a node whose inputs and output are inferred against the limits of an allocator
 * (base/guard.h): the output as a tensor, and the work.
 *
 * @param inputs  [input_count]
 * @param work    what the run has asked for so far; the node's is added.
 * Errors: BL_ERR_LIMIT, naming the node, the limit, and what is asked for.
 */
bl_status bl_node_check_limits(const bl_allocator *allocator, const bl_node *node,
                               const struct bl_params *params, const bl_tensor_type *inputs,
                               size_t input_count, const bl_tensor_type *output,
                               int64_t *work, bl_error *err);

/* Add a node's work to a run's, and check that. */
bl_status bl_node_spend(const bl_allocator *allocator, const bl_node *node, int64_t spent,
                        int64_t *work, bl_error *err);

#endif
