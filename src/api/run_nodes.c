/*
 * run_nodes.c - run a model node by node, each result a tensor of its own
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The plain way: what fusion is compared with, and what runs what cannot be planned.
 */
#include <string.h>

#include "api/session.h"
#include "base/checked.h"
#include "base/mem.h"
#include "base/status.h"

/* The values of a run. */
struct values {
    const bl_tensor **tensor; /* [values], NULL while it is not there */
    bl_tensor **owned;        /* [values]: the same, where it is ours to free */
    int32_t *readers;         /* [values]: nodes that are still to read it, and outputs */
    const bl_tensor **args;   /* [most inputs of a node] */
    size_t bytes;
};

static bl_status reserve(const bl_session *session, struct values *values, bl_error *err)
{
    const struct bl_graph *graph = bl_session_graph(session);
    const size_t n = graph->value_count;
    size_t most = 1;

    for (size_t i = 0; i < graph->node_count; i++)
        if (graph->nodes[i].input_count > most)
            most = graph->nodes[i].input_count;
    /* Less than what the graph itself takes: these sums cannot overflow. */
    values->bytes = (2 * n + most) * sizeof(bl_tensor *) + n * sizeof(int32_t);
    char *memory = bl_mem_alloc_zero(&session->context->allocator, values->bytes);

    if (memory == NULL)
        return bl_fail(err, BL_ERR_MEMORY, "out of memory for %zu values", n);
    values->tensor = (const bl_tensor **)(void *)memory;
    values->owned = (bl_tensor **)(void *)(values->tensor + n);
    values->args = (const bl_tensor **)(void *)(values->owned + n);
    values->readers = (int32_t *)(void *)(values->args + most);
    return BL_OK;
}

static void set_up(const bl_session *session, const bl_tensor *const *inputs,
                   struct values *values)
{
    const struct bl_graph *graph = bl_session_graph(session);

    for (size_t v = 0; v < graph->value_count; v++)
        values->tensor[v] = session->constants[v];
    for (size_t i = 0; i < graph->input_count; i++)
        if (inputs[i] != NULL)
            values->tensor[graph->inputs[i]] = inputs[i];
    for (size_t n = 0; n < graph->node_count; n++)
        for (size_t i = 0; i < graph->nodes[n].input_count; i++)
            if (graph->nodes[n].inputs[i] != BL_NO_VALUE)
                values->readers[graph->nodes[n].inputs[i]]++;
    for (size_t k = 0; k < graph->output_count; k++)
        values->readers[graph->outputs[k]]++;
}

/* A reader is done: the last one frees a value that is ours. */
static void let_go(struct values *values, bl_value_id id)
{
    if (id == BL_NO_VALUE || --values->readers[id] > 0)
        return;
    bl_tensor_free(values->owned[id]);
    values->owned[id] = NULL;
    values->tensor[id] = NULL;
}

static bl_status run_node(bl_session *session, const struct bl_graph_node *node,
                          struct values *values, bl_error *err)
{
    bl_tensor *result = NULL;

    if (node->output_count != 1 || node->outputs[0] == BL_NO_VALUE)
        return bl_fail(err, BL_ERR_UNSUPPORTED, "node '%s': %zu outputs", node->node.name,
                       node->output_count);
    for (size_t i = 0; i < node->input_count; i++)
        values->args[i] =
            node->inputs[i] != BL_NO_VALUE ? values->tensor[node->inputs[i]] : NULL;
    BL_TRY(bl_context_apply(session->context, &node->node, values->args, node->input_count,
                            &result, 1, err));
    values->owned[node->outputs[0]] = result;
    values->tensor[node->outputs[0]] = result;
    for (size_t i = 0; i < node->input_count; i++)
        let_go(values, node->inputs[i]);
    if (values->readers[node->outputs[0]] == 0) {
        values->readers[node->outputs[0]] = 1;
        let_go(values, node->outputs[0]);
    }
    return BL_OK;
}

/* Hand out an output: the value itself if nobody else needs it, else a copy. */
static bl_status hand_out(bl_session *session, bl_value_id id, struct values *values,
                          bl_tensor **output, bl_error *err)
{
    const bl_node copy = {.op = bl_op_find(NULL, "Identity", BL_OPSET_LATEST, err),
                          .name = bl_session_graph(session)->values[id].info.name};

    if (values->owned[id] != NULL && values->readers[id] == 1) {
        *output = values->owned[id];
        values->owned[id] = NULL;
        return BL_OK;
    }
    values->readers[id]--;
    return bl_context_apply(session->context, &copy, &values->tensor[id], 1, output, 1,
                            err);
}

bl_status bl_session_run_nodes(bl_session *session, const bl_tensor *const *inputs,
                               bl_tensor **outputs, bl_error *err)
{
    const struct bl_graph *graph = bl_session_graph(session);
    struct values values = {NULL, NULL, NULL, NULL, 0};
    bl_status status;

    BL_TRY(reserve(session, &values, err));
    set_up(session, inputs, &values);
    status = BL_OK;
    for (size_t n = 0; n < graph->node_count && status == BL_OK; n++)
        status = run_node(session, &graph->nodes[n], &values, err);
    for (size_t k = 0; k < graph->output_count && status == BL_OK; k++)
        status = hand_out(session, graph->outputs[k], &values, &outputs[k], err);
    for (size_t v = 0; v < graph->value_count; v++)
        bl_tensor_free(values.owned[v]);
    bl_mem_free(&session->context->allocator, (void *)values.tensor, values.bytes);
    if (status != BL_OK)
        for (size_t k = 0; k < graph->output_count; k++) {
            bl_tensor_free(outputs[k]);
            outputs[k] = NULL;
        }
    return status;
}
