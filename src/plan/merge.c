/*
 * merge.c - a group that one later group waits for becomes part of it
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * In a * b + c * d each product begins a group, since neither reads what the other does, and the sum joins
 * the second.  Here the first is moved there, so that its result never goes to memory.  That is right
 * where no step between the two reads what the first puts out.
 */
#include "base/mem.h"
#include "base/status.h"
#include "plan/plan.h"

/* What is known of a step. */
struct links {
    int32_t first_reader; /* the first step that reads what it puts out, or -1 */
    int32_t place;        /* the step that its nodes are in, which is itself at first */
    int32_t number;       /* of that step when the empty ones are left out */
    bool viewed;     /* its first reader reads it as a view: not while the group runs */
    bool read_again; /* by a step after its first reader */
};

static void note_reader(const struct bl_plan *plan, struct links *links, int32_t s,
                        bl_value_id id)
{
    const int32_t from = id != BL_NO_VALUE ? plan->values[id].step : -1;

    if (from < 0 || from == s)
        return;
    struct links *link = &links[from];

    if (link->first_reader < 0)
        link->first_reader = s;
    else if (link->first_reader != s)
        link->read_again = true;
    if (link->first_reader == s && plan->values[id].root != id)
        link->viewed = true;
}

static void note_readers(const struct bl_plan *plan, struct links *links)
{
    for (size_t s = 0; s < plan->step_count; s++)
        links[s] = (struct links){.first_reader = -1, .place = (int32_t)s};
    for (size_t s = 0; s < plan->step_count; s++) {
        const struct bl_plan_step *step = &plan->steps[s];

        if (step->kind == BL_PLAN_COPY)
            note_reader(plan, links, (int32_t)s, step->operands[0]);
        for (size_t n = 0; n < step->node_count; n++) {
            const struct bl_graph_node *node = &plan->graph->nodes[step->nodes[n]];

            for (size_t i = 0; i < node->input_count; i++)
                note_reader(plan, links, (int32_t)s, node->inputs[i]);
        }
    }
}

/* The groups that step `s` can take in, in `found`, which has room for BL_PLAN_MOST_NODES. */
static size_t find_groups(const struct bl_plan *plan, const struct links *links, int32_t s,
                          int32_t *found)
{
    const struct bl_plan_step *step = &plan->steps[s];
    size_t count = 0, nodes = step->node_count;

    for (size_t n = 0; n < step->node_count; n++) {
        const struct bl_graph_node *node = &plan->graph->nodes[step->nodes[n]];

        for (size_t i = 0; i < node->input_count; i++) {
            const bl_value_id id = node->inputs[i];
            const int32_t from = id != BL_NO_VALUE ? plan->values[id].step : -1;
            bool is_found = false;

            if (from < 0 || links[from].first_reader != s || links[from].viewed ||
                !bl_plan_has_room(plan, &plan->steps[from], nodes,
                                  bl_plan_space(plan, step)))
                continue;
            for (size_t f = 0; f < count && !is_found; f++)
                is_found = found[f] == from;
            if (!is_found) {
                nodes += plan->steps[from].node_count;
                found[count++] = from;
            }
        }
    }
    return count;
}

/* The nodes of `from` go before those of `s`, which read what they put out. */
static bool take_in(struct bl_plan *plan, struct links *links, int32_t from, int32_t s)
{
    struct bl_plan_step *before = &plan->steps[from], *after = &plan->steps[s];
    const struct bl_plan_step was = *after;

    for (size_t n = 0; n < after->node_count; n++)
        if (!bl_plan_add_node(plan, before, after->nodes[n]))
            return false;
    after->nodes = before->nodes;
    after->node_count = before->node_count;
    before->nodes = was.nodes;
    before->node_count = was.node_count;
    links[from].place = s;
    /* Where it is read again is not known, so that `s` has to stay where it is. */
    if (links[from].read_again)
        links[s].first_reader = -1;
    return true;
}

static bool merge_groups(struct bl_plan *plan, struct links *links)
{
    int32_t found[BL_PLAN_MOST_NODES];

    for (int32_t s = 0; s < (int32_t)plan->step_count; s++) {
        if (plan->steps[s].kind != BL_PLAN_GROUP)
            continue;
        const size_t count = find_groups(plan, links, s, found);

        for (size_t f = 0; f < count; f++)
            if (!take_in(plan, links, found[f], s))
                return false;
    }
    return true;
}

/* Leave out the steps whose nodes are elsewhere. */
static void close_gaps(struct bl_plan *plan, struct links *links)
{
    size_t count = 0;

    for (size_t s = 0; s < plan->step_count; s++) {
        if (links[s].place != (int32_t)s) {
            bl_plan_free_step(plan, &plan->steps[s]);
            continue;
        }
        links[s].number = (int32_t)count;
        plan->steps[count++] = plan->steps[s];
    }
    /* What was taken in is in a later step, which may have been taken in itself. */
    for (size_t s = plan->step_count; s-- > 0;)
        links[s].number = links[links[s].place].number;
    for (size_t v = 0; v < plan->value_count; v++)
        if (plan->values[v].step >= 0)
            plan->values[v].step = links[plan->values[v].step].number;
    plan->step_count = count;
}

bl_status bl_plan_merge_groups(struct bl_plan *plan, bl_error *err)
{
    const size_t count = plan->step_count;
    struct links *links = bl_mem_alloc_array(&plan->allocator, count, sizeof *links);

    bool merged = links != NULL;

    if (links != NULL) {
        note_readers(plan, links);
        merged = merge_groups(plan, links);
        close_gaps(plan, links);
        bl_mem_free(&plan->allocator, links, count * sizeof *links);
    }
    return merged ? BL_OK : bl_fail(err, BL_ERR_MEMORY, "out of memory for a plan");
}
