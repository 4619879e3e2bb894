/*
 * apply.c - bl_infer and bl_apply: check, plan, run
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "api/call.h"
#include "api/given.h"
#include "api/place.h"
#include "base/guard.h"
#include "base/mem.h"
#include "base/status.h"
#include "exec/device.h"
#include "ops/infer.h"
#include "ops/view.h"
#include "ops/work.h"
#include "plan/lower.h"
#include "shape/shape.h"
#include "tensor/dtype.h"
#include "tensor/tensor.h"

bl_status bl_infer(const bl_node *node, const bl_tensor_type *inputs, size_t input_count,
                   bl_tensor_type *outputs, size_t output_count, bl_error *err)
{
    struct bl_params params;

    if ((inputs == NULL && input_count > 0) || (outputs == NULL && output_count > 0))
        return bl_fail(err, BL_ERR_ARGUMENT, "bl_infer: NULL argument");
    const struct bl_fpenv saved = bl_fpenv_enter();
    const bl_status status =
        bl_node_infer(node, inputs, NULL, input_count, outputs, output_count, &params, err);

    bl_fpenv_leave(saved);
    return status;
}

/* ---- Running
 * ---------------------------------------------------------------------------------- */

/* Run a step; what is strided only the CPU writes. */
static bl_status run_step(const struct bl_call *call, const struct bl_lowered *lowered,
                          const bl_tensor *output, bl_error *err)
{
    struct bl_exec *exec = &call->context->exec;
    int64_t failed = -1;
    const bl_status status =
        exec->device != NULL && !bl_tensor_is_row_major(output)
            ? bl_exec_run_on_host(exec, &lowered->step, &failed, err)
            : bl_call_of_node(call, bl_exec_run(exec, &lowered->step, &failed, err), err);

    return bl_call_explain(call, output, status, failed, err);
}

static bl_status run_copy(const struct bl_call *call, const bl_tensor *from, bl_tensor *to,
                          bl_error *err)
{
    struct bl_lowered lowered = {.memory = NULL};
    bl_status status = bl_lower_copy(&lowered, &call->context->allocator, from, to, err);

    if (status == BL_OK)
        status = run_step(call, &lowered, to, err);
    bl_lowered_free(&lowered);
    return status;
}

/* Copy a view of the first input; of a row-major copy of it where it cannot be viewed. */
static bl_status run_view(const struct bl_call *call, bl_tensor *output, bl_error *err)
{
    bl_tensor *dense = NULL;
    bl_tensor view = *output;
    const bl_tensor *from = call->inputs[0];
    bl_status status;
    int64_t offset = 0;
    bool possible;

    if (from == NULL)
        return bl_fail(err, BL_ERR_ARITY, "the input of a view is absent");
    status = bl_node_view(call->node, &call->params, from, call->inputs, call->input_count,
                          &output->shape, view.stride, &offset, &possible, err);
    if (status == BL_OK && !possible) {
        dense = bl_exec_tensor_make(&call->context->exec, from->device != NULL, from->dtype,
                                    &from->shape, err);
        if (dense == NULL)
            return err->status;
        status = run_copy(call, from, dense, err);
        from = dense;
        if (status == BL_OK)
            status = bl_node_view(call->node, &call->params, from, call->inputs,
                                  call->input_count, &output->shape, view.stride, &offset,
                                  &possible, err);
    }
    view.data = (char *)from->data + offset * (int64_t)bl_dtype_size(view.dtype);
    if (status == BL_OK)
        status = run_copy(call, &view, output, err);
    if (dense != NULL && dense->dtype == BL_STRING)
        memset(dense->data, 0, (size_t)dense->count * sizeof(bl_string)); /* not its own */
    bl_tensor_free(dense);
    return status;
}

static bl_status run_matmul(const struct bl_call *call, bl_tensor *output, bl_error *err)
{
    struct bl_lowered lowered = {.memory = NULL};
    bl_status status =
        bl_lower_matmul(&lowered, &call->context->allocator, call->node, &call->params,
                        call->inputs, call->input_count, output, err);

    if (status == BL_OK)
        status = run_step(call, &lowered, output, err);
    bl_lowered_free(&lowered);
    return status;
}

static bl_status run_cached(const struct bl_call *call, const struct bl_cached_call *cached,
                            const bl_tensor *output, bl_error *err)
{
    int64_t failed = -1;
    const bl_status status =
        bl_exec_run_job(&call->context->exec, &cached->job, &failed, err);

    return bl_call_explain(call, output, status, failed, err);
}

