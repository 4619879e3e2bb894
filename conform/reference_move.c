/*
 * reference_move.c - operators that pick elements: Transpose, Slice, Gather, Concat, Expand
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each works out the result's shape, and then for every element of it where it comes from.
 */
#include "base/status.h"
#include "conform/reference_element.h"

/* A result in the making. */
struct move {
    const struct bl_reference_call *call;
    bl_shape shape;
    int axis;                   /* Concat, Gather: the axis they work along */
    int64_t start[BL_MAX_RANK]; /* Slice: of the input, on each axis */
    int64_t step[BL_MAX_RANK];
    int perm[BL_MAX_RANK]; /* Transpose: the input's axis for each axis of the result */
};

/* Where an element of the result comes from: an input, and the row-major index in it. */
struct source {
    size_t input;
    int64_t index;
};

typedef struct source (*source_fn)(const struct move *move, const int64_t *at);

static bl_status carry_out(const struct move *move, source_fn from, bl_tensor **out)
{
    const struct bl_reference_call *call = move->call;
    bl_tensor *made;
    bl_status status = BL_OK;

    BL_TRY(bl_reference_make(call, bl_tensor_dtype(call->inputs[0]), &move->shape, &made));
    for (int64_t i = 0; i < bl_tensor_count(made) && status == BL_OK; i++) {
        int64_t at[BL_MAX_RANK];

        bl_reference_position(&move->shape, i, at);
        const struct source source = from(move, at);

        status = bl_reference_store(
            made, i, bl_value_at(call->inputs[source.input], source.index), call->err);
    }
    if (status == BL_OK)
        *out = made;
    else
        bl_tensor_free(made);
    return status;
}

/* ---- Expand -------------------------------------------------------------- */

static struct source expand_from(const struct move *move, const int64_t *at)
{
    const bl_shape *own = bl_reference_shape(move->call, 0);

    return (struct source){0, bl_reference_index(own, at, move->shape.rank - own->rank)};
}

static bl_status expand(const struct bl_reference_call *call, bl_tensor **out)
{
    struct move move = {.call = call};
    struct bl_reference_list list;
    bl_shape wanted = {.rank = 0};

    BL_TRY(bl_reference_read_list(call, 1, NULL, &list));
    for (int i = 0; i < list.count; i++) {
        if (list.at[i] < 0)
            return bl_reference_refuse_shape(call, 1, "has a negative dim");
        wanted.dim[wanted.rank++] = list.at[i];
    }
    if (!bl_reference_meet(bl_reference_shape(call, 0), &wanted, &move.shape))
        return bl_reference_refuse_shape(call, 0, "does not broadcast with that shape");
    return carry_out(&move, expand_from, out);
}

/* ---- Transpose ----------------------------------------------------------- */

static struct source transpose_from(const struct move *move, const int64_t *at)
{
    int64_t own[BL_MAX_RANK];

    for (int axis = 0; axis < move->shape.rank; axis++)
        own[move->perm[axis]] = at[axis];
    return (struct source){0,
                           bl_reference_index(bl_reference_shape(move->call, 0), own, 0)};
}

/* Without `perm` the axes are reversed. */
static bl_status transpose(const struct bl_reference_call *call, bl_tensor **out)
{
    const bl_shape *from = bl_reference_shape(call, 0);
    struct move move = {.call = call, .shape = {.rank = from->rank}};
    bool taken[BL_MAX_RANK] = {false};
    struct bl_reference_list perm;

    BL_TRY(bl_reference_read_list(call, SIZE_MAX, "perm", &perm));
    if (perm.given && perm.count != from->rank)
        return bl_reference_refuse(call, BL_ERR_SHAPE, "perm is not as long as the rank");
    for (int axis = 0; axis < from->rank; axis++) {
        const int64_t own = perm.given ? perm.at[axis] : from->rank - 1 - axis;

        if (own < 0 || own >= from->rank || taken[own])
            return bl_reference_refuse(call, BL_ERR_SHAPE, "perm is no permutation");
        taken[own] = true;
        move.perm[axis] = (int)own;
        move.shape.dim[axis] = from->dim[own];
    }
    return carry_out(&move, transpose_from, out);
}

