/*
 * host_parts.c - walking over tensors, and single elements of them
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "backends/cpu/host_parts.h"

#include <string.h>

#include "base/half.h"
#include "tensor/dtype.h"

/* Indexes, a power of two, after which it is asked whether to stop. */
#define INDEXES_AT_ONCE 1024

struct bl_walk bl_walk_of(const bl_shape *shape, struct bl_guard *guard)
{
    struct bl_walk walk = {.shape = shape, .guard = guard, .left = 1};

    for (int axis = 0; axis < shape->rank; axis++)
        walk.left *= shape->dim[axis];
    return walk;
}

void bl_walk_next(struct bl_walk *walk)
{
    walk->left--;
    if (walk->left % INDEXES_AT_ONCE == 0 && bl_guard_stops(walk->guard))
        walk->left = 0;
    for (int axis = walk->shape->rank - 1; axis >= 0; axis--) {
        if (++walk->index[axis] < walk->shape->dim[axis])
            return;
        walk->index[axis] = 0;
    }
}

int64_t bl_walk_offset(const struct bl_walk *walk, const int64_t *stride)
{
    int64_t offset = 0;

    for (int axis = 0; axis < walk->shape->rank; axis++)
        offset += walk->index[axis] * stride[axis];
    return offset;
}

static char *element(const bl_tensor *tensor, int64_t offset)
{
    return (char *)tensor->data + offset * (int64_t)bl_dtype_size(tensor->dtype);
}

/* A copy of one element, aligned: those in a model's file need not be. */
struct aligned_copy {
    _Alignas(8) char bytes[16];
};

static struct aligned_copy copy_element(const bl_tensor *tensor, int64_t offset)
{
    struct aligned_copy copy;

    memcpy(copy.bytes, element(tensor, offset), bl_dtype_size(tensor->dtype));
    return copy;
}

int64_t bl_read_int64(const bl_tensor *tensor, int64_t offset)
{
    const struct aligned_copy copy = copy_element(tensor, offset);
    const void *at = copy.bytes;

    switch (tensor->dtype) {
    case BL_INT8:
    case BL_INT4:
    case BL_INT2:
        return *(const int8_t *)at;
    case BL_INT16:
        return *(const int16_t *)at;
    case BL_INT32:
        return *(const int32_t *)at;
    case BL_UINT8:
    case BL_UINT4:
    case BL_UINT2:
    case BL_BOOL:
        return *(const uint8_t *)at;
    case BL_UINT16:
        return *(const uint16_t *)at;
    case BL_UINT32:
        return *(const uint32_t *)at;
    default: /* BL_INT64, BL_UINT64 */
        return *(const int64_t *)at;
    }
}

void bl_write_int64(bl_tensor *tensor, int64_t offset, int64_t value)
{
    void *at = element(tensor, offset);

    switch (bl_dtype_size(tensor->dtype)) {
    case 1:
        *(uint8_t *)at = (uint8_t)value;
        break;
    case 2:
        *(uint16_t *)at = (uint16_t)value;
        break;
    case 4:
        *(uint32_t *)at = (uint32_t)value;
        break;
    default:
        *(int64_t *)at = value;
    }
}

double bl_read_double(const bl_tensor *tensor, int64_t offset)
{
    const struct aligned_copy copy = copy_element(tensor, offset);
    const void *at = copy.bytes;

    return *(const double *)at;
}

float bl_read_float(const bl_tensor *tensor, int64_t offset)
{
    const struct aligned_copy copy = copy_element(tensor, offset);
    const void *at = copy.bytes;

    if (tensor->dtype == BL_FLOAT32)
        return *(const float *)at;
    return tensor->dtype == BL_FLOAT16 ? bl_f16_to_f32(*(const uint16_t *)at)
                                       : bl_bf16_to_f32(*(const uint16_t *)at);
}

void bl_write_float(bl_tensor *tensor, int64_t offset, float value)
{
    void *at = element(tensor, offset);

    if (tensor->dtype == BL_FLOAT32)
        *(float *)at = value;
    else
        *(uint16_t *)at =
            tensor->dtype == BL_FLOAT16 ? bl_f32_to_f16(value) : bl_f32_to_bf16(value);
}