/* Lower and run a pointwise node; what that took is kept for the next call of its kind. */
static bl_status run_pointwise(const struct bl_call *call, bl_tensor *output, bl_error *err)
{
    const bl_allocator *allocator = &call->context->allocator;
    struct bl_cached_call *made = bl_mem_alloc(allocator, sizeof *made);

    if (made == NULL)
        return bl_fail(err, BL_ERR_MEMORY, "out of memory for a call (%zu bytes)",
                       sizeof *made);
    const bool keep =
        bl_call_key_make(&made->key, call->node, call->inputs, call->input_count, output);

    made->output.dtype = output->dtype;
    made->output.shape = output->shape;
    made->params = call->params;
    made->work = call->work;
    made->lowered.memory = NULL;
    bl_status status =
        bl_lower_node(&made->lowered, allocator, call->node, &made->params, call->inputs,
                      call->input_count, output, keep ? made->operand_value : NULL, err);

    if (status == BL_OK)
        status = bl_call_of_node(
            call,
            bl_exec_prepare(&call->context->exec, &made->lowered.step, &made->job, err),
            err);
    if (status == BL_OK)
        status = run_cached(call, made, output, err);
    if (keep)
        bl_cached_call_measure(made, call->inputs, call->input_count, output);
    if (keep && status == BL_OK)
        bl_call_cache_keep(&call->context->calls, allocator, made);
    else
        bl_cached_call_free(made, allocator);
    return status;
}

static bl_status run_into(const struct bl_call *call, bl_tensor *output, bl_error *err);
static bl_tensor *run_to_new(const struct bl_call *call, const bl_tensor_type *type,
                             bl_error *err);

/* The type by way of which strings are cast from and to the floats of 8 bits and less, which have
 * no text of their own: exact on the way to strings, rounded once on the way from them. */
static bl_dtype way_of_cast(bl_dtype from, bl_dtype to)
{
    const struct bl_dtype_info *other = bl_dtype_info(from == BL_STRING ? to : from);

    if (other->kind != BL_KIND_FLOAT || other->bytes > 1)
        return BL_UNDEFINED;
    return from == BL_STRING ? BL_FLOAT64 : BL_FLOAT32;
}

static bl_status run_host(const struct bl_call *call, bl_tensor *output, bl_error *err)
{
    const bool is_cast = bl_schema_of(call->node->op)->form == BL_FORM_CAST;
    const bl_tensor *from = call->input_count > 0 ? call->inputs[0] : NULL;
    const bl_dtype way =
        is_cast && from != NULL ? way_of_cast(from->dtype, output->dtype) : BL_UNDEFINED;
    struct bl_call first = *call, second = *call;

    if (way == BL_UNDEFINED)
        return bl_host_run(call->node, &call->params, call->inputs, call->input_count,
                           output, call->context->exec.cpu.guard, err);
    const bl_tensor_type type = {way, call->inputs[0]->shape};

    first.input_count = second.input_count = 1;
    bl_error why = {.status = BL_OK};
    bl_tensor *between = run_to_new(&first, &type, &why);

    if (between == NULL)
        return bl_fail(err, why.status, "%s", why.message);
    second.inputs = (const bl_tensor *const *)&between;
    const bl_status status = run_into(&second, output, err);

    bl_tensor_free(between);
    return status;
}

/* Let the host do it, with copies of what lies on the device. */
static bl_status run_apart(const struct bl_call *call, bl_tensor *output, bl_error *err)
{
    const bool is_far = output->device != NULL;
    struct bl_call near = *call;
    struct bl_host_inputs copies;
    bl_tensor *result = output;

    BL_TRY(bl_host_inputs_make(&copies, call->context, NULL, call->inputs,
                               call->input_count, err));
    near.inputs = copies.inputs;
    near.on_device = false;
    if (is_far)
        result =
            bl_tensor_make(&call->context->allocator, output->dtype, &output->shape, err);
    bl_status status = result != NULL ? run_into(&near, result, err) : err->status;

    if (status == BL_OK && is_far && result != NULL)
        status = bl_exec_upload(output, result->data, err);
    if (is_far)
        bl_tensor_free(result);
    bl_host_inputs_free(&copies);
    return status;
}