/* ---- Slice --------------------------------------------------------------- */

static struct source slice_from(const struct move *move, const int64_t *at)
{
    int64_t own[BL_MAX_RANK];

    for (int axis = 0; axis < move->shape.rank; axis++)
        own[axis] = move->start[axis] + at[axis] * move->step[axis];
    return (struct source){0,
                           bl_reference_index(bl_reference_shape(move->call, 0), own, 0)};
}

static int64_t clamp(int64_t value, int64_t lowest, int64_t highest)
{
    return value < lowest ? lowest : value > highest ? highest : value;
}

/* Both bounds count from the end if negative, and are then cut to what there is. */
static void slice_axis(struct move *move, int axis, int64_t start, int64_t end,
                       int64_t step)
{
    const int64_t dim = move->shape.dim[axis];
    const bool up = step > 0;
    const uint64_t stride = up ? (uint64_t)step : 0 - (uint64_t)step;

    start = clamp(start < 0 ? start + dim : start, 0, up ? dim : dim - 1);
    end = clamp(end < 0 ? end + dim : end, up ? 0 : -1, up ? dim : dim - 1);
    const int64_t span = up ? end - start : start - end;

    move->start[axis] = start;
    move->step[axis] = step;
    move->shape.dim[axis] =
        span <= 0 || dim == 0 ? 0 : (int64_t)(((uint64_t)span - 1) / stride + 1);
    if (move->shape.dim[axis] <= 1)
        move->step[axis] = 0; /* never taken, and may be as large as they come */
}

static bl_status slice(const struct bl_reference_call *call, bl_tensor **out)
{
    struct move move = {.call = call, .shape = *bl_reference_shape(call, 0)};
    struct bl_reference_list starts, ends, axes, steps;
    bool taken[BL_MAX_RANK] = {false};

    BL_TRY(bl_reference_read_list(call, 1, "starts", &starts));
    BL_TRY(bl_reference_read_list(call, 2, "ends", &ends));
    BL_TRY(bl_reference_read_list(call, 3, "axes", &axes));
    BL_TRY(bl_reference_read_list(call, 4, NULL, &steps));
    if (ends.count != starts.count || (axes.given && axes.count != starts.count) ||
        (steps.given && steps.count != starts.count))
        return bl_reference_refuse(call, BL_ERR_SHAPE,
                                   "starts, ends, axes and steps are not as long");
    for (int i = 0; i < starts.count; i++) {
        const int64_t step = steps.given ? steps.at[i] : 1;
        int axis;

        BL_TRY(
            bl_reference_axis(call, axes.given ? axes.at[i] : i, move.shape.rank, &axis));
        if (taken[axis])
            return bl_reference_refuse(call, BL_ERR_SHAPE, "an axis is named twice");
        if (step == 0)
            return bl_reference_refuse(call, BL_ERR_ARGUMENT, "a step is 0");
        taken[axis] = true;
        slice_axis(&move, axis, starts.at[i], ends.at[i], step);
    }
    for (int axis = 0; axis < move.shape.rank; axis++)
        if (!taken[axis])
            move.step[axis] = 1;
    return carry_out(&move, slice_from, out);
}

/* ---- Gather -------------------------------------------------------------- */

static int64_t index_at(const struct bl_reference_call *call, int64_t i)
{
    const bl_tensor *indices = call->inputs[1];

    return (int64_t)bl_value_to_bits(bl_tensor_dtype(indices), bl_value_at(indices, i));
}

