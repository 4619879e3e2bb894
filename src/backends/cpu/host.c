/*
 * host.c - operators that are functions of whole tensors: shapes, constants, moves
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "backends/cpu/host.h"

#include <string.h>

#include "base/checked.h"
#include "base/half.h"
#include "base/status.h"
#include "backends/cpu/host_parts.h"
#include "tensor/dtype.h"

/* ---- Moving elements -------------------------------------------------------------------- */

/* Bytes or elements that are moved before it is asked whether to stop: some milliseconds'. */
#define BYTES_AT_ONCE (INT64_C(16) << 20)
#define ELEMENTS_AT_ONCE (INT64_C(1) << 16)

static void copy_bytes(char *to, const char *from, int64_t bytes, struct bl_guard *guard)
{
    for (int64_t at = 0; at < bytes && !bl_guard_stops(guard); at += BYTES_AT_ONCE)
        memcpy(to + at, from + at, (size_t)bl_smaller(bytes - at, BYTES_AT_ONCE));
}

/* Copy a block of `rank` axes; strides in bytes. */
static void copy_block(int rank, const int64_t *dim, char *to, const int64_t *to_stride,
                       const char *from, const int64_t *from_stride, int64_t bytes,
                       struct bl_guard *guard)
{
    if (rank == 0) {
        memcpy(to, from, (size_t)bytes);
        return;
    }
    if (rank == 1 && *to_stride == bytes && *from_stride == bytes) {
        copy_bytes(to, from, *dim * bytes, guard);
        return;
    }
    for (int64_t i = 0; i < *dim && !bl_guard_stops(guard); i++)
        copy_block(rank - 1, dim + 1, to + i * *to_stride, to_stride + 1,
                   from + i * *from_stride, from_stride + 1, bytes, guard);
}

/* A tensor's strides in bytes, with `skip` axes from `axis` on left out. */
static int byte_strides(const bl_tensor *tensor, int axis, int skip, int64_t *stride,
                        int64_t *dim)
{
    const int64_t bytes = (int64_t)bl_dtype_size(tensor->dtype);
    int rank = 0;

    for (int i = 0; i < tensor->shape.rank; i++) {
        if (i >= axis && i < axis + skip)
            continue;
        stride[rank] = tensor->stride[i] * bytes;
        if (dim != NULL)
            dim[rank] = tensor->shape.dim[i];
        rank++;
    }
    return rank;
}

/* An axis attribute or the like, counted from the end if negative. */
static int from_start(int64_t axis, int rank)
{
    return (int)(axis < 0 ? axis + rank : axis);
}

static void run_concat(const struct bl_params *params, const bl_tensor *const *inputs,
                       size_t input_count, bl_tensor *output, struct bl_guard *guard)
{
    const int64_t bytes = (int64_t)bl_dtype_size(output->dtype);
    const int axis = from_start(params->axis, output->shape.rank);
    int64_t to_stride[BL_MAX_RANK] = {0}, from_stride[BL_MAX_RANK] = {0};
    char *to = output->data;

    byte_strides(output, 0, 0, to_stride, NULL);
    for (size_t i = 0; i < input_count; i++) {
        const bl_tensor *input = inputs[i];

        if (input->count == 0)
            continue;
        byte_strides(input, 0, 0, from_stride, NULL);
        copy_block(input->shape.rank, input->shape.dim, to, to_stride, input->data,
                   from_stride, bytes, guard);
        to += input->shape.dim[axis] * to_stride[axis];
    }
}

static bl_status run_gather(const bl_node *node, const struct bl_params *params,
                            const bl_tensor *data, const bl_tensor *indices,
                            bl_tensor *output, struct bl_guard *guard, bl_error *err)
{
    const int64_t bytes = (int64_t)bl_dtype_size(output->dtype);
    const int axis = from_start(params->axis, data->shape.rank);
    const int64_t limit = data->shape.dim[axis];
    int64_t to_stride[BL_MAX_RANK] = {0}, from_stride[BL_MAX_RANK] = {0};
    int64_t dim[BL_MAX_RANK] = {0};
    const int rank = byte_strides(data, axis, 1, from_stride, dim);
    struct bl_walk walk = bl_walk_of(&indices->shape, guard);
    char subject[BL_NODE_TEXT];

    byte_strides(output, axis, indices->shape.rank, to_stride, NULL);
    for (; walk.left > 0; bl_walk_next(&walk)) {
        const int64_t given =
            bl_read_int64(indices, bl_walk_offset(&walk, indices->stride));
        const int64_t index = given < 0 ? given + limit : given;
        const int64_t at = bl_walk_offset(&walk, output->stride + axis);

        if (index < 0 || index >= limit)
            return bl_fail(err, BL_ERR_ARGUMENT,
                           "%s: index %lld is out of range (axis %d has %lld elements)",
                           bl_node_text(node, subject), (long long)given, axis,
                           (long long)limit);
        copy_block(rank, dim, (char *)output->data + at * bytes, to_stride,
                   (const char *)data->data + index * data->stride[axis] * bytes,
                   from_stride, bytes, guard);
    }
    return BL_OK;
}

/* ---- Shapes and constants ------------------------------------------------------------------ */

static int64_t int_attribute(const bl_node *node, const char *name, int64_t otherwise)
{
    const bl_attribute *attribute = bl_node_attribute(node, name);

    return attribute != NULL ? attribute->value.i : otherwise;
}

/* Shape, from the axis `start` on; how far is known from the output's size. */
static void run_shape(const bl_node *node, const bl_shape *shape, bl_tensor *output)
{
    int64_t start = int_attribute(node, "start", 0);

    if (start < 0)
        start += shape->rank;
    if (start < 0)
        start = 0;
    for (int64_t i = 0; i < output->count; i++)
        ((int64_t *)output->data)[i] = shape->dim[start + i];
}

