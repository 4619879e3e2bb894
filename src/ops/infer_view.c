/*
 * infer_view.c - the shapes of operators that only look at their input in another way
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "base/status.h"
#include "ops/infer_parts.h"
#include "shape/shape.h"

static const char *input_text(const struct bl_inference *call, char buffer[BL_SHAPE_TEXT])
{
    return bl_shape_text(&call->inputs[0].shape, buffer);
}

/* The list of an operator that took it as attribute `name` once, and as input 1 since.
 * *given tells whether the node has it. */
static bl_status list_of(const struct bl_inference *call, const char *name, bl_shape *list,
                         bool *given, bl_error *err)
{
    const bl_attribute *attribute = bl_node_attribute(call->node, name);

    *given = call->node->op->input_count > 1 ? bl_infer_has(call, 1) : attribute != NULL;
    if (!*given)
        return BL_OK;
    return attribute != NULL ? bl_infer_attribute_list(call, attribute, list, err)
                             : bl_infer_list(call, 1, list, err);
}

/* ---- Reshape and Flatten ---------------------------------------------------------- */

static bl_status bad_target(const struct bl_inference *call, const bl_shape *target,
                            const char *what, bl_error *err)
{
    char a[BL_SHAPE_TEXT], b[BL_SHAPE_TEXT];

    return bl_fail(err, BL_ERR_SHAPE, "%s: data %s does not go into shape %s: %s",
                   call->subject, input_text(call, a), bl_shape_text(target, b), what);
}

/* Put the input's dims where the target has 0; *open is the axis with -1, or none (-1). */
static bl_status copy_dims(const struct bl_inference *call, const bl_shape *target,
                           bl_shape *out, int *open, bl_error *err)
{
    const bl_shape *data = &call->inputs[0].shape;
    const bool keeps_zero = bl_node_int(call->node, "allowzero") != 0;
    bool has_zero = false;

    *open = -1;
    *out = *target;
    for (int i = 0; i < target->rank; i++) {
        if (target->dim[i] < -1)
            return bad_target(call, target, "a dim is less than -1", err);
        if (target->dim[i] == -1 && *open >= 0)
            return bad_target(call, target, "only one dim can be -1", err);
        if (target->dim[i] == -1)
            *open = i;
        has_zero |= target->dim[i] == 0;
        if (target->dim[i] != 0 || keeps_zero)
            continue;
        if (i >= data->rank)
            return bad_target(call, target,
                              "a 0 stands for data's dim there, and data has no such axis",
                              err);
        out->dim[i] = data->dim[i];
    }
    if (keeps_zero && has_zero && *open >= 0)
        return bad_target(call, target, "with allowzero, 0 and -1 do not go together", err);
    return BL_OK;
}

static bl_status infer_reshape(const struct bl_inference *call, bl_shape *out,
                               bl_error *err)
{
    bl_shape target, met;
    int64_t have, want;
    bool given;
    int open;

    BL_TRY(list_of(call, "shape", &target, &given, err));
    if (!given)
        return bl_fail(err, BL_ERR_ATTRIBUTE, "%s: attribute 'shape' is missing",
                       call->subject);
    BL_TRY(copy_dims(call, &target, &met, &open, err));
    if (open >= 0)
        met.dim[open] = 1;
    BL_TRY(bl_infer_product(call, &call->inputs[0].shape, 0, call->inputs[0].shape.rank,
                            &have, err));
    BL_TRY(bl_infer_product(call, &met, 0, met.rank, &want, err));
    if (open >= 0 && want == 0)
        return bad_target(call, &target, "beside a dim of 0, -1 could be any number", err);
    if (open >= 0 && have % want != 0)
        return bad_target(call, &target, "the other dims do not divide its elements", err);
    if (open < 0 && have != want)
        return bad_target(call, &target, "it has another number of elements", err);
    if (open >= 0)
        met.dim[open] = have / want;
    *out = met;
    return BL_OK;
}

static bl_status infer_flatten(const struct bl_inference *call, bl_shape *out,
                               bl_error *err)
{
    const bl_shape *input = &call->inputs[0].shape;
    int axis;

    BL_TRY(bl_infer_axis(call, call->params->axis, input->rank, 1, &axis, err));
    out->rank = 2;
    BL_TRY(bl_infer_product(call, input, 0, axis, &out->dim[0], err));
    return bl_infer_product(call, input, axis, input->rank - axis, &out->dim[1], err);
}

/* ---- Squeeze and Unsqueeze --------------------------------------------------------- */

