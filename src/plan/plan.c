/*
 * plan.c - a whole graph as steps over memory
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "plan/plan.h"

#include <string.h>

#include "base/checked.h"
#include "base/guard.h"
#include "base/mem.h"
#include "base/status.h"
#include "ops/infer.h"
#include "ops/view.h"
#include "ops/work.h"
#include "shape/shape.h"
#include "tensor/dtype.h"

/* A constant that is larger is computed in each run, not kept: memory for time would be a bad
 * bargain, and a run moves as many bytes in less than a millisecond. */
#define LARGEST_CONSTANT (1 << 20)

/* While a graph is planned. */
struct planning {
    struct bl_plan *plan;
    const bl_tensor *const *constants;
    const struct bl_plan_evaluator *evaluator;
    /* The inputs of the node that is being planned, [most inputs of a node]. */
    bl_tensor_type *types;
    const bl_tensor **known;
    size_t room;
    int64_t work; /* of the nodes so far */
};

static bl_status out_of_memory(bl_error *err)
{
    return bl_fail(err, BL_ERR_MEMORY, "out of memory for a plan");
}

/* ---- Values ------------------------------------------------------------------------------------ */

static void set_layout(struct bl_plan *plan, bl_value_id id, bl_dtype dtype,
                       const bl_shape *shape)
{
    struct bl_plan_value *value = &plan->values[id];
    bl_tensor *layout = &value->layout;

    layout->dtype = dtype;
    layout->shape = *shape;
    layout->count = 1;
    for (int axis = 0; axis < shape->rank; axis++)
        layout->count *= shape->dim[axis]; /* inference has checked that it fits */
    bl_shape_row_major(shape, layout->stride);
    layout->writable = true;
    value->root = id;
    value->step = -1;
}

static void set_constant(struct bl_plan *plan, bl_value_id id, const bl_tensor *tensor)
{
    struct bl_plan_value *value = &plan->values[id];

    value->layout = *tensor;
    value->layout.owned = false;
    value->root = id;
    value->step = -1;
    value->home = BL_HOME_CONSTANT;
}

static void set_input(struct bl_plan *plan, bl_value_id id, const bl_tensor *tensor,
                      size_t i)
{
    set_constant(plan, id, tensor);
    plan->values[id].layout.data = NULL;
    plan->values[id].home = BL_HOME_INPUT;
    plan->values[id].place = i;
}

/* Make `id` a view of `of`: the layout's shape and strides are set. */
static void set_view(struct bl_plan *plan, bl_value_id id, bl_value_id of, int64_t offset)
{
    struct bl_plan_value *value = &plan->values[id];
    const struct bl_plan_value *base = &plan->values[of];

    value->root = base->root;
    value->offset = base->offset + offset * (int64_t)bl_dtype_size(value->layout.dtype);
    value->step = base->step;
    value->layout.data = NULL;
    if (base->layout.data != NULL)
        value->layout.data = (char *)base->layout.data +
                             offset * (int64_t)bl_dtype_size(value->layout.dtype);
}

static const bl_tensor *known_tensor(const struct bl_plan *plan, bl_value_id id)
{
    const struct bl_plan_value *value = &plan->values[id];

    return plan->values[value->root].home == BL_HOME_CONSTANT ? &value->layout : NULL;
}

/* ---- Nodes --------------------------------------------------------------------------------------- */

/* A copy of a value, row-major, as a step; BL_NO_VALUE if memory runs out. */
static bl_value_id add_copy(struct bl_plan *plan, bl_value_id from)
{
    const bl_value_id copy = bl_plan_add_value(plan);

    if (copy == BL_NO_VALUE)
        return BL_NO_VALUE;
    set_layout(plan, copy, plan->values[from].layout.dtype,
               &plan->values[from].layout.shape);
    struct bl_plan_step *step = bl_plan_add_step(plan, BL_PLAN_COPY);

    if (step == NULL || !bl_plan_add_operand(plan, step, from) ||
        !bl_plan_add_operand(plan, step, copy))
        return BL_NO_VALUE;
    plan->values[copy].step = (int32_t)(plan->step_count - 1);
    return copy;
}

