/*
 * call.c - a call of bl_apply: what it is given, what its result is, what is said if it fails
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "api/call.h"

#include "base/checked.h"
#include "base/mem.h"
#include "base/status.h"
#include "ops/infer.h"
#include "ops/work.h"
#include "shape/shape.h"
#include "tensor/tensor.h"

/* ---- Types and shapes ------------------------------------------------------------------
 */

#define INLINE_TYPES 4

bl_status bl_call_infer(struct bl_call *call, size_t output_count, bl_tensor_type *output,
                        bl_error *err)
{
    const bl_allocator *allocator = &call->context->allocator;
    bl_tensor_type few[INLINE_TYPES];
    bl_tensor_type *types = few;
    size_t bytes = 0;

    few[0].dtype = BL_UNDEFINED; /* gcc cannot see that no inputs means that none is read */
    if (call->input_count > INLINE_TYPES) {
        if (!bl_size_mul(call->input_count, sizeof *types, &bytes))
            return bl_fail(err, BL_ERR_LIMIT, "too many inputs: %zu", call->input_count);
        types = bl_mem_alloc(allocator, bytes);
        if (types == NULL)
            return bl_fail(err, BL_ERR_MEMORY, "out of memory for the types of %zu inputs",
                           call->input_count);
    }
    for (size_t i = 0; i < call->input_count; i++) {
        types[i].dtype = BL_UNDEFINED;
        if (call->inputs[i] == NULL)
            continue;
        types[i].dtype = call->inputs[i]->dtype;
        types[i].shape = call->inputs[i]->shape;
    }
    const int64_t before = call->context->work;
    bl_status status = bl_node_infer(call->node, types, call->inputs, call->input_count,
                                     output, output_count, &call->params, err);

    if (status == BL_OK)
        status = bl_node_check_limits(allocator, call->node, &call->params, types,
                                      call->input_count, output, &call->context->work, err);
    call->work = call->context->work - before;
    if (types != few)
        bl_mem_free(allocator, types, bytes);
    return status;
}

/* ---- Failures ---------------------------------------------------------------------------------- */

/* "integer division by zero at output index [1,2]". */
static bl_status arithmetic_error(const struct bl_call *call, const bl_tensor *output,
                                  int64_t failed, bl_error *err)
{
    const bool is_pow = bl_schema_of(call->node->op)->id == BL_OP_POW;
    bl_shape index = {.rank = output->shape.rank};
    char subject[BL_NODE_TEXT];
    char at[BL_SHAPE_TEXT];

    for (int axis = index.rank - 1; axis >= 0; axis--) {
        index.dim[axis] = failed % output->shape.dim[axis];
        failed /= output->shape.dim[axis];
    }
    return bl_fail(err, BL_ERR_ARITHMETIC, "%s: %s at output index %s",
                   bl_node_text(call->node, subject),
                   is_pow ? "integer 0 to a negative power" : "integer division by zero",
                   bl_shape_text(&index, at));
}

/* The status of a run, with a message if an element has no result. */
bl_status bl_call_explain(const struct bl_call *call, const bl_tensor *output,
                          bl_status status, int64_t failed, bl_error *err)
{
    return status == BL_ERR_ARITHMETIC ? arithmetic_error(call, output, failed, err)
                                       : status;
}

/* What a device cannot do is said of the node. */
bl_status bl_call_of_node(const struct bl_call *call, bl_status status, bl_error *err)
{
    char subject[BL_NODE_TEXT];

    return status == BL_ERR_UNSUPPORTED
               ? bl_fail_prefix(err, status, "%s: ", bl_node_text(call->node, subject))
               : status;
}
