/*
 * onnx_fuzz.c - fuzz target: the reader of models, what it tells of them, and how they would run
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The bytes are opened from memory, and some as a file to be inspected; both have a file beside them that
 * external data may name ("data").  What can be opened can be inspected, and is the same.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz/model_inputs.h"

/* Of the inputs together, and in bytes that steps may move. */
#define MOST_ELEMENTS 65536
#define MOST_BYTES (INT64_C(1) << 40)

/* ---- Everything that a model tells ---------------------------------------------------------- */

static void read_value(const bl_value_info *info)
{
    if (info->name == NULL || info->rank < -1 || info->rank > BL_MAX_RANK)
        fuzz_fail("a value without a name, or of rank %d", info->rank);
    for (int axis = 0; axis < info->rank; axis++) {
        const char *symbol = info->dim_names != NULL ? info->dim_names[axis] : NULL;

        if (info->dims[axis] < -1 || (symbol != NULL && info->dims[axis] != -1))
            fuzz_fail("value %s: dim %lld", info->name, (long long)info->dims[axis]);
        if (symbol != NULL && memchr(symbol, '\0', SIZE_MAX / 2) == NULL)
            fuzz_fail("a symbol without an end");
    }
}

static void read_ids(const bl_model *model, const int32_t *ids, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (ids[i] < -1 || ids[i] >= (int32_t)bl_model_value_count(model))
            fuzz_fail("value %d of %zu", (int)ids[i], bl_model_value_count(model));
}

static void read_node(const bl_model *model, size_t i)
{
    bl_node_info info;

    if (!bl_model_node(model, i, &info))
        fuzz_fail("node %zu is missing", i);
    if (info.name == NULL || info.domain == NULL || info.op_type == NULL)
        fuzz_fail("node %zu has no name", i);
    if (info.op == NULL && info.problem == NULL)
        fuzz_fail("node %s has neither operator nor problem", info.name);
    if (info.problem != NULL && info.problem->message[0] == '\0')
        fuzz_fail("node %s has a problem without a message", info.name);
    read_ids(model, info.inputs, info.input_count);
    read_ids(model, info.outputs, info.output_count);
}

/* Read the first and the last element, so that memory which is not there is seen. */
static void read_tensor(const bl_tensor *tensor)
{
    const size_t size = bl_dtype_size(bl_tensor_dtype(tensor));
    const char *data = bl_tensor_data(tensor);
    const int64_t count = bl_tensor_count(tensor);
    char seen[16];

    if (count == 0)
        return;
    memcpy(seen, data, size);
    memcpy(seen, data + (size_t)(count - 1) * size, size);
}

static void read_model(const bl_model *model)
{
    for (size_t i = 0; i < bl_model_value_count(model); i++) {
        const bl_tensor *tensor = bl_model_initializer(model, i);

        read_value(bl_model_value(model, i));
        if (tensor != NULL)
            read_tensor(tensor);
    }
    for (size_t i = 0; i < bl_model_node_count(model); i++)
        read_node(model, i);
    for (size_t i = 0; i < bl_model_input_count(model); i++) {
        const int32_t id = bl_model_input_value(model, i);

        read_value(bl_model_input(model, i));
        read_ids(model, &id, 1);
    }
    for (size_t i = 0; i < bl_model_output_count(model); i++)
        read_value(bl_model_output(model, i));
    if (bl_model_opset(model) < 0 || bl_model_opset(model) > BL_OPSET_MAX)
        fuzz_fail("opset %lld", (long long)bl_model_opset(model));
}

static void explain_model(bl_context *context, const bl_model *model)
{
    bl_tensor_type *types = fuzz_input_types(model, MOST_ELEMENTS);

    if (types != NULL)
        (void)fuzz_explained_bytes(context, model, types, MOST_BYTES);
    free(types);
}

/* ---- The two ways to open one ------------------------------------------------------------------ */

/* What is read of it, as one number for each part. */
struct counts {
    size_t nodes, values, inputs, outputs;
};

static struct counts counts_of(const bl_model *model)
{
    return (struct counts){bl_model_node_count(model), bl_model_value_count(model),
                           bl_model_input_count(model), bl_model_output_count(model)};
}

static bool read_and_free(bl_context *context, bl_model *model, bl_error *err,
                          struct counts *counts)
{
    if (model == NULL) {
        fuzz_check_error(err);
        return false;
    }
    *counts = counts_of(model);
    read_model(model);
    explain_model(context, model);
    bl_model_free(model);
    return true;
}

static const char *model_path(void)
{
    static char path[128];

    if (path[0] == '\0') {
        char data[4096];

        for (size_t i = 0; i < sizeof data; i++)
            data[i] = (char)(i * 7);
        fuzz_write(fuzz_path("data"), data, sizeof data);
        strcpy(path, fuzz_path("model.onnx"));
    }
    return path;
}

/* As a file, with another file beside it. */
static void inspect(struct fuzz_budget *budget, bl_context *context, const uint8_t *data,
                    size_t size, const struct counts *opened)
{
    struct counts inspected = {0};
    bl_error err = {BL_OK, ""};

    fuzz_write(model_path(), data, size);
    budget->spent = 0;
    const bool is_shown = read_and_free(
        context, bl_model_inspect(context, model_path(), &err), &err, &inspected);

    if (opened != NULL && !budget->refused &&
        (!is_shown || memcmp(opened, &inspected, sizeof *opened) != 0))
        fuzz_fail("what can be opened cannot be inspected, or is another: %s", err.message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_budget budget = {.most = (size_t)64 << 20};
    const char *folder = FUZZ_HAS_FILES ? fuzz_path("") : NULL;
    struct counts opened = {0};
    bl_error err = {BL_OK, ""};
    bl_context *context = fuzz_context(&budget, 1);

    if (FUZZ_HAS_FILES)
        (void)model_path(); /* makes the file that the model may name */
    const bool opens = read_and_free(
        context, bl_model_open_memory(context, data, size, folder, &err), &err, &opened);

    /* A file takes longer than all the rest: every fourth. */
    if (FUZZ_HAS_FILES && size % 4 == 0)
        inspect(&budget, context, data, size, opens ? &opened : NULL);
    bl_context_free(context);
    fuzz_check_freed(&budget);
    return 0;
}