/* Repeat one element all over a row-major output. */
static void fill(bl_tensor *output, const void *element, struct bl_guard *guard)
{
    const size_t bytes = bl_dtype_size(output->dtype);

    for (int64_t i = 0; i < output->count && !bl_guard_stops(guard);) {
        const int64_t end = i + bl_smaller(output->count - i, ELEMENTS_AT_ONCE);

        for (; i < end; i++)
            memcpy((char *)output->data + (size_t)i * bytes, element, bytes);
    }
}

static void run_constant_of_shape(const bl_node *node, bl_tensor *output,
                                  struct bl_guard *guard)
{
    const bl_attribute *value = bl_node_attribute(node, "value");
    static const float zero = 0.0F;

    fill(output, value != NULL ? value->value.tensor->data : (const void *)&zero, guard);
}

static void copy_tensor(const bl_tensor *from, bl_tensor *to, struct bl_guard *guard)
{
    int64_t to_stride[BL_MAX_RANK] = {0}, from_stride[BL_MAX_RANK] = {0};

    if (from->count == 0)
        return;
    byte_strides(to, 0, 0, to_stride, NULL);
    byte_strides(from, 0, 0, from_stride, NULL);
    copy_block(from->shape.rank, from->shape.dim, to->data, to_stride, from->data,
               from_stride, (int64_t)bl_dtype_size(from->dtype), guard);
}

/* The one attribute that a Constant has is its value. */
static void run_constant(const bl_node *node, bl_tensor *output, struct bl_guard *guard)
{
    const bl_attribute *value = &node->attributes[0];
    const size_t count = (size_t)output->count;

    switch (value->type) {
    case BL_ATTRIBUTE_TENSOR:
        copy_tensor(value->value.tensor, output, guard);
        break;
    case BL_ATTRIBUTE_FLOAT:
        fill(output, &value->value.f, guard);
        break;
    case BL_ATTRIBUTE_INT:
        fill(output, &value->value.i, guard);
        break;
    case BL_ATTRIBUTE_STRING:
        fill(output, &value->value.s, guard);
        break;
    case BL_ATTRIBUTE_FLOATS:
        memcpy(output->data, value->value.floats, count * sizeof *value->value.floats);
        break;
    case BL_ATTRIBUTE_INTS:
        memcpy(output->data, value->value.ints, count * sizeof *value->value.ints);
        break;
    case BL_ATTRIBUTE_STRINGS:
        memcpy(output->data, value->value.strings, count * sizeof *value->value.strings);
        break;
    case BL_ATTRIBUTE_SPARSE_TENSOR: /* refused by inference */
        break;
    }
}

/* output[i] = start + i * delta, each operation rounded to the type (16-bit: once). */
static void run_range(const bl_tensor *start, const bl_tensor *delta, bl_tensor *output,
                      struct bl_guard *guard)
{
    const enum bl_kind kind = bl_dtype_info(output->dtype)->kind;

    for (int64_t i = 0; i < output->count; i++) {
        if (i % ELEMENTS_AT_ONCE == 0 && bl_guard_stops(guard))
            return;
        if (kind == BL_KIND_FLOAT && output->dtype == BL_FLOAT64)
            ((double *)output->data)[i] =
                bl_read_double(start, 0) + (double)i * bl_read_double(delta, 0);
        else if (kind == BL_KIND_FLOAT)
            bl_write_float(output, i,
                           bl_read_float(start, 0) + (float)i * bl_read_float(delta, 0));
        else
            bl_write_int64(output, i,
                           (int64_t)((uint64_t)bl_read_int64(start, 0) +
                                     (uint64_t)i * (uint64_t)bl_read_int64(delta, 0)));
    }
}

/* ---- The whole ------------------------------------------------------------------------------- */

bool bl_host_runs(const bl_node *node, bl_dtype input, bl_dtype output)
{
    const enum bl_form form = bl_schema_of(node->op)->form;

    return form == BL_FORM_HOST ||
           (form == BL_FORM_CAST && (input == BL_STRING || output == BL_STRING));
}

bl_status bl_host_run(const bl_node *node, const struct bl_params *params,
                      const bl_tensor *const *inputs, size_t input_count, bl_tensor *output,
                      struct bl_guard *guard, bl_error *err)
{
    switch (bl_schema_of(node->op)->id) {
    case BL_OP_SHAPE:
        run_shape(node, &inputs[0]->shape, output);
        break;
    case BL_OP_SIZE:
        *(int64_t *)output->data = inputs[0]->count;
        break;
    case BL_OP_CONSTANT:
        run_constant(node, output, guard);
        break;
    case BL_OP_CONSTANTOFSHAPE:
        run_constant_of_shape(node, output, guard);
        break;
    case BL_OP_RANGE:
        run_range(inputs[0], inputs[2], output, guard);
        break;
    case BL_OP_CONCAT:
        run_concat(params, inputs, input_count, output, guard);
        break;
    case BL_OP_GATHER:
        BL_TRY(run_gather(node, params, inputs[0], inputs[1], output, guard, err));
        break;
    case BL_OP_STRINGCONCAT:
        BL_TRY(bl_host_string_concat(inputs[0], inputs[1], output, guard, err));
        return bl_guard_check(guard, err);
    default:
        BL_TRY(bl_host_string_cast(node, inputs[0], output, guard, err));
        return bl_guard_check(guard, err);
    }
    /* Where the work was cut short, strings that are not there yet are empty. */
    if (output->dtype == BL_STRING)
        BL_TRY(bl_tensor_own_strings(output, err));
    return bl_guard_check(guard, err);
}
