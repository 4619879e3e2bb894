/*
 * random_graph_run.c - random graphs as models; run in every way, beside the reference
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "onnx_bytes.h" /* first: cmocka.h wants to be */

#include <stdio.h>

#include "conform/model_pair.h"
#include "conform/reference.h"
#include "operands.h"
#include "random_graph.h"
#include "tensor/dtype.h"

/* ---- As a model ---------------------------------------------------------------------------------------- */

static const char *name_of(int v, char *buffer)
{
    snprintf(buffer, 16, "v%d", v);
    return buffer;
}

static void put_attribute(struct bytes *node, const bl_attribute *attribute)
{
    struct bytes body = attribute_bytes(attribute->name, attribute->type);

    put_number(&body, BL_ATTRIBUTE_FIELD_I, attribute->value.i);
    put_body(node, BL_NODE_ATTRIBUTE, &body);
}

static void put_drawn_node(struct bytes *graph, const struct drawn_node *node)
{
    char names[RANDOM_GRAPH_INPUTS * 16] = "", name[16];

    for (size_t i = 0; i < node->in_count; i++) {
        strcat(names, i > 0 ? " " : "");
        strcat(names, name_of(node->in[i], name));
    }
    struct bytes body = node_bytes(node->op, names, name_of(node->out, name));

    if (node->attribute.name != NULL)
        put_attribute(&body, &node->attribute);
    put_body(graph, BL_GRAPH_NODE, &body);
}

static struct bytes encode(const struct random_graph *graph)
{
    struct bytes body = {NULL, 0, 0};
    char name[16];

    for (int n = 0; n < graph->node_count; n++)
        put_drawn_node(&body, &graph->node[n]);
    for (int v = 0; v < graph->value_count; v++) {
        const struct drawn_value *value = &graph->value[v];
        struct bytes info = value_bytes(name_of(v, name), value->dtype, &value->shape);

        if (value->is_input)
            put_body(&body, BL_GRAPH_INPUT, &info);
        else if (value->is_output)
            put_body(&body, BL_GRAPH_OUTPUT, &info);
        else
            bytes_free(&info);
        if (value->is_initializer) {
            struct bytes tensor = element_bytes(
                name_of(v, name), value->dtype, &value->shape,
                bl_tensor_data(value->tensor),
                (size_t)bl_tensor_count(value->tensor) * bl_dtype_size(value->dtype));

            put_body(&body, BL_GRAPH_INITIALIZER, &tensor);
        }
    }
    return model_bytes(9, RANDOM_GRAPH_OPSET, &body);
}

/* ---- Running --------------------------------------------------------------------------------------------- */

/* Fill in the values that nodes put out. */
static bool run_reference(struct random_graph *graph, char *why)
{
    for (int n = 0; n < graph->node_count; n++) {
        struct drawn_node *drawn = &graph->node[n];
        bl_error err = {BL_OK, ""};
        const bl_node node = {.op = bl_op_find("", drawn->op, RANDOM_GRAPH_OPSET, &err),
                              .attributes = &drawn->attribute,
                              .attribute_count = drawn->attribute.name != NULL};
        const bl_tensor *in[RANDOM_GRAPH_INPUTS];

        for (size_t i = 0; i < drawn->in_count; i++)
            in[i] = graph->value[drawn->in[i]].tensor;
        if (bl_reference_apply(&node, in, drawn->in_count, &graph->value[drawn->out].tensor,
                               1, &err) != BL_OK) {
            snprintf(why, BL_ERROR_BYTES, "node %d (%s), reference: %.1900s", n, drawn->op,
                     err.message);
            return false;
        }
    }
    return true;
}

/* "Add(v3 float32, v1 float32)", the node that puts out a value. */
static const char *describe(const struct random_graph *graph, int v, char node[256])
{
    const struct drawn_node *from = graph->node;
    int length;

    while (from->out != v)
        from++;
    length = snprintf(node, 256, "%s(", from->op);
    for (size_t i = 0; i < from->in_count; i++)
        length +=
            snprintf(node + length, 256 - (size_t)length, "%sv%d %s", i > 0 ? ", " : "",
                     from->in[i], bl_dtype_name(graph->value[from->in[i]].dtype));
    snprintf(node + length, 256 - (size_t)length, ")");
    return node;
}

/* The results against the reference's, or, where that is inexact, those of the first run, which are
 * put in their place. */
static bool check_outputs(struct random_graph *graph, bl_tensor **out, bool is_first,
                          char *why)
{
    size_t outputs = 0;
    char node[256];

    for (int v = 0; v < graph->value_count; v++) {
        struct drawn_value *value = &graph->value[v];

        if (!value->is_output)
            continue;
        bl_tensor **got = &out[outputs++];

        if (is_first && value->inexact) {
            bl_tensor *reference = value->tensor;

            value->tensor = *got;
            *got = reference;
        } else if (!same_tensors(*got, value->tensor, 0)) {
            snprintf(why, BL_ERROR_BYTES, "v%d, %s, is not what the %s gives", v,
                     describe(graph, v, node), value->inexact ? "first run" : "reference");
            return false;
        }
    }
    return true;
}

static bool run_model(struct random_graph *graph, const bl_model *model,
                      bl_context *context, bool is_first, char *why)
{
    const bl_tensor *in[RANDOM_GRAPH_VALUES];
    bl_tensor *out[RANDOM_GRAPH_VALUES] = {NULL};
    struct bl_model_pair pair;
    size_t inputs = 0;
    bl_error err = {BL_OK, ""};
    bl_status status = BL_OK;

    for (int v = 0; v < graph->value_count; v++)
        if (graph->value[v].is_input)
            in[inputs++] = graph->value[v].tensor;
    if (bl_model_pair_open(&pair, context, model, &err) != BL_OK) {
        snprintf(why, BL_ERROR_BYTES, "%s", err.message);
        return false;
    }
    bool good = bl_model_pair_run(&pair, in, out, &status, &err, why);

    if (good && status != BL_OK) {
        snprintf(why, BL_ERROR_BYTES, "%s", err.message);
        good = false;
    }
    good = good && check_outputs(graph, out, is_first, why);
    for (size_t i = 0; i < RANDOM_GRAPH_VALUES; i++)
        bl_tensor_free(out[i]);
    bl_model_pair_close(&pair);
    return good;
}

bool random_graph_check(struct random_graph *graph, bl_context *const *contexts,
                        size_t count, char *why)
{
    struct bytes bytes = encode(graph);
    bl_error err = {BL_OK, ""};
    bl_model *model = bl_model_open_memory(contexts[0], bytes.data, bytes.size, NULL, &err);
    bool good = model != NULL;

    if (good)
        good = run_reference(graph, why);
    else
        snprintf(why, BL_ERROR_BYTES, "%s", err.message);
    for (size_t i = 0; good && i < count; i++)
        good = run_model(graph, model, contexts[i], i == 0, why);
    bl_model_free(model);
    bytes_free(&bytes);
    return good;
}
