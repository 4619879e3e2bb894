/*
 * trace.c - the types of all values of a graph, and what keeps its nodes from running
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "api/trace.h"

#include <string.h>

#include "base/status.h"
#include "ops/infer.h"
#include "ops/work.h"
#include "plan/lower.h"
#include "shape/shape.h"
#include "tensor/dtype.h"

/* Values of more elements are not computed here: shapes are made of few numbers. */
#define MOST_FOLDED 65536

struct tracing {
    struct bl_trace *trace;
    struct bl_arena *arena; /* what stays */
    bl_context *context;
    const struct bl_graph *graph;
    const bl_tensor *
        *known;        /* [values]: elements that are known without the inputs, or NULL */
    bl_tensor **owned; /* [values]: those that were computed here */
    int64_t work;      /* of the nodes so far */
    /* The inputs of the node that is looked at, [most inputs of a node]. */
    bl_tensor_type *types;
    bl_tensor *layouts;
    const bl_tensor **values;  /* known ones, or NULL */
    const bl_tensor **tensors; /* known ones, or layouts; NULL: absent */
};

void bl_trace_lay_out(bl_tensor *layout, const bl_tensor_type *type)
{
    *layout = (bl_tensor){.dtype = type->dtype, .shape = type->shape, .writable = true};
    layout->count = 0;
    bl_shape_row_major(&layout->shape, layout->stride);
    /* The type comes from inference, or is checked: the count fits. */
    (void)!bl_shape_count(&layout->shape, &layout->count, NULL);
}

/* ---- Problems -------------------------------------------------------------------------- */

/* Note what is wrong with a node.  Memory that runs out is no problem of the node's. */
static bl_status note(struct tracing *tracing, size_t n, const bl_error *why, bl_error *err)
{
    struct bl_arena *arena = tracing->arena;
    bl_problem *problem = bl_arena_alloc(arena, 1, sizeof *problem);
    const char *message = bl_arena_text(arena, why->message, strlen(why->message));

    if (why->status == BL_ERR_MEMORY || why->status == BL_ERR_CANCELLED)
        return bl_fail(err, why->status, "%s", why->message);
    if (problem == NULL || message == NULL)
        return bl_arena_fail(err);
    *problem = (bl_problem){why->status, message};
    tracing->trace->problems[n] = problem;
    tracing->trace->problem_count++;
    return BL_OK;
}

/* Is there a kernel for the node? */
static bl_status check_kernel(const struct tracing *tracing,
                              const struct bl_graph_node *node,
                              const struct bl_params *params, bl_tensor *output,
                              bl_error *err)
{
    const bl_node *what = &node->node;
    const enum bl_form form = bl_schema_of(what->op)->form;
    const bl_dtype first = node->input_count > 0 ? tracing->types[0].dtype : BL_UNDEFINED;
    const bool is_matrix = form == BL_FORM_GEMM || form == BL_FORM_MATMUL;
    char subject[BL_NODE_TEXT];
    struct bl_lowered lowered;

    if ((!bl_form_is_pointwise(form) && !is_matrix) || output->count == 0 ||
        bl_host_runs(what, first, output->dtype))
        return BL_OK;
    const bl_allocator *allocator = &tracing->context->allocator;

    BL_TRY(is_matrix ? bl_lower_matmul(&lowered, allocator, what, params, tracing->tensors,
                                       node->input_count, output, err)
                     : bl_lower_node(&lowered, allocator, what, params, tracing->tensors,
                                     node->input_count, output, NULL, err));
    const bl_status status = bl_exec_check(&tracing->context->exec, &lowered.step, err);

    bl_lowered_free(&lowered);
    return status == BL_OK
               ? BL_OK
               : bl_fail_prefix(err, status, "%s: ", bl_node_text(what, subject));
}

/* ---- Nodes ------------------------------------------------------------------------------- */

/* Look up the node's inputs; false where one of them is not known well enough. */
static bool gather(const struct tracing *tracing, const struct bl_graph_node *node)
{
    for (size_t i = 0; i < node->input_count; i++) {
        const bl_value_id id = node->inputs[i];

        tracing->types[i].dtype = BL_UNDEFINED;
        tracing->values[i] = tracing->tensors[i] = NULL;
        if (id == BL_NO_VALUE)
            continue;
        if (tracing->trace->types[id].dtype == BL_UNDEFINED)
            return false;
        if (bl_node_reads_value(node->node.op, i) && tracing->known[id] == NULL)
            return false;
        tracing->types[i] = tracing->trace->types[id];
        tracing->values[i] = tracing->tensors[i] = tracing->known[id];
        if (tracing->known[id] == NULL) {
            bl_trace_lay_out(&tracing->layouts[i], &tracing->types[i]);
            tracing->tensors[i] = &tracing->layouts[i];
        }
    }
    return true;
}

static bool is_foldable(const struct tracing *tracing, const struct bl_graph_node *node,
                        const bl_tensor *output)
{
    const enum bl_op_id id = bl_schema_of(node->node.op)->id;

    if (output->count > MOST_FOLDED)
        return false;
    for (size_t i = 0; i < node->input_count; i++)
        if (node->inputs[i] != BL_NO_VALUE && tracing->values[i] == NULL)
            return id == BL_OP_SHAPE || id == BL_OP_SIZE; /* which read the shape alone */
    return true;
}

