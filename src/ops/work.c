/*
 * work.c - what a node asks for: a result, and time; and whether the limits allow it
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Work is counted by shapes alone, so that it is the same fused or not, on any processor: each
 * element of the result once for every input of a pointwise operator, for every term of a sum of a
 * matrix product, and once otherwise.  What takes no input's elements into memory, such as a
 * product of operands that are one number expanded, is counted like all else.
 */
#include "ops/work.h"

#include "base/checked.h"
#include "base/guard.h"
#include "base/status.h"
#include "ops/op.h"
#include "shape/shape.h"
#include "tensor/tensor.h"

/* Reads of inputs, or multiplications, for an element of the result. */
static int64_t factor_of(const bl_node *node, const struct bl_params *params,
                         const bl_tensor_type *inputs, size_t input_count)
{
    const enum bl_form form = bl_schema_of(node->op)->form;
    const bl_shape *a = &inputs[0].shape;

    if (form == BL_FORM_GEMM)
        return a->dim[params->trans_a ? 0 : 1];
    if (form == BL_FORM_MATMUL)
        return a->dim[a->rank - 1];
    return bl_form_is_pointwise(form) ? (int64_t)input_count : 1;
}

bl_status bl_node_spend(const bl_allocator *allocator, const bl_node *node, int64_t spent,
                        int64_t *work, bl_error *err)
{
    const int64_t most = bl_limits_of(allocator)->max_work;
    char subject[BL_NODE_TEXT];

    if (*work <= most && spent <= most - *work) {
        *work += spent;
        return BL_OK;
    }
    return bl_fail(err, BL_ERR_LIMIT,
                   "%s: max_work is %lld, %lld are spent, and the node takes %lld more",
                   bl_node_text(node, subject), (long long)most, (long long)*work,
                   (long long)spent);
}

bl_status bl_node_check_limits(const bl_allocator *allocator, const bl_node *node,
                               const struct bl_params *params, const bl_tensor_type *inputs,
                               size_t input_count, const bl_tensor_type *output,
                               int64_t *work, bl_error *err)
{
    const bl_status status =
        bl_tensor_check_limits(allocator, output->dtype, &output->shape, err);
    char subject[BL_NODE_TEXT];
    int64_t count, spent;

    if (status != BL_OK)
        return bl_fail_prefix(err, status, "%s: ", bl_node_text(node, subject));
    BL_TRY(bl_shape_count(&output->shape, &count, err));
    const int64_t factor = factor_of(node, params, inputs, input_count);

    if (!bl_count_mul(count, factor > 0 ? factor : 1, &spent))
        spent = INT64_MAX;
    return bl_node_spend(allocator, node, spent, work, err);
}
