/*
 * fixture_fuzz.c - fuzz target: the reader of JSON fixtures, and the models it makes of graphs
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Nothing is run.  Two lines of JSON may ask for 2 GiB of one value, as fixtures are files that people
 * write for themselves; here no tensor may have more elements than MOST_ELEMENTS.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "conform/fixture.h"
#include "conform/json_text.h"
#include "conform/onnx_write.h"
#include "fuzz/fuzz.h"

#define MOST_ELEMENTS 65536

/* ---- Only what is small ------------------------------------------------------------------------ */

static bool is_small_shape(const json_t *shape)
{
    double elements = 1;
    json_t *dim;
    size_t i;

    json_array_foreach(shape, i, dim) elements *= json_number_value(dim);
    return elements <= MOST_ELEMENTS;
}

/* The text's nesting bounds the recursion: jansson reads 2048 levels. */
static bool is_small(json_t *json) /* NOLINT(misc-no-recursion) */
{
    const char *key;
    json_t *part;
    size_t i;

    if (json_is_array(json)) {
        json_array_foreach(json, i, part) if (!is_small(part)) return false;
    }
    if (json_is_object(json)) {
        json_object_foreach(json, key, part)
        {
            if (!is_small(part) || (strcmp(key, "shape") == 0 && !is_small_shape(part)))
                return false;
        }
    }
    return true;
}

/* ---- Cases ------------------------------------------------------------------------------------- */

static void write_model(const struct bl_fixture_case *it)
{
    struct fuzz_budget budget = {.most = (size_t)16 << 20};
    bl_context *context = fuzz_context(&budget, 1);
    bl_error err = {BL_OK, ""};
    unsigned char *bytes = NULL;
    size_t size = 0;

    if (bl_onnx_write(it, &bytes, &size, &err) != BL_OK) {
        fuzz_check_error(&err);
    } else {
        bl_model *model = bl_model_open_memory(context, bytes, size, NULL, &err);

        if (model == NULL)
            fuzz_check_error(&err);
        bl_model_free(model);
        free(bytes);
    }
    bl_context_free(context);
}

static void read_cases(const struct bl_fixture *fixture)
{
    for (size_t i = 0; i < bl_fixture_count(fixture); i++) {
        struct bl_fixture_case it;
        bl_error err = {BL_OK, ""};

        if (bl_fixture_case_name(fixture, i) == NULL)
            fuzz_fail("case %zu has no name", i);
        if (bl_fixture_case_read(fixture, i, &it, &err) != BL_OK) {
            fuzz_check_error(&err);
            continue;
        }
        if (it.load.status != BL_OK)
            fuzz_check_error(&it.load);
        else if (it.subject == BL_FIXTURE_GRAPH)
            write_model(&it);
        bl_fixture_case_free(&it);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bl_error err = {BL_OK, ""};
    json_t *json = bl_json_parse((const char *)data, size, "input", &err);
    const bool read = json != NULL && is_small(json);

    if (json == NULL)
        fuzz_check_error(&err);
    json_decref(json);
    if (!read)
        return 0;
    struct bl_fixture *fixture = bl_fixture_parse((const char *)data, size, "input", &err);

    if (fixture == NULL) {
        fuzz_check_error(&err);
        return 0;
    }
    read_cases(fixture);
    bl_fixture_close(fixture);
    return 0;
}
