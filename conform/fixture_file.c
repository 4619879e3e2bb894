/*
 * fixture_file.c - files that a fixture holds: a model, a tensor's file, what lies beside
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "conform/base64.h"
#include "conform/fixture_parts.h"
#include "conform/heap.h"
#include "conform/json_value.h"

/* In front of the text of a file that is a symbolic link; no base64 has a colon in it. */
static const char link_mark[] = "symlink:";

static bl_status decode(const json_t *json, const char *key, unsigned char **bytes,
                        size_t *size, bl_error *err)
{
    BL_TRY(bl_json_expect(json, JSON_STRING, key, err));
    return bl_base64_decode(json_string_value(json), json_string_length(json), bytes, size,
                            err);
}

static bl_status read_beside(const char *path, const json_t *json,
                             struct bl_sandbox_file *out, bl_error *err)
{
    const size_t mark = strlen(link_mark);
    const char *text = json_string_value(json);

    out->path = path;
    if (text != NULL && strncmp(text, link_mark, mark) == 0) {
        BL_TRY(bl_json_text(json, "files", &text, err));
        out->link = text + mark;
        return BL_OK;
    }
    return decode(json, "files", &out->bytes, &out->size, err);
}

static bl_status read_all_beside(json_t *json, struct bl_fixture_file *out, bl_error *err)
{
    const char *path;
    json_t *value;

    BL_TRY(bl_json_expect(json, JSON_OBJECT, "files", err));
    out->beside = bl_heap_zero(json_object_size(json) + 1, sizeof *out->beside);
    if (out->beside == NULL)
        return bl_fail(err, BL_ERR_MEMORY, "no memory for the files");
    json_object_foreach(json, path, value)
    {
        const bl_status status =
            read_beside(path, value, &out->beside[out->beside_count++], err);

        if (status != BL_OK)
            return bl_fail_prefix(err, status, "files.%s: ", path);
    }
    return BL_OK;
}

bl_status bl_fixture_file_read(json_t *json, struct bl_fixture_file **out, bl_error *err)
{
    json_t *beside = json_object_get(json, "files");
    struct bl_fixture_file *file = bl_heap_zero(1, sizeof *file);

    if (file == NULL)
        return bl_fail(err, BL_ERR_MEMORY, "no memory for a file");
    bl_status status =
        decode(json_object_get(json, "base64"), "base64", &file->bytes, &file->size, err);
    if (status == BL_OK && beside != NULL)
        status = read_all_beside(beside, file, err);
    if (status == BL_OK)
        *out = file;
    else
        bl_fixture_file_free(file);
    return status;
}

bl_status bl_fixture_model_read(json_t *json, struct bl_fixture_file **out, bl_error *err)
{
    static const char *const keys[] = {"base64", "files", NULL};

    BL_TRY(bl_json_expect(json, JSON_OBJECT, "model", err));
    BL_TRY(bl_json_keys(json, "a model", keys, err));
    const bl_status status = bl_fixture_file_read(json, out, err);

    return status == BL_OK ? BL_OK : bl_fail_prefix(err, status, "model: ");
}

bl_status bl_fixture_file_place(const struct bl_fixture_file *file, const char *name,
                                struct bl_sandbox *out, bl_error *err)
{
    const struct bl_sandbox_file own = {name, file->bytes, file->size, NULL};

    return bl_sandbox_open(out, &own, file->beside, file->beside_count, err);
}

void bl_fixture_file_free(struct bl_fixture_file *file)
{
    if (file == NULL)
        return;
    for (size_t i = 0; i < file->beside_count; i++)
        free(file->beside[i].bytes);
    free(file->beside);
    free(file->bytes);
    free(file);
}
