/*
 * infer_host.c - the shapes of operators that are functions of whole tensors
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "base/status.h"
#include "ops/infer.h"
#include "ops/infer_parts.h"
#include "ops/values.h"
#include "shape/shape.h"
#include "tensor/tensor.h"

/* ---- Shape -------------------------------------------------------------------------- */

/* Where Shape starts or ends: an axis, counted from the back if negative, cut off to 0 to
 * rank. */
static int64_t shape_bound(int64_t bound, int rank)
{
    if (bound < 0)
        bound += rank;
    return bound < 0 ? 0 : bound > rank ? rank : bound;
}

static void infer_shape(const struct bl_inference *call, bl_shape *out)
{
    const int rank = call->inputs[0].shape.rank;
    const bl_attribute *end = bl_node_attribute(call->node, "end");
    const int64_t first = shape_bound(bl_node_int(call->node, "start"), rank);
    const int64_t last = end != NULL ? shape_bound(end->value.i, rank) : rank;

    out->rank = 1;
    out->dim[0] = last > first ? last - first : 0;
}

/* ---- Constant, ConstantOfShape, Range ---------------------------------------- */

static void infer_constant(const struct bl_inference *call, bl_shape *out)
{
    const bl_attribute *value = &call->node->attributes[0];

    if (value->type == BL_ATTRIBUTE_TENSOR) {
        *out = value->value.tensor->shape;
        return;
    }
    out->rank = value->type >= BL_ATTRIBUTE_FLOATS ? 1 : 0;
    out->dim[0] = (int64_t)value->count;
}

static bl_status infer_constant_of_shape(const struct bl_inference *call, bl_shape *out,
                                         bl_error *err)
{
    char text[BL_SHAPE_TEXT];

    BL_TRY(bl_infer_list(call, 0, out, err));
    for (int i = 0; i < out->rank; i++)
        if (out->dim[i] < 0)
            return bl_fail(err, BL_ERR_SHAPE,
                           "%s: the shape %s in input has a negative dim", call->subject,
                           bl_shape_text(out, text));
    return BL_OK;
}

static bl_status check_stash_type(const struct bl_inference *call, bl_error *err)
{
    const int64_t type = bl_node_int(call->node, "stash_type");
    const bl_dtype dtype = call->inputs[0].dtype;

    if ((dtype != BL_FLOAT16 && dtype != BL_BFLOAT16) || type == BL_FLOAT32)
        return BL_OK;
    return bl_fail(err, BL_ERR_UNSUPPORTED,
                   "%s: attribute 'stash_type' is %lld, but only 1 (float32) is supported",
                   call->subject, (long long)type);
}

static bl_status infer_range(const struct bl_inference *call, bl_shape *out, bl_error *err)
{
    char text[BL_SHAPE_TEXT];
    bl_status status;

    BL_TRY(check_stash_type(call, err));
    for (size_t i = 0; i < 3; i++) {
        const char *name = call->node->op->inputs[i].name;
        int64_t count;

        BL_TRY(bl_shape_count(&call->inputs[i].shape, &count, err));
        if (count != 1)
            return bl_fail(err, BL_ERR_SHAPE, "%s: %s %s has to be a scalar", call->subject,
                           name, bl_shape_text(&call->inputs[i].shape, text));
        if (call->values == NULL || call->values[i] == NULL)
            return bl_fail(err, BL_ERR_ARGUMENT, "%s needs the value of input %s",
                           call->subject, name);
    }
    out->rank = 1;
    status = bl_range_count(call->values[0], call->values[1], call->values[2], &out->dim[0],
                            err);
    return status == BL_OK ? BL_OK : bl_fail_prefix(err, status, "%s: ", call->subject);
}

/* ---- Concat and Gather ------------------------------------------------------------- */

static bl_status infer_concat(const struct bl_inference *call, bl_shape *out, bl_error *err)
{
    const bl_shape *first = &call->inputs[0].shape;
    char a[BL_SHAPE_TEXT], b[BL_SHAPE_TEXT];
    char a_name[32], b_name[32];
    int axis;

    BL_TRY(bl_infer_axis(call, call->params->axis, first->rank, 0, &axis, err));
    *out = *first;
    for (size_t i = 1; i < call->input_count; i++) {
        const bl_shape *next = &call->inputs[i].shape;
        bl_shape without = *next;

        /* All but the axis is the same. */
        if (next->rank == first->rank)
            without.dim[axis] = first->dim[axis];
        if (!bl_shape_equal(&without, first))
            return bl_fail(
                err, BL_ERR_SHAPE,
                "%s: %s %s and %s %s do not go together: they may differ on axis "
                "%d only",
                call->subject, bl_input_name(call->node->op, 0, a_name),
                bl_shape_text(first, a), bl_input_name(call->node->op, i, b_name),
                bl_shape_text(next, b), axis);
        if (next->dim[axis] > INT64_MAX - out->dim[axis])
            return bl_fail(err, BL_ERR_LIMIT,
                           "%s: axis %d of the result is longer than 63 bits can count",
                           call->subject, axis);
        out->dim[axis] += next->dim[axis];
    }
    return BL_OK;
}

/* The indices' axes stand in for the axis of the data. */
static bl_status infer_gather(const struct bl_inference *call, bl_shape *out, bl_error *err)
{
    const bl_shape *data = &call->inputs[0].shape;
    const bl_shape *indices = &call->inputs[1].shape;
    int axis;

    BL_TRY(bl_infer_axis(call, call->params->axis, data->rank, 0, &axis, err));
    const int behind = data->rank - axis - 1;

    if (axis + indices->rank + behind > BL_MAX_RANK)
        return bl_fail(err, BL_ERR_LIMIT,
                       "%s: the result has %d axes, which is more than %d", call->subject,
                       axis + indices->rank + behind, BL_MAX_RANK);
    out->rank = axis + indices->rank + behind;
    memcpy(out->dim, data->dim, (size_t)axis * sizeof *out->dim);
    memcpy(out->dim + axis, indices->dim, (size_t)indices->rank * sizeof *out->dim);
    memcpy(out->dim + axis + indices->rank, data->dim + axis + 1,
           (size_t)behind * sizeof *out->dim);
    return BL_OK;
}

/* ---- The whole ---------------------------------------------------------------------- */

bl_status bl_infer_host(const struct bl_inference *call, bl_shape *out, bl_error *err)
{
    switch (bl_schema_of(call->node->op)->id) {
    case BL_OP_SHAPE:
        infer_shape(call, out);
        return BL_OK;
    case BL_OP_SIZE:
        out->rank = 0;
        return BL_OK;
    case BL_OP_CONSTANT:
        infer_constant(call, out);
        return BL_OK;
    case BL_OP_CONSTANTOFSHAPE:
        return infer_constant_of_shape(call, out, err);
    case BL_OP_RANGE:
        return infer_range(call, out, err);
    case BL_OP_CONCAT:
        return infer_concat(call, out, err);
    case BL_OP_GATHER:
        return infer_gather(call, out, err);
    default: /* StringConcat */
        return bl_infer_broadcast(call, out, err);
    }
}
