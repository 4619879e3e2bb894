/*
 * infer_slice.c - which elements a Slice takes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/status.h"
#include "ops/infer_parts.h"

/* The lists of a Slice; axes and steps are filled in where they are left off. */
struct lists {
    bl_shape starts, ends, axes, steps;
};

static bl_status read_lists(const struct bl_inference *call, struct lists *lists,
                            bl_error *err)
{
    const bool by_inputs = call->node->op->input_count > 1; /* from opset 10 on */
    const bl_attribute *axes = bl_node_attribute(call->node, "axes");

    if (by_inputs) {
        BL_TRY(bl_infer_list(call, 1, &lists->starts, err));
        BL_TRY(bl_infer_list(call, 2, &lists->ends, err));
    } else {
        BL_TRY(bl_infer_attribute_list(call, bl_node_attribute(call->node, "starts"),
                                       &lists->starts, err));
        BL_TRY(bl_infer_attribute_list(call, bl_node_attribute(call->node, "ends"),
                                       &lists->ends, err));
    }
    lists->axes.rank = lists->steps.rank = lists->starts.rank;
    for (int i = 0; i < lists->starts.rank; i++) {
        lists->axes.dim[i] = i;
        lists->steps.dim[i] = 1;
    }
    if (by_inputs && bl_infer_has(call, 3))
        BL_TRY(bl_infer_list(call, 3, &lists->axes, err));
    if (by_inputs && bl_infer_has(call, 4))
        BL_TRY(bl_infer_list(call, 4, &lists->steps, err));
    if (!by_inputs && axes != NULL)
        BL_TRY(bl_infer_attribute_list(call, axes, &lists->axes, err));
    if (lists->ends.rank == lists->starts.rank && lists->axes.rank == lists->starts.rank &&
        lists->steps.rank == lists->starts.rank)
        return BL_OK;
    return bl_fail(err, BL_ERR_SHAPE,
                   "%s: starts, ends, axes and steps have %d, %d, %d and %d elements, but "
                   "have to have equally many",
                   call->subject, lists->starts.rank, lists->ends.rank, lists->axes.rank,
                   lists->steps.rank);
}

static int64_t clamp(int64_t x, int64_t low, int64_t high)
{
    return x < low ? low : x > high ? high : x;
}

/*
 * One axis of a Slice.  Indexes below 0 count from the end, and what lies outside is cut
 * off: as in Python, but that a start before the first index becomes the first also where
 * the step is negative (docs/Operators.md, "the clamping for an adjusted starts[i]").
 */
static void slice_axis(int64_t dim, int64_t start, int64_t end, int64_t step, int axis,
                       struct bl_slice *slice)
{
    const bool forward = step > 0;
    /* Unsigned, since -INT64_MIN does not fit. */
    const uint64_t stride = forward ? (uint64_t)step : 0 - (uint64_t)step;

    if (dim == 0)
        return;
    start = clamp(start < 0 ? start + dim : start, 0, forward ? dim : dim - 1);
    end = clamp(end < 0 ? end + dim : end, forward ? 0 : -1, forward ? dim : dim - 1);
    const int64_t distance = forward ? end - start : start - end;

    slice->start[axis] = start;
    slice->step[axis] = step;
    slice->count.dim[axis] =
        distance > 0 ? (int64_t)(((uint64_t)distance - 1) / stride + 1) : 0;
}

bl_status bl_infer_slice(const struct bl_inference *call, struct bl_slice *slice,
                         bl_error *err)
{
    const bl_shape *data = &call->inputs[0].shape;
    bool seen[BL_MAX_RANK];
    struct lists lists;

    BL_TRY(read_lists(call, &lists, err));
    BL_TRY(bl_infer_axes(call, &lists.axes, data->rank, seen, err));
    slice->count = *data;
    for (int axis = 0; axis < data->rank; axis++) {
        slice->start[axis] = 0;
        slice->step[axis] = 1;
    }
    for (int i = 0; i < lists.axes.rank; i++) {
        const int axis = (int)lists.axes.dim[i];

        if (lists.steps.dim[i] == 0)
            return bl_fail(err, BL_ERR_ARGUMENT, "%s: the step for axis %d is 0",
                           call->subject, axis);
        slice_axis(data->dim[axis], lists.starts.dim[i], lists.ends.dim[i],
                   lists.steps.dim[i], axis, slice);
    }
    return BL_OK;
}
