/*
 * fixture_value.c - one element of a tensor from its JSON value
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A number is read as a double and rounded once to the type; integers keep 64 bits.  A
 * number that is not in the type's range is an error; where the type has an infinity,
 * rounding may give it.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "conform/fixture_parts.h"
#include "conform/json_value.h"
#include "conform/value.h"
#include "tensor/dtype.h"

static bl_status wrong_type(const json_t *json, bl_dtype dtype, bl_error *err)
{
    return bl_fail(err, BL_ERR_FORMAT, "%s is no value for %s", bl_json_kind(json),
                   bl_dtype_name(dtype));
}

static bl_status read_float(const json_t *json, bl_dtype dtype, void *element,
                            bl_error *err)
{
    const char *word = json_string_value(json);
    double value;

    if (word == NULL || bl_json_big_integer(json) != NULL) {
        if (word == NULL && !json_is_number(json))
            return wrong_type(json, dtype, err);
        BL_TRY(bl_json_number(json, "values", &value, err));
    } else if (strcmp(word, "NaN") == 0) {
        value = NAN;
    } else if (strcmp(word, "Infinity") == 0) {
        value = INFINITY;
    } else if (strcmp(word, "-Infinity") == 0) {
        value = -INFINITY;
    } else {
        return bl_fail(
            err, BL_ERR_FORMAT,
            "\"%.40s\" is no value for %s (only NaN, Infinity and -Infinity are words)",
            word, bl_dtype_name(dtype));
    }
    if (!bl_value_in_range(dtype, value))
        return bl_fail(err, BL_ERR_FORMAT, "%.17g is out of the range of %s", value,
                       bl_dtype_name(dtype));
    bl_value_from_double(dtype, value, element);
    return BL_OK;
}

static bl_status read_integer(const json_t *json, bl_dtype dtype, void *element,
                              bl_error *err)
{
    const bool wide = dtype == BL_INT64 || dtype == BL_UINT64;
    const char *digits = bl_json_big_integer(json);
    char text[32];

    if (json_is_real(json)) {
        if (!bl_value_in_range(dtype, json_real_value(json)))
            return bl_fail(err, BL_ERR_FORMAT, "%.17g is no value of %s",
                           json_real_value(json), bl_dtype_name(dtype));
        bl_value_from_double(dtype, json_real_value(json), element);
        return BL_OK;
    }
    if (json_is_integer(json)) {
        snprintf(text, sizeof text, "%lld", (long long)json_integer_value(json));
        digits = text;
    } else if (digits == NULL && wide) {
        digits = json_string_value(json); /* what a writer without 64-bit integers writes */
    }
    if (digits == NULL)
        return wrong_type(json, dtype, err);
    return bl_value_parse(dtype, digits, element, err);
}

static bl_status read_bool(const json_t *json, void *element, bl_error *err)
{
    const bool number = json_is_integer(json) &&
                        (json_integer_value(json) == 0 || json_integer_value(json) == 1);

    if (!json_is_boolean(json) && !number)
        return bl_fail(err, BL_ERR_FORMAT, "%s is no bool (true, false, 1 or 0)",
                       bl_json_kind(json));
    bl_value_from_bits(BL_BOOL, json_is_true(json) || json_integer_value(json) == 1,
                       element);
    return BL_OK;
}

static bl_status read_complex(const json_t *json, bl_dtype dtype, unsigned char *element,
                              bl_error *err)
{
    const bl_dtype part = bl_value_part(dtype);

    if (json_array_size(json) != 2)
        return bl_fail(err, BL_ERR_FORMAT, "%s is no complex number [re, im]",
                       bl_json_kind(json));
    BL_TRY(read_float(json_array_get(json, 0), part, element, err));
    return read_float(json_array_get(json, 1), part, element + bl_dtype_size(part), err);
}

bl_status bl_fixture_value_read(const json_t *json, bl_tensor *tensor, int64_t index,
                                bl_error *err)
{
    const bl_dtype dtype = bl_tensor_dtype(tensor);
    unsigned char *element = (unsigned char *)bl_tensor_mutable_data(tensor) +
                             (size_t)index * bl_dtype_size(dtype);

    switch (bl_dtype_info(dtype)->kind) {
    case BL_KIND_FLOAT:
        return read_float(json, dtype, element, err);
    case BL_KIND_BOOL:
        return read_bool(json, element, err);
    case BL_KIND_COMPLEX:
        return read_complex(json, dtype, element, err);
    case BL_KIND_STRING:
        if (!json_is_string(json) || bl_json_big_integer(json) != NULL)
            return wrong_type(json, dtype, err);
        return bl_tensor_set_string(tensor, index, json_string_value(json),
                                    json_string_length(json), err);
    default:
        return read_integer(json, dtype, element, err);
    }
}
