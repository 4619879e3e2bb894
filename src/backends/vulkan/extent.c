/*
 * extent.c - what memory a step's operands take
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "backends/vulkan/extent.h"

/* Offsets of elements, while axes are added. */
struct reach {
    int64_t low, high;
    bool empty;
};

static void add_axis(struct reach *reach, int64_t dim, int64_t stride)
{
    /* Tensors are checked when they are made: what they reach fits. */
    const int64_t distance = dim > 1 ? (dim - 1) * stride : 0;

    reach->empty = reach->empty || dim == 0;
    if (distance < 0)
        reach->low += distance;
    else
        reach->high += distance;
}

static struct bl_vk_extent finish(char *data, const struct reach *reach, size_t size,
                                  bool written)
{
    struct bl_vk_extent extent = {.data = data, .first = data, .written = written};

    if (data == NULL || reach->empty)
        return extent;
    extent.first = data + reach->low * (int64_t)size;
    extent.bytes = (size_t)(reach->high - reach->low + 1) * size;
    return extent;
}

static struct bl_vk_extent of_pointwise(const struct bl_pointwise *step, size_t i)
{
    const struct bl_operand *operand = &step->operand[i];
    struct reach reach = {0, 0, false};

    for (int axis = 0; axis < step->rank; axis++)
        add_axis(&reach, step->dim[axis], operand->stride[axis]);
    return finish(operand->data, &reach, operand->bytes, operand->written);
}

static struct bl_vk_extent of_matmul(const struct bl_matmul *step, size_t i)
{
    const struct bl_matrix *matrices[] = {&step->a, &step->b, &step->c, &step->y};
    const int64_t rows[] = {step->m, step->k, step->m, step->m};
    const int64_t columns[] = {step->k, step->n, step->n, step->n};
    const int64_t *const batches[] = {step->batch_stride[0], step->batch_stride[1], NULL,
                                      step->batch_stride[2]};
    struct reach reach = {0, 0, false};

    add_axis(&reach, rows[i], matrices[i]->row_stride);
    add_axis(&reach, columns[i], matrices[i]->column_stride);
    for (int axis = 0; batches[i] != NULL && axis < step->batch_rank; axis++)
        add_axis(&reach, step->batch_dim[axis], batches[i][axis]);
    return finish(i == 2 && step->beta == 0 ? NULL : matrices[i]->data, &reach,
                  bl_dtype_size(step->dtype), i == 3);
}

size_t bl_vk_operand_count(const struct bl_step *step)
{
    return step->kind == BL_STEP_MATMUL ? 4 : step->as.pointwise.operand_count;
}

struct bl_vk_extent bl_vk_extent_of(const struct bl_step *step, size_t operand)
{
    return step->kind == BL_STEP_MATMUL ? of_matmul(&step->as.matmul, operand)
                                        : of_pointwise(&step->as.pointwise, operand);
}
