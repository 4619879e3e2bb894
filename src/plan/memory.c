/*
 * memory.c - where the values of a plan lie, and for how long
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "base/checked.h"
#include "base/mem.h"
#include "base/status.h"
#include "plan/plan.h"
#include "tensor/dtype.h"

/* ---- How long ---------------------------------------------------------------------------------- */

/* Step s reads the value: its root has to be there until then. */
static void note_read(struct bl_plan *plan, bl_value_id id, int32_t s)
{
    if (id == BL_NO_VALUE)
        return;
    struct bl_plan_value *root = &plan->values[plan->values[id].root];

    if (root->step == s && plan->values[id].root == id &&
        plan->steps[s].kind == BL_PLAN_GROUP)
        return; /* within the group */
    root->leaves = true;
    if (s > root->last_step)
        root->last_step = s;
}

static void note_reads(struct bl_plan *plan, int32_t s)
{
    const struct bl_plan_step *step = &plan->steps[s];

    if (step->kind == BL_PLAN_COPY)
        note_read(plan, step->operands[0], s);
    for (size_t n = 0; n < step->node_count; n++) {
        const struct bl_graph_node *node = &plan->graph->nodes[step->nodes[n]];

        for (size_t i = 0; i < node->input_count; i++)
            note_read(plan, node->inputs[i], s);
    }
}

/* True if the value is a root that needs a place in the arena. */
static bool needs_place(const struct bl_plan *plan, bl_value_id id)
{
    const struct bl_plan_value *value = &plan->values[id];

    if (value->root != id || value->home != BL_HOME_NONE || value->step < 0 ||
        value->layout.count == 0)
        return false;
    return value->leaves || plan->steps[value->step].kind != BL_PLAN_GROUP;
}

/* ---- Where ----------------------------------------------------------------------------------------- */

/* A part of the arena that is taken until a step has run. */
struct taken {
    size_t start, end;
    int32_t last_step;
};

/* Parts that are taken at one time, by their start. */
struct arena {
    struct taken *taken;
    size_t count;
};

/* Parts that are looked at, the last of them: where more are taken at one time, gaps between the
 * first stay unused, and planning takes no longer than the steps are many. */
#define LOOKED_AT 1024

static size_t first_looked_at(const struct arena *arena)
{
    return arena->count > LOOKED_AT ? arena->count - LOOKED_AT : 0;
}

static void give_back(struct arena *arena, int32_t step)
{
    size_t kept = first_looked_at(arena);

    for (size_t i = kept; i < arena->count; i++)
        if (arena->taken[i].last_step >= step)
            arena->taken[kept++] = arena->taken[i];
    arena->count = kept;
}

/* The first gap that is large enough, or the end. */
static bool take(struct arena *arena, size_t bytes, int32_t last_step, size_t *start)
{
    size_t i = first_looked_at(arena), at = i > 0 ? arena->taken[i - 1].end : 0, end;

    while (i < arena->count && arena->taken[i].start - at < bytes)
        at = arena->taken[i++].end;
    if (!bl_size_add(at, bytes, &end) || end > PTRDIFF_MAX)
        return false;
    memmove(arena->taken + i + 1, arena->taken + i,
            (arena->count - i) * sizeof *arena->taken);
    arena->taken[i] = (struct taken){at, end, last_step};
    arena->count++;
    *start = at;
    return true;
}

static bool bytes_of(const bl_tensor *layout, size_t *bytes)
{
    return bl_size_mul((size_t)layout->count, bl_dtype_size(layout->dtype), bytes) &&
           bl_size_add(*bytes, BL_ALIGNMENT - 1, bytes) &&
           (*bytes = *bytes / BL_ALIGNMENT * BL_ALIGNMENT, true);
}

/* Roots by the step that puts them out: first[s] is the first of step s, next[v] the one after v. */
struct by_step {
    bl_value_id *first, *next;
};

