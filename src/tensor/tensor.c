/*
 * tensor.c - a tensor: type, shape, strides, and memory that it owns or borrows
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tensor/tensor.h"

#include <string.h>

#include "base/checked.h"
#include "base/guard.h"
#include "base/mem.h"
#include "base/status.h"
#include "shape/shape.h"
#include "tensor/dtype.h"

size_t bl_tensor_bytes(const bl_tensor *tensor)
{
    return (size_t)tensor->count * bl_dtype_size(tensor->dtype);
}

static bl_status beyond(const char *limit, int64_t most, bl_dtype dtype,
                        const bl_shape *shape, int64_t has, const char *unit, bl_error *err)
{
    char text[BL_SHAPE_TEXT];

    return bl_fail(err, BL_ERR_LIMIT, "%s is %lld, but a tensor %s%s has %lld %s", limit,
                   (long long)most, bl_dtype_name(dtype), bl_shape_text(shape, text),
                   (long long)has, unit);
}

bl_status bl_tensor_check_limits(const bl_allocator *allocator, bl_dtype dtype,
                                 const bl_shape *shape, bl_error *err)
{
    const bl_limits *limits = bl_limits_of(allocator);
    const int64_t element = (int64_t)bl_dtype_size(dtype);
    int64_t count, bytes;

    BL_TRY(bl_shape_count(shape, &count, err));
    if (shape->rank > limits->max_rank)
        return beyond("max_rank", limits->max_rank, dtype, shape, shape->rank, "axes", err);
    if (count > limits->max_tensor_elements)
        return beyond("max_tensor_elements", limits->max_tensor_elements, dtype, shape,
                      count, "elements", err);
    if (!bl_count_mul(count, element, &bytes))
        bytes = INT64_MAX;
    if (bytes > limits->max_tensor_bytes)
        return beyond("max_tensor_bytes", limits->max_tensor_bytes, dtype, shape, bytes,
                      "bytes", err);
    return BL_OK;
}

/* A tensor without data yet; type and shape are checked. */
static bl_tensor *make_header(const bl_allocator *allocator, bl_dtype dtype,
                              const bl_shape *shape, bl_error *err)
{
    char text[BL_SHAPE_TEXT];
    int64_t count;
    size_t bytes;

    if (bl_dtype_info(dtype) == NULL) {
        bl_fail(err, BL_ERR_TYPE, "%d is no element type", (int)dtype);
        return NULL;
    }
    if (bl_shape_count(shape, &count, err) != BL_OK)
        return NULL;
    if ((uint64_t)count > SIZE_MAX ||
        !bl_size_mul((size_t)count, bl_dtype_size(dtype), &bytes) || bytes > PTRDIFF_MAX) {
        bl_fail(err, BL_ERR_LIMIT, "a tensor %s%s is too large for this machine's memory",
                bl_dtype_name(dtype), bl_shape_text(shape, text));
        return NULL;
    }
    bl_tensor *tensor = bl_mem_alloc_zero(allocator, sizeof *tensor);

    if (tensor == NULL) {
        bl_fail(err, BL_ERR_MEMORY, "out of memory for a tensor (%zu bytes)",
                sizeof *tensor);
        return NULL;
    }
    tensor->dtype = dtype;
    tensor->shape.rank = shape->rank;
    memcpy(tensor->shape.dim, shape->dim, (size_t)shape->rank * sizeof *shape->dim);
    tensor->count = count;
    tensor->allocator = *allocator;
    return tensor;
}

bl_tensor *bl_tensor_make_header(const bl_allocator *allocator, bl_dtype dtype,
                                 const bl_shape *shape, bl_error *err)
{
    bl_tensor *tensor = make_header(allocator, dtype, shape, err);

    if (tensor == NULL)
        return NULL;
    if (bl_tensor_check_limits(allocator, dtype, shape, err) != BL_OK) {
        bl_mem_free(allocator, tensor, sizeof *tensor);
        return NULL;
    }
    bl_shape_row_major(&tensor->shape, tensor->stride);
    tensor->owned = true;
    tensor->writable = true;
    return tensor;
}

