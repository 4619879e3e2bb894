/*
 * reference_view.c - operators that give a tensor another shape, its elements in one order
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/checked.h"
#include "base/status.h"
#include "conform/reference_element.h"

/* The input's elements in row-major order, under another shape of as many. */
static bl_status reshaped(const struct bl_reference_call *call, const bl_shape *shape,
                          bl_tensor **out)
{
    const bl_tensor *input = call->inputs[0];
    bl_tensor *made;
    bl_status status = BL_OK;

    BL_TRY(bl_reference_make(call, bl_tensor_dtype(input), shape, &made));
    for (int64_t i = 0; i < bl_tensor_count(made) && status == BL_OK; i++)
        status = bl_reference_store(made, i, bl_value_at(input, i), call->err);
    if (status == BL_OK)
        *out = made;
    else
        bl_tensor_free(made);
    return status;
}

/* The product of dims [from, to). */
static bl_status product(const struct bl_reference_call *call, const int64_t *dim, int from,
                         int to, int64_t *result)
{
    *result = 1;
    for (int axis = from; axis < to; axis++)
        if (dim[axis] == 0)
            *result = 0;
    for (int axis = from; axis < to; axis++)
        if (!bl_count_mul(*result, dim[axis], result))
            return bl_reference_refuse(call, BL_ERR_LIMIT, "too many elements");
    return BL_OK;
}

/* ---- Reshape ------------------------------------------------------------- */

/* 0 is the input's dim there, unless allowzero says that it is 0; -1 is what is left. */
static bl_status reshape(const struct bl_reference_call *call, bl_tensor **out)
{
    const bl_shape *from = bl_reference_shape(call, 0);
    const bool allow_zero = bl_reference_int(call->node, "allowzero", 0) != 0;
    struct bl_reference_list list;
    bl_shape shape = {.rank = 0};
    int open = -1;
    bool has_zero = false;
    int64_t known;

    BL_TRY(bl_reference_read_list(call, 1, "shape", &list));
    if (!list.given)
        return bl_reference_refuse(call, BL_ERR_ATTRIBUTE, "no attribute 'shape'");
    for (int i = 0; i < list.count; i++) {
        int64_t dim = list.at[i];

        if (dim < -1 || (dim == -1 && open >= 0))
            return bl_reference_refuse(call, BL_ERR_SHAPE,
                                       "a second -1, or less than that");
        if (dim == 0 && !allow_zero && i >= from->rank)
            return bl_reference_refuse(call, BL_ERR_SHAPE, "0 where the input has no axis");
        has_zero |= dim == 0 && allow_zero;
        if (dim == -1)
            open = i;
        shape.dim[shape.rank++] = dim == -1                 ? 1
                                  : dim == 0 && !allow_zero ? from->dim[i]
                                                            : dim;
    }
    if (has_zero && open >= 0)
        return bl_reference_refuse(call, BL_ERR_SHAPE, "both -1 and, with allowzero, 0");
    BL_TRY(product(call, shape.dim, 0, shape.rank, &known));
    const int64_t count = bl_tensor_count(call->inputs[0]);

    if (open >= 0 && known > 0) {
        shape.dim[open] = count / known;
        known *= shape.dim[open];
    } else if (open >= 0) {
        return bl_reference_refuse(call, BL_ERR_SHAPE, "-1 beside a dim of 0");
    }
    if (known != count)
        return bl_reference_refuse(call, BL_ERR_SHAPE, "another number of elements");
    return reshaped(call, &shape, out);
}

static bl_status flatten(const struct bl_reference_call *call, bl_tensor **out)
{
    const bl_shape *from = bl_reference_shape(call, 0);
    const int64_t given = bl_reference_int(call->node, "axis", 1);
    bl_shape shape = {.rank = 2};
    int axis = from->rank;

    if (given != from->rank)
        BL_TRY(bl_reference_axis(call, given, from->rank, &axis));
    BL_TRY(product(call, from->dim, 0, axis, &shape.dim[0]));
    BL_TRY(product(call, from->dim, axis, from->rank, &shape.dim[1]));
    return reshaped(call, &shape, out);
}

/* ---- Axes of size 1 ------------------------------------------------------ */

/* Which axes of a rank the list names. */
static bl_status marked(const struct bl_reference_call *call,
                        const struct bl_reference_list *list, int rank, bool *mark)
{
    for (int i = 0; i < list->count; i++) {
        int axis;

        BL_TRY(bl_reference_axis(call, list->at[i], rank, &axis));
        if (mark[axis])
            return bl_reference_refuse(call, BL_ERR_SHAPE, "an axis is named twice");
        mark[axis] = true;
    }
    return BL_OK;
}

static bl_status unsqueeze(const struct bl_reference_call *call, bl_tensor **out)
{
    const bl_shape *from = bl_reference_shape(call, 0);
    struct bl_reference_list list;
    bool mark[BL_MAX_RANK] = {false};
    bl_shape shape = {.rank = 0};
    int next = 0;

    BL_TRY(bl_reference_read_list(call, 1, "axes", &list));
    const int rank = from->rank + list.count;

    if (rank > BL_MAX_RANK)
        return bl_reference_refuse(call, BL_ERR_LIMIT, "the rank gets too high");
    BL_TRY(marked(call, &list, rank, mark));
    while (shape.rank < rank) {
        const int axis = shape.rank++;

        shape.dim[axis] = mark[axis] ? 1 : from->dim[next++];
    }
    return reshaped(call, &shape, out);
}

static bl_status squeeze(const struct bl_reference_call *call, bl_tensor **out)
{
    const bl_shape *from = bl_reference_shape(call, 0);
    struct bl_reference_list list;
    bool mark[BL_MAX_RANK] = {false};
    bl_shape shape = {.rank = 0};

    BL_TRY(bl_reference_read_list(call, 1, "axes", &list));
    BL_TRY(marked(call, &list, from->rank, mark));
    for (int axis = 0; axis < from->rank; axis++) {
        if (mark[axis] && from->dim[axis] != 1)
            return bl_reference_refuse(call, BL_ERR_SHAPE, "an axis to drop is not 1");
        if (!(list.given ? mark[axis] : from->dim[axis] == 1))
            shape.dim[shape.rank++] = from->dim[axis];
    }
    return reshaped(call, &shape, out);
}

const struct bl_reference_whole bl_reference_views[] = {
    {"Flatten", flatten},     {"Reshape", reshape}, {"Squeeze", squeeze},
    {"Unsqueeze", unsqueeze}, {NULL, NULL},
};
