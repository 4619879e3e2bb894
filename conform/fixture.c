/*
 * fixture.c - a fixture file and its cases
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "conform/fixture.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "conform/fixture_parts.h"
#include "conform/heap.h"
#include "conform/json_text.h"
#include "conform/json_value.h"

struct bl_fixture {
    char *path;
    json_t *root;
    json_t *cases; /* an array in root */
    json_t *first; /* from each case name to the index of the first case that has it */
};

/* ---- The file ------------------------------------------------------------ */

static const char *name_of(const json_t *one)
{
    const char *name = json_string_value(json_object_get(one, "name"));

    return name == NULL || bl_json_big_integer(json_object_get(one, "name")) ? "" : name;
}

static bl_status index_names(struct bl_fixture *fixture, bl_error *err)
{
    const size_t count = json_array_size(fixture->cases);

    fixture->first = json_object();
    for (size_t i = 0; i < count; i++) {
        const char *name = name_of(json_array_get(fixture->cases, i));

        if (json_object_get(fixture->first, name) == NULL &&
            json_object_set_new(fixture->first, name, json_integer((json_int_t)i)) != 0)
            return bl_fail(err, BL_ERR_MEMORY, "no memory for %zu cases", count);
    }
    return BL_OK;
}

static bl_status check_file(struct bl_fixture *fixture, bl_error *err)
{
    static const char *const keys[] = {"op", "opset", "cases", NULL};
    const char *op;

    if (!json_is_object(fixture->root))
        return bl_fail(err, BL_ERR_FORMAT, "the file holds %s, but has to hold an object",
                       bl_json_kind(fixture->root));
    BL_TRY(bl_json_keys(fixture->root, "the file", keys, err));
    if (json_object_get(fixture->root, "op") != NULL)
        BL_TRY(bl_json_text(json_object_get(fixture->root, "op"), "op", &op, err));
    fixture->cases = json_object_get(fixture->root, "cases");
    BL_TRY(bl_json_expect(fixture->cases, JSON_ARRAY, "cases", err));
    if (json_array_size(fixture->cases) == 0)
        return bl_fail(err, BL_ERR_FORMAT, "there is no case in it");
    return index_names(fixture, err);
}

/* Takes the root over. */
static struct bl_fixture *make(json_t *root, const char *path, bl_error *err)
{
    struct bl_fixture *fixture = bl_heap_zero(1, sizeof *fixture);
    bl_status status = BL_ERR_MEMORY;

    if (fixture == NULL || (fixture->path = bl_heap_text(path)) == NULL) {
        bl_fail(err, BL_ERR_MEMORY, "%s: no memory", path);
        json_decref(root);
        free(fixture);
        return NULL;
    }
    fixture->root = root;
    status = check_file(fixture, err);
    if (status == BL_OK)
        return fixture;
    bl_fail_prefix(err, status, "%s: ", path);
    bl_fixture_close(fixture);
    return NULL;
}

struct bl_fixture *bl_fixture_open(const char *path, bl_error *err)
{
    json_t *root = bl_json_read(path, err);

    return root != NULL ? make(root, path, err) : NULL;
}

struct bl_fixture *bl_fixture_parse(const char *text, size_t size, const char *name,
                                    bl_error *err)
{
    json_t *root = bl_json_parse(text, size, name, err);

    return root != NULL ? make(root, name, err) : NULL;
}

void bl_fixture_close(struct bl_fixture *fixture)
{
    if (fixture == NULL)
        return;
    json_decref(fixture->first);
    json_decref(fixture->root);
    free(fixture->path);
    free(fixture);
}

size_t bl_fixture_count(const struct bl_fixture *fixture)
{
    return json_array_size(fixture->cases);
}

const char *bl_fixture_case_name(const struct bl_fixture *fixture, size_t i)
{
    return name_of(json_array_get(fixture->cases, i));
}

/* ---- A case: what it runs ------------------------------------------------ */

/* "ai.onnx.Sum" is domain ai.onnx, operator Sum. */
static bl_status split_op(const char *text, struct bl_fixture_case *out, bl_error *err)
{
    const char *dot = strrchr(text, '.');

    if (dot == NULL || dot == text || dot[1] == '\0')
        return bl_fail(err, BL_ERR_FORMAT, "op '%.80s' is not written domain.Name", text);
    out->domain = bl_heap_text_part(text, (size_t)(dot - text));
    out->op = dot + 1;
    return out->domain != NULL ? BL_OK
                               : bl_fail(err, BL_ERR_MEMORY, "no memory for the domain");
}

