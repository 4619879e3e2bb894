/*
 * view.c - the output of an operator that computes nothing, as a view of its input
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "ops/view.h"

#include <string.h>

#include "base/status.h"
#include "ops/infer_parts.h"
#include "shape/shape.h"
#include "tensor/tensor.h"

/* ---- Another shape ------------------------------------------------------------------ */

/* The axes of a tensor that have more than one element; the others have no say in where an
 * element lies. */
struct axes {
    int rank;
    int64_t dim[BL_MAX_RANK];
    int64_t stride[BL_MAX_RANK];
};

static void long_axes(const bl_tensor *tensor, struct axes *axes)
{
    axes->rank = 0;
    for (int i = 0; i < tensor->shape.rank; i++) {
        if (tensor->shape.dim[i] == 1)
            continue;
        axes->dim[axes->rank] = tensor->shape.dim[i];
        axes->stride[axes->rank++] = tensor->stride[i];
    }
}

/* True if the axes from `first` up to `end` are walked as one. */
static bool walk_as_one(const struct axes *axes, int first, int end)
{
    for (int i = first; i + 1 < end; i++)
        if (axes->stride[i] != axes->stride[i + 1] * axes->dim[i + 1])
            return false;
    return true;
}

/* Row-major strides of out's axes from `first` up to `end`, the last of them `step`. */
static void subdivide(const bl_shape *out, int first, int end, int64_t step,
                      int64_t *stride)
{
    for (int i = end; i-- > first;) {
        stride[i] = step;
        step *= out->dim[i];
    }
}

/*
 * Pair the fewest axes of the input with the fewest of the output that have as many
 * elements, from the front on.  Within each pair the input's have to be one walk, which
 * the output's subdivide.  There are elements, and equally many on both sides.
 */
static bool reshape(const struct axes *in, const bl_shape *out, int64_t *stride)
{
    int i = 0, o = 0;

    while (o < out->rank) {
        const int i_first = i, o_first = o;
        int64_t in_count = i < in->rank ? in->dim[i++] : 1;
        int64_t out_count = out->dim[o++];

        while (in_count != out_count) {
            if (in_count < out_count)
                in_count *= in->dim[i++];
            else
                out_count *= out->dim[o++];
        }
        if (!walk_as_one(in, i_first, i))
            return false;
        subdivide(out, o_first, o, i > i_first ? in->stride[i - 1] : 1, stride);
    }
    return true;
}

/* ---- Single operators -------------------------------------------------------- */

static void transpose(const bl_attribute *perm, const bl_tensor *input, int64_t *stride)
{
    const int rank = input->shape.rank;

    for (int i = 0; i < rank; i++)
        stride[i] = input->stride[perm != NULL ? perm->value.ints[i] : rank - 1 - i];
}

static void expand(const bl_tensor *input, const bl_shape *out, int64_t *stride)
{
    const int added = out->rank - input->shape.rank;

    for (int i = 0; i < out->rank; i++)
        stride[i] =
            i < added || input->shape.dim[i - added] == 1 ? 0 : input->stride[i - added];
}

/* The most inputs a view has: Slice's. */
#define MAX_INPUTS 5

static bl_status slice(const bl_node *node, const struct bl_params *params,
                       const bl_tensor *input, const bl_tensor *const *values,
                       size_t input_count, int64_t *stride, int64_t *offset, bl_error *err)
{
    bl_tensor_type types[MAX_INPUTS];
    struct bl_inference call = {.node = node,
                                .params = params,
                                .inputs = types,
                                .values = values,
                                .input_count = input_count};
    struct bl_slice taken;

    for (size_t i = 0; i < input_count && i < MAX_INPUTS; i++)
        types[i].dtype = i == 0              ? input->dtype
                         : values[i] != NULL ? values[i]->dtype
                                             : BL_UNDEFINED;
    types[0].shape = input->shape;
    bl_node_text(node, call.subject);
    BL_TRY(bl_infer_slice(&call, &taken, err));
    for (int i = 0; i < input->shape.rank; i++) {
        /* With two elements or more a step stays within the axis, and its product fits. */
        stride[i] = taken.count.dim[i] > 1 ? input->stride[i] * taken.step[i] : 0;
        *offset += input->stride[i] * taken.start[i];
    }
    return BL_OK;
}

/* ---- The whole --------------------------------------------------------------- */

bl_status bl_node_view(const bl_node *node, const struct bl_params *params,
                       const bl_tensor *input, const bl_tensor *const *values,
                       size_t input_count, const bl_shape *out, int64_t *stride,
                       int64_t *offset, bool *possible, bl_error *err)
{
    struct axes axes = {.rank = 0};
    int64_t count;

    *offset = 0;
    *possible = true;
    BL_TRY(bl_shape_count(out, &count, err));
    if (count == 0) { /* No element is ever looked at. */
        bl_shape_row_major(out, stride);
        return BL_OK;
    }
    switch (bl_schema_of(node->op)->id) {
    case BL_OP_TRANSPOSE:
        transpose(bl_node_attribute(node, "perm"), input, stride);
        return BL_OK;
    case BL_OP_EXPAND:
        expand(input, out, stride);
        return BL_OK;
    case BL_OP_SLICE:
        return slice(node, params, input, values, input_count, stride, offset, err);
    default: /* Reshape, Flatten, Squeeze, Unsqueeze: the elements in their order */
        long_axes(input, &axes);
        *possible = reshape(&axes, out, stride);
        return BL_OK;
    }
}
