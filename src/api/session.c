/*
 * session.c - sessions: check what a run is given, choose how to run it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "api/session.h"

#include <string.h>

#include "api/place.h"
#include "base/guard.h"
#include "base/mem.h"
#include "base/status.h"
#include "exec/device.h"
#include "shape/shape.h"
#include "tensor/dtype.h"

const struct bl_graph *bl_session_graph(const bl_session *session)
{
    return session->model->graph;
}

static size_t constants_bytes(const struct bl_graph *graph)
{
    return (graph->value_count > 0 ? graph->value_count : 1) * sizeof(bl_tensor *);
}

bl_session *bl_session_new(bl_context *context, const bl_model *model,
                           const bl_session_options *options, bl_error *err)
{
    static const bl_session_options defaults = BL_SESSION_DEFAULTS;

    if (context == NULL || model == NULL) {
        bl_fail(err, BL_ERR_ARGUMENT, "bl_session_new: NULL argument");
        return NULL;
    }
    if (options == NULL)
        options = &defaults;
    if (options->size != sizeof *options) {
        bl_fail(err, BL_ERR_ARGUMENT,
                "bl_session_options.size is %zu, not %zu: start from BL_SESSION_DEFAULTS",
                options->size, sizeof *options);
        return NULL;
    }
    const struct bl_graph *graph = model->graph;

    if (graph->problem_count > 0) {
        bl_fail(err, BL_ERR_UNSUPPORTED,
                "bl_session_new: %zu of the model's nodes cannot run",
                graph->problem_count);
        return NULL;
    }
    if (bl_guard_check(context->exec.cpu.guard, err) != BL_OK)
        return NULL;
    bl_session *session = bl_mem_alloc_zero(&context->allocator, sizeof *session);
    const bl_tensor **constants = bl_mem_alloc(&context->allocator, constants_bytes(graph));

    if (session == NULL || constants == NULL) {
        bl_fail(err, BL_ERR_MEMORY, "out of memory for a session");
        bl_mem_free(&context->allocator, session, sizeof *session);
        bl_mem_free(&context->allocator, (void *)constants, constants_bytes(graph));
        return bl_guard_explain_null(&context->allocator, err);
    }
    for (size_t v = 0; v < graph->value_count; v++)
        constants[v] = graph->values[v].constant;
    session->context = context;
    session->model = model;
    session->no_fuse = options->no_fuse != 0;
    session->constants = constants;
    return session;
}

void bl_session_free(bl_session *session)
{
    if (session == NULL)
        return;
    const bl_allocator allocator = session->context->allocator;

    bl_session_free_plans(session);
    bl_mem_free(&allocator, (void *)session->constants,
                constants_bytes(bl_session_graph(session)));
    bl_mem_free(&allocator, session, sizeof *session);
}

/* ---- Checking what is given ------------------------------------------------------------------ */

/* Check a tensor against what the model says of a value: type, and dims that are not left open. */
static bl_status check_value(const bl_tensor *tensor, const bl_value_info *info,
                             const char *what, bl_error *err)
{
    char text[BL_SHAPE_TEXT];

    if (info->dtype != BL_UNDEFINED && tensor->dtype != info->dtype)
        return bl_fail(err, BL_ERR_TYPE, "%s '%s' is %s, but the model says %s", what,
                       info->name, bl_dtype_name(tensor->dtype),
                       bl_dtype_name(info->dtype));
    if (info->rank < 0)
        return BL_OK;
    if (tensor->shape.rank != info->rank)
        return bl_fail(err, BL_ERR_SHAPE, "%s '%s' is %s, but the model says %d axes", what,
                       info->name, bl_shape_text(&tensor->shape, text), info->rank);
    for (int axis = 0; axis < info->rank; axis++)
        if (info->dims[axis] >= 0 && tensor->shape.dim[axis] != info->dims[axis])
            return bl_fail(err, BL_ERR_SHAPE,
                           "%s '%s' is %s, but the model says %lld for axis %d", what,
                           info->name, bl_shape_text(&tensor->shape, text),
                           (long long)info->dims[axis], axis);
    return BL_OK;
}

bl_status bl_model_check_inputs(const bl_model *model, const bl_allocator *allocator,
                                const bl_tensor *const *inputs, bl_error *err)
{
    const size_t count = bl_model_input_count(model);

    if (inputs == NULL && count > 0)
        return bl_fail(err, BL_ERR_ARGUMENT, "the inputs are NULL");
    for (size_t i = 0; i < count; i++) {
        const bl_value_info *info = bl_model_input(model, i);

        if (inputs[i] == NULL && !info->has_default)
            return bl_fail(err, BL_ERR_ARITY, "input '%s' is missing", info->name);
        if (inputs[i] != NULL)
            BL_TRY(check_value(inputs[i], info, "input", err));
    }
    return bl_symbols_check(&model->symbols, model->graph, allocator, inputs, err);
}

/* ---- Running --------------------------------------------------------------------------------------- */