/* The case's own value of a key, or the file's. */
static json_t *with_default(const struct bl_fixture *fixture, const json_t *one,
                            const char *key)
{
    json_t *own = json_object_get(one, key);

    return own != NULL ? own : json_object_get(fixture->root, key);
}

static bl_status read_opset(const json_t *json, struct bl_fixture_case *out, bl_error *err)
{
    out->opset = BL_OPSET_LATEST;
    if (json == NULL)
        return BL_OK;
    BL_TRY(bl_json_expect(json, JSON_INTEGER, "opset", err));
    out->opset = json_integer_value(json);
    if (out->opset < 1)
        return bl_fail(err, BL_ERR_FORMAT, "opset %lld is less than 1",
                       (long long)out->opset);
    return BL_OK;
}

static bl_status read_subject(const struct bl_fixture *fixture, json_t *one,
                              struct bl_fixture_case *out, bl_error *err)
{
    json_t *graph = json_object_get(one, "graph");
    json_t *model = json_object_get(one, "model");
    json_t *attributes = json_object_get(one, "attributes");
    const char *op;

    if ((graph != NULL) + (model != NULL) + (json_object_get(one, "op") != NULL) > 1)
        return bl_fail(err, BL_ERR_FORMAT,
                       "only one of 'op', 'graph' and 'model' can be run");
    BL_TRY(read_opset(with_default(fixture, one, "opset"), out, err));
    if (graph != NULL || model != NULL) {
        out->subject = graph != NULL ? BL_FIXTURE_GRAPH : BL_FIXTURE_MODEL;
        if (attributes != NULL)
            return bl_fail(err, BL_ERR_FORMAT, "key 'attributes' goes with 'op' alone");
        return graph != NULL ? bl_fixture_graph_read(graph, &out->graph, &out->load, err)
                             : bl_fixture_model_read(model, &out->model, err);
    }
    BL_TRY(bl_json_text(with_default(fixture, one, "op"), "op", &op, err));
    BL_TRY(split_op(op, out, err));
    return attributes == NULL ? BL_OK
                              : bl_fixture_attributes_read(attributes, &out->attributes,
                                                           &out->attribute_count, err);
}

/* ---- A case: what is expected -------------------------------------------- */

static bl_status read_outputs(json_t *one, struct bl_fixture_case *out, bl_error *err)
{
    json_t *outputs = json_object_get(one, "outputs");
    const char *key = json_object_get(one, "expectError") != NULL ? "expectError" : "error";
    json_t *error = json_object_get(one, key);

    if (error != NULL) {
        if (json_object_size(outputs) > 0)
            return bl_fail(err, BL_ERR_FORMAT, "a case has 'outputs' or '%s', not both",
                           key);
        return bl_json_text(error, key, &out->error, err);
    }
    BL_TRY(bl_fixture_tensors_read(outputs, "outputs", &out->outputs, &out->output_count,
                                   NULL, err));
    if (out->output_count == 0)
        return bl_fail(err, BL_ERR_FORMAT, "there is no output to compare");
    for (size_t i = 0; out->subject != BL_FIXTURE_OPERATOR && i < out->output_count; i++)
        if (out->outputs[i].data == NULL)
            return bl_fail(err, BL_ERR_FORMAT,
                           "outputs.%s: key 'data' is missing; the reference computes "
                           "operators alone",
                           out->outputs[i].name);
    return BL_OK;
}

static bl_status read_repeat(const json_t *json, struct bl_fixture_case *out, bl_error *err)
{
    out->repeat = 1;
    if (json == NULL)
        return BL_OK;
    BL_TRY(bl_json_expect(json, JSON_INTEGER, "repeat", err));
    out->repeat = json_integer_value(json);
    return out->repeat >= 1 ? BL_OK : bl_fail(err, BL_ERR_FORMAT, "repeat is less than 1");
}

