/*
 * lower.h - from nodes and the layouts of their tensors to a step
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_PLAN_LOWER_H
#define BL_PLAN_LOWER_H

#include "ops/node.h"
#include "plan/step.h"
#include "tensor/tensor.h"

/* Enough for an operator of three inputs on four axes, so that small calls allocate nothing. */
#define BL_LOWERED_INLINE_WORDS 96

/* A step with the memory that it points to.  Must not be moved once it is made. */
struct bl_lowered {
    struct bl_step step;
    bl_allocator allocator;
    void *memory; /* NULL while `inline_words` is enough */
    size_t bytes;
    int64_t inline_words[BL_LOWERED_INLINE_WORDS];
};

/* A value of a pointwise group. */
struct bl_group_value {
    /* Type, shape; for a value in memory its strides, and its data unless they are set later. */
    const bl_tensor *layout;
    bool in_memory; /* read from outside the group, or written for others to read */
};

/* A node of a pointwise group; its args and its result are indexes into the group's values. */
struct bl_group_node {
    const bl_node *node;
    const struct bl_params *params;
    const int32_t *args; /* [arg_count], -1: absent */
    size_t arg_count;
    int32_t result;
};

/*
 * Lower a group of pointwise nodes, each of which puts out the shape of the space, to a program.
 *
 * Nodes are in an order in which they can run.  The step's operands stand for the values in
 * memory: operand_value[o] is the index of the value that operand o is (a value that nodes place
 * differently has several).
 *
 * @param operand_value  [room for as many as the nodes have args and results], or NULL.
 * Errors: BL_ERR_MEMORY, BL_ERR_LIMIT.
 */
bl_status bl_lower_group(struct bl_lowered *lowered, const bl_allocator *allocator,
                         const struct bl_group_node *nodes, size_t node_count,
                         const struct bl_group_value *values, size_t value_count,
                         const bl_shape *space, int32_t *operand_value, bl_error *err);

/* Lower one pointwise node, whose types and shapes are checked, with its tensors' memory.
 *
 * @param operand_value  [room for input_count + 1], or NULL: which input each operand of the step
 * is; input_count is the output. */
bl_status bl_lower_node(struct bl_lowered *lowered, const bl_allocator *allocator,
                        const bl_node *node, const struct bl_params *params,
                        const bl_tensor *const *inputs, size_t input_count,
                        bl_tensor *output, int32_t *operand_value, bl_error *err);

/* Lower a copy of `from` to `to`, of one type and shape, element by element. */
bl_status bl_lower_copy(struct bl_lowered *lowered, const bl_allocator *allocator,
                        const bl_tensor *from, bl_tensor *to, bl_error *err);

/* Lower a Gemm or MatMul, whose output has elements.  (matmul.c) */
bl_status bl_lower_matmul(struct bl_lowered *lowered, const bl_allocator *allocator,
                          const bl_node *node, const struct bl_params *params,
                          const bl_tensor *const *inputs, size_t input_count,
                          bl_tensor *output, bl_error *err);

void bl_lowered_free(struct bl_lowered *lowered);

/* ---- What lower.c and matmul.c share ------------------------------------------------------ */

/* The strides of `tensor` on the axes of `space`, when its first axis lies on axis `offset`. */
void bl_place_strides(const bl_tensor *tensor, int offset, const bl_shape *space,
                      int64_t *stride);

/* `bytes` of memory, aligned for any of a step's parts; all at once. */
bl_status bl_lowered_reserve(struct bl_lowered *lowered, const bl_allocator *allocator,
                             size_t bytes, char **memory, bl_error *err);

#endif