bl_status bl_session_check_given(const bl_session *session, size_t k,
                                 const bl_tensor *given, const bl_tensor *layout,
                                 bl_error *err)
{
    char has[BL_SHAPE_TEXT], needs[BL_SHAPE_TEXT];

    if (given == NULL)
        return BL_OK;
    const char *name = bl_model_output(session->model, k)->name;

    if (given->dtype != layout->dtype)
        return bl_fail(err, BL_ERR_TYPE,
                       "the given output '%s' is %s, but the result is %s", name,
                       bl_dtype_name(given->dtype), bl_dtype_name(layout->dtype));
    if (!bl_shape_equal(&given->shape, &layout->shape))
        return bl_fail(
            err, BL_ERR_SHAPE, "the given output '%s' is %s, but the result is %s", name,
            bl_shape_text(&given->shape, has), bl_shape_text(&layout->shape, needs));
    if (!given->writable)
        return bl_fail(err, BL_ERR_ARGUMENT, "the given output '%s' is read-only", name);
    return BL_OK;
}

/* Put a result into the tensor that the caller gave for it. */
static bl_status deliver(bl_session *session, const char *name, const bl_tensor *result,
                         bl_tensor **output, bl_error *err)
{
    const bl_node copy = {.op = bl_op_find(NULL, "Identity", BL_OPSET_LATEST, err),
                          .name = name};

    return bl_context_apply(session->context, &copy, &result, 1, output, 1, err);
}

static bl_status run(bl_session *session, const bl_tensor *const *inputs,
                     bl_tensor *const *given, bl_tensor **results, bl_error *err)
{
    if (session->no_fuse)
        return bl_session_run_nodes(session, inputs, results, err);
    const bl_status status = bl_session_run_plan(session, inputs, given, results, err);

    /* A fused group finds another index first, or another node: the message is that of a run
     * node by node, whatever the groups are. */
    session->context->work = 0;
    if (status == BL_ERR_UNSUPPORTED || status == BL_ERR_ARITHMETIC)
        return bl_session_run_nodes(session, inputs, results, err);
    return status;
}

/* Put a new result on the device, if it is not there. */
static bl_status move_to_device(const bl_session *session, bl_tensor **result,
                                bl_error *err)
{
    const bl_tensor *from = *result;

    if (from->device != NULL || from->dtype == BL_STRING)
        return BL_OK;
    bl_tensor *moved =
        bl_exec_tensor_make(&session->context->exec, true, from->dtype, &from->shape, err);

    if (moved == NULL)
        return err->status;
    const bl_status status = bl_exec_upload(moved, from->data, err);

    bl_tensor_free(status == BL_OK ? *result : moved);
    if (status == BL_OK)
        *result = moved;
    return status;
}

static bl_status run_and_deliver(bl_session *session, const bl_tensor *const *inputs,
                                 bl_tensor **outputs, bl_error *err)
{
    bl_tensor *few[8];
    bl_tensor **results = few;
    const bl_allocator *allocator = &session->context->allocator;
    const size_t count = bl_model_output_count(session->model);
    const size_t bytes = count * sizeof(bl_tensor *);

    const bool on_device = bl_place_any(inputs, bl_model_input_count(session->model));

    BL_TRY(bl_model_check_inputs(session->model, allocator, inputs, err));
    BL_TRY(bl_place_check(session->context, inputs, bl_model_input_count(session->model),
                          "input", err));
    BL_TRY(bl_place_check(session->context, (const bl_tensor *const *)outputs, count,
                          "output", err));
    BL_TRY(bl_model_check_files(session->model, err));
    if (count > BL_COUNT_OF(few)) {
        results = bl_mem_alloc(allocator, bytes);
        if (results == NULL)
            return bl_fail(err, BL_ERR_MEMORY, "out of memory for %zu outputs", count);
    }
    memset(results, 0, bytes);
    bl_status status = run(session, inputs, outputs, results, err);

    const size_t given = outputs != NULL ? count : 0; /* there are none, then */

    for (size_t k = 0; k < given && status == BL_OK; k++)
        status = bl_session_check_given(session, k, outputs[k], results[k], err);
    for (size_t k = 0; k < given && status == BL_OK; k++)
        if (outputs[k] != NULL && outputs[k] != results[k])
            status = deliver(session, bl_model_output(session->model, k)->name, results[k],
                             &outputs[k], err);
    /* What a file that was cut short made of the results, or what failed by it, does not count. */
    if (bl_model_check_files(session->model, err) != BL_OK)
        status = BL_ERR_IO;
    for (size_t k = 0; k < given && status == BL_OK && on_device; k++)
        if (outputs[k] == NULL)
            status = move_to_device(session, &results[k], err);
    for (size_t k = 0; k < given; k++) {
        if (status == BL_OK && outputs[k] == NULL)
            outputs[k] = results[k];
        else if (results[k] != outputs[k])
            bl_tensor_free(results[k]);
    }
    if (results != few)
        bl_mem_free(allocator, results, bytes);
    return status;
}

bl_status bl_session_run(bl_session *session, const bl_tensor *const *inputs,
                         bl_tensor **outputs, bl_error *err)
{
    bl_error local;

    if (session == NULL || (inputs == NULL && bl_model_input_count(session->model) > 0) ||
        (outputs == NULL && bl_model_output_count(session->model) > 0))
        return bl_fail(err, BL_ERR_ARGUMENT, "bl_session_run: NULL argument");
    bl_context *context = session->context;
    const struct bl_fpenv saved = bl_fpenv_enter();

    bl_map_guard_begin(context->exec.cpu.guard);
    context->work = 0;
    bl_status status = bl_guard_check(context->exec.cpu.guard, err);

    if (status == BL_OK)
        status = run_and_deliver(session, inputs, outputs, err != NULL ? err : &local);
    bl_fpenv_leave(saved);
    return bl_guard_explain(&context->allocator, status, err);
}
