/*
 * data_set.c - the data sets of an ONNX test: inputs, and the outputs that are expected
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "conform/data_set.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "conform/compare.h"
#include "conform/heap.h"
#include "conform/path.h"
#include "tensor/dtype.h"

/* ONNX's default tolerances: onnx/backend/test/case/test_case.py. */
#define TOLERANCE 1e-7
#define REL_TOLERANCE 1e-3

/* More than the digits of any number. */
#define FILE_NAME 64

/* ---- Folders ------------------------------------------------------------- */

static bool starts_with(const char *name, const char *start)
{
    return strncmp(name, start, strlen(start)) == 0;
}

static bool ends_with(const char *name, const char *ending)
{
    return strlen(name) >= strlen(ending) &&
           strcmp(name + strlen(name) - strlen(ending), ending) == 0;
}

static int is_data(const struct dirent *entry)
{
    return starts_with(entry->d_name, "test_data_");
}

static int is_tensor_file(const struct dirent *entry)
{
    return starts_with(entry->d_name, "input_") || starts_with(entry->d_name, "output_");
}

/* "_2" comes before "_10". */
static int by_number(const struct dirent **a, const struct dirent **b)
{
    const size_t x = strlen((*a)->d_name), y = strlen((*b)->d_name);

    return x != y ? (x > y) - (x < y) : strcmp((*a)->d_name, (*b)->d_name);
}

static void free_entries(struct dirent **entries, int count)
{
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
}

static bl_status unreadable(const char *folder, bl_error *err)
{
    return bl_fail(err, BL_ERR_IO, "%s: cannot be opened: %s", folder,
                   strerror(bl_heap_note(errno)));
}

/* ---- All data sets ------------------------------------------------------- */

void bl_data_sets_free(struct bl_data_sets *sets)
{
    for (size_t i = 0; i < sets->count; i++)
        free(sets->paths[i]);
    free(sets->paths);
    *sets = (struct bl_data_sets){NULL, 0};
}

static bl_status collect(struct bl_data_sets *out, const char *folder,
                         struct dirent **entries, int count, bl_error *err)
{
    const char *archive = NULL;

    *out = (struct bl_data_sets){calloc((size_t)count + 1, sizeof(char *)), 0};
    if (out->paths == NULL)
        return bl_fail(err, BL_ERR_MEMORY, "no memory for %d data sets", count);
    for (int i = 0; i < count; i++) {
        if (ends_with(entries[i]->d_name, ".npz"))
            archive = entries[i]->d_name;
        if (!starts_with(entries[i]->d_name, "test_data_set_"))
            continue;
        out->paths[out->count] = bl_path_join(folder, entries[i]->d_name);
        if (out->paths[out->count] == NULL)
            return bl_fail(err, BL_ERR_MEMORY, "no memory for %d data sets", count);
        out->count++;
    }
    if (out->count > 0)
        return BL_OK;
    if (archive != NULL)
        return bl_fail(err, BL_ERR_UNSUPPORTED, "the data are in %s: .npz is not read",
                       archive);
    return bl_fail(err, BL_ERR_FORMAT, "there is no test_data_set_* beside model.onnx");
}

bl_status bl_data_sets_find(struct bl_data_sets *out, const char *folder, bl_error *err)
{
    struct dirent **entries;
    const int count = scandir(folder, &entries, is_data, by_number);

    if (count < 0)
        return unreadable(folder, err);
    const bl_status status = collect(out, folder, entries, count, err);

    free_entries(entries, count);
    if (status != BL_OK)
        bl_data_sets_free(out);
    return status;
}

/* ---- What a folder holds ------------------------------------------------- */

/* input_0.pb, input_1.pb, ... with nothing missing, and output_0.pb, ... likewise. */
struct holds {
    size_t inputs;
    size_t outputs;
};

static void file_name(char *out, const char *kind, size_t i)
{
    snprintf(out, FILE_NAME, "%s_%zu.pb", kind, i);
}

static size_t count_of(const char *kind, struct dirent **entries, int count)
{
    size_t found = 0;

    for (int i = 0; i < count; i++)
        found += starts_with(entries[i]->d_name, kind);
    return found;
}

/* Each file of a kind has to be one of those that their number makes expect. */
static bl_status check_names(const char *kind, size_t found, struct dirent **entries,
                             int count, bl_error *err)
{
    char name[FILE_NAME];

    for (int i = 0; i < count; i++) {
        bool expected = !starts_with(entries[i]->d_name, kind);

        if (!ends_with(entries[i]->d_name, ".pb"))
            return bl_fail(err, BL_ERR_UNSUPPORTED, "%s is not read, only .pb is",
                           entries[i]->d_name);
        for (size_t k = 0; k < found && !expected; k++) {
            file_name(name, kind, k);
            expected = strcmp(entries[i]->d_name, name) == 0;
        }
        if (!expected)
            return bl_fail(err, BL_ERR_FORMAT, "there is %s, but not all before it",
                           entries[i]->d_name);
    }
    return BL_OK;
}

static bl_status look_into(const char *folder, struct holds *out, bl_error *err)
{
    struct dirent **entries;
    const int count = scandir(folder, &entries, is_tensor_file, by_number);

    if (count < 0)
        return unreadable(folder, err);
    out->inputs = count_of("input", entries, count);
    out->outputs = count_of("output", entries, count);
    bl_status status = check_names("input", out->inputs, entries, count, err);
    if (status == BL_OK)
        status = check_names("output", out->outputs, entries, count, err);
    free_entries(entries, count);
    return status;
}