static bl_status infer_squeeze(const struct bl_inference *call, bl_shape *out,
                               bl_error *err)
{
    const bl_shape *data = &call->inputs[0].shape;
    bool gone[BL_MAX_RANK];
    char text[BL_SHAPE_TEXT];
    bl_shape axes;
    bool given;

    BL_TRY(list_of(call, "axes", &axes, &given, err));
    if (given)
        BL_TRY(bl_infer_axes(call, &axes, data->rank, gone, err));
    out->rank = 0;
    for (int i = 0; i < data->rank; i++) {
        if (!given)
            gone[i] = data->dim[i] == 1;
        if (gone[i] && data->dim[i] != 1)
            return bl_fail(err, BL_ERR_SHAPE,
                           "%s: axis %d of data %s is %lld; only an axis of 1 can be "
                           "squeezed out",
                           call->subject, i, input_text(call, text),
                           (long long)data->dim[i]);
        if (!gone[i])
            out->dim[out->rank++] = data->dim[i];
    }
    return BL_OK;
}

static bl_status infer_unsqueeze(const struct bl_inference *call, bl_shape *out,
                                 bl_error *err)
{
    const bl_shape *data = &call->inputs[0].shape;
    bool added[BL_MAX_RANK];
    bl_shape axes = {.rank = 0};
    bool given;
    int from = 0;

    BL_TRY(list_of(call, "axes", &axes, &given, err)); /* it always is */
    if (axes.rank > BL_MAX_RANK - data->rank)
        return bl_fail(err, BL_ERR_LIMIT, "%s: %d axes and the %d of data are more than %d",
                       call->subject, axes.rank, data->rank, BL_MAX_RANK);
    const int rank = data->rank + axes.rank;

    BL_TRY(bl_infer_axes(call, &axes, rank, added, err));
    for (int i = 0; i < rank; i++)
        out->dim[i] = added[i] ? 1 : data->dim[from++];
    out->rank = rank;
    return BL_OK;
}

/* ---- Transpose --------------------------------------------------------------------- */

static bl_status infer_transpose(const struct bl_inference *call, bl_shape *out,
                                 bl_error *err)
{
    const bl_attribute *perm = bl_node_attribute(call->node, "perm");
    const bl_shape *data = &call->inputs[0].shape;
    bool seen[BL_MAX_RANK] = {false};
    char a[BL_SHAPE_TEXT], b[BL_SHAPE_TEXT];
    bl_shape axes;

    out->rank = data->rank;
    if (perm == NULL) {
        for (int i = 0; i < data->rank; i++)
            out->dim[i] = data->dim[data->rank - 1 - i];
        return BL_OK;
    }
    BL_TRY(bl_infer_attribute_list(call, perm, &axes, err));
    bool fits = axes.rank == data->rank;

    for (int i = 0; fits && i < axes.rank; i++) {
        const int64_t axis = axes.dim[i];

        fits = axis >= 0 && axis < data->rank && !seen[axis];
        if (!fits)
            break;
        seen[axis] = true;
        out->dim[i] = data->dim[axis];
    }
    if (fits)
        return BL_OK;
    return bl_fail(
        err, BL_ERR_SHAPE,
        "%s: attribute 'perm' is %s, but has to name each of the %d axes of data "
        "%s once",
        call->subject, bl_shape_text(&axes, a), data->rank, input_text(call, b));
}

/* ---- Expand ------------------------------------------------------------------------ */

static bl_status infer_expand(const struct bl_inference *call, bl_shape *out, bl_error *err)
{
    const struct bl_shape_owner owner = {call->subject,
                                         (const char *const[]){"input", "shape"}, NULL};
    char text[BL_SHAPE_TEXT];
    bl_shape target;

    BL_TRY(bl_infer_list(call, 1, &target, err));
    for (int i = 0; i < target.rank; i++)
        if (target.dim[i] < 0)
            return bl_fail(err, BL_ERR_SHAPE, "%s: shape %s has a negative dim",
                           call->subject, bl_shape_text(&target, text));
    return bl_broadcast_multi(
        &owner, (const bl_shape *const[]){&call->inputs[0].shape, &target}, 2, out, err);
}

/* ---- The whole ---------------------------------------------------------------------- */

bl_status bl_infer_view(const struct bl_inference *call, bl_shape *out, bl_error *err)
{
    struct bl_slice slice;

    switch (bl_schema_of(call->node->op)->id) {
    case BL_OP_RESHAPE:
        return infer_reshape(call, out, err);
    case BL_OP_FLATTEN:
        return infer_flatten(call, out, err);
    case BL_OP_SQUEEZE:
        return infer_squeeze(call, out, err);
    case BL_OP_UNSQUEEZE:
        return infer_unsqueeze(call, out, err);
    case BL_OP_TRANSPOSE:
        return infer_transpose(call, out, err);
    case BL_OP_EXPAND:
        return infer_expand(call, out, err);
    default:
        BL_TRY(bl_infer_slice(call, &slice, err));
        *out = slice.count;
        return BL_OK;
    }
}
