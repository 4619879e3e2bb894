/*
 * matmul.c - from a Gemm or MatMul to a step
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "base/status.h"
#include "plan/lower.h"

static struct bl_matrix matrix(const bl_tensor *tensor, int row_axis, int column_axis)
{
    return (struct bl_matrix){.data = tensor->data,
                              .row_stride = row_axis >= 0 ? tensor->stride[row_axis] : 0,
                              .column_stride =
                                  column_axis >= 0 ? tensor->stride[column_axis] : 0};
}

static void lower_gemm(struct bl_matmul *step, const struct bl_params *params,
                       const bl_tensor *const *inputs, size_t input_count,
                       bl_tensor *output)
{
    const int a =
        params->trans_a ? 1 : 0; /* the axis of A's rows, as they are multiplied */
    const int b = params->trans_b ? 1 : 0;
    const bl_tensor *c = input_count > 2 ? inputs[2] : NULL;

    *step = (struct bl_matmul){
        .dtype = output->dtype,
        .m = output->shape.dim[0],
        .n = output->shape.dim[1],
        .k = inputs[0]->shape.dim[1 - a],
        .alpha = params->alpha,
        .beta = params->beta,
        .a = matrix(inputs[0], a, 1 - a),
        .b = matrix(inputs[1], b, 1 - b),
        .y = matrix(output, 0, 1),
    };
    if (c != NULL) {
        int64_t stride[2];

        bl_place_strides(c, 2 - c->shape.rank, &output->shape, stride);
        step->c = (struct bl_matrix){c->data, stride[0], stride[1]};
    }
}

/* The batch axes of an operand, on those of the result; `axes` of its own are the matrix. */
static void batch_strides(const bl_tensor *tensor, int axes, const bl_shape *batch,
                          int64_t *stride)
{
    bl_tensor outer = *tensor;

    outer.shape.rank -= axes;
    if (outer.shape.rank < 0)
        outer.shape.rank = 0;
    bl_place_strides(&outer, batch->rank - outer.shape.rank, batch, stride);
}

/* NumPy's matmul: a vector on the left is a row, on the right a column, and its axis is missing
 * in the result. */
static void lower_matmul(struct bl_matmul *step, int64_t *words, const bl_tensor *a,
                         const bl_tensor *b, bl_tensor *output)
{
    const bool a_vector = a->shape.rank == 1;
    const bool b_vector = b->shape.rank == 1;
    const int out_axes = (a_vector ? 0 : 1) + (b_vector ? 0 : 1);
    const int a_last = a->shape.rank - 1;
    const int b_rows = b_vector ? 0 : b->shape.rank - 2;
    const int y_column = b_vector ? -1 : output->shape.rank - 1;
    const int y_row = a_vector ? -1 : output->shape.rank - out_axes;
    bl_shape batch = output->shape;

    batch.rank -= out_axes;
    *step = (struct bl_matmul){
        .dtype = output->dtype,
        .batch_rank = batch.rank,
        .batch_dim = words,
        .m = a_vector ? 1 : a->shape.dim[a_last - 1],
        .n = b_vector ? 1 : b->shape.dim[b->shape.rank - 1],
        .k = a->shape.dim[a_last],
        .alpha = 1.0F,
        .a = matrix(a, a_vector ? -1 : a_last - 1, a_last),
        .b = matrix(b, b_rows, b_vector ? -1 : b_rows + 1),
        .y = matrix(output, y_row, y_column),
    };
    memcpy(words, batch.dim, (size_t)batch.rank * sizeof *words);
    for (int i = 0; i < 3; i++)
        step->batch_stride[i] = words + (i + 1) * batch.rank;
    batch_strides(a, 2, &batch, words + batch.rank);
    batch_strides(b, 2, &batch, words + 2 * batch.rank);
    batch_strides(output, out_axes, &batch, words + 3 * batch.rank);
}

bl_status bl_lower_matmul(struct bl_lowered *lowered, const bl_allocator *allocator,
                          const bl_node *node, const struct bl_params *params,
                          const bl_tensor *const *inputs, size_t input_count,
                          bl_tensor *output, bl_error *err)
{
    struct bl_matmul *step = &lowered->step.as.matmul;
    const size_t words = 4 * (size_t)output->shape.rank;
    char *memory;

    BL_TRY(bl_lowered_reserve(lowered, allocator, words * sizeof(int64_t), &memory, err));
    lowered->step.kind = BL_STEP_MATMUL;
    if (bl_schema_of(node->op)->form == BL_FORM_GEMM)
        lower_gemm(step, params, inputs, input_count, output);
    else
        lower_matmul(step, (int64_t *)(void *)memory, inputs[0], inputs[1], output);
    return BL_OK;
}
