/*
 * lower.h - from a node and its tensors to a step
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_PLAN_LOWER_H
#define BL_PLAN_LOWER_H

#include "ops/node.h"
#include "plan/step.h"
#include "tensor/tensor.h"

/* Enough for three inputs on four axes after coalescing, so that small calls allocate
 * nothing. */
#define BL_PLAN_INLINE_WORDS 64

/* A step with the memory that it points to.  Must not be moved once it is made. */
struct bl_plan {
    struct bl_step step;
    bl_allocator allocator;
    void *memory; /* NULL while `inline_words` is enough */
    size_t bytes;
    int64_t inline_words[BL_PLAN_INLINE_WORDS];
};

/*
 * Plan a node whose types and shapes are checked (bl_node_infer), and whose output has
 * elements.
 *
 * The plan borrows the tensors' memory, and has to be freed.  Errors: BL_ERR_MEMORY.
 */
bl_status bl_plan_node(struct bl_plan *plan, const bl_allocator *allocator,
                       const bl_node *node, const struct bl_params *params,
                       const bl_tensor *const *inputs, size_t input_count,
                       bl_tensor *output, bl_error *err);

/* Plan a copy of `from` to `to`, of one type and shape, element by element. */
bl_status bl_plan_copy(struct bl_plan *plan, const bl_allocator *allocator,
                       const bl_tensor *from, bl_tensor *to, bl_error *err);

void bl_plan_free(struct bl_plan *plan);

#endif