/* ---- Tensors ------------------------------------------------------------- */

/* The bits of bfloat16 elements, which older versions of ONNX wrote as uint16. */
static bl_status as_bfloat16(bl_tensor **tensor, bl_error *err)
{
    bl_tensor *made = bl_heap_tensor(BL_BFLOAT16, bl_tensor_shape(*tensor), err);

    if (made == NULL)
        return err->status;
    memcpy(bl_tensor_mutable_data(made), bl_tensor_data(*tensor),
           (size_t)bl_tensor_count(made) * bl_dtype_size(BL_BFLOAT16));
    bl_tensor_free(*tensor);
    *tensor = made;
    return BL_OK;
}

static bl_status read_tensor(const char *folder, const char *kind, size_t i,
                             const bl_value_info *info, bl_tensor **out, bl_error *err)
{
    char name[FILE_NAME];

    file_name(name, kind, i);
    char *path = bl_path_join(folder, name);

    if (path == NULL)
        return bl_fail(err, BL_ERR_MEMORY, "no memory for the path of %s", name);
    *out = bl_tensor_read(NULL, path, BL_FORMAT_PB, err);
    free(path);
    if (*out == NULL)
        return bl_heap_note_status(err->status);
    if (info->dtype == BL_BFLOAT16 && bl_tensor_dtype(*out) == BL_UINT16)
        return as_bfloat16(out, err);
    return BL_OK;
}

static bl_status read_inputs(struct bl_data_set *out, const char *folder, size_t files,
                             const bl_model *model, bl_error *err)
{
    size_t required = 0;
    size_t next = 0;

    for (size_t i = 0; i < out->input_count; i++)
        required += !bl_model_input(model, i)->has_default;
    if (files < required || files > out->input_count)
        return bl_fail(err, BL_ERR_FORMAT, "%s has %zu inputs, but the model %zu",
                       out->name, files, out->input_count);
    for (size_t i = 0; i < out->input_count && next < files; i++) {
        const bl_value_info *info = bl_model_input(model, i);

        if (files == required && info->has_default)
            continue;
        BL_TRY(read_tensor(folder, "input", next++, info, &out->inputs[i], err));
    }
    return BL_OK;
}

static bl_status read_outputs(struct bl_data_set *out, const char *folder, size_t files,
                              const bl_model *model, bl_error *err)
{
    if (files != out->output_count)
        return bl_fail(err, BL_ERR_FORMAT, "%s has %zu outputs, but the model %zu",
                       out->name, files, out->output_count);
    for (size_t i = 0; i < files; i++)
        BL_TRY(read_tensor(folder, "output", i, bl_model_output(model, i), &out->outputs[i],
                           err));
    return BL_OK;
}

static bl_status read_set(struct bl_data_set *out, const char *folder,
                          const bl_model *model, bl_error *err)
{
    struct holds holds = {0, 0};

    out->inputs = bl_heap_zero(out->input_count + 1, sizeof(bl_tensor *));
    out->outputs = bl_heap_zero(out->output_count + 1, sizeof(bl_tensor *));
    if (out->inputs == NULL || out->outputs == NULL)
        return bl_fail(err, BL_ERR_MEMORY, "no memory for a data set");
    BL_TRY(look_into(folder, &holds, err));
    BL_TRY(read_inputs(out, folder, holds.inputs, model, err));
    return read_outputs(out, folder, holds.outputs, model, err);
}

bl_status bl_data_set_read(struct bl_data_set *out, const char *folder,
                           const bl_model *model, bl_error *err)
{
    *out = (struct bl_data_set){.name = bl_path_last(folder),
                                .input_count = bl_model_input_count(model),
                                .output_count = bl_model_output_count(model)};
    const bl_status status = read_set(out, folder, model, err);

    if (status != BL_OK)
        bl_data_set_free(out);
    return status;
}

static void free_tensors(bl_tensor **tensors, size_t count)
{
    for (size_t i = 0; tensors != NULL && i < count; i++)
        bl_tensor_free(tensors[i]);
    free(tensors);
}

void bl_data_set_free(struct bl_data_set *set)
{
    free_tensors(set->inputs, set->input_count);
    free_tensors(set->outputs, set->output_count);
    *set = (struct bl_data_set){NULL, NULL, 0, NULL, 0};
}

/* ---- Comparing ----------------------------------------------------------- */

static bool is_floating(bl_dtype dtype)
{
    const enum bl_kind kind = bl_dtype_info(dtype)->kind;

    return kind == BL_KIND_FLOAT || kind == BL_KIND_COMPLEX;
}

bool bl_data_set_passes(const struct bl_data_set *set, bl_tensor *const *outputs, char *why)
{
    char one[BL_COMPARE_TEXT];

    for (size_t i = 0; i < set->output_count; i++) {
        const bool floating = is_floating(bl_tensor_dtype(set->outputs[i]));
        const struct bl_compare_rule rule = {.tolerance = floating ? TOLERANCE : 0,
                                             .rel_tolerance = floating ? REL_TOLERANCE : 0,
                                             .allow_nan = true,
                                             .max_ulp = -1};

        if (!bl_compare(outputs[i], set->outputs[i], &rule, one)) {
            snprintf(why, BL_ERROR_BYTES, "output_%zu: %s", i, one);
            return false;
        }
    }
    return true;
}