/* Compute into an output that overlaps no input.  Strings in it are references to the inputs'
 * bytes, unless the node is run by the host. */
static bl_status run_into(const struct bl_call *call, bl_tensor *output, bl_error *err)
{
    const bl_tensor *first = call->input_count > 0 ? call->inputs[0] : NULL;

    if (output->count == 0)
        return BL_OK;
    if (call->context->exec.device != NULL &&
        bl_place_for_host(call->node, call->inputs, call->input_count, output) &&
        (output->device != NULL || bl_place_any(call->inputs, call->input_count)))
        return run_apart(call, output, err);
    if (bl_host_runs(call->node, first != NULL ? first->dtype : BL_UNDEFINED,
                     output->dtype))
        return run_host(call, output, err);
    if (bl_schema_of(call->node->op)->form == BL_FORM_VIEW)
        return run_view(call, output, err);
    return bl_form_is_pointwise(bl_schema_of(call->node->op)->form)
               ? run_pointwise(call, output, err)
               : run_matmul(call, output, err);
}

/* A new tensor with the result. */
static bl_tensor *run_to_new(const struct bl_call *call, const bl_tensor_type *type,
                             bl_error *err)
{
    bl_tensor *made = bl_exec_tensor_make(&call->context->exec, call->on_device,
                                          type->dtype, &type->shape, err);
    const bl_tensor *first = call->input_count > 0 ? call->inputs[0] : NULL;

    if (made == NULL)
        return NULL;
    bl_status status = run_into(call, made, err);

    if (made->dtype == BL_STRING &&
        !bl_host_runs(call->node, first != NULL ? first->dtype : BL_UNDEFINED,
                      made->dtype)) {
        /* Until here the elements are the inputs' bytes, which are not ours to free. */
        if (status == BL_OK)
            status = bl_tensor_own_strings(made, err);
        else
            memset(made->data, 0, (size_t)made->count * sizeof(bl_string));
    }
    if (status == BL_OK)
        return made;
    bl_tensor_free(made);
    return NULL;
}

/* Compute apart, then move the result into the given output. */
static bl_status run_detour(const struct bl_call *call, const bl_tensor_type *type,
                            bl_tensor *output, bl_error *err)
{
    bl_error why = {.status = BL_OK};
    struct bl_call beside = *call;
    bl_status status = BL_OK;

    beside.on_device = output->device != NULL;
    bl_tensor *apart = run_to_new(&beside, type, &why);

    if (apart == NULL)
        return bl_fail(err, why.status, "%s", why.message);
    if (type->dtype == BL_STRING) {
        /* Both own row-major memory: exchange it, and the old strings go with `apart`. */
        const bl_tensor kept = *apart;

        apart->data = output->data;
        apart->allocator = output->allocator;
        output->data = kept.data;
        output->allocator = kept.allocator;
    } else {
        status = run_copy(call, apart, output, err);
    }
    bl_tensor_free(apart);
    return status;
}

/* The call that was made before with tensors like these; NULL if there is none, or if the given
 * output is not one that it can write to. */
static struct bl_cached_call *find_cached(const struct bl_call *call,
                                          const bl_tensor *output)
{
    struct bl_call_key key;

    if (call->node == NULL || call->node->op == NULL ||
        bl_schema_of(call->node->op) == NULL ||
        !bl_call_key_make(&key, call->node, call->inputs, call->input_count, output))
        return NULL;
    struct bl_cached_call *cached = bl_call_cache_find(&call->context->calls, &key);

    if (cached == NULL || output == NULL)
        return cached;
    if (output->device != NULL &&
        bl_place_check(call->context, &(const bl_tensor *){output}, 1, "", NULL) != BL_OK)
        return NULL;
    if (output->dtype != cached->output.dtype || !output->writable ||
        !bl_shape_equal(&output->shape, &cached->output.shape))
        return NULL;
    if (bl_cached_call_overlaps(cached, call->inputs, call->input_count, output) &&
        bl_given_needs_detour(call->node, call->inputs, call->input_count, output))
        return NULL;
    return cached;
}

