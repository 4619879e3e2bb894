/*
 * run_plan.c - run a model by a plan, and keep plans for the shapes to come
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "api/given.h"
#include "api/place.h"
#include "api/plan_device.h"
#include "api/session.h"
#include "base/checked.h"
#include "base/guard.h"
#include "base/mem.h"
#include "base/status.h"
#include "exec/device.h"
#include "tensor/tensor.h"

/* ---- Signatures: what a plan depends on ------------------------------------------------------ */

/* The words of an input: present, type, rank, dims, strides. */
static size_t words_of(const bl_tensor *input)
{
    return input == NULL ? 1 : 3 + 2 * (size_t)input->shape.rank;
}

static int64_t *put_words(int64_t *at, const bl_tensor *input)
{
    *at++ = input != NULL;
    if (input == NULL)
        return at;
    const size_t bytes = (size_t)input->shape.rank * sizeof *at;

    *at++ = input->dtype;
    *at++ = input->shape.rank;
    memcpy(at, input->shape.dim, bytes);
    memcpy(at + input->shape.rank, input->stride, bytes);
    return at + 2 * input->shape.rank;
}

/* Write the signature of these inputs into the session's room for it. */
static bl_status sign(bl_session *session, const bl_tensor *const *inputs, size_t *words,
                      bl_error *err)
{
    const bl_allocator *allocator = &session->context->allocator;
    const size_t count = bl_session_graph(session)->input_count;

    *words = 1; /* the number of inputs: so a model without any has a signature too */
    for (size_t i = 0; i < count; i++)
        *words += words_of(inputs[i]);
    if (*words > session->signature_room) {
        size_t bytes;
        int64_t *larger = bl_size_mul(*words, sizeof *larger, &bytes)
                              ? bl_mem_alloc(allocator, bytes)
                              : NULL;

        if (larger == NULL)
            return bl_fail(err, BL_ERR_MEMORY, "out of memory for a plan");
        bl_mem_free(allocator, session->signature,
                    session->signature_room * sizeof *session->signature);
        session->signature = larger;
        session->signature_room = *words;
    }
    int64_t *at = session->signature;

    *at++ = (int64_t)count;
    for (size_t i = 0; i < count; i++)
        at = put_words(at, inputs[i]);
    return BL_OK;
}

/* ---- The cache ---------------------------------------------------------------------------------- */

static void drop(const bl_session *session, struct bl_cached_plan *cached)
{
    bl_plan_leave_device(session, cached);
    bl_plan_free(cached->plan);
    bl_mem_free(&session->context->allocator, cached->signature,
                cached->words * sizeof *cached->signature);
    *cached = (struct bl_cached_plan){.plan = NULL};
}

void bl_session_free_plans(bl_session *session)
{
    const bl_allocator *allocator = &session->context->allocator;

    for (size_t i = 0; i < BL_SESSION_PLANS; i++)
        drop(session, &session->plans[i]);
    bl_mem_free(allocator, session->signature,
                session->signature_room * sizeof *session->signature);
    bl_exec_free(&session->context->exec, session->arena, session->arena_bytes);
}

static struct bl_cached_plan *find(bl_session *session, size_t words)
{
    for (size_t i = 0; i < BL_SESSION_PLANS; i++) {
        struct bl_cached_plan *cached = &session->plans[i];

        if (cached->signature != NULL && cached->words == words &&
            memcmp(cached->signature, session->signature, words * sizeof(int64_t)) == 0)
            return cached;
    }
    return NULL;
}

/* The entry that was not used for the longest time, made empty. */
static struct bl_cached_plan *make_room(bl_session *session)
{
    struct bl_cached_plan *oldest = &session->plans[0];

    for (size_t i = 1; i < BL_SESSION_PLANS; i++)
        if (session->plans[i].last_use < oldest->last_use)
            oldest = &session->plans[i];
    drop(session, oldest);
    return oldest;
}

/* ---- Planning -------------------------------------------------------------------------------------- */

static bl_status evaluate(void *user, const bl_node *node, const bl_tensor *const *inputs,
                          size_t input_count, bl_tensor **output, bl_error *err)
{
    *output = NULL;
    return bl_context_apply(user, node, inputs, input_count, output, 1, err);
}

/* Plan for the inputs that are signed, and keep the plan; also that there can be none. */
static bl_status plan_inputs(bl_session *session, const bl_tensor *const *inputs,
                             size_t words, struct bl_cached_plan **out, bl_error *err)
{
    const bl_allocator *allocator = &session->context->allocator;
    const struct bl_plan_evaluator evaluator = {evaluate, session->context};
    struct bl_plan *plan = NULL;
    const bl_status status = bl_plan_graph(&plan, allocator, bl_session_graph(session),
                                           inputs, session->constants, &evaluator, err);

    if (status != BL_OK && status != BL_ERR_UNSUPPORTED)
        return status;
    int64_t *signature = bl_mem_alloc(allocator, words * sizeof *signature);

    if (signature == NULL) {
        bl_plan_free(plan);
        return bl_fail(err, BL_ERR_MEMORY, "out of memory for a plan");
    }
    memcpy(signature, session->signature, words * sizeof *signature);
    *out = make_room(session);
    **out = (struct bl_cached_plan){.plan = plan, .signature = signature, .words = words};
    return BL_OK;
}

