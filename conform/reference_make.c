/*
 * reference_make.c - operators that make a tensor of their own: Shape, Size, Constant, ...
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>

#include "base/status.h"
#include "conform/reference_element.h"

/* out = the elements of `list`, of that type, [count]; a scalar where count is -1. */
static bl_status make_list(const struct bl_reference_call *call, bl_dtype dtype,
                           const void *list, int64_t count, bl_tensor **out)
{
    const size_t size = bl_dtype_size(dtype);
    const bl_shape shape = {.rank = count >= 0, .dim = {count}};
    bl_tensor *made;
    bl_status status = BL_OK;

    BL_TRY(bl_reference_make(call, dtype, &shape, &made));
    for (int64_t i = 0; i < bl_tensor_count(made) && status == BL_OK; i++)
        status =
            bl_reference_store(made, i, (const char *)list + (size_t)i * size, call->err);
    if (status == BL_OK)
        *out = made;
    else
        bl_tensor_free(made);
    return status;
}

/* ---- Shape, Size --------------------------------------------------------- */

/* A bound of the axes: a negative one counts from the end, one beyond is cut. */
static int64_t bound(int64_t given, int rank)
{
    const int64_t counted = given < 0 ? given + rank : given;

    return counted < 0 ? 0 : counted > rank ? rank : counted;
}

static bl_status shape_(const struct bl_reference_call *call, bl_tensor **out)
{
    const bl_shape *shape = bl_reference_shape(call, 0);
    const int64_t start = bound(bl_reference_int(call->node, "start", 0), shape->rank);
    const int64_t end =
        bound(bl_reference_int(call->node, "end", shape->rank), shape->rank);

    return make_list(call, BL_INT64, shape->dim + start, end > start ? end - start : 0,
                     out);
}

static bl_status size(const struct bl_reference_call *call, bl_tensor **out)
{
    const int64_t count = bl_tensor_count(call->inputs[0]);

    return make_list(call, BL_INT64, &count, -1, out);
}

/* ---- Constant, ConstantOfShape ------------------------------------------- */

static bl_status copy_tensor(const struct bl_reference_call *call, const bl_tensor *from,
                             bl_tensor **out)
{
    bl_tensor *made;
    bl_status status = BL_OK;

    BL_TRY(bl_reference_check_output(call, bl_tensor_dtype(from)));
    BL_TRY(bl_reference_make(call, bl_tensor_dtype(from), bl_tensor_shape(from), &made));
    for (int64_t i = 0; i < bl_tensor_count(made) && status == BL_OK; i++)
        status = bl_reference_store(made, i, bl_value_at(from, i), call->err);
    if (status == BL_OK)
        *out = made;
    else
        bl_tensor_free(made);
    return status;
}

/* The attribute's own type and shape: a number or string is a scalar, a list has rank 1. */
static bl_status constant(const struct bl_reference_call *call, bl_tensor **out)
{
    if (call->node->attribute_count != 1)
        return bl_reference_refuse(call, BL_ERR_ATTRIBUTE, "needs exactly one attribute");
    const bl_attribute *it = &call->node->attributes[0];
    const int64_t count = (int64_t)it->count;

    switch (it->type) {
    case BL_ATTRIBUTE_TENSOR:
        return copy_tensor(call, it->value.tensor, out);
    case BL_ATTRIBUTE_FLOAT:
        return make_list(call, BL_FLOAT32, &it->value.f, -1, out);
    case BL_ATTRIBUTE_INT:
        return make_list(call, BL_INT64, &it->value.i, -1, out);
    case BL_ATTRIBUTE_STRING:
        return make_list(call, BL_STRING, &it->value.s, -1, out);
    case BL_ATTRIBUTE_FLOATS:
        return make_list(call, BL_FLOAT32, it->value.floats, count, out);
    case BL_ATTRIBUTE_INTS:
        return make_list(call, BL_INT64, it->value.ints, count, out);
    case BL_ATTRIBUTE_STRINGS:
        return make_list(call, BL_STRING, it->value.strings, count, out);
    default:
        return bl_reference_refuse(call, BL_ERR_UNSUPPORTED, "an attribute of that type");
    }
}

static bl_status constant_of_shape(const struct bl_reference_call *call, bl_tensor **out)
{
    const bl_attribute *value = bl_reference_attribute(call->node, "value");
    const float zero = 0;
    const bl_dtype dtype =
        value != NULL ? bl_tensor_dtype(value->value.tensor) : BL_FLOAT32;
    struct bl_reference_list dims;
    bl_shape shape = {.rank = 0};

    BL_TRY(bl_reference_check_output(call, dtype));
    if (value != NULL && bl_tensor_count(value->value.tensor) != 1)
        return bl_reference_refuse(call, BL_ERR_ATTRIBUTE, "value is not one element");
    BL_TRY(bl_reference_read_list(call, 0, NULL, &dims));
    for (int i = 0; i < dims.count; i++) {
        if (dims.at[i] < 0)
            return bl_reference_refuse_shape(call, 0, "has a negative dim");
        shape.dim[shape.rank++] = dims.at[i];
    }
    const void *element = value != NULL ? bl_value_at(value->value.tensor, 0) : &zero;

    BL_TRY(bl_reference_make(call, dtype, &shape, out));
    for (int64_t i = 0; i < bl_tensor_count(*out); i++)
        BL_TRY(
            bl_reference_store(*out, i, element, call->err)); /* no strings: no failure */
    return BL_OK;
}