bl_tensor *bl_tensor_make(const bl_allocator *allocator, bl_dtype dtype,
                          const bl_shape *shape, bl_error *err)
{
    bl_tensor *tensor = bl_tensor_make_header(allocator, dtype, shape, err);

    if (tensor == NULL)
        return NULL;
    tensor->data = bl_mem_alloc(allocator, bl_tensor_bytes(tensor));
    if (tensor->data == NULL) {
        char text[BL_SHAPE_TEXT];

        bl_fail(err, BL_ERR_MEMORY, "out of memory for a tensor %s%s (%zu bytes)",
                bl_dtype_name(dtype), bl_shape_text(shape, text), bl_tensor_bytes(tensor));
        bl_mem_free(allocator, tensor, sizeof *tensor);
        return NULL;
    }
    if (dtype == BL_STRING)
        memset(tensor->data, 0, bl_tensor_bytes(tensor));
    return tensor;
}

bl_tensor *bl_tensor_make_zero(const bl_allocator *allocator, bl_dtype dtype,
                               const bl_shape *shape, bl_error *err)
{
    bl_tensor *tensor = bl_tensor_make(allocator, dtype, shape, err);

    if (tensor != NULL)
        memset(tensor->data, 0, bl_tensor_bytes(tensor));
    return tensor;
}

/* The lowest and highest offsets that the strides reach, in elements; false if they
 * overflow. */
static bool stride_reach(const bl_tensor *tensor, int64_t *low, int64_t *high)
{
    *low = *high = 0;
    for (int i = 0; i < tensor->shape.rank; i++) {
        const int64_t steps = tensor->shape.dim[i] - 1;
        const int64_t stride = tensor->stride[i];
        int64_t distance;

        if (steps <= 0 || stride == 0)
            continue;
        if (stride == INT64_MIN ||
            !bl_count_mul(steps, stride < 0 ? -stride : stride, &distance))
            return false;
        if (distance > INT64_MAX / 2 - (stride < 0 ? -*low : *high))
            return false;
        if (stride < 0)
            *low -= distance;
        else
            *high += distance;
    }
    return true;
}

bl_tensor *bl_tensor_make_borrowed(const bl_allocator *allocator, bl_dtype dtype,
                                   const bl_shape *shape, const int64_t *strides,
                                   void *data, bool writable, bl_error *err)
{
    bl_tensor *tensor = make_header(allocator, dtype, shape, err);
    int64_t low;
    int64_t high;

    if (tensor == NULL)
        return NULL;
    bl_shape_row_major(&tensor->shape, tensor->stride);
    if (strides != NULL)
        memcpy(tensor->stride, strides, (size_t)shape->rank * sizeof *strides);
    tensor->data = data;
    tensor->writable = writable;
    if (tensor->count == 0)
        return tensor;
    if (data == NULL)
        bl_fail(err, BL_ERR_ARGUMENT, "the data of a tensor with elements is NULL");
    else if (!stride_reach(tensor, &low, &high) ||
             high - low >= PTRDIFF_MAX / (int64_t)bl_dtype_size(dtype))
        bl_fail(err, BL_ERR_LIMIT, "the strides reach further than memory does");
    else
        return tensor;
    bl_mem_free(allocator, tensor, sizeof *tensor);
    return NULL;
}

bool bl_tensor_is_aligned(const bl_tensor *tensor)
{
    return (uintptr_t)tensor->data % bl_dtype_info(tensor->dtype)->alignment == 0;
}

void bl_tensor_extent(const bl_tensor *tensor, uintptr_t *first, uintptr_t *end)
{
    const int64_t size = (int64_t)bl_dtype_size(tensor->dtype);
    int64_t low;
    int64_t high;

    *first = *end = (uintptr_t)tensor->data;
    if (tensor->count == 0)
        return;
    stride_reach(tensor, &low, &high);
    *first += (uintptr_t)(low * size);
    *end += (uintptr_t)((high + 1) * size);
}