static bl_status plan_view(struct planning *planning, int32_t n, bl_error *err)
{
    struct bl_plan *plan = planning->plan;
    const struct bl_graph_node *node = &plan->graph->nodes[n];
    const bl_value_id out = node->outputs[0];
    bl_value_id from = node->inputs[0];
    bool possible = true;
    int64_t offset = 0;

    if (bl_schema_of(node->node.op)->form != BL_FORM_VIEW) { /* Identity */
        memcpy(plan->values[out].layout.stride, plan->values[from].layout.stride,
               sizeof plan->values[out].layout.stride);
        set_view(plan, out, from, 0);
        return BL_OK;
    }
    for (int attempt = 0; attempt < 2; attempt++) {
        BL_TRY(bl_node_view(&node->node, &plan->params[n], &plan->values[from].layout,
                            planning->known, node->input_count,
                            &plan->values[out].layout.shape,
                            plan->values[out].layout.stride, &offset, &possible, err));
        if (possible)
            break;
        from = add_copy(plan, from);
        if (from == BL_NO_VALUE)
            return out_of_memory(err);
    }
    set_view(plan, out, from, offset);
    return BL_OK;
}

/* A step of its own, for a node that is not pointwise. */
static bl_status plan_alone(struct bl_plan *plan, int32_t n, enum bl_plan_kind kind,
                            bl_error *err)
{
    const struct bl_graph_node *node = &plan->graph->nodes[n];
    struct bl_plan_step *step = bl_plan_add_step(plan, kind);

    if (step == NULL || !bl_plan_add_node(plan, step, n) ||
        !bl_plan_add_operand(plan, step, node->outputs[0]))
        return out_of_memory(err);
    for (size_t i = 0; i < node->input_count; i++)
        if (!bl_plan_add_operand(plan, step, node->inputs[i]))
            return out_of_memory(err);
    plan->values[node->outputs[0]].step = (int32_t)(plan->step_count - 1);
    return BL_OK;
}

/* True if the node can and should be computed now: all that it reads is known, and small. */
static bool is_foldable(const struct planning *planning, const struct bl_graph_node *node,
                        const bl_tensor_type *output)
{
    const enum bl_op_id id = bl_schema_of(node->node.op)->id;
    int64_t count = 0;

    if (bl_shape_count(&output->shape, &count, NULL) != BL_OK ||
        count > LARGEST_CONSTANT / (int64_t)bl_dtype_size(output->dtype))
        return false;
    if (id == BL_OP_SHAPE || id == BL_OP_SIZE) /* which read types alone */
        return true;
    for (size_t i = 0; i < node->input_count; i++)
        if (node->inputs[i] != BL_NO_VALUE && planning->known[i] == NULL)
            return false;
    return true;
}

static bl_status fold(struct planning *planning, const struct bl_graph_node *node,
                      bl_error *err)
{
    struct bl_plan *plan = planning->plan;
    const bl_value_id out = node->outputs[0];
    bl_tensor *made = NULL;

    /* Shape and Size look at the layout alone, which is there for every value. */
    for (size_t i = 0; i < node->input_count; i++)
        if (planning->known[i] == NULL && node->inputs[i] != BL_NO_VALUE)
            planning->known[i] = &plan->values[node->inputs[i]].layout;
    BL_TRY(planning->evaluator->run(planning->evaluator->user, &node->node, planning->known,
                                    node->input_count, &made, err));
    set_constant(plan, out, made);
    plan->values[out].owned = made;
    plan->constant_bytes += (size_t)made->count * bl_dtype_size(made->dtype);
    return BL_OK;
}

/* Room for the inputs of the node with the most. */
static bl_status reserve_inputs(struct planning *planning, bl_error *err)
{
    const struct bl_graph *graph = planning->plan->graph;
    size_t most = 1, bytes;

    for (size_t n = 0; n < graph->node_count; n++)
        if (graph->nodes[n].input_count > most)
            most = graph->nodes[n].input_count;
    if (!bl_size_mul(most, sizeof *planning->types + sizeof *planning->known, &bytes))
        return out_of_memory(err);
    planning->types = bl_mem_alloc(&planning->plan->allocator, bytes);
    if (planning->types == NULL)
        return out_of_memory(err);
    planning->known = (const bl_tensor **)(void *)(planning->types + most);
    planning->room = bytes;
    return BL_OK;
}

