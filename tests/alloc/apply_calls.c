/*
 * apply_calls.c - a call of each kind of operator, and what it ought to give
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "apply_calls.h"

#include <stdio.h>
#include <string.h>

/* ---- Tensors ---------------------------------------------------------------------------------- */

enum { ROWS = 128, COLUMNS = 1000, INNER = 40 }; /* enough for three threads */

static float a[ROWS * COLUMNS], b[COLUMNS], m[ROWS * INNER], n[INNER * COLUMNS];
static const float low = -3, high = 40, one = 1;
static unsigned char c[COLUMNS];
static const int64_t shape[] = {COLUMNS, ROWS}, wide[] = {2, COLUMNS};
static const int64_t starts[] = {1}, ends[] = {100}, places[] = {3, -1};
static const int32_t from = 3, to = 3000, by = 7;
static const bl_string s[] = {{"one", 3}, {"", 0}, {"three", 5}};

static struct {
    const char *name;
    bl_dtype dtype;
    bl_shape shape;
    const void *data;
    bl_tensor *tensor;
} tensors[] = {
    {"a", BL_FLOAT32, {2, {ROWS, COLUMNS}}, a, NULL},
    {"b", BL_FLOAT32, {1, {COLUMNS}}, b, NULL},
    {"m", BL_FLOAT32, {2, {ROWS, INNER}}, m, NULL},
    {"n", BL_FLOAT32, {2, {INNER, COLUMNS}}, n, NULL},
    {"low", BL_FLOAT32, {0, {0}}, &low, NULL},
    {"high", BL_FLOAT32, {0, {0}}, &high, NULL},
    {"one", BL_FLOAT32, {0, {0}}, &one, NULL},
    {"c", BL_BOOL, {1, {COLUMNS}}, c, NULL},
    {"shape", BL_INT64, {1, {2}}, shape, NULL},
    {"wide", BL_INT64, {1, {2}}, wide, NULL},
    {"starts", BL_INT64, {1, {1}}, starts, NULL},
    {"ends", BL_INT64, {1, {1}}, ends, NULL},
    {"places", BL_INT64, {1, {2}}, places, NULL},
    {"from", BL_INT32, {0, {0}}, &from, NULL},
    {"to", BL_INT32, {0, {0}}, &to, NULL},
    {"by", BL_INT32, {0, {0}}, &by, NULL},
    {"s", BL_STRING, {1, {3}}, s, NULL},
};

enum { TENSORS = sizeof tensors / sizeof tensors[0] };

const bl_tensor *apply_tensor(const char *name)
{
    for (size_t i = 0; i < TENSORS; i++)
        if (strcmp(tensors[i].name, name) == 0)
            return tensors[i].tensor;
    return NULL;
}

/* ---- Calls -------------------------------------------------------------------------------------- */

static const struct {
    const char *op;
    const char *inputs[16];
    const char *attribute; /* an integer; NULL: none */
    int64_t value;
} calls[] = {
    {"Add", {"a", "b"}, NULL, 0},
    {"Sum",
     {"a", "b", "one", "a", "b", "a", "b", "a", "b", "a", "b", "a", "b", "a", "b"},
     NULL,
     0},
    {"Where", {"c", "a", "b"}, NULL, 0},
    {"Pow", {"b", "one"}, NULL, 0},
    {"Exp", {"a"}, NULL, 0},
    {"Clip", {"a", "low", "high"}, NULL, 0},
    {"Greater", {"a", "b"}, NULL, 0},
    {"Cast", {"a"}, "to", BL_FLOAT16},
    {"Gemm", {"m", "n", "b"}, NULL, 0},
    {"MatMul", {"m", "n"}, NULL, 0},
    {"Reshape", {"a", "shape"}, NULL, 0},
    {"Transpose", {"a"}, NULL, 0},
    {"Slice", {"a", "starts", "ends"}, NULL, 0},
    {"Expand", {"b", "wide"}, NULL, 0},
    {"Concat", {"a", "a", "m"}, "axis", 1},
    {"Gather", {"a", "places"}, NULL, 0},
    {"Range", {"from", "to", "by"}, NULL, 0},
    {"ConstantOfShape", {"wide"}, NULL, 0},
    {"Shape", {"a"}, NULL, 0},
    {"Identity", {"s"}, NULL, 0},
    {"Equal", {"s", "s"}, NULL, 0},
    {"StringConcat", {"s", "s"}, NULL, 0},
    {"Concat", {"s", "s"}, "axis", 0},
};

