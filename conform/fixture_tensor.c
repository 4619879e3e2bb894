/*
 * fixture_tensor.c - a tensor of a fixture: type, shape, data of four kinds
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/status.h"
#include "conform/compare.h"
#include "conform/fixture_parts.h"
#include "conform/json_value.h"
#include "conform/value.h"
#include "tensor/dtype.h"

/* Two lines of text can ask for any number of elements; more than these bytes are a
 * mistake. */
#define MAX_BYTES (INT64_C(1) << 31)

/* ---- Type and shape ------------------------------------------------------ */

static bl_status read_dtype(json_t *json, bl_dtype *out, bl_error *err)
{
    const char *name;

    BL_TRY(bl_json_text(json, "dtype", &name, err));
    *out = bl_dtype_from_name(name);
    /* ONNX's own names ("float", "double") are none of the format's. */
    if (*out == BL_UNDEFINED || strcmp(bl_dtype_name(*out), name) != 0)
        return bl_fail(err, BL_ERR_FORMAT, "unknown dtype '%.40s'", name);
    return BL_OK;
}

static bl_status read_shape(json_t *json, bl_shape *out, bl_error *load, bl_error *err)
{
    const size_t rank = json_array_size(json);

    BL_TRY(bl_json_expect(json, JSON_ARRAY, "shape", err));
    for (size_t axis = 0; axis < rank; axis++) {
        const json_t *dim = json_array_get(json, axis);

        if (!json_is_integer(dim) || json_integer_value(dim) < 0)
            return bl_fail(err, BL_ERR_FORMAT,
                           "axis %zu of the shape is no integer from 0 to 2^63 - 1", axis);
        if (axis < BL_MAX_RANK)
            out->dim[axis] = json_integer_value(dim);
    }
    out->rank = rank <= BL_MAX_RANK ? (int)rank : BL_MAX_RANK;
    if (rank > BL_MAX_RANK)
        bl_fail(load, BL_ERR_LIMIT, "rank %zu is beyond the limit of %d", rank,
                BL_MAX_RANK);
    return BL_OK;
}

/* ---- Data ---------------------------------------------------------------- */

typedef bl_status (*fill_fn)(json_t *data, bl_tensor *tensor, bl_error *err);

static bl_status fill_values(json_t *data, bl_tensor *tensor, bl_error *err)
{
    json_t *values = json_object_get(data, "values");
    const int64_t count = bl_tensor_count(tensor);

    for (int64_t i = 0; i < count; i++) {
        const bl_status status =
            bl_fixture_value_read(json_array_get(values, (size_t)i), tensor, i, err);

        if (status != BL_OK)
            return bl_fail_prefix(err, status, "value %lld: ", (long long)i);
    }
    return BL_OK;
}

static bl_status fill_constant(json_t *data, bl_tensor *tensor, bl_error *err)
{
    const size_t size = bl_dtype_size(bl_tensor_dtype(tensor));
    const int64_t count = bl_tensor_count(tensor);
    unsigned char *first = bl_tensor_mutable_data(tensor);

    for (int64_t i = 0; i < count; i++) {
        if (i == 0 || bl_tensor_dtype(tensor) == BL_STRING)
            BL_TRY(bl_fixture_value_read(json_object_get(data, "value"), tensor, i, err));
        else
            memcpy(first + (size_t)i * size, first, size);
    }
    return BL_OK;
}

static bl_status fill_waves(json_t *data, bl_tensor *tensor, bl_error *err)
{
    const bl_dtype dtype = bl_tensor_dtype(tensor);
    const enum bl_kind kind = bl_dtype_info(dtype)->kind;
    const int64_t count = bl_tensor_count(tensor);
    unsigned char *out = bl_tensor_mutable_data(tensor);
    double sin_step, cos_step, scale = 1;

    BL_TRY(bl_json_number(json_object_get(data, "sinStep"), "sinStep", &sin_step, err));
    BL_TRY(bl_json_number(json_object_get(data, "cosStep"), "cosStep", &cos_step, err));
    if (json_object_get(data, "scale") != NULL)
        BL_TRY(bl_json_number(json_object_get(data, "scale"), "scale", &scale, err));
    if (kind == BL_KIND_STRING || kind == BL_KIND_COMPLEX)
        return bl_fail(err, BL_ERR_FORMAT, "fillFloat32 makes no %s", bl_dtype_name(dtype));
    for (int64_t i = 0; i < count; i++) {
        const double x = (double)i;
        const float wave = (float)((sin(x * sin_step) + cos(x * cos_step)) * scale);

        bl_value_from_double(dtype, kind == BL_KIND_FLOAT ? wave : nearbyintf(wave),
                             out + (size_t)i * bl_dtype_size(dtype));
    }
    return BL_OK;
}