/* ---- Running -------------------------------------------------------------------------------------------- */

static bl_status grow_arena(bl_session *session, size_t bytes, bl_error *err)
{
    const struct bl_exec *exec = &session->context->exec;

    if (bytes <= session->arena_bytes)
        return BL_OK;
    bl_exec_free(exec, session->arena, session->arena_bytes);
    session->arena_bytes = 0;
    session->arena = bl_exec_alloc(exec, bytes, err);
    if (session->arena == NULL)
        return bl_fail_prefix(err, err->status, "the values between nodes: ");
    session->arena_bytes = bytes;
    return BL_OK;
}

static bl_status run_steps(bl_session *session, struct bl_cached_plan *cached,
                           bl_error *err)
{
    struct bl_exec *exec = &session->context->exec;
    struct bl_plan *plan = cached->plan;
    int64_t failed;

    for (size_t s = 0; s < plan->step_count; s++) {
        struct bl_plan_step *step = &plan->steps[s];

        if (bl_plan_step_is_empty(plan, step))
            continue;
        if (step->kind == BL_PLAN_HOST)
            BL_TRY(bl_plan_run_host(exec, plan, step, err));
        else if (cached->jobs != NULL)
            BL_TRY(bl_exec_add_job(exec, &cached->jobs[s], &failed, err));
        else
            BL_TRY(bl_exec_run(exec, &step->lowered.step, &failed, err));
    }
    return bl_exec_finish(exec, &failed, err);
}

/* True if the plan can write its output k to the tensor: all reads of the inputs, and all writes of
 * the other outputs, are elsewhere. */
static bool is_apart(const struct bl_plan *plan, const bl_tensor *const *inputs,
                     bl_tensor *const *given, size_t k)
{
    if (!bl_tensor_is_row_major(given[k]) || given[k]->dtype == BL_STRING)
        return false;
    for (size_t i = 0; i < plan->graph->input_count; i++)
        if (inputs[i] != NULL && bl_tensors_meet(inputs[i], given[k]))
            return false;
    for (size_t other = 0; other < plan->graph->output_count; other++)
        if (other != k && given[other] != NULL && bl_tensors_meet(given[other], given[k]))
            return false;
    return true;
}

/* Find a tensor for each output: the given one where it can be written to at once.  What nodes of
 * the host may fail at is not known before they run, and a given output should not change then. */
static bl_status make_results(bl_session *session, const struct bl_plan *plan,
                              const bl_tensor *const *inputs, bl_tensor *const *given,
                              bl_tensor **results, bl_error *err)
{
    const size_t count = plan->graph->output_count;
    const bool on_device = bl_place_any(inputs, plan->graph->input_count);
    bool at_once = true;

    for (size_t k = 0; k < count; k++)
        BL_TRY(bl_session_check_given(session, k, given[k],
                                      &plan->values[plan->outputs[k]].layout, err));
    for (size_t s = 0; s < plan->step_count; s++)
        at_once = at_once && plan->steps[s].kind != BL_PLAN_HOST;
    for (size_t k = 0; k < count; k++) {
        const bl_tensor *layout = &plan->values[plan->outputs[k]].layout;

        results[k] = at_once && given[k] != NULL && is_apart(plan, inputs, given, k)
                         ? given[k]
                         : bl_exec_tensor_make(&session->context->exec, on_device,
                                               layout->dtype, &layout->shape, err);
        if (results[k] == NULL)
            return err->status;
    }
    return BL_OK;
}

static bl_status run(bl_session *session, struct bl_cached_plan *cached,
                     const bl_tensor *const *inputs, bl_tensor *const *given,
                     bl_tensor **results, bl_error *err)
{
    struct bl_plan *plan = cached->plan;

    BL_TRY(make_results(session, plan, inputs, given, results, err));
    BL_TRY(grow_arena(session, plan->arena_bytes, err));
    bl_plan_bind(plan, inputs, results, session->arena);
    BL_TRY(bl_plan_enter_device(session, cached, err));
    return run_steps(session, cached, err);
}

bl_status bl_session_run_plan(bl_session *session, const bl_tensor *const *inputs,
                              bl_tensor *const *given, bl_tensor **results, bl_error *err)
{
    struct bl_cached_plan *cached;
    size_t words;

    BL_TRY(sign(session, inputs, &words, err));
    cached = find(session, words);
    if (cached == NULL)
        BL_TRY(plan_inputs(session, inputs, words, &cached, err));
    cached->last_use = ++session->uses;
    if (cached->plan == NULL)
        return BL_ERR_UNSUPPORTED;
    const bl_status status = run(session, cached, inputs, given, results, err);

    if (status != BL_OK)
        for (size_t k = 0; k < cached->plan->graph->output_count; k++) {
            if (results[k] != given[k])
                bl_tensor_free(results[k]);
            results[k] = NULL;
        }
    return status;
}
