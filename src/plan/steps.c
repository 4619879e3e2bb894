/*
 * steps.c - the steps of a plan and its values, as they are added
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "base/checked.h"
#include "base/mem.h"
#include "plan/plan.h"

/* Make room for one more; false if memory runs out. */
static bool grow(const bl_allocator *allocator, void **array, size_t count, size_t *room,
                 size_t bytes)
{
    size_t larger, size;

    if (count < *room)
        return true;
    if (!bl_size_add(*room, *room / 2 + 8, &larger) || !bl_size_mul(larger, bytes, &size))
        return false;
    void *moved = bl_mem_alloc(allocator, size);

    if (moved == NULL)
        return false;
    if (count > 0)
        memcpy(moved, *array, count * bytes);
    bl_mem_free(allocator, *array, *room * bytes);
    *array = moved;
    *room = larger;
    return true;
}

/* Arrays of a step have room for a power of two, so that the count says how much that is. */
static bool append(const bl_allocator *allocator, int32_t **array, size_t count,
                   int32_t item)
{
    if ((count & (count - 1)) == 0) {
        const size_t room = count == 0 ? 1 : 2 * count;
        int32_t *moved = bl_mem_alloc(allocator, room * sizeof **array);

        if (moved == NULL)
            return false;
        if (count > 0)
            memcpy(moved, *array, count * sizeof **array);
        bl_mem_free(allocator, *array, count * sizeof **array);
        *array = moved;
    }
    (*array)[count] = item;
    return true;
}

static size_t room_of(size_t count)
{
    size_t room = 1;

    while (room < count)
        room *= 2;
    return count == 0 ? 0 : room;
}

struct bl_plan_step *bl_plan_add_step(struct bl_plan *plan, enum bl_plan_kind kind)
{
    void *steps = plan->steps;

    if (!grow(&plan->allocator, &steps, plan->step_count, &plan->step_room,
              sizeof *plan->steps))
        return NULL;
    plan->steps = steps;
    struct bl_plan_step *step = &plan->steps[plan->step_count++];

    memset(step, 0, sizeof *step);
    step->kind = kind;
    return step;
}

bool bl_plan_add_node(struct bl_plan *plan, struct bl_plan_step *step, int32_t node)
{
    if (!append(&plan->allocator, &step->nodes, step->node_count, node))
        return false;
    step->node_count++;
    return true;
}

bool bl_plan_add_operand(struct bl_plan *plan, struct bl_plan_step *step, bl_value_id value)
{
    if (!append(&plan->allocator, &step->operands, step->operand_count, value))
        return false;
    step->operand_count++;
    return true;
}

void bl_plan_free_step(const struct bl_plan *plan, struct bl_plan_step *step)
{
    if (step->lowered.memory != NULL)
        bl_lowered_free(&step->lowered);
    bl_mem_free(&plan->allocator, step->nodes,
                room_of(step->node_count) * sizeof *step->nodes);
    bl_mem_free(&plan->allocator, step->operands,
                room_of(step->operand_count) * sizeof *step->operands);
}

bl_value_id bl_plan_add_value(struct bl_plan *plan)
{
    void *values = plan->values;

    if (!grow(&plan->allocator, &values, plan->value_count, &plan->value_room,
              sizeof *plan->values))
        return BL_NO_VALUE;
    plan->values = values;
    memset(&plan->values[plan->value_count], 0, sizeof *plan->values);
    return (bl_value_id)plan->value_count++;
}