/* Data of the kinds that the tensor's shape sizes. */
static bl_status make_data(json_t *data, fill_fn fill, struct bl_fixture_tensor *out,
                           bl_error *load, bl_error *err)
{
    json_t *values = json_object_get(data, "values");
    int64_t count = 0;

    if (values != NULL)
        BL_TRY(bl_json_expect(values, JSON_ARRAY, "values", err));
    if (load->status != BL_OK || bl_shape_count(&out->shape, &count, load) != BL_OK)
        return BL_OK;
    if (values != NULL && json_array_size(values) != (uint64_t)count)
        return bl_fail(err, BL_ERR_FORMAT, "%zu values, but the shape has %lld elements",
                       json_array_size(values), (long long)count);
    if (count > MAX_BYTES / (int64_t)bl_dtype_size(out->dtype))
        return bl_fail(err, BL_ERR_FORMAT,
                       "%lld elements of %s are more than a fixture may make (%lld bytes)",
                       (long long)count, bl_dtype_name(out->dtype), (long long)MAX_BYTES);
    bl_tensor *made = bl_tensor_new(NULL, out->dtype, &out->shape, load);

    if (made == NULL)
        return BL_OK;
    const bl_status status = fill(data, made, err);

    if (status != BL_OK)
        bl_tensor_free(made);
    else
        out->data = made;
    return status;
}

static bl_status read_format(json_t *data, bl_format *format, bl_error *err)
{
    const char *name;

    BL_TRY(bl_json_text(json_object_get(data, "format"), "format", &name, err));
    if (strcmp(name, "npy") != 0 && strcmp(name, "pb") != 0)
        return bl_fail(err, BL_ERR_FORMAT, "unknown format '%.40s' (npy or pb)", name);
    *format = strcmp(name, "npy") == 0 ? BL_FORMAT_NPY : BL_FORMAT_PB;
    return BL_OK;
}

/* A file alone is read where it lies; with others around it, as files. */
static bl_status read_file(const struct bl_fixture_file *file, bl_format format,
                           struct bl_fixture_tensor *out, bl_error *load, bl_error *err)
{
    struct bl_sandbox sandbox;

    if (file->beside_count == 0) {
        out->data =
            bl_tensor_read_memory(NULL, file->bytes, file->size, format, out->name, load);
        return BL_OK;
    }
    BL_TRY(bl_fixture_file_place(file, "tensor", &sandbox, err));
    out->data = bl_tensor_read(NULL, sandbox.path, format, load);
    bl_sandbox_close(&sandbox);
    return BL_OK;
}

static bl_status load_file(json_t *data, struct bl_fixture_tensor *out, bl_error *load,
                           bl_error *err)
{
    struct bl_fixture_file *file;
    bl_format format = BL_FORMAT_AUTO;

    BL_TRY(read_format(data, &format, err));
    BL_TRY(bl_fixture_file_read(data, &file, err));
    const bl_status status = read_file(file, format, out, load, err);

    bl_fixture_file_free(file);
    return status;
}

/* What a file held has to be what dtype and shape, where given, say. */
static bl_status check_loaded(json_t *json, struct bl_fixture_tensor *out, bl_error *err)
{
    char why[BL_COMPARE_TEXT];

    if (json_object_get(json, "dtype") == NULL)
        out->dtype = bl_tensor_dtype(out->data);
    if (json_object_get(json, "shape") == NULL)
        out->shape = *bl_tensor_shape(out->data);
    if (!bl_compare_type(out->data, out->dtype, &out->shape, why))
        return bl_fail(err, BL_ERR_FORMAT, "the file holds another type or shape: %s", why);
    return BL_OK;
}

#define KIND_KEYS(...) ((const char *const[]){"kind", __VA_ARGS__, NULL})

/* The kinds of data; `fill` is NULL for a file, which has a size of its own.  `needed` is
 * the key without which there is no data. */
static const struct data_kind {
    const char *name;
    fill_fn fill;
    const char *needed;
    const char *const *keys;
} data_kinds[] = {
    {"values", fill_values, "values", KIND_KEYS("values")},
    {"constant", fill_constant, "value", KIND_KEYS("value")},
    {"fillFloat32", fill_waves, "sinStep", KIND_KEYS("sinStep", "cosStep", "scale")},
    {"file", NULL, "base64", KIND_KEYS("format", "base64", "files")},
};

static bl_status find_kind(json_t *data, const struct data_kind **out, bl_error *err)
{
    const char *name;

    BL_TRY(bl_json_expect(data, JSON_OBJECT, "data", err));
    BL_TRY(bl_json_text(json_object_get(data, "kind"), "kind", &name, err));
    for (size_t i = 0; i < BL_COUNT_OF(data_kinds); i++) {
        const struct data_kind *kind = &data_kinds[i];

        if (strcmp(kind->name, name) != 0)
            continue;
        if (json_object_get(data, kind->needed) == NULL)
            return bl_fail(err, BL_ERR_FORMAT, "key '%s' of the data is missing",
                           kind->needed);
        *out = kind;
        return bl_json_keys(data, "the data", kind->keys, err);
    }
    return bl_fail(err, BL_ERR_FORMAT, "unknown kind of data '%.40s'", name);
}