/* Refuse what has to be run node by node. */
static bl_status check_plannable(const struct planning *planning,
                                 const struct bl_graph_node *node,
                                 const bl_tensor_type *output, bl_error *err)
{
    bool has_strings = output->dtype == BL_STRING;

    for (size_t i = 0; i < node->input_count; i++) {
        has_strings |= planning->types[i].dtype == BL_STRING;
        if (bl_node_reads_value(node->node.op, i) && node->inputs[i] != BL_NO_VALUE &&
            planning->known[i] == NULL)
            return bl_fail(err, BL_ERR_UNSUPPORTED,
                           "node '%s': the shape depends on elements of an input",
                           node->node.name);
    }
    if (has_strings || node->output_count != 1)
        return bl_fail(err, BL_ERR_UNSUPPORTED, "node '%s': strings, or several outputs",
                       node->node.name);
    return BL_OK;
}

static bl_status plan_node(struct planning *planning, int32_t n, bl_error *err)
{
    struct bl_plan *plan = planning->plan;
    const struct bl_graph_node *node = &plan->graph->nodes[n];
    const enum bl_form form = bl_schema_of(node->node.op)->form;
    bl_tensor_type output = {.dtype = BL_UNDEFINED};

    BL_TRY(bl_guard_check(bl_guard_of(&plan->allocator), err));
    for (size_t i = 0; i < node->input_count; i++) {
        const bl_value_id id = node->inputs[i];

        planning->types[i].dtype = BL_UNDEFINED;
        planning->known[i] = NULL;
        if (id == BL_NO_VALUE)
            continue;
        planning->types[i].dtype = plan->values[id].layout.dtype;
        planning->types[i].shape = plan->values[id].layout.shape;
        planning->known[i] = known_tensor(plan, id);
    }
    BL_TRY(check_plannable(planning, node, &output, err));
    BL_TRY(bl_node_infer(&node->node, planning->types, planning->known, node->input_count,
                         &output, 1, &plan->params[n], err));
    BL_TRY(check_plannable(planning, node, &output, err));
    BL_TRY(bl_node_check_limits(&plan->allocator, &node->node, &plan->params[n],
                                planning->types, node->input_count, &output,
                                &planning->work, err));
    if (form == BL_FORM_VIEW || form == BL_FORM_COPY) {
        set_layout(plan, node->outputs[0], output.dtype, &output.shape);
        return plan_view(planning, n, err);
    }
    if (bl_schema_of(node->node.op)->id == BL_OP_CONSTANT &&
        node->node.attributes[0].type == BL_ATTRIBUTE_TENSOR) {
        set_constant(plan, node->outputs[0], node->node.attributes[0].value.tensor);
        return BL_OK;
    }
    if (is_foldable(planning, node, &output))
        return fold(planning, node, err);
    set_layout(plan, node->outputs[0], output.dtype, &output.shape);
    if (form == BL_FORM_HOST)
        return plan_alone(plan, n, BL_PLAN_HOST, err);
    if (form == BL_FORM_GEMM || form == BL_FORM_MATMUL)
        return plan_alone(plan, n, BL_PLAN_MATMUL, err);
    return bl_plan_place_pointwise(plan, n, err);
}

/* ---- Outputs ----------------------------------------------------------------------------------------- */

/* Let output k be the memory of the value that it shows, or else a copy of it. */
static bl_status plan_output(struct bl_plan *plan, size_t k, bl_error *err)
{
    bl_value_id id = plan->graph->outputs[k];
    struct bl_plan_value *value = &plan->values[id];

    if (value->layout.dtype == BL_STRING)
        return bl_fail(err, BL_ERR_UNSUPPORTED, "an output of strings");
    if (value->root != id || value->home != BL_HOME_NONE) {
        id = add_copy(plan, id);
        if (id == BL_NO_VALUE)
            return out_of_memory(err);
        value = &plan->values[id];
    }
    value->home = BL_HOME_OUTPUT;
    value->place = k;
    plan->outputs[k] = id;
    return BL_OK;
}

