/*
 * compare.c - is a result what was expected?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "conform/compare.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "conform/value.h"
#include "tensor/dtype.h"

/* Room for an element in a message; a longer string is cut. */
#define ELEMENT_TEXT 200

/* ---- One element --------------------------------------------------------- */

uint64_t bl_compare_ulps(bl_dtype dtype, const void *a, const void *b)
{
    const double x = bl_value_to_double(dtype, a);
    const double y = bl_value_to_double(dtype, b);
    const uint64_t sign =
        dtype == BL_FLOAT8E8M0 ? 0 : UINT64_C(1) << (bl_dtype_info(dtype)->bits - 1);
    const uint64_t x_code = bl_value_raw(dtype, a) & ~sign;
    const uint64_t y_code = bl_value_raw(dtype, b) & ~sign;

    if (isnan(x) || isnan(y))
        return isnan(x) && isnan(y) ? 0 : UINT64_MAX;
    if (signbit(x) != signbit(y))
        return x_code + y_code;
    return x_code > y_code ? x_code - y_code : y_code - x_code;
}

static bool floats_pass(bl_dtype dtype, const void *got, const void *want,
                        const struct bl_compare_rule *rule)
{
    const double x = bl_value_to_double(dtype, got);
    const double y = bl_value_to_double(dtype, want);

    if (isnan(x) || isnan(y))
        return isnan(x) && isnan(y) && rule->allow_nan;
    if (rule->max_ulp >= 0 && bl_compare_ulps(dtype, got, want) > (uint64_t)rule->max_ulp)
        return false;
    if (rule->exact)
        return bl_value_raw(dtype, got) == bl_value_raw(dtype, want);
    if (x == y)
        return true;
    if (isinf(x) || isinf(y))
        return false;
    return fabs(x - y) <= rule->tolerance + rule->rel_tolerance * fabs(y);
}

/* The distance of two integers of a type that lie at most 2^64 - 1 apart. */
static uint64_t integer_distance(bl_dtype dtype, uint64_t a, uint64_t b)
{
    const uint64_t flip = bl_dtype_info(dtype)->kind == BL_KIND_INT ? UINT64_C(1) << 63 : 0;

    return (a ^ flip) > (b ^ flip) ? a - b : b - a;
}

static bool integers_pass(bl_dtype dtype, const void *got, const void *want,
                          const struct bl_compare_rule *rule)
{
    const uint64_t distance = integer_distance(dtype, bl_value_to_bits(dtype, got),
                                               bl_value_to_bits(dtype, want));
    const double room =
        rule->tolerance + rule->rel_tolerance * fabs(bl_value_to_double(dtype, want));

    if (rule->exact && memcmp(got, want, bl_dtype_size(dtype)) != 0)
        return false;
    return distance == 0 || (!rule->exact && (double)distance <= room);
}

static bool strings_pass(const void *got, const void *want)
{
    bl_string x, y;

    memcpy(&x, got, sizeof x);
    memcpy(&y, want, sizeof y);
    return x.size == y.size && (x.size == 0 || memcmp(x.data, y.data, x.size) == 0);
}

static bool element_passes(bl_dtype dtype, const void *got, const void *want,
                           const struct bl_compare_rule *rule)
{
    const bl_dtype part = bl_value_part(dtype);

    switch (bl_dtype_info(dtype)->kind) {
    case BL_KIND_FLOAT:
        return floats_pass(dtype, got, want, rule);
    case BL_KIND_COMPLEX:
        return floats_pass(part, got, want, rule) &&
               floats_pass(part, (const char *)got + bl_dtype_size(part),
                           (const char *)want + bl_dtype_size(part), rule);
    case BL_KIND_STRING:
        return strings_pass(got, want);
    default:
        return integers_pass(dtype, got, want, rule);
    }
}

/* ---- A tensor ------------------------------------------------------------ */

static void put_shape(struct bl_text *text, const bl_shape *shape)
{
    bl_text_put(text, "[");
    for (int axis = 0; axis < shape->rank; axis++)
        bl_text_put(text, axis > 0 ? ",%" PRId64 : "%" PRId64, shape->dim[axis]);
    bl_text_put(text, "]");
}

static bool same_shape(const bl_shape *a, const bl_shape *b)
{
    bool same = a->rank == b->rank;

    for (int axis = 0; same && axis < a->rank; axis++)
        same = a->dim[axis] == b->dim[axis];
    return same;
}

bool bl_compare_type(const bl_tensor *got, bl_dtype dtype, const bl_shape *shape, char *why)
{
    struct bl_text text = bl_text_in(why, BL_COMPARE_TEXT);

    if (bl_tensor_dtype(got) == dtype && same_shape(bl_tensor_shape(got), shape))
        return true;
    bl_text_put(&text, "got %s ", bl_dtype_name(bl_tensor_dtype(got)));
    put_shape(&text, bl_tensor_shape(got));
    bl_text_put(&text, ", want %s ", bl_dtype_name(dtype));
    put_shape(&text, shape);
    return false;
}

static void put_index(struct bl_text *text, const bl_shape *shape, int64_t index)
{
    bl_shape at = {.rank = shape->rank};

    for (int axis = shape->rank - 1; axis >= 0; axis--) {
        at.dim[axis] = index % shape->dim[axis];
        index /= shape->dim[axis];
    }
    put_shape(text, &at);
}

static void put_difference(struct bl_text *text, const bl_tensor *got,
                           const bl_tensor *want, int64_t index)
{
    const bl_dtype dtype = bl_tensor_dtype(want);
    const void *x = bl_value_at(got, index);
    const void *y = bl_value_at(want, index);
    char x_text[ELEMENT_TEXT], y_text[ELEMENT_TEXT];

    put_index(text, bl_tensor_shape(want), index);
    bl_text_put(text, ": got %s, want %s", bl_value_text(dtype, x, x_text, sizeof x_text),
                bl_value_text(dtype, y, y_text, sizeof y_text));
    if (bl_dtype_info(dtype)->kind != BL_KIND_FLOAT)
        return;
    const double off = fabs(bl_value_to_double(dtype, x) - bl_value_to_double(dtype, y));

    if (isnan(bl_value_to_double(dtype, x)) && isnan(bl_value_to_double(dtype, y)))
        bl_text_put(text, " (allowNaN is not set)");
    else if (!isnan(off))
        bl_text_put(text, " (off by %.3g, %" PRIu64 " ulp)", off,
                    bl_compare_ulps(dtype, x, y));
}

bool bl_compare(const bl_tensor *got, const bl_tensor *want,
                const struct bl_compare_rule *rule, char *why)
{
    if (!bl_compare_type(got, bl_tensor_dtype(want), bl_tensor_shape(want), why))
        return false;
    struct bl_text text = bl_text_in(why, BL_COMPARE_TEXT);
    const bl_dtype dtype = bl_tensor_dtype(want);
    const int64_t count = bl_tensor_count(want);
    int64_t first = -1;
    int64_t differ = 0;

    for (int64_t i = 0; i < count; i++) {
        if (element_passes(dtype, bl_value_at(got, i), bl_value_at(want, i), rule))
            continue;
        if (differ++ == 0)
            first = i;
    }
    if (differ == 0)
        return true;
    put_difference(&text, got, want, first);
    bl_text_put(&text, "; %" PRId64 " of %" PRId64 " differ", differ, count);
    return false;
}