/* ---- A tensor ------------------------------------------------------------ */

static bl_status read_tolerance(json_t *json, const char *key, double *out, bl_error *err)
{
    const json_t *value = json_object_get(json, key);

    if (value == NULL)
        return BL_OK;
    BL_TRY(bl_json_number(value, key, out, err));
    return *out >= 0 ? BL_OK : bl_fail(err, BL_ERR_FORMAT, "key '%s' is negative", key);
}

static bl_status read_flag(json_t *json, const char *key, bool *out, bl_error *err)
{
    const json_t *value = json_object_get(json, key);

    return value == NULL ? BL_OK : bl_json_bool(value, key, out, err);
}

static bl_status read_rules(json_t *json, struct bl_fixture_tensor *out, bl_error *err)
{
    BL_TRY(read_tolerance(json, "tolerance", &out->tolerance, err));
    BL_TRY(read_tolerance(json, "relTolerance", &out->rel_tolerance, err));
    BL_TRY(read_flag(json, "allowNaN", &out->allow_nan, err));
    return read_flag(json, "exact", &out->exact, err);
}

static bl_status check_tensor_keys(json_t *json, bool is_output, bl_error *err)
{
    static const char *const input_keys[] = {"dtype", "shape", "data", NULL};
    static const char *const output_keys[] = {
        "dtype", "shape", "data", "tolerance", "relTolerance", "allowNaN", "exact", NULL};

    if (!json_is_object(json))
        return bl_fail(err, BL_ERR_FORMAT, "a tensor is an object, not %s",
                       bl_json_kind(json));
    return bl_json_keys(json, is_output ? "an output" : "an input",
                        is_output ? output_keys : input_keys, err);
}

static bl_status read_data(json_t *json, struct bl_fixture_tensor *out, bl_error *load,
                           bl_error *err)
{
    json_t *data = json_object_get(json, "data");
    const struct data_kind *kind = NULL;

    if (data != NULL)
        BL_TRY(find_kind(data, &kind, err));
    const bool is_file = kind != NULL && kind->fill == NULL;

    if (!is_file || json_object_get(json, "dtype") != NULL)
        BL_TRY(read_dtype(json_object_get(json, "dtype"), &out->dtype, err));
    if (!is_file || json_object_get(json, "shape") != NULL)
        BL_TRY(read_shape(json_object_get(json, "shape"), &out->shape, load, err));
    if (kind == NULL)
        return BL_OK;
    if (!is_file)
        return make_data(data, kind->fill, out, load, err);
    BL_TRY(load_file(data, out, load, err));
    return out->data != NULL ? check_loaded(json, out, err) : BL_OK;
}

bl_status bl_fixture_tensor_read(json_t *json, bool is_output,
                                 struct bl_fixture_tensor *out, bl_error *load,
                                 bl_error *err)
{
    BL_TRY(check_tensor_keys(json, is_output, err));
    if (is_output)
        BL_TRY(read_rules(json, out, err));
    else
        BL_TRY(bl_json_expect(json_object_get(json, "data"), JSON_OBJECT, "data", err));
    const bl_status status = read_data(json, out, load, err);

    if (status != BL_OK) {
        bl_tensor_free(out->data);
        out->data = NULL;
    }
    return status;
}

/* One member of the object. */
static bl_status read_member(json_t *value, const char *key, const char *name,
                             struct bl_fixture_tensor *tensor, bl_error *load,
                             bl_error *err)
{
    const bool is_output = load == NULL;
    bl_error own = {0}; /* so that one input's failure does not hide the next one's */

    tensor->name = name;
    if (json_is_null(value) && !is_output)
        return BL_OK;
    bl_status status = bl_fixture_tensor_read(value, is_output, tensor, &own, err);

    if (status == BL_OK && own.status != BL_OK && is_output)
        status = bl_fail(err, own.status, "%s", own.message);
    if (status != BL_OK)
        return bl_fail_prefix(err, status, "%s.%s: ", key, name);
    if (own.status != BL_OK && load->status == BL_OK) {
        *load = own;
        bl_fail_prefix(load, load->status, "%s.%s: ", key, name);
    }
    return BL_OK;
}

bl_status bl_fixture_tensors_read(json_t *json, const char *key,
                                  struct bl_fixture_tensor **out, size_t *count,
                                  bl_error *load, bl_error *err)
{
    const char *name;
    json_t *value;

    BL_TRY(bl_json_expect(json, JSON_OBJECT, key, err));
    *out = calloc(json_object_size(json) + 1, sizeof **out);
    if (*out == NULL)
        return bl_fail(err, BL_ERR_MEMORY, "no memory for the %s", key);
    json_object_foreach(json, name, value)
        BL_TRY(read_member(value, key, name, &(*out)[(*count)++], load, err));
    return BL_OK;
}

void bl_fixture_tensors_free(struct bl_fixture_tensor *tensors, size_t count)
{
    for (size_t i = 0; i < count; i++)
        bl_tensor_free(tensors[i].data);
    free(tensors);
}