enum { CALLS = sizeof calls / sizeof calls[0] };

const size_t apply_call_count = CALLS;

static bl_tensor *results[CALLS];

static bl_status apply(bl_context *context, size_t i, bl_tensor **out, bl_error *err)
{
    const bl_tensor *inputs[16];
    const bl_attribute attribute = {
        calls[i].attribute, BL_ATTRIBUTE_INT, 0, {.i = calls[i].value}};
    const bl_node node = {.op = bl_op_find(NULL, calls[i].op, BL_OPSET_LATEST, err),
                          .attributes = &attribute,
                          .attribute_count = calls[i].attribute != NULL};
    size_t count = 0;

    if (node.op == NULL)
        return err->status;
    for (; count < 16 && calls[i].inputs[count] != NULL; count++)
        inputs[count] = apply_tensor(calls[i].inputs[count]);
    return bl_apply(context, &node, inputs, count, out, 1, err);
}

/* Into a new tensor, and into one that is given. */
bl_status apply_call(bl_context *context, size_t i, bl_error *err)
{
    bl_tensor *made = NULL;
    bl_status status = apply(context, i, &made, err);

    if (status == BL_OK && apply_same(made, results[i]))
        status = apply(context, i, &made, err);
    if (status == BL_OK && !apply_same(made, results[i])) {
        snprintf(err->message, sizeof err->message, "the result of %s is wrong",
                 calls[i].op);
        status = BL_ERR_FORMAT;
    }
    bl_tensor_free(made);
    return status;
}

/* ---- Comparison ----------------------------------------------------------------------------------- */

static bool same_strings(const bl_string *x, const bl_string *y, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (x[i].size != y[i].size ||
            (x[i].size > 0 && memcmp(x[i].data, y[i].data, x[i].size) != 0))
            return false;
    return true;
}

bool apply_same(const bl_tensor *x, const bl_tensor *y)
{
    const bl_dtype dtype = bl_tensor_dtype(x);
    const int64_t count = bl_tensor_count(x);

    if (dtype != bl_tensor_dtype(y) || count != bl_tensor_count(y) ||
        bl_tensor_shape(x)->rank != bl_tensor_shape(y)->rank)
        return false;
    if (dtype == BL_STRING)
        return same_strings(bl_tensor_data(x), bl_tensor_data(y), count);
    return memcmp(bl_tensor_data(x), bl_tensor_data(y),
                  (size_t)count * bl_dtype_size(dtype)) == 0;
}

/* ---- Start and end ---------------------------------------------------------------------------------- */

static void fill(float *to_fill, int count)
{
    for (int i = 0; i < count; i++)
        to_fill[i] = (float)(i * 37 % 101) / 8 - 5;
}

int apply_start(void)
{
    bl_error err = {BL_OK, ""};
    bl_context *context = bl_context_new(NULL, &err);

    fill(a, ROWS * COLUMNS);
    fill(b, COLUMNS);
    fill(m, ROWS * INNER);
    fill(n, INNER * COLUMNS);
    for (int i = 0; i < COLUMNS; i++)
        c[i] = i % 3 == 0;
    for (size_t i = 0; i < TENSORS && err.status == BL_OK; i++)
        tensors[i].tensor = bl_tensor_borrow(NULL, tensors[i].dtype, &tensors[i].shape,
                                             NULL, tensors[i].data, &err);
    for (size_t i = 0; i < CALLS && err.status == BL_OK; i++)
        (void)!apply(context, i, &results[i], &err);
    bl_context_free(context);
    if (err.status != BL_OK)
        fprintf(stderr, "apply_calls: %s\n", err.message);
    return err.status != BL_OK;
}

void apply_end(void)
{
    for (size_t i = 0; i < CALLS; i++)
        bl_tensor_free(results[i]);
    for (size_t i = 0; i < TENSORS; i++)
        bl_tensor_free(tensors[i].tensor);
}
