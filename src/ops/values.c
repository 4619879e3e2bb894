/*
 * values.c - read the numbers in a tensor or an attribute that tell a shape
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "ops/values.h"

#include <math.h>
#include <string.h>

#include "base/half.h"
#include "base/status.h"
#include "tensor/tensor.h"

/* ---- Lists ---------------------------------------------------------------------- */

bl_status bl_tensor_to_int64s(const bl_tensor *tensor, int64_t *out, size_t max,
                              size_t *count, bl_error *err)
{
    const int64_t stride = tensor->shape.rank == 1 ? tensor->stride[0] : 0;

    if (tensor->dtype != BL_INT64 && tensor->dtype != BL_INT32)
        return bl_fail(err, BL_ERR_TYPE, "is %s, but has to be int32 or int64",
                       bl_dtype_name(tensor->dtype));
    if (tensor->shape.rank > 1)
        return bl_fail(err, BL_ERR_SHAPE, "has rank %d, but has to be a list (rank 1)",
                       tensor->shape.rank);
    if ((uint64_t)tensor->count > max)
        return bl_fail(err, BL_ERR_LIMIT, "has %lld elements, but at most %zu make sense",
                       (long long)tensor->count, max);
    *count = (size_t)tensor->count;
    for (int64_t i = 0; i < tensor->count; i++)
        out[i] = tensor->dtype == BL_INT64 ? ((const int64_t *)tensor->data)[i * stride]
                                           : ((const int32_t *)tensor->data)[i * stride];
    return BL_OK;
}

/* ---- Range ---------------------------------------------------------------------- */

static int64_t integer_of(const bl_tensor *tensor)
{
    switch (tensor->dtype) {
    case BL_INT16:
        return *(const int16_t *)tensor->data;
    case BL_INT32:
        return *(const int32_t *)tensor->data;
    default:
        return *(const int64_t *)tensor->data;
    }
}

static double float_of(const bl_tensor *tensor)
{
    switch (tensor->dtype) {
    case BL_FLOAT16:
        return (double)bl_f16_to_f32(*(const uint16_t *)tensor->data);
    case BL_BFLOAT16:
        return (double)bl_bf16_to_f32(*(const uint16_t *)tensor->data);
    case BL_FLOAT32:
        return (double)*(const float *)tensor->data;
    default:
        return *(const double *)tensor->data;
    }
}

static bl_status too_many(bl_error *err)
{
    return bl_fail(err, BL_ERR_LIMIT,
                   "start, limit and delta make more elements than 63 bits can count");
}

static bl_status count_integers(int64_t start, int64_t limit, int64_t delta, int64_t *count,
                                bl_error *err)
{
    /* Unsigned, since neither a difference nor -INT64_MIN has to fit 63 bits. */
    const uint64_t distance =
        delta > 0 ? (uint64_t)limit - (uint64_t)start : (uint64_t)start - (uint64_t)limit;
    const uint64_t step = delta > 0 ? (uint64_t)delta : 0 - (uint64_t)delta;

    if (delta == 0)
        return bl_fail(err, BL_ERR_ARGUMENT, "delta is 0");
    *count = 0;
    if (delta > 0 ? start >= limit : start <= limit)
        return BL_OK;
    const uint64_t number = (distance - 1) / step + 1;

    if (number > INT64_MAX)
        return too_many(err);
    *count = (int64_t)number;
    return BL_OK;
}

static bl_status count_floats(double difference, double delta, int64_t *count,
                              bl_error *err)
{
    const double number = ceil(difference / delta);

    if (delta == 0)
        return bl_fail(err, BL_ERR_ARGUMENT, "delta is 0");
    if (isnan(number))
        return bl_fail(err, BL_ERR_ARGUMENT,
                       "start, limit or delta is NaN, or two are infinite");
    if (number >= 0x1p63)
        return too_many(err);
    *count = number > 0 ? (int64_t)number : 0;
    return BL_OK;
}

bl_status bl_range_count(const bl_tensor *start, const bl_tensor *limit,
                         const bl_tensor *delta, int64_t *count, bl_error *err)
{
    switch (start->dtype) {
    case BL_INT16:
    case BL_INT32:
    case BL_INT64:
        return count_integers(integer_of(start), integer_of(limit), integer_of(delta),
                              count, err);
    case BL_FLOAT64:
        return count_floats(float_of(limit) - float_of(start), float_of(delta), count, err);
    default: {
        const float difference = (float)float_of(limit) - (float)float_of(start);

        return count_floats((double)difference, float_of(delta), count, err);
    }
    }
}
