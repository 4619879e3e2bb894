/*
 * group.c - which pointwise nodes run as one program
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A group is a step whose nodes all put out one shape.  A node joins the group that puts out the
 * last of its inputs, or a later one that reads one of them; what it reads of other steps is
 * then there before the group runs.  Since all results of a group have its shape, a value that is
 * broadcast to it is computed apart, once for each of its own elements, and never again.
 */
#include <string.h>

#include "base/mem.h"
#include "base/status.h"
#include "plan/plan.h"
#include "shape/shape.h"

enum {
    /* How far back a group is looked for that reads the same inputs. */
    LOOK_BACK = 8,
    /* Inputs of a node that are looked at for that: two nodes may have millions of them. */
    LOOK_AT = 32
};

static bl_status out_of_memory(bl_error *err)
{
    return bl_fail(err, BL_ERR_MEMORY, "out of memory for a plan");
}

const bl_shape *bl_plan_space(const struct bl_plan *plan, const struct bl_plan_step *step)
{
    return &plan->values[plan->graph->nodes[step->nodes[0]].outputs[0]].layout.shape;
}

bool bl_plan_has_room(const struct bl_plan *plan, const struct bl_plan_step *step,
                      size_t nodes, const bl_shape *space)
{
    return step->kind == BL_PLAN_GROUP && step->node_count + nodes <= BL_PLAN_MOST_NODES &&
           bl_shape_equal(bl_plan_space(plan, step), space);
}

/* True if every input that step `s` puts out is there as it is, and not as a view: a view's
 * elements are not at hand while the group runs. */
static bool reads_directly(const struct bl_plan *plan, const struct bl_graph_node *node,
                           int32_t s)
{
    for (size_t i = 0; i < node->input_count; i++) {
        const bl_value_id id = node->inputs[i];

        if (id != BL_NO_VALUE && plan->values[id].step == s && plan->values[id].root != id)
            return false;
    }
    return true;
}

static bool shares_input(const struct bl_plan *plan, const struct bl_plan_step *step,
                         const struct bl_graph_node *node)
{
    for (size_t n = 0; n < step->node_count; n++) {
        const struct bl_graph_node *other = &plan->graph->nodes[step->nodes[n]];

        for (size_t i = 0; i < other->input_count && i < LOOK_AT; i++)
            for (size_t j = 0; j < node->input_count && j < LOOK_AT; j++)
                if (other->inputs[i] != BL_NO_VALUE && other->inputs[i] == node->inputs[j])
                    return true;
    }
    return false;
}

/* The group that the node joins; -1: a new one. */
static int32_t find_group(const struct bl_plan *plan, const struct bl_graph_node *node)
{
    const bl_shape *space = &plan->values[node->outputs[0]].layout.shape;
    const int32_t count = (int32_t)plan->step_count;
    int32_t last = -1;

    for (size_t i = 0; i < node->input_count; i++)
        if (node->inputs[i] != BL_NO_VALUE && plan->values[node->inputs[i]].step > last)
            last = plan->values[node->inputs[i]].step;
    if (last >= 0 && bl_plan_has_room(plan, &plan->steps[last], 1, space) &&
        reads_directly(plan, node, last))
        return last;
    for (int32_t s = count - 1; s > last && s >= count - LOOK_BACK; s--)
        if (bl_plan_has_room(plan, &plan->steps[s], 1, space) &&
            shares_input(plan, &plan->steps[s], node))
            return s;
    return -1;
}

bl_status bl_plan_place_pointwise(struct bl_plan *plan, int32_t n, bl_error *err)
{
    const struct bl_graph_node *node = &plan->graph->nodes[n];
    struct bl_plan_value *result = &plan->values[node->outputs[0]];

    if (result->layout.count == 0) /* there is nothing to compute */
        return BL_OK;
    int32_t s = find_group(plan, node);

    if (s < 0) {
        if (bl_plan_add_step(plan, BL_PLAN_GROUP) == NULL)
            return out_of_memory(err);
        s = (int32_t)(plan->step_count - 1);
    }
    if (!bl_plan_add_node(plan, &plan->steps[s], n))
        return out_of_memory(err);
    result->step = s;
    return BL_OK;
}

/* ---- Lowering ------------------------------------------------------------------------------------ */

/* What lowering needs beside the plan, for the largest group. */
struct lowering {
    struct bl_group_node *nodes;   /* [BL_PLAN_MOST_NODES] */
    struct bl_group_value *values; /* [most values] */
    bl_value_id *ids;              /* [most values]: of the plan */
    int32_t *args;                 /* [most args] */
    int32_t *operand_value;        /* [most args + BL_PLAN_MOST_NODES] */
    int32_t *local; /* [plan's values]: the index in `values`, -1: none yet */
    size_t bytes;
    size_t value_count, arg_count;
};

