/*
 * fixture_graph.c - the graph of a case: nodes, initializers, outputs
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "base/status.h"
#include "conform/fixture_parts.h"
#include "conform/heap.h"
#include "conform/json_value.h"

/* A list of texts, to be freed with free; the texts are the JSON's. */
static bl_status read_names(json_t *json, const char *key, const char ***out, size_t *count,
                            bl_error *err)
{
    BL_TRY(bl_json_expect(json, JSON_ARRAY, key, err));
    *out = calloc(json_array_size(json) + 1, sizeof **out);
    if (*out == NULL)
        return bl_fail(err, BL_ERR_MEMORY, "no memory for the %s", key);
    for (; *count < json_array_size(json); (*count)++)
        BL_TRY(bl_json_text(json_array_get(json, *count), key, &(*out)[*count], err));
    return BL_OK;
}

static bl_status read_node(json_t *json, struct bl_fixture_node *out, bl_error *err)
{
    static const char *const keys[] = {"op", "inputs", "outputs", "attributes", NULL};
    json_t *attributes = json_object_get(json, "attributes");

    if (!json_is_object(json))
        return bl_fail(err, BL_ERR_FORMAT, "it is %s, but has to be an object",
                       bl_json_kind(json));
    BL_TRY(bl_json_keys(json, "a node", keys, err));
    BL_TRY(bl_json_text(json_object_get(json, "op"), "op", &out->op, err));
    BL_TRY(read_names(json_object_get(json, "inputs"), "inputs", &out->inputs,
                      &out->input_count, err));
    BL_TRY(read_names(json_object_get(json, "outputs"), "outputs", &out->outputs,
                      &out->output_count, err));
    return attributes == NULL ? BL_OK
                              : bl_fixture_attributes_read(attributes, &out->attributes,
                                                           &out->attribute_count, err);
}

static bl_status read_nodes(json_t *json, struct bl_fixture_graph *graph, bl_error *err)
{
    BL_TRY(bl_json_expect(json, JSON_ARRAY, "nodes", err));
    graph->nodes = bl_heap_zero(json_array_size(json) + 1, sizeof *graph->nodes);
    if (graph->nodes == NULL)
        return bl_fail(err, BL_ERR_MEMORY, "no memory for the nodes");
    for (size_t i = 0; i < json_array_size(json); i++) {
        graph->node_count++;
        const bl_status status = read_node(json_array_get(json, i), &graph->nodes[i], err);

        if (status != BL_OK)
            return bl_fail_prefix(err, status, "node %zu: ", i);
    }
    return BL_OK;
}

static bl_status read_graph(json_t *json, struct bl_fixture_graph *graph, bl_error *load,
                            bl_error *err)
{
    static const char *const keys[] = {"nodes", "initializers", "outputs", NULL};
    json_t *initializers = json_object_get(json, "initializers");

    BL_TRY(bl_json_expect(json, JSON_OBJECT, "graph", err));
    BL_TRY(bl_json_keys(json, "a graph", keys, err));
    BL_TRY(read_nodes(json_object_get(json, "nodes"), graph, err));
    if (initializers != NULL)
        BL_TRY(bl_fixture_tensors_read(initializers, "initializers", &graph->initializers,
                                       &graph->initializer_count, load, err));
    return read_names(json_object_get(json, "outputs"), "outputs", &graph->outputs,
                      &graph->output_count, err);
}

bl_status bl_fixture_graph_read(json_t *json, struct bl_fixture_graph **out, bl_error *load,
                                bl_error *err)
{
    struct bl_fixture_graph *graph = bl_heap_zero(1, sizeof *graph);

    if (graph == NULL)
        return bl_fail(err, BL_ERR_MEMORY, "no memory for a graph");
    const bl_status status = read_graph(json, graph, load, err);

    if (status != BL_OK) {
        bl_fixture_graph_free(graph);
        return bl_fail_prefix(err, status, "graph: ");
    }
    *out = graph;
    return BL_OK;
}

void bl_fixture_graph_free(struct bl_fixture_graph *graph)
{
    if (graph == NULL)
        return;
    for (size_t i = 0; i < graph->node_count; i++) {
        free((void *)graph->nodes[i].inputs);
        free((void *)graph->nodes[i].outputs);
        bl_fixture_attributes_free(graph->nodes[i].attributes,
                                   graph->nodes[i].attribute_count);
    }
    free(graph->nodes);
    bl_fixture_tensors_free(graph->initializers, graph->initializer_count);
    free((void *)graph->outputs);
    free(graph);
}