/* Everything about a node whose inputs are gathered. */
static bl_status trace_inputs(struct tracing *tracing, const struct bl_graph_node *node,
                              bl_error *err)
{
    bl_tensor_type type = {.dtype = BL_UNDEFINED};
    struct bl_params params;
    bl_tensor output;

    if (node->output_count != 1 || node->outputs[0] == BL_NO_VALUE)
        return bl_fail(err, BL_ERR_UNSUPPORTED, "node '%s': %zu outputs", node->node.name,
                       node->output_count);
    const bl_value_id out = node->outputs[0];

    BL_TRY(bl_node_infer(&node->node, tracing->types, tracing->values, node->input_count,
                         &type, 1, &params, err));
    BL_TRY(bl_node_check_limits(&tracing->context->allocator, &node->node, &params,
                                tracing->types, node->input_count, &type, &tracing->work,
                                err));
    bl_trace_lay_out(&output, &type);
    BL_TRY(check_kernel(tracing, node, &params, &output, err));
    if (is_foldable(tracing, node, &output)) {
        BL_TRY(bl_context_apply(tracing->context, &node->node, tracing->tensors,
                                node->input_count, &tracing->owned[out], 1, err));
        tracing->known[out] = tracing->owned[out];
    }
    tracing->trace->types[out] = type;
    return BL_OK;
}

static bl_status trace_node(struct tracing *tracing, size_t n, bl_error *err)
{
    const struct bl_graph_node *node = &tracing->graph->nodes[n];
    bl_error why;

    if (node->problem != NULL) {
        tracing->trace->problems[n] = &node->problem->why;
        tracing->trace->problem_count++;
        return BL_OK;
    }
    if (!gather(tracing, node) || trace_inputs(tracing, node, &why) == BL_OK)
        return BL_OK;
    return note(tracing, n, &why, err);
}

/* ---- The whole ----------------------------------------------------------------------------- */

static bl_status reserve(struct tracing *tracing, struct bl_arena *scratch, bl_error *err)
{
    const struct bl_graph *graph = tracing->graph;
    struct bl_trace *trace = tracing->trace;
    size_t most = 1;

    for (size_t n = 0; n < graph->node_count; n++)
        if (graph->nodes[n].input_count > most)
            most = graph->nodes[n].input_count;
    trace->types = bl_arena_alloc(tracing->arena, graph->value_count, sizeof *trace->types);
    trace->problems =
        bl_arena_alloc(tracing->arena, graph->node_count, sizeof *trace->problems);
    tracing->known = bl_arena_alloc(scratch, graph->value_count, sizeof *tracing->known);
    tracing->owned = bl_arena_alloc(scratch, graph->value_count, sizeof *tracing->owned);
    tracing->types = bl_arena_alloc(scratch, most, sizeof *tracing->types);
    tracing->layouts = bl_arena_alloc(scratch, most, sizeof *tracing->layouts);
    tracing->values = bl_arena_alloc(scratch, most, sizeof *tracing->values);
    tracing->tensors = bl_arena_alloc(scratch, most, sizeof *tracing->tensors);
    return trace->types != NULL && trace->problems != NULL && tracing->known != NULL &&
                   tracing->owned != NULL && tracing->types != NULL &&
                   tracing->layouts != NULL && tracing->values != NULL &&
                   tracing->tensors != NULL
               ? BL_OK
               : bl_arena_fail(err);
}

static bl_status trace_all(struct tracing *tracing, const bl_tensor *const *inputs,
                           bl_error *err)
{
    const struct bl_graph *graph = tracing->graph;
    bl_tensor_type *types = tracing->trace->types;

    for (size_t v = 0; v < graph->value_count; v++) {
        const bl_tensor *constant = graph->values[v].constant;

        if (constant == NULL)
            continue;
        types[v] = (bl_tensor_type){constant->dtype, constant->shape};
        tracing->known[v] = constant;
    }
    for (size_t i = 0; i < graph->input_count; i++) {
        if (inputs[i] == NULL)
            continue;
        types[graph->inputs[i]] = (bl_tensor_type){inputs[i]->dtype, inputs[i]->shape};
        tracing->known[graph->inputs[i]] = NULL;
    }
    for (size_t n = 0; n < graph->node_count; n++)
        BL_TRY(trace_node(tracing, n, err));
    return BL_OK;
}

bl_status bl_trace_graph(struct bl_trace *trace, struct bl_arena *arena,
                         bl_context *context, const struct bl_graph *graph,
                         const bl_tensor *const *inputs, bl_error *err)
{
    struct tracing tracing = {
        .trace = trace, .arena = arena, .context = context, .graph = graph};
    struct bl_arena scratch;

    *trace = (struct bl_trace){.problem_count = 0};
    bl_arena_init(&scratch, &context->allocator);
    bl_status status = reserve(&tracing, &scratch, err);

    if (status == BL_OK)
        status = trace_all(&tracing, inputs, err);
    for (size_t v = 0; tracing.owned != NULL && v < graph->value_count; v++)
        bl_tensor_free(tracing.owned[v]);
    bl_arena_free(&scratch);
    return status;
}