/* ---- The whole ------------------------------------------------------------------------------------------ */

static struct bl_plan *new_plan(const bl_allocator *allocator, const struct bl_graph *graph)
{
    struct bl_plan *plan = bl_mem_alloc_zero(allocator, sizeof *plan);

    if (plan == NULL)
        return NULL;
    plan->allocator = *allocator;
    plan->graph = graph;
    plan->value_count = plan->value_room = graph->value_count;
    plan->params = bl_mem_alloc_array(allocator, graph->node_count, sizeof *plan->params);
    plan->values = bl_mem_alloc_array(allocator, graph->value_count, sizeof *plan->values);
    plan->outputs =
        bl_mem_alloc_array(allocator, graph->output_count, sizeof *plan->outputs);
    if (plan->params != NULL && plan->values != NULL && plan->outputs != NULL)
        return plan;
    bl_plan_free(plan);
    return NULL;
}

static bl_status plan_all(struct planning *planning, const bl_tensor *const *inputs,
                          bl_error *err)
{
    struct bl_plan *plan = planning->plan;
    const struct bl_graph *graph = plan->graph;

    BL_TRY(reserve_inputs(planning, err));
    for (size_t v = 0; v < graph->value_count; v++) {
        plan->values[v].root = (bl_value_id)v;
        plan->values[v].step = -1;
    }
    for (size_t v = 0; v < graph->value_count; v++)
        if (planning->constants[v] != NULL)
            set_constant(plan, (bl_value_id)v, planning->constants[v]);
    for (size_t i = 0; i < graph->input_count; i++)
        if (inputs[i] != NULL)
            set_input(plan, graph->inputs[i], inputs[i], i);
    for (size_t n = 0; n < graph->node_count; n++)
        if (known_tensor(plan, graph->nodes[n].outputs[0]) == NULL)
            BL_TRY(plan_node(planning, (int32_t)n, err));
    for (size_t k = 0; k < graph->output_count; k++)
        BL_TRY(plan_output(plan, k, err));
    BL_TRY(bl_plan_merge_groups(plan, err));
    BL_TRY(bl_plan_place_memory(plan, err));
    return bl_plan_lower_steps(plan, err);
}

bl_status bl_plan_graph(struct bl_plan **out, const bl_allocator *allocator,
                        const struct bl_graph *graph, const bl_tensor *const *inputs,
                        const bl_tensor *const *constants,
                        const struct bl_plan_evaluator *evaluator, bl_error *err)
{
    struct planning planning = {
        .plan = new_plan(allocator, graph), .constants = constants, .evaluator = evaluator};

    if (planning.plan == NULL)
        return out_of_memory(err);
    const bl_status status = plan_all(&planning, inputs, err);

    bl_mem_free(allocator, planning.types, planning.room);
    if (status != BL_OK)
        bl_plan_free(planning.plan);
    else
        *out = planning.plan;
    return status;
}

void bl_plan_free(struct bl_plan *plan)
{
    if (plan == NULL)
        return;
    const bl_allocator allocator = plan->allocator;

    for (size_t s = 0; s < plan->step_count; s++)
        bl_plan_free_step(plan, &plan->steps[s]);
    for (size_t v = 0; plan->values != NULL && v < plan->value_count; v++)
        bl_tensor_free(plan->values[v].owned);
    bl_mem_free(&allocator, plan->steps, plan->step_room * sizeof *plan->steps);
    bl_mem_free(&allocator, plan->values, plan->value_room * sizeof *plan->values);
    bl_mem_free(&allocator, plan->params, plan->graph->node_count * sizeof *plan->params);
    bl_mem_free(&allocator, plan->outputs,
                plan->graph->output_count * sizeof *plan->outputs);
    bl_mem_free(&allocator, plan, sizeof *plan);
}