bool bl_tensor_is_row_major(const bl_tensor *tensor)
{
    int64_t step = 1;

    if (tensor->count == 0)
        return true;
    for (int i = tensor->shape.rank - 1; i >= 0; i--) {
        if (tensor->shape.dim[i] == 1)
            continue;
        if (tensor->stride[i] != step)
            return false;
        step *= tensor->shape.dim[i];
    }
    return true;
}

/* ---- Strings ---------------------------------------------------------------- */

static void free_strings(bl_tensor *tensor, int64_t count)
{
    bl_string *strings = tensor->data;

    for (int64_t i = 0; i < count; i++)
        bl_mem_free(&tensor->allocator, (void *)(uintptr_t)strings[i].data,
                    strings[i].size);
    memset(strings, 0, bl_tensor_bytes(tensor));
}

/* Copy the bytes that `string` borrows.  An empty string owns nothing. */
static bool own_string(const bl_allocator *allocator, bl_string *string)
{
    if (string->size == 0) {
        string->data = NULL;
        return true;
    }
    char *copy = bl_mem_alloc(allocator, string->size);

    if (copy == NULL)
        return false;
    memcpy(copy, string->data, string->size);
    string->data = copy;
    return true;
}

bl_status bl_tensor_own_strings(bl_tensor *tensor, bl_error *err)
{
    bl_string *strings = tensor->data;

    for (int64_t i = 0; i < tensor->count; i++) {
        const size_t size = strings[i].size;

        if (!own_string(&tensor->allocator, &strings[i])) {
            free_strings(tensor, i);
            return bl_fail(err, BL_ERR_MEMORY, "out of memory for a string of %zu bytes",
                           size);
        }
    }
    return BL_OK;
}

bl_status bl_tensor_set_string(bl_tensor *tensor, int64_t index, const char *data,
                               size_t size, bl_error *err)
{
    if (tensor == NULL || (data == NULL && size != 0))
        return bl_fail(err, BL_ERR_ARGUMENT, "bl_tensor_set_string: NULL argument");
    if (tensor->dtype != BL_STRING || !tensor->owned)
        return bl_fail(err, BL_ERR_TYPE,
                       "only a string tensor that owns its memory takes strings");
    if (index < 0 || index >= tensor->count)
        return bl_fail(err, BL_ERR_ARGUMENT,
                       "string index %lld is out of range (0 to %lld)", (long long)index,
                       (long long)tensor->count - 1);
    bl_string *element = (bl_string *)tensor->data + index;
    bl_string copy = {data, size};

    if (!own_string(&tensor->allocator, &copy))
        return bl_guard_explain(
            &tensor->allocator,
            bl_fail(err, BL_ERR_MEMORY, "out of memory for a string of %zu bytes", size),
            err);
    bl_mem_free(&tensor->allocator, (void *)(uintptr_t)element->data, element->size);
    *element = copy;
    return BL_OK;
}

/* ---- The plain getters of broadloom.h -------------------------------------------- */

void bl_tensor_free(bl_tensor *tensor)
{
    if (tensor == NULL)
        return;
    const bl_allocator allocator = tensor->allocator;

    if (tensor->free_data != NULL) {
        tensor->free_data(tensor);
    } else if (tensor->owned) {
        if (tensor->dtype == BL_STRING)
            free_strings(tensor, tensor->count);
        bl_mem_free(&allocator, tensor->data, bl_tensor_bytes(tensor));
    }
    bl_mem_free(&allocator, tensor, sizeof *tensor);
}

bl_dtype bl_tensor_dtype(const bl_tensor *tensor)
{
    return tensor->dtype;
}

const bl_shape *bl_tensor_shape(const bl_tensor *tensor)
{
    return &tensor->shape;
}

const int64_t *bl_tensor_strides(const bl_tensor *tensor)
{
    return tensor->stride;
}

int64_t bl_tensor_count(const bl_tensor *tensor)
{
    return tensor->count;
}

const void *bl_tensor_data(const bl_tensor *tensor)
{
    return tensor->device != NULL ? tensor->mapped : tensor->data;
}

void *bl_tensor_mutable_data(bl_tensor *tensor)
{
    return !tensor->writable        ? NULL
           : tensor->device != NULL ? tensor->mapped
                                    : tensor->data;
}
