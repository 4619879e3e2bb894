/*
 * onnx_open.h - open models from bytes, and look at them, for tests
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_TESTS_UNIT_ONNX_OPEN_H
#define BL_TESTS_UNIT_ONNX_OPEN_H

#include "io_support.h"
#include "onnx_bytes.h"

#include "graph/build.h"
#include "io/onnx.h"

static bl_error err;

/* ---- Reading ---------------------------------------------------------------------- */

/* A graph and the bytes that it borrows, which have nothing behind them. */
struct opened {
    struct bl_source source;
    struct bl_external external;
    const struct bl_graph *graph;
};

static inline void open_source(struct opened *opened, const void *bytes, size_t size,
                               const bl_allocator *allocator)
{
    memset(&err, 0, sizeof err);
    opened->source = source_copy(bytes, size);
    bl_external_init(&opened->external, allocator, BL_MAPPING_GUARDED);
    opened->graph = bl_onnx_read(&opened->source, allocator, &opened->external, &err);
    assert_true((opened->graph != NULL) == (err.status == BL_OK));
}

static inline void close_opened(struct opened *opened)
{
    bl_graph_free(opened->graph);
    bl_external_close(&opened->external);
    source_free(&opened->source);
}

/* Empties the model. */
static inline struct opened open_model(struct bytes *model)
{
    struct opened opened;

    open_source(&opened, model->data, model->size, &bl_allocator_default);
    bytes_free(model);
    if (opened.graph == NULL)
        fail_msg("%s", err.message);
    return opened;
}

static inline void refused(struct bytes *model, bl_status status, const char *message)
{
    struct opened opened;

    open_source(&opened, model->data, model->size, &bl_allocator_default);
    bytes_free(model);
    if (opened.graph != NULL || err.status != status ||
        strstr(err.message, message) == NULL)
        fail_msg("\"%s\" (%s) instead of \"%s\"", err.message, bl_status_name(err.status),
                 message);
    close_opened(&opened);
}

static inline void graph_refused(struct bytes *graph, bl_status status, const char *message)
{
    struct bytes model = model_bytes(8, 13, graph);

    refused(&model, status, message);
}

static inline const struct bl_graph_value *named(const struct bl_graph *graph,
                                                 const char *name)
{
    for (size_t i = 0; i < graph->value_count; i++)
        if (strcmp(graph->values[i].info.name, name) == 0)
            return &graph->values[i];
    fail_msg("there is no value '%s'", name);
    return NULL;
}

/* "Add(x,c)->y Mul(y,y)->z ": all nodes as one line, absent inputs as "-". */
static inline const char *lines_of(const struct bl_graph *graph)
{
    static char text[4096];
    size_t at = 0;

    text[0] = '\0';
    for (size_t n = 0; n < graph->node_count; n++) {
        const struct bl_graph_node *node = &graph->nodes[n];

        at += (size_t)snprintf(text + at, sizeof text - at, "%s(", node->node.op->name);
        for (size_t i = 0; i < node->input_count; i++)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%s", i > 0 ? "," : "",
                                   node->inputs[i] == BL_NO_VALUE
                                       ? "-"
                                       : graph->values[node->inputs[i]].info.name);
        at += (size_t)snprintf(text + at, sizeof text - at, ")->%s ",
                               graph->values[node->outputs[0]].info.name);
        assert_true(at < sizeof text);
    }
    return text;
}

static inline void put_import(struct bytes *model, const char *domain, int64_t version)
{
    struct bytes import = {0};

    put_number(&import, BL_OPSET_VERSION, version);
    put_text(&import, BL_OPSET_DOMAIN, domain);
    put_body(model, BL_MODEL_OPSET_IMPORT, &import);
}

/* A node Constant with the attribute, which is emptied, in a model. */
static inline struct bytes constant_model(struct bytes *attribute)
{
    struct bytes graph = {0}, node = node_bytes("Constant", "", "y");

    put_body(&node, BL_NODE_ATTRIBUTE, attribute);
    put_body(&graph, BL_GRAPH_NODE, &node);
    add_outputs(&graph, "y", 3);
    return model_bytes(8, 13, &graph);
}

#endif