static bl_status read_skip(json_t *json, struct bl_fixture_case *out, bl_error *err)
{
    static const char *const keys[] = {"category", "reason", NULL};

    if (json == NULL)
        return BL_OK;
    BL_TRY(bl_json_expect(json, JSON_OBJECT, "skipGpu", err));
    BL_TRY(bl_json_keys(json, "skipGpu", keys, err));
    BL_TRY(bl_json_text(json_object_get(json, "category"), "category", &out->skip_category,
                        err));
    if (strcmp(out->skip_category, "permanent") != 0 &&
        strcmp(out->skip_category, "todo") != 0)
        return bl_fail(err, BL_ERR_FORMAT,
                       "skipGpu's category is 'permanent' or 'todo', not '%.40s'",
                       out->skip_category);
    return bl_json_text(json_object_get(json, "reason"), "reason", &out->skip_reason, err);
}

static bl_status check_provenance(json_t *json, bl_error *err)
{
    static const char *const keys[] = {"source", "test", "notes", NULL};
    const char *key;
    json_t *value;

    if (json == NULL)
        return BL_OK;
    BL_TRY(bl_json_expect(json, JSON_OBJECT, "provenance", err));
    BL_TRY(bl_json_keys(json, "provenance", keys, err));
    json_object_foreach(json, key, value)
        BL_TRY(bl_json_expect(value, JSON_STRING, key, err));
    return BL_OK;
}

/* ---- A case -------------------------------------------------------------- */

static bl_status check_case(const struct bl_fixture *fixture, json_t *one, size_t i,
                            struct bl_fixture_case *out, bl_error *err)
{
    static const char *const keys[] = {
        "name",   "provenance", "op",    "opset",       "attributes", "graph",   "model",
        "inputs", "outputs",    "error", "expectError", "repeat",     "skipGpu", NULL};

    if (!json_is_object(one))
        return bl_fail(err, BL_ERR_FORMAT, "it is %s, but has to be an object",
                       bl_json_kind(one));
    BL_TRY(bl_json_text(json_object_get(one, "name"), "name", &out->name, err));
    if (*out->name == '\0')
        return bl_fail(err, BL_ERR_FORMAT, "the name is empty");
    if (json_integer_value(json_object_get(fixture->first, out->name)) != (json_int_t)i)
        return bl_fail(
            err, BL_ERR_FORMAT, "case %lld has the same name",
            (long long)json_integer_value(json_object_get(fixture->first, out->name)));
    BL_TRY(bl_json_keys(one, "a case", keys, err));
    return check_provenance(json_object_get(one, "provenance"), err);
}

static bl_status read_case(const struct bl_fixture *fixture, size_t i,
                           struct bl_fixture_case *out, bl_error *err)
{
    json_t *one = json_array_get(fixture->cases, i);

    BL_TRY(check_case(fixture, one, i, out, err));
    BL_TRY(read_subject(fixture, one, out, err));
    BL_TRY(read_repeat(json_object_get(one, "repeat"), out, err));
    BL_TRY(read_skip(json_object_get(one, "skipGpu"), out, err));
    BL_TRY(bl_fixture_tensors_read(json_object_get(one, "inputs"), "inputs", &out->inputs,
                                   &out->input_count, &out->load, err));
    return read_outputs(one, out, err);
}

bl_status bl_fixture_case_read(const struct bl_fixture *fixture, size_t i,
                               struct bl_fixture_case *out, bl_error *err)
{
    *out = (struct bl_fixture_case){.repeat = 1};
    const bl_status status = read_case(fixture, i, out, err);

    if (status == BL_OK)
        return BL_OK;
    bl_fixture_case_free(out);
    if (*bl_fixture_case_name(fixture, i) != '\0')
        return bl_fail_prefix(err, status, "%s: case '%s': ", fixture->path,
                              bl_fixture_case_name(fixture, i));
    return bl_fail_prefix(err, status, "%s: case %zu: ", fixture->path, i);
}

void bl_fixture_case_free(struct bl_fixture_case *it)
{
    bl_fixture_tensors_free(it->inputs, it->input_count);
    bl_fixture_tensors_free(it->outputs, it->output_count);
    bl_fixture_attributes_free(it->attributes, it->attribute_count);
    bl_fixture_graph_free(it->graph);
    bl_fixture_file_free(it->model);
    free(it->domain);
    *it = (struct bl_fixture_case){.repeat = 1};
}
