/*
 * given.c - outputs that the caller gives: whether a result may be written there
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "api/given.h"

#include <string.h>

#include "base/status.h"
#include "ops/node.h"
#include "shape/shape.h"
#include "tensor/dtype.h"
#include "tensor/tensor.h"

static int64_t magnitude(int64_t stride)
{
    return stride < 0 ? -stride : stride;
}

/* True if two indexes of the tensor may lie at one place: then it cannot hold a result.
 * Each axis has to step over all that the axes of smaller strides reach together. */
static bool overlaps_itself(const bl_tensor *tensor)
{
    for (int i = 0; i < tensor->shape.rank; i++) {
        const int64_t step = magnitude(tensor->stride[i]);
        int64_t reach = 0;

        if (tensor->shape.dim[i] <= 1)
            continue;
        for (int j = 0; j < tensor->shape.rank; j++)
            if (j != i && tensor->shape.dim[j] > 1 && magnitude(tensor->stride[j]) <= step)
                reach += (tensor->shape.dim[j] - 1) * magnitude(tensor->stride[j]);
        if (reach >= step)
            return true;
    }
    return false;
}

bl_status bl_given_check(const bl_node *node, const bl_tensor *given,
                         const bl_tensor_type *type, bl_error *err)
{
    const char *name = node->op->outputs[0].name;
    char subject[BL_NODE_TEXT];
    char a[BL_SHAPE_TEXT], b[BL_SHAPE_TEXT];

    bl_node_text(node, subject);
    if (given->dtype != type->dtype)
        return bl_fail(err, BL_ERR_TYPE,
                       "%s: the given output %s is %s, but the result is %s", subject, name,
                       bl_dtype_name(given->dtype), bl_dtype_name(type->dtype));
    if (!bl_shape_equal(&given->shape, &type->shape))
        return bl_fail(err, BL_ERR_SHAPE,
                       "%s: the given output %s is %s, but the result is %s", subject, name,
                       bl_shape_text(&given->shape, a), bl_shape_text(&type->shape, b));
    if (!given->writable)
        return bl_fail(err, BL_ERR_ARGUMENT, "%s: the given output %s is read-only",
                       subject, name);
    if (given->dtype == BL_STRING && !given->owned)
        return bl_fail(
            err, BL_ERR_ARGUMENT,
            "%s: the given output %s borrows its memory, and cannot hold strings", subject,
            name);
    if (overlaps_itself(given))
        return bl_fail(err, BL_ERR_ARGUMENT,
                       "%s: elements of the given output %s share memory with each other",
                       subject, name);
    return BL_OK;
}

/* True if the input covers the output element by element, so that it may be computed in
 * place. */
static bool same_elements(const bl_tensor *input, const bl_tensor *output)
{
    return input->data == output->data && input->dtype == output->dtype &&
           bl_shape_equal(&input->shape, &output->shape) &&
           memcmp(input->stride, output->stride,
                  (size_t)output->shape.rank * sizeof *output->stride) == 0;
}

bool bl_tensors_meet(const bl_tensor *a, const bl_tensor *b)
{
    uintptr_t a_first, a_end, b_first, b_end;

    bl_tensor_extent(a, &a_first, &a_end);
    bl_tensor_extent(b, &b_first, &b_end);
    return a_first < b_end && b_first < a_end;
}

bool bl_given_needs_detour(const bl_node *node, const bl_tensor *const *inputs,
                           size_t input_count, const bl_tensor *output)
{
    const bool is_pointwise = bl_form_is_pointwise(bl_schema_of(node->op)->form);

    /* Strings are computed as references to the inputs' bytes, and copied at the end. */
    if (output->dtype == BL_STRING)
        return true;
    for (size_t i = 0; i < input_count; i++) {
        const bl_tensor *input = inputs[i];

        if (input == NULL || !bl_tensors_meet(input, output))
            continue;
        if (!is_pointwise || !same_elements(input, output))
            return true;
    }
    return false;
}
