/*
 * infer_list.c - lists of axes and dims, from inputs and attributes, and their checks
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "base/status.h"
#include "ops/infer_parts.h"
#include "ops/values.h"
#include "shape/shape.h"

bool bl_infer_has(const struct bl_inference *call, size_t input)
{
    return input < call->input_count && call->inputs[input].dtype != BL_UNDEFINED;
}

/* ---- Lists ---------------------------------------------------------------------- */

bl_status bl_infer_list(const struct bl_inference *call, size_t input, bl_shape *list,
                        bl_error *err)
{
    const char *name = call->node->op->inputs[input].name;
    const bl_tensor *value = call->values != NULL ? call->values[input] : NULL;
    size_t count = 0;

    if (value == NULL)
        return bl_fail(err, BL_ERR_ARGUMENT, "%s needs the value of input %s",
                       call->subject, name);
    const bl_status status =
        bl_tensor_to_int64s(value, list->dim, BL_MAX_RANK, &count, err);

    if (status != BL_OK)
        return bl_fail_prefix(err, status, "%s: input %s ", call->subject, name);
    list->rank = (int)count;
    return BL_OK;
}

bl_status bl_infer_attribute_list(const struct bl_inference *call,
                                  const bl_attribute *attribute, bl_shape *list,
                                  bl_error *err)
{
    if (attribute->count > BL_MAX_RANK)
        return bl_fail(err, BL_ERR_LIMIT,
                       "%s: attribute '%s' has %zu elements, but at most %d make sense",
                       call->subject, attribute->name, attribute->count, BL_MAX_RANK);
    list->rank = (int)attribute->count;
    if (attribute->count > 0)
        memcpy(list->dim, attribute->value.ints, attribute->count * sizeof *list->dim);
    return BL_OK;
}

/* ---- Axes ----------------------------------------------------------------------- */

/* Before opset 11 these operators' texts say that an axis is not negative; the others
 * either count from the back from their first version on, or do not say. */
static bool counts_from_the_back(const bl_op *op)
{
    switch (bl_schema_of(op)->id) {
    case BL_OP_FLATTEN:
    case BL_OP_SQUEEZE:
    case BL_OP_UNSQUEEZE:
        return op->since >= 11;
    default:
        return true;
    }
}

bl_status bl_infer_axis(const struct bl_inference *call, int64_t axis, int rank, int ahead,
                        int *resolved, bl_error *err)
{
    const bool from_back = counts_from_the_back(call->node->op);
    const char *input = call->node->op->inputs[0].name;
    char text[BL_SHAPE_TEXT];

    bl_shape_text(&call->inputs[0].shape, text);
    if (axis < 0 && !from_back)
        return bl_fail(err, BL_ERR_SHAPE,
                       "%s: axis %lld is negative (%s %s; axes count from the back from "
                       "opset 11 on)",
                       call->subject, (long long)axis, input, text);
    if (rank + ahead == 0)
        return bl_fail(err, BL_ERR_SHAPE, "%s: axis %lld, but %s %s has no axes",
                       call->subject, (long long)axis, input, text);
    if (axis < -rank || axis >= rank + ahead)
        return bl_fail(err, BL_ERR_SHAPE, "%s: axis %lld is out of range (%s %s: %d to %d)",
                       call->subject, (long long)axis, input, text, from_back ? -rank : 0,
                       rank + ahead - 1);
    *resolved = (int)(axis < 0 ? axis + rank : axis);
    return BL_OK;
}

bl_status bl_infer_axes(const struct bl_inference *call, bl_shape *axes, int rank,
                        bool seen[BL_MAX_RANK], bl_error *err)
{
    const bl_shape given = *axes;
    char text[BL_SHAPE_TEXT];

    memset(seen, 0, BL_MAX_RANK * sizeof *seen);
    for (int i = 0; i < axes->rank; i++) {
        int axis = 0; /* gcc cannot see that it is always set */

        BL_TRY(bl_infer_axis(call, given.dim[i], rank, 0, &axis, err));
        if (seen[axis])
            return bl_fail(err, BL_ERR_SHAPE, "%s: axes %s name axis %d twice",
                           call->subject, bl_shape_text(&given, text), axis);
        seen[axis] = true;
        axes->dim[i] = axis;
    }
    return BL_OK;
}

bl_status bl_infer_product(const struct bl_inference *call, const bl_shape *shape, int axis,
                           int count, int64_t *product, bl_error *err)
{
    bl_shape part = {.rank = count};

    memcpy(part.dim, shape->dim + axis, (size_t)count * sizeof *part.dim);
    const bl_status status = bl_shape_count(&part, product, err);

    return status == BL_OK ? BL_OK : bl_fail_prefix(err, status, "%s: ", call->subject);
}
