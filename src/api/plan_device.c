/*
 * plan_device.c - a plan where a device runs its steps
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "api/plan_device.h"

#include "base/mem.h"
#include "base/status.h"
#include "exec/device.h"

bool bl_plan_step_is_empty(const struct bl_plan *plan, const struct bl_plan_step *step)
{
    const bl_value_id out = step->kind == BL_PLAN_COPY ? step->operands[1]
                            : step->kind == BL_PLAN_GROUP
                                ? plan->graph->nodes[step->nodes[0]].outputs[0]
                                : step->operands[0];

    return plan->values[out].layout.count == 0;
}

/* ---- Shaders and constants --------------------------------------------------------------------- */

static size_t jobs_bytes(const struct bl_plan *plan)
{
    return (plan->step_count > 0 ? plan->step_count : 1) * sizeof(struct bl_exec_job);
}

/* True for a step that the device runs. */
static bool is_for_device(const struct bl_plan *plan, const struct bl_plan_step *step)
{
    return step->kind != BL_PLAN_HOST && !bl_plan_step_is_empty(plan, step);
}

/* The constant that an operand is, or is a view of; NULL if it is none. */
static const bl_tensor *constant_of(const struct bl_plan *plan,
                                    const struct bl_plan_step *step, size_t operand)
{
    const bl_value_id id = step->operands[operand];
    const struct bl_plan_value *root =
        id != BL_NO_VALUE ? &plan->values[plan->values[id].root] : NULL;

    return root != NULL && root->home == BL_HOME_CONSTANT && root->layout.data != NULL
               ? &root->layout
               : NULL;
}

static bl_status keep_constants(const struct bl_exec *exec, const struct bl_plan *plan,
                                const struct bl_plan_step *step, bl_error *err)
{
    for (size_t o = 0; o < step->operand_count; o++) {
        const bl_tensor *constant = constant_of(plan, step, o);

        if (constant != NULL)
            BL_TRY(bl_exec_keep(exec, constant, err));
    }
    return BL_OK;
}

/* The steps up to `end` are forgotten. */
static void forget_constants(const struct bl_exec *exec, const struct bl_plan *plan,
                             size_t end)
{
    for (size_t s = 0; s < end; s++) {
        const struct bl_plan_step *step = &plan->steps[s];

        for (size_t o = 0; is_for_device(plan, step) && o < step->operand_count; o++) {
            const bl_tensor *constant = constant_of(plan, step, o);

            if (constant != NULL)
                bl_exec_forget(exec, constant);
        }
    }
}

static bl_status prepare(const struct bl_exec *exec, struct bl_cached_plan *cached,
                         bl_error *err)
{
    const struct bl_plan *plan = cached->plan;

    for (size_t s = 0; s < plan->step_count; s++) {
        const struct bl_plan_step *step = &plan->steps[s];

        if (is_for_device(plan, step))
            BL_TRY(bl_exec_prepare(exec, &step->lowered.step, &cached->jobs[s], err));
    }
    for (size_t s = 0; s < plan->step_count; s++) {
        const bl_status status = is_for_device(plan, &plan->steps[s])
                                     ? keep_constants(exec, plan, &plan->steps[s], err)
                                     : BL_OK;

        if (status != BL_OK) {
            forget_constants(exec, plan, s);
            return status;
        }
    }
    return BL_OK;
}

bl_status bl_plan_enter_device(const bl_session *session, struct bl_cached_plan *cached,
                               bl_error *err)
{
    const bl_allocator *allocator = &session->context->allocator;
    const struct bl_exec *exec = &session->context->exec;

    if (exec->device == NULL || cached->jobs != NULL)
        return BL_OK;
    cached->jobs = bl_mem_alloc_zero(allocator, jobs_bytes(cached->plan));
    if (cached->jobs == NULL)
        return bl_fail(err, BL_ERR_MEMORY, "out of memory for %zu steps",
                       cached->plan->step_count);
    const bl_status status = prepare(exec, cached, err);

    if (status != BL_OK) {
        bl_mem_free(allocator, cached->jobs, jobs_bytes(cached->plan));
        cached->jobs = NULL;
    }
    return status;
}

void bl_plan_leave_device(const bl_session *session, struct bl_cached_plan *cached)
{
    if (cached->jobs == NULL)
        return;
    forget_constants(&session->context->exec, cached->plan, cached->plan->step_count);
    bl_mem_free(&session->context->allocator, cached->jobs, jobs_bytes(cached->plan));
    cached->jobs = NULL;
}

/* ---- Steps of the host ------------------------------------------------------------------------- */

/* A tensor as the host sees it: itself, or a copy of what lies on the device. */
struct seen {
    bl_tensor view;
    void *memory; /* NULL: there is no copy */
    size_t bytes;
};

static bl_status see(const struct bl_exec *exec, const bl_tensor *layout, bool read,
                     struct seen *seen, bl_error *err)
{
    if (bl_exec_is_on_device(exec, layout->data))
        return bl_exec_fetch(exec, layout, read, &seen->view, &seen->memory, &seen->bytes,
                             err);
    seen->view = *layout;
    return BL_OK;
}

/* @param seen    [step's operands], zeros: the output, then the inputs.
 * @param inputs  [one less]. */
static bl_status run_seen(const struct bl_exec *exec, const struct bl_plan *plan,
                          const struct bl_plan_step *step, struct seen *seen,
                          const bl_tensor **inputs, bl_error *err)
{
    const int32_t node = step->nodes[0];
    const bl_tensor *output = &plan->values[step->operands[0]].layout;

    for (size_t i = 1; i < step->operand_count; i++) {
        inputs[i - 1] = NULL;
        if (step->operands[i] == BL_NO_VALUE)
            continue;
        BL_TRY(see(exec, &plan->values[step->operands[i]].layout, true, &seen[i], err));
        inputs[i - 1] = &seen[i].view;
    }
    BL_TRY(see(exec, output, false, &seen[0], err));
    BL_TRY(bl_host_run(&plan->graph->nodes[node].node, &plan->params[node], inputs,
                       step->operand_count - 1, &seen[0].view, exec->cpu.guard, err));
    return seen[0].memory != NULL ? bl_exec_put_back(exec, &seen[0].view, output, err)
                                  : BL_OK;
}

bl_status bl_plan_run_host(struct bl_exec *exec, const struct bl_plan *plan,
                           const struct bl_plan_step *step, bl_error *err)
{
    const size_t count = step->operand_count;
    /* The steps were counted when the plan was made: this is less than their lists take. */
    const size_t bytes = count * (sizeof(struct seen) + sizeof(bl_tensor *));
    int64_t failed;

    BL_TRY(bl_exec_finish(exec, &failed, err));
    struct seen *seen = bl_mem_alloc_zero(&exec->allocator, bytes);

    if (seen == NULL)
        return bl_fail(err, BL_ERR_MEMORY, "out of memory for %zu inputs", count - 1);
    const bl_status status =
        run_seen(exec, plan, step, seen, (const bl_tensor **)(void *)(seen + count), err);

    for (size_t i = 0; i < count; i++)
        if (seen[i].memory != NULL)
            bl_mem_free(&exec->allocator, seen[i].memory, seen[i].bytes);
    bl_mem_free(&exec->allocator, seen, bytes);
    return status;
}