static bl_status reserve(const struct bl_plan *plan, struct lowering *lowering,
                         bl_error *err)
{
    size_t most = 0;

    for (size_t s = 0; s < plan->step_count; s++) {
        size_t args = plan->steps[s].node_count;

        for (size_t n = 0; n < plan->steps[s].node_count; n++)
            args += plan->graph->nodes[plan->steps[s].nodes[n]].input_count;
        if (args > most)
            most = args;
    }
    /* Counts of what exists in memory already: none of these sums can overflow. */
    lowering->bytes = BL_PLAN_MOST_NODES * sizeof *lowering->nodes +
                      most * sizeof *lowering->values + 3 * most * sizeof(int32_t) +
                      plan->value_count * sizeof(int32_t);
    char *memory = bl_mem_alloc(&plan->allocator, lowering->bytes);

    if (memory == NULL)
        return out_of_memory(err);
    lowering->nodes = (struct bl_group_node *)(void *)memory;
    lowering->values =
        (struct bl_group_value *)(void *)(lowering->nodes + BL_PLAN_MOST_NODES);
    lowering->ids = (bl_value_id *)(void *)(lowering->values + most);
    lowering->args = lowering->ids + most;
    lowering->operand_value = lowering->args + most;
    lowering->local = lowering->operand_value + most;
    for (size_t v = 0; v < plan->value_count; v++)
        lowering->local[v] = -1;
    return BL_OK;
}

static int32_t local_value(const struct bl_plan *plan, struct lowering *lowering,
                           bl_value_id id, int32_t s)
{
    const struct bl_plan_value *value = &plan->values[id];

    if (lowering->local[id] < 0) {
        const bool is_inner = value->step == s && value->root == id;

        lowering->local[id] = (int32_t)lowering->value_count;
        lowering->ids[lowering->value_count] = id;
        lowering->values[lowering->value_count++] =
            (struct bl_group_value){&value->layout, !is_inner || value->leaves};
    }
    return lowering->local[id];
}

static bl_status lower_group(struct bl_plan *plan, struct lowering *lowering, int32_t s,
                             bl_error *err)
{
    struct bl_plan_step *step = &plan->steps[s];

    lowering->value_count = lowering->arg_count = 0;
    for (size_t n = 0; n < step->node_count; n++) {
        const struct bl_graph_node *node = &plan->graph->nodes[step->nodes[n]];
        int32_t *args = lowering->args + lowering->arg_count;

        for (size_t i = 0; i < node->input_count; i++)
            args[i] = node->inputs[i] == BL_NO_VALUE
                          ? -1
                          : local_value(plan, lowering, node->inputs[i], s);
        lowering->arg_count += node->input_count;
        lowering->nodes[n] = (struct bl_group_node){
            .node = &node->node,
            .params = &plan->params[step->nodes[n]],
            .args = args,
            .arg_count = node->input_count,
            .result = local_value(plan, lowering, node->outputs[0], s)};
    }
    const bl_status status =
        bl_lower_group(&step->lowered, &plan->allocator, lowering->nodes, step->node_count,
                       lowering->values, lowering->value_count, bl_plan_space(plan, step),
                       lowering->operand_value, err);

    for (size_t v = 0; v < lowering->value_count; v++)
        lowering->local[lowering->ids[v]] = -1;
    BL_TRY(status);
    for (size_t o = 0; o < step->lowered.step.as.pointwise.operand_count; o++) {
        const bl_value_id id = lowering->ids[lowering->operand_value[o]];

        step->lowered.step.as.pointwise.operand[o].read_again =
            plan->values[plan->values[id].root].last_step > s;
        if (!bl_plan_add_operand(plan, step, id))
            return out_of_memory(err);
    }
    return BL_OK;
}

static bl_status lower_matmul(struct bl_plan *plan, struct bl_plan_step *step,
                              bl_error *err)
{
    const int32_t n = step->nodes[0];
    const bl_tensor *inputs[3];

    for (size_t i = 1; i < step->operand_count; i++)
        inputs[i - 1] = step->operands[i] != BL_NO_VALUE
                            ? &plan->values[step->operands[i]].layout
                            : NULL;
    return bl_lower_matmul(&step->lowered, &plan->allocator, &plan->graph->nodes[n].node,
                           &plan->params[n], inputs, step->operand_count - 1,
                           &plan->values[step->operands[0]].layout, err);
}

static bl_status lower_step(struct bl_plan *plan, struct lowering *lowering, int32_t s,
                            bl_error *err)
{
    struct bl_plan_step *step = &plan->steps[s];

    switch (step->kind) {
    case BL_PLAN_GROUP:
        return lower_group(plan, lowering, s, err);
    case BL_PLAN_COPY:
        return bl_lower_copy(&step->lowered, &plan->allocator,
                             &plan->values[step->operands[0]].layout,
                             &plan->values[step->operands[1]].layout, err);
    case BL_PLAN_MATMUL:
        return lower_matmul(plan, step, err);
    case BL_PLAN_HOST:
        break;
    }
    return BL_OK;
}

bl_status bl_plan_lower_steps(struct bl_plan *plan, bl_error *err)
{
    struct lowering lowering = {.bytes = 0};
    bl_status status = reserve(plan, &lowering, err);

    if (status != BL_OK)
        return status;
    for (size_t s = 0; s < plan->step_count && status == BL_OK; s++)
        status = lower_step(plan, &lowering, (int32_t)s, err);
    bl_mem_free(&plan->allocator, lowering.nodes, lowering.bytes);
    return status;
}