static bl_status run_again(const struct bl_call *call, struct bl_cached_call *cached,
                           bl_tensor **output, bl_error *err)
{
    bl_context *context = call->context;
    bl_tensor *made = NULL;

    if (cached->work > context->exec.cpu.guard->limits.max_work - context->work)
        return bl_node_spend(&context->allocator, call->node, cached->work, &context->work,
                             err);
    context->work += cached->work;
    if (*output == NULL) {
        made = bl_exec_tensor_make(&call->context->exec, call->on_device,
                                   cached->output.dtype, &cached->output.shape, err);
        if (made == NULL)
            return err->status;
    }
    bl_tensor *into = made != NULL ? made : *output;

    bl_cached_call_bind(cached, call->inputs, call->input_count, into);
    const bl_status status = run_cached(call, cached, into, err);

    if (status != BL_OK)
        bl_tensor_free(made);
    else
        *output = into;
    return status;
}

/* True if the result has to be computed apart: a device writes no strided memory. */
static bool needs_detour(const struct bl_call *call, const bl_tensor *output)
{
    return bl_given_needs_detour(call->node, call->inputs, call->input_count, output) ||
           (call->context->exec.device != NULL && !bl_tensor_is_row_major(output));
}

static bl_status run_placed(struct bl_call *call, bl_tensor **outputs, size_t output_count,
                            bl_error *err)
{
    bl_tensor_type type;
    bl_error why = {.status = BL_OK};

    BL_TRY(bl_call_infer(call, output_count, &type, err));
    if (outputs[0] == NULL) {
        outputs[0] = run_to_new(call, &type, &why);
        return outputs[0] != NULL ? BL_OK : bl_fail(err, why.status, "%s", why.message);
    }
    BL_TRY(bl_given_check(call->node, outputs[0], &type, err));
    if (needs_detour(call, outputs[0]))
        return run_detour(call, &type, outputs[0], err);
    return run_into(call, outputs[0], err);
}

/* Check everything, then run. */
static bl_status run_anew(struct bl_call *call, bl_tensor **outputs, size_t output_count,
                          bl_error *err)
{
    struct bl_host_inputs copies;

    BL_TRY(bl_place_check_call(call->context, call->node, call->inputs, call->input_count,
                               outputs, output_count, err));
    if (!call->on_device || call->node == NULL || call->node->op == NULL)
        return run_placed(call, outputs, output_count, err);
    /* Values that tell a shape are read here. */
    BL_TRY(bl_host_inputs_make(&copies, call->context, call->node->op, call->inputs,
                               call->input_count, err));
    call->inputs = copies.inputs;
    const bl_status status = run_placed(call, outputs, output_count, err);

    bl_host_inputs_free(&copies);
    return status;
}

static inline bl_status apply(bl_context *context, const bl_node *node,
                              const bl_tensor *const *inputs, size_t input_count,
                              bl_tensor **outputs, size_t output_count, bl_error *err)
{
    struct bl_call call;

    call.context = context;
    call.node = node;
    call.inputs = inputs;
    call.input_count = input_count;
    call.on_device = context->exec.device != NULL && bl_place_any(inputs, input_count);
    if (call.on_device)
        BL_TRY(bl_place_check(context, inputs, input_count, "input", err));
    struct bl_cached_call *cached =
        output_count == 1 ? find_cached(&call, outputs[0]) : NULL;

    BL_TRY(bl_guard_check(context->exec.cpu.guard, err));
    if (cached != NULL)
        return run_again(&call, cached, outputs, err);
    return run_anew(&call, outputs, output_count, err);
}

bl_status bl_context_apply(bl_context *context, const bl_node *node,
                           const bl_tensor *const *inputs, size_t input_count,
                           bl_tensor **outputs, size_t output_count, bl_error *err)
{
    return apply(context, node, inputs, input_count, outputs, output_count, err);
}

bl_status bl_apply(bl_context *context, const bl_node *node, const bl_tensor *const *inputs,
                   size_t input_count, bl_tensor **outputs, size_t output_count,
                   bl_error *err)
{
    bl_error local;

    if (context == NULL || outputs == NULL || (inputs == NULL && input_count > 0))
        return bl_fail(err, BL_ERR_ARGUMENT, "bl_apply: NULL argument");
    const struct bl_fpenv saved = bl_fpenv_enter();

    bl_map_guard_begin(context->exec.cpu.guard);
    context->work = 0;
    const bl_status status = apply(context, node, inputs, input_count, outputs,
                                   output_count, err != NULL ? err : &local);

    bl_fpenv_leave(saved);
    return status == BL_OK ? BL_OK : bl_guard_explain(&context->allocator, status, err);
}
