/*
 * inspect_json.c - a model as JSON
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <jansson.h>
#include <string.h>

#include "cli/inspect_view.h"
#include "cli/json_out.h"

/* A string of a model need not be UTF-8, which JSON has to be: other bytes become "?". */
static json_t *text_json(const char *text)
{
    json_t *value = json_string(text);

    if (value != NULL)
        return value;
    char plain[256];

    snprintf(plain, sizeof plain, "%s", text);
    for (char *p = plain; *p != '\0'; p++)
        if ((unsigned char)*p >= 0x80)
            *p = '?';
    return json_string(plain);
}

static json_t *dims_json(int rank, const int64_t *dims, const char *const *names)
{
    json_t *list = rank >= 0 ? json_array() : json_null();

    for (int i = 0; i < rank; i++)
        json_array_append_new(list, dims[i] >= 0 ? json_integer(dims[i])
                                    : names != NULL && names[i] != NULL
                                        ? text_json(names[i])
                                        : json_null());
    return list;
}

static json_t *dtype_json(bl_dtype dtype)
{
    return dtype != BL_UNDEFINED ? json_string(bl_dtype_name(dtype)) : json_null();
}

static json_t *type_json(const bl_tensor_type *type)
{
    if (type == NULL)
        return json_null();
    return json_pack("{s:o, s:o}", "dtype", dtype_json(type->dtype), "shape",
                     dims_json(type->shape.rank, type->shape.dim, NULL));
}

static json_t *values_json(const struct bl_inspection *inspection,
                           const struct bl_ports *ports)
{
    json_t *list = json_array();
    const bl_value_info *info;

    for (size_t i = 0; (info = ports->info(inspection->model, i)) != NULL; i++) {
        const int32_t v = ports->value(inspection->model, i);

        json_array_append_new(
            list, json_pack("{s:o, s:o, s:o, s:b, s:o}", "name", text_json(info->name),
                            "dtype", dtype_json(info->dtype), "shape",
                            dims_json(info->rank, info->dims, info->dim_names),
                            "has_default", info->has_default, "here",
                            type_json(bl_inspection_type(inspection, v))));
    }
    return list;
}

static json_t *uses_json(const struct bl_inspection *inspection)
{
    json_t *list = json_array();

    for (size_t i = 0; i < inspection->use_count; i++) {
        const struct bl_op_use *use = &inspection->uses[i];

        json_array_append_new(
            list, json_pack("{s:o, s:o, s:o, s:I}", "domain", text_json(use->domain),
                            "operator", text_json(use->op_type), "since",
                            use->since > 0 ? json_integer(use->since) : json_null(),
                            "count", (json_int_t)use->count));
    }
    return list;
}

static json_t *problem_json(const bl_problem *problem)
{
    if (problem == NULL)
        return json_null();
    return json_pack("{s:s, s:o}", "status", bl_status_name(problem->status), "message",
                     text_json(problem->message));
}

static json_t *names_json(const bl_model *model, const int32_t *ids, size_t count)
{
    json_t *list = json_array();

    for (size_t i = 0; i < count; i++)
        json_array_append_new(
            list, ids[i] >= 0 ? text_json(bl_model_value(model, (size_t)ids[i])->name)
                              : json_null());
    return list;
}

/* The types of what a node puts out. */
static json_t *results_json(const struct bl_inspection *inspection,
                            const bl_node_info *node)
{
    json_t *list = json_array();

    for (size_t i = 0; i < node->output_count; i++)
        json_array_append_new(list,
                              type_json(bl_inspection_type(inspection, node->outputs[i])));
    return list;
}

static json_t *nodes_json(const struct bl_inspection *inspection)
{
    const bl_model *model = inspection->model;
    json_t *list = json_array();
    bl_node_info node;

    for (size_t n = 0; bl_model_node(model, n, &node); n++)
        json_array_append_new(
            list, json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name",
                            text_json(node.name), "domain", text_json(node.domain),
                            "operator", text_json(node.op_type), "since",
                            node.op != NULL ? json_integer(node.op->since) : json_null(),
                            "inputs", names_json(model, node.inputs, node.input_count),
                            "outputs", names_json(model, node.outputs, node.output_count),
                            "results", results_json(inspection, &node), "problem",
                            problem_json(bl_inspection_problem(inspection, n))));
    return list;
}

static json_t *steps_json(const struct bl_inspection *inspection)
{
    const bl_explanation *explanation = inspection->explanation;
    json_t *list = json_array();

    if (explanation == NULL || explanation->problem_count > 0) {
        json_decref(list);
        return json_null();
    }
    for (size_t s = 0; s < explanation->step_count; s++) {
        const bl_step_info *step = &explanation->steps[s];
        json_t *nodes = json_array();

        for (size_t i = 0; i < step->node_count; i++)
            json_array_append_new(nodes, json_integer(step->nodes[i]));
        json_array_append_new(
            list,
            json_pack("{s:s, s:o, s:I, s:I, s:I, s:I}", "work", bl_work_name(step->work),
                      "nodes", nodes, "bytes_read", (json_int_t)step->bytes_read,
                      "bytes_written", (json_int_t)step->bytes_written, "bytes_apart",
                      (json_int_t)bl_inspection_bytes_apart(inspection, step),
                      "temporaries", (json_int_t)step->temporaries));
    }
    return list;
}

bool bl_inspect_json(FILE *out, const struct bl_inspection *inspection)
{
    const bl_model *model = inspection->model;
    const bl_explanation *explanation = inspection->explanation;
    const bool planned = explanation != NULL && explanation->problem_count == 0;
    json_t *all = json_pack(
        "{s:o, s:I, s:I, s:o, s:o, s:{s:I, s:I}, s:o, s:I, s:o, s:o, s:o, s:o, s:o}",
        "model", text_json(inspection->path), "ir_version",
        (json_int_t)bl_model_ir_version(model), "opset", (json_int_t)bl_model_opset(model),
        "inputs", values_json(inspection, &bl_ports_in), "outputs",
        values_json(inspection, &bl_ports_out), "initializers", "count",
        (json_int_t)inspection->initializer_count, "bytes",
        (json_int_t)inspection->initializer_bytes, "operators", uses_json(inspection),
        "problems", (json_int_t)inspection->problem_count, "nodes", nodes_json(inspection),
        "steps", steps_json(inspection), "arena_bytes",
        planned ? json_integer(explanation->arena_bytes) : json_null(), "unfused",
        planned && explanation->unfused != NULL ? text_json(explanation->unfused)
                                                : json_null(),
        "unexplained",
        inspection->unexplained != NULL ? text_json(inspection->unexplained) : json_null());

    return bl_json_put(out, all);
}