static struct source gather_from(const struct move *move, const int64_t *at)
{
    const bl_shape *data = bl_reference_shape(move->call, 0);
    const bl_shape *indices = bl_reference_shape(move->call, 1);
    const int64_t index = index_at(move->call, bl_reference_index(indices, at, move->axis));
    int64_t own[BL_MAX_RANK];

    for (int axis = 0; axis < data->rank; axis++)
        own[axis] = axis < move->axis   ? at[axis]
                    : axis > move->axis ? at[axis - 1 + indices->rank]
                    : index < 0         ? index + data->dim[axis]
                                        : index;
    return (struct source){0, bl_reference_index(data, own, 0)};
}

/* The indices' axes take the place of one of the data's; negative indices count from the
 * end. */
static bl_status gather(const struct bl_reference_call *call, bl_tensor **out)
{
    const bl_shape *data = bl_reference_shape(call, 0);
    const bl_shape *indices = bl_reference_shape(call, 1);
    struct move move = {.call = call};

    BL_TRY(bl_reference_axis(call, bl_reference_int(call->node, "axis", 0), data->rank,
                             &move.axis));
    const int64_t dim = data->dim[move.axis];

    if (data->rank - 1 + indices->rank > BL_MAX_RANK)
        return bl_reference_refuse(call, BL_ERR_LIMIT, "the rank gets too high");
    for (int64_t i = 0; i < bl_tensor_count(call->inputs[1]); i++) {
        const int64_t index = index_at(call, i);

        if (index >= dim || index < -dim)
            return bl_fail(call->err, BL_ERR_ARGUMENT,
                           "%s-%d: index %lld on an axis of %lld", call->node->op->name,
                           call->node->op->since, (long long)index, (long long)dim);
    }
    for (int axis = 0; axis < move.axis; axis++)
        move.shape.dim[move.shape.rank++] = data->dim[axis];
    for (int axis = 0; axis < indices->rank; axis++)
        move.shape.dim[move.shape.rank++] = indices->dim[axis];
    for (int axis = move.axis + 1; axis < data->rank; axis++)
        move.shape.dim[move.shape.rank++] = data->dim[axis];
    return carry_out(&move, gather_from, out);
}

/* ---- Concat -------------------------------------------------------------- */

static struct source concat_from(const struct move *move, const int64_t *at)
{
    int64_t own[BL_MAX_RANK];
    size_t i = 0;

    memcpy(own, at, (size_t)move->shape.rank * sizeof *own);
    while (own[move->axis] >= bl_reference_shape(move->call, i)->dim[move->axis])
        own[move->axis] -= bl_reference_shape(move->call, i++)->dim[move->axis];
    return (struct source){i,
                           bl_reference_index(bl_reference_shape(move->call, i), own, 0)};
}

static bl_status concat(const struct bl_reference_call *call, bl_tensor **out)
{
    struct move move = {.call = call, .shape = *bl_reference_shape(call, 0)};

    BL_TRY(bl_reference_axis(call, bl_reference_int(call->node, "axis", 1), move.shape.rank,
                             &move.axis));
    for (size_t i = 1; i < call->count; i++) {
        bl_shape beside = *bl_reference_shape(call, i);
        const int64_t more = beside.rank > move.axis ? beside.dim[move.axis] : 0;

        if (beside.rank > move.axis)
            beside.dim[move.axis] = move.shape.dim[move.axis];
        if (!bl_reference_same_shape(&beside, &move.shape))
            return bl_reference_refuse_shape(call, i, "does not lie beside the first");
        if (more > INT64_MAX - move.shape.dim[move.axis])
            return bl_reference_refuse(call, BL_ERR_LIMIT, "too many elements");
        move.shape.dim[move.axis] += more;
    }
    return carry_out(&move, concat_from, out);
}

const struct bl_reference_whole bl_reference_moves[] = {
    {"Concat", concat}, {"Expand", expand},       {"Gather", gather},
    {"Slice", slice},   {"Transpose", transpose}, {NULL, NULL},
};