static bl_status place_all(struct bl_plan *plan, struct arena *arena,
                           const struct by_step *roots, bl_error *err)
{
    for (int32_t s = 0; s < (int32_t)plan->step_count; s++) {
        give_back(arena, s);
        for (bl_value_id v = roots->first[s]; v != BL_NO_VALUE; v = roots->next[v]) {
            struct bl_plan_value *value = &plan->values[v];
            size_t bytes;

            if (!bytes_of(&value->layout, &bytes) ||
                !take(arena, bytes, value->last_step > s ? value->last_step : s,
                      &value->place))
                return bl_fail(err, BL_ERR_LIMIT,
                               "the values between nodes need more memory "
                               "than this machine can address");
            value->home = BL_HOME_ARENA;
            if (value->place + bytes > plan->arena_bytes)
                plan->arena_bytes = value->place + bytes;
        }
    }
    return BL_OK;
}

bl_status bl_plan_place_memory(struct bl_plan *plan, bl_error *err)
{
    const size_t bytes = plan->value_count * (sizeof(struct taken) + sizeof(bl_value_id)) +
                         plan->step_count * sizeof(bl_value_id);
    char *memory = bl_mem_alloc(&plan->allocator, bytes);

    if (memory == NULL)
        return bl_fail(err, BL_ERR_MEMORY, "out of memory for a plan");
    struct arena arena = {(struct taken *)(void *)memory, 0};
    struct by_step roots;

    roots.first = (bl_value_id *)(void *)(arena.taken + plan->value_count);
    roots.next = roots.first + plan->step_count;
    for (size_t v = 0; v < plan->value_count; v++)
        if (plan->values[v].home == BL_HOME_OUTPUT)
            plan->values[v].leaves = true;
    for (size_t s = 0; s < plan->step_count; s++) {
        roots.first[s] = BL_NO_VALUE;
        note_reads(plan, (int32_t)s);
    }
    for (size_t v = plan->value_count; v-- > 0;)
        if (needs_place(plan, (bl_value_id)v)) {
            roots.next[v] = roots.first[plan->values[v].step];
            roots.first[plan->values[v].step] = (bl_value_id)v;
        }
    const bl_status status = place_all(plan, &arena, &roots, err);

    bl_mem_free(&plan->allocator, memory, bytes);
    return status;
}

/* ---- Binding ------------------------------------------------------------------------------------------ */

static char *home_of(const struct bl_plan_value *root, const bl_tensor *const *inputs,
                     bl_tensor *const *outputs, char *arena)
{
    switch (root->home) {
    case BL_HOME_INPUT:
        return inputs[root->place]->data;
    case BL_HOME_OUTPUT:
        return outputs[root->place]->data;
    case BL_HOME_ARENA:
        return arena + root->place;
    case BL_HOME_CONSTANT:
    case BL_HOME_NONE:
        break;
    }
    return NULL;
}

static char *data_of(const struct bl_plan *plan, bl_value_id id)
{
    return id != BL_NO_VALUE ? plan->values[id].layout.data : NULL;
}

static void bind_step(const struct bl_plan *plan, struct bl_plan_step *step)
{
    if (step->kind == BL_PLAN_HOST)
        return;
    if (step->kind == BL_PLAN_MATMUL) {
        struct bl_matmul *matmul = &step->lowered.step.as.matmul;

        matmul->y.data = data_of(plan, step->operands[0]);
        matmul->a.data = data_of(plan, step->operands[1]);
        matmul->b.data = data_of(plan, step->operands[2]);
        matmul->c.data = step->operand_count > 3 ? data_of(plan, step->operands[3]) : NULL;
        return;
    }
    for (size_t o = 0; o < step->operand_count; o++)
        step->lowered.step.as.pointwise.operand[o].data = data_of(plan, step->operands[o]);
}

void bl_plan_bind(struct bl_plan *plan, const bl_tensor *const *inputs,
                  bl_tensor *const *outputs, void *arena)
{
    for (size_t v = 0; v < plan->value_count; v++) {
        struct bl_plan_value *value = &plan->values[v];
        const struct bl_plan_value *root = &plan->values[value->root];
        char *home = home_of(root, inputs, outputs, arena);

        if (home != NULL)
            value->layout.data = home + value->offset;
    }
    for (size_t s = 0; s < plan->step_count; s++)
        bind_step(plan, &plan->steps[s]);
}
