/*
 * lower.c - from a node and its tensors to a step
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "plan/lower.h"

#include <string.h>

#include "base/checked.h"
#include "base/mem.h"
#include "base/status.h"
#include "ops/infer.h"
#include "shape/coalesce.h"
#include "tensor/dtype.h"

/* The memory of a plan, handed out front to back. */
struct layout {
    int64_t *dim;    /* [rank] */
    int64_t *stride; /* [operands][rank] */
    struct bl_operand
        *operand; /* [operands]; last, since it asks for the least alignment */
};

static bl_status lay_out(struct bl_plan *plan, size_t operands, int rank,
                         struct layout *layout, bl_error *err)
{
    const size_t axes = rank > 0 ? (size_t)rank : 1;
    size_t strides, words, bytes;

    if (!bl_size_mul(operands, axes, &strides) || !bl_size_add(strides, axes, &words) ||
        !bl_size_mul(operands, sizeof *layout->operand, &bytes) ||
        words > (SIZE_MAX - bytes) / sizeof(int64_t))
        return bl_fail(err, BL_ERR_LIMIT, "too many inputs: %zu", operands - 1);
    bytes += words * sizeof(int64_t);
    char *memory = (char *)plan->inline_words;

    if (bytes > sizeof plan->inline_words) {
        memory = plan->memory = bl_mem_alloc(&plan->allocator, bytes);
        plan->bytes = bytes;
        if (memory == NULL)
            return bl_fail(err, BL_ERR_MEMORY,
                           "out of memory for the plan of a node (%zu bytes)", bytes);
    }
    layout->dim = (int64_t *)(void *)memory;
    layout->stride = layout->dim + axes;
    layout->operand = (struct bl_operand *)(void *)(layout->dim + words);
    return BL_OK;
}

static void start(struct bl_plan *plan, const bl_allocator *allocator)
{
    plan->allocator = *allocator;
    plan->memory = NULL;
    plan->bytes = 0;
}

/* ---- Pointwise ------------------------------------------------------------------- */

/* The strides of `tensor` on the axes of `space`, when its first axis lies on axis `offset`
 * there. */
static void place(const bl_tensor *tensor, int offset, const bl_shape *space,
                  int64_t *stride)
{
    memset(stride, 0, (size_t)space->rank * sizeof *stride);
    for (int axis = 0; axis < tensor->shape.rank; axis++)
        if (tensor->shape.dim[axis] != 1 && axis + offset >= 0)
            stride[axis + offset] = tensor->stride[axis];
}

static void set_operand(struct layout *layout, size_t i, int rank, const bl_tensor *tensor)
{
    layout->operand[i] = (struct bl_operand){
        .data = tensor->data,
        .bytes = (unsigned)bl_dtype_size(tensor->dtype),
        .stride = layout->stride + i * (size_t)rank,
    };
}

static void finish_pointwise(struct bl_plan *plan, const struct layout *layout, int rank,
                             size_t operands, const struct bl_pointwise *what)
{
    struct bl_pointwise *step = &plan->step.as.pointwise;

    plan->step.kind = BL_STEP_POINTWISE;
    *step = *what;
    step->rank = bl_coalesce(rank, layout->dim, operands, layout->stride, (size_t)rank);
    step->dim = layout->dim;
    step->inputs = operands - 1;
    step->operand = layout->operand;
}