/* ---- Range --------------------------------------------------------------- */

/* How many steps of `delta` lead from `start` to `limit` or beyond. */
static uint64_t integer_steps(int64_t start, int64_t limit, int64_t delta)
{
    const bool up = delta > 0;
    const uint64_t stride = up ? (uint64_t)delta : 0 - (uint64_t)delta;
    const uint64_t span =
        up ? (uint64_t)limit - (uint64_t)start : (uint64_t)start - (uint64_t)limit;

    if (stride == 0 || (up ? start >= limit : start <= limit))
        return 0;
    return span / stride + (span % stride != 0);
}

/* The span is rounded to the type, then divided in double; UINT64_MAX for too many. */
static uint64_t float_steps(bl_dtype dtype, double start, double limit, double delta)
{
    const double exact = ceil(bl_reference_step(dtype, limit - start) / delta);

    if (exact >= 9223372036854775808.0) /* 2^63 */
        return UINT64_MAX;
    return exact > 0 ? (uint64_t)exact : 0;
}

/* start + i * delta: both steps rounded, 16-bit types in float32, as stash_type has it. */
static void range_element(const struct bl_reference_call *call, int64_t i, void *out)
{
    const bl_dtype dtype = bl_tensor_dtype(call->inputs[0]);
    const void *start = bl_tensor_data(call->inputs[0]);
    const void *delta = bl_tensor_data(call->inputs[2]);

    if (is_float(dtype)) {
        const double way =
            bl_reference_step(dtype, (double)i * bl_value_to_double(dtype, delta));

        bl_value_from_double(
            dtype, bl_reference_step(dtype, bl_value_to_double(dtype, start) + way), out);
    } else {
        bl_value_from_bits(dtype,
                           bl_value_to_bits(dtype, start) +
                               (uint64_t)i * bl_value_to_bits(dtype, delta),
                           out);
    }
}

static bl_status range(const struct bl_reference_call *call, bl_tensor **out)
{
    const bl_dtype dtype = bl_tensor_dtype(call->inputs[0]);
    double number_at[3];
    int64_t integer_at[3] = {0};
    uint64_t steps;

    if (dtype != BL_FLOAT32 && dtype != BL_FLOAT64 && is_float(dtype) &&
        bl_reference_int(call->node, "stash_type", BL_FLOAT32) != BL_FLOAT32)
        return bl_reference_refuse(call, BL_ERR_UNSUPPORTED, "a stash_type but float32");
    for (size_t i = 0; i < 3; i++) {
        if (bl_tensor_count(call->inputs[i]) != 1)
            return bl_reference_refuse_shape(call, i, "is not one element");
        number_at[i] = bl_value_to_double(dtype, bl_tensor_data(call->inputs[i]));
        if (!is_float(dtype))
            integer_at[i] =
                (int64_t)bl_value_to_bits(dtype, bl_tensor_data(call->inputs[i]));
    }
    if (number_at[2] == 0)
        return bl_reference_refuse(call, BL_ERR_ARGUMENT, "delta is 0");
    if (!is_float(dtype))
        steps = integer_steps(integer_at[0], integer_at[1], integer_at[2]);
    else if (isnan((number_at[1] - number_at[0]) / number_at[2]))
        return bl_reference_refuse(call, BL_ERR_ARGUMENT, "the range has no length");
    else
        steps = float_steps(dtype, number_at[0], number_at[1], number_at[2]);
    if (steps > INT64_MAX)
        return bl_reference_refuse(call, BL_ERR_LIMIT, "the range is too long");
    const bl_shape shape = {.rank = 1, .dim = {(int64_t)steps}};

    BL_TRY(bl_reference_make(call, dtype, &shape, out));
    unsigned char *at = bl_tensor_mutable_data(*out);

    for (int64_t i = 0; i < shape.dim[0]; i++)
        range_element(call, i, at + (size_t)i * bl_dtype_size(dtype));
    return BL_OK;
}

const struct bl_reference_whole bl_reference_makers[] = {
    {"Constant", constant}, {"ConstantOfShape", constant_of_shape},
    {"Range", range},       {"Shape", shape_},
    {"Size", size},         {NULL, NULL},
};