static bl_status plan_pointwise(struct bl_plan *plan, const bl_node *node,
                                const struct bl_params *params,
                                const bl_tensor *const *inputs, size_t input_count,
                                bl_tensor *output, bl_error *err)
{
    const struct bl_schema *schema = bl_schema_of(node->op);
    const bl_shape *space = &output->shape;
    const int rank = space->rank;
    struct layout layout = {NULL, NULL, NULL};

    BL_TRY(lay_out(plan, input_count + 1, rank, &layout, err));
    memcpy(layout.dim, space->dim, (size_t)rank * sizeof *layout.dim);
    set_operand(&layout, 0, rank, output);
    place(output, 0, space, layout.stride);
    for (size_t i = 0; i < input_count; i++) {
        const int offset = bl_node_offset(node, params, i, &inputs[i]->shape, space);

        set_operand(&layout, i + 1, rank, inputs[i]);
        place(inputs[i], offset, space, layout.stride + (i + 1) * (size_t)rank);
    }
    /* Where's first input is the condition; its kernels go by what is selected. */
    const bl_tensor *keyed = inputs[schema->form == BL_FORM_SELECT ? 1 : 0];

    finish_pointwise(plan, &layout, rank, input_count + 1,
                     &(struct bl_pointwise){
                         .op = schema->id,
                         .dtype = keyed->dtype,
                         .second = input_count > 1 ? inputs[1]->dtype : BL_UNDEFINED,
                     });
    return BL_OK;
}

bl_status bl_plan_copy(struct bl_plan *plan, const bl_allocator *allocator,
                       const bl_tensor *from, bl_tensor *to, bl_error *err)
{
    const int rank = to->shape.rank;
    struct layout layout = {NULL, NULL, NULL};

    start(plan, allocator);
    BL_TRY(lay_out(plan, 2, rank, &layout, err));
    memcpy(layout.dim, to->shape.dim, (size_t)rank * sizeof *layout.dim);
    set_operand(&layout, 0, rank, to);
    place(to, 0, &to->shape, layout.stride);
    set_operand(&layout, 1, rank, from);
    place(from, 0, &to->shape, layout.stride + rank);
    finish_pointwise(plan, &layout, rank, 2,
                     &(struct bl_pointwise){.op = BL_OP_IDENTITY, .dtype = from->dtype});
    return BL_OK;
}

/* ---- Gemm ---------------------------------------------------------------------------- */

static struct bl_matrix matrix(const bl_tensor *tensor, bool transposed)
{
    return (struct bl_matrix){.data = tensor->data,
                              .row_stride = tensor->stride[transposed ? 1 : 0],
                              .column_stride = tensor->stride[transposed ? 0 : 1]};
}

static void plan_gemm(struct bl_plan *plan, const struct bl_params *params,
                      const bl_tensor *const *inputs, size_t input_count, bl_tensor *output)
{
    struct bl_matmul *step = &plan->step.as.matmul;
    const bl_tensor *c = input_count > 2 ? inputs[2] : NULL;

    plan->step.kind = BL_STEP_MATMUL;
    *step = (struct bl_matmul){
        .dtype = output->dtype,
        .m = output->shape.dim[0],
        .n = output->shape.dim[1],
        .k = inputs[0]->shape.dim[params->trans_a ? 0 : 1],
        .alpha = params->alpha,
        .beta = params->beta,
        .a = matrix(inputs[0], params->trans_a),
        .b = matrix(inputs[1], params->trans_b),
        .y = matrix(output, false),
    };
    if (c != NULL) {
        int64_t stride[2];

        place(c, 2 - c->shape.rank, &output->shape, stride);
        step->c = (struct bl_matrix){c->data, stride[0], stride[1]};
    }
}

/* ---- The whole ------------------------------------------------------------------------
 */

bl_status bl_plan_node(struct bl_plan *plan, const bl_allocator *allocator,
                       const bl_node *node, const struct bl_params *params,
                       const bl_tensor *const *inputs, size_t input_count,
                       bl_tensor *output, bl_error *err)
{
    start(plan, allocator);
    if (bl_schema_of(node->op)->form != BL_FORM_GEMM)
        return plan_pointwise(plan, node, params, inputs, input_count, output, err);
    plan_gemm(plan, params, inputs, input_count, output);
    return BL_OK;
}

void bl_plan_free(struct bl_plan *plan)
{
    bl_mem_free(&plan->allocator, plan->memory, plan->bytes);
    plan->memory = NULL;
}
