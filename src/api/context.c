/*
 * context.c - contexts, and the makers of tensors that take one
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "api/context.h"

#include <stddef.h>
#include <string.h>

#include "base/guard.h"
#include "base/mem.h"
#include "base/status.h"
#include "tensor/dtype.h"
#include "tensor/tensor.h"

#define MAX_THREADS 1024

#define STRING_(x) #x
#define STRING(x) STRING_(x)

const char *bl_version(void)
{
    return STRING(BL_VERSION_MAJOR) "." STRING(BL_VERSION_MINOR) "." STRING(
        BL_VERSION_PATCH);
}

const bl_allocator *bl_context_allocator(const bl_context *context)
{
    return context != NULL ? &context->allocator : &bl_allocator_default;
}

bl_mapping bl_context_mapping(const bl_context *context)
{
    return context != NULL ? context->mapping : BL_MAPPING_GUARDED;
}

/* The options as this version has them: those of an earlier one are the first of them. */
static bl_status copy_options(const bl_context_options *given, bl_context_options *options,
                              bl_error *err)
{
    static const bl_context_options defaults = BL_CONTEXT_DEFAULTS;

    *options = defaults;
    if (given == NULL)
        return BL_OK;
    if (given->size != sizeof *given &&
        given->size != offsetof(bl_context_options, mapping))
        return bl_fail(
            err, BL_ERR_ARGUMENT,
            "bl_context_options.size is %zu, not %zu: start from BL_CONTEXT_DEFAULTS",
            given->size, sizeof *given);
    memcpy(options, given, given->size);
    return BL_OK;
}

static bl_status check_limits(const bl_limits *limits, bl_error *err)
{
    const int64_t values[] = {
        limits->max_bytes, limits->max_tensor_bytes, limits->max_tensor_elements,
        limits->max_rank,  limits->max_nodes,        limits->max_depth,
        limits->max_work};
    static const char *const names[] = {
        "max_bytes", "max_tensor_bytes", "max_tensor_elements", "max_rank", "max_nodes",
        "max_depth", "max_work"};

    for (size_t i = 0; i < BL_COUNT_OF(values); i++)
        if (values[i] < 0)
            return bl_fail(err, BL_ERR_ARGUMENT, "limit %s is negative (%lld)", names[i],
                           (long long)values[i]);
    return BL_OK;
}

static bl_status check_options(const bl_context_options *options, bl_error *err)
{
    if (options->threads < 0 || options->threads > MAX_THREADS)
        return bl_fail(err, BL_ERR_ARGUMENT, "%d threads are out of range (0 to %d)",
                       options->threads, MAX_THREADS);
    if (options->allocator != NULL &&
        (options->allocator->alloc == NULL || options->allocator->free == NULL))
        return bl_fail(err, BL_ERR_ARGUMENT, "a function of the allocator is NULL");
    if ((unsigned)options->mapping > BL_MAPPING_TRUSTED)
        return bl_fail(err, BL_ERR_ARGUMENT, "%d is no mapping", (int)options->mapping);
    return check_limits(&options->limits, err);
}

/* A context with that guard for its allocator; NULL on failure. */
static bl_context *new_guarded(const bl_allocator *guard, const bl_context_options *options,
                               bl_error *err)
{
    const int threads = options->threads > 0 ? options->threads : bl_processors();
    bl_context *context = bl_mem_alloc(guard, sizeof *context);

    if (context == NULL) {
        bl_fail(err, BL_ERR_MEMORY, "out of memory for a context (%zu bytes)",
                sizeof *context);
        return bl_guard_explain_null(guard, err);
    }
    context->allocator = *guard;
    context->mapping = options->mapping;
    context->calls = (struct bl_call_cache){{NULL}};
    context->work = 0;
    const struct bl_exec_options with = {.tiers = options->isas,
                                         .threads = threads,
                                         .backend = options->backend,
                                         .shader_cache = options->shader_cache,
                                         .timed = options->timed != 0};

    if (bl_exec_init(&context->exec, guard, &with, err) == BL_OK)
        return context;
    bl_mem_free(guard, context, sizeof *context);
    return bl_guard_explain_null(guard, err);
}

bl_context *bl_context_new(const bl_context_options *given, bl_error *err)
{
    bl_context_options options;
    bl_allocator guard;

    if (copy_options(given, &options, err) != BL_OK ||
        check_options(&options, err) != BL_OK)
        return NULL;
    const bl_allocator *allocator =
        options.allocator != NULL ? options.allocator : &bl_allocator_default;

    if (bl_guard_new(allocator, &options.limits, &guard, err) != BL_OK)
        return NULL;
    bl_context *context = new_guarded(&guard, &options, err);

    if (context == NULL)
        bl_guard_release(&guard);
    return context;
}

void bl_context_free(bl_context *context)
{
    if (context == NULL)
        return;
    const bl_allocator allocator = context->allocator;

    bl_call_cache_clear(&context->calls, &allocator);
    bl_exec_close(&context->exec);
    bl_mem_free(&allocator, context, sizeof *context);
    bl_guard_release(&allocator);
}

const bl_limits *bl_context_limits(const bl_context *context)
{
    return bl_limits_of(&context->allocator);
}

/* One store to a flag that takes no lock, and nothing that could be in use: so a signal handler
 * may call these. */
_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "bl_context_cancel has to be async-signal-safe");

static void set_cancelled(bl_context *context, int cancelled)
{
    if (context != NULL)
        atomic_store(&bl_guard_of(&context->allocator)->cancelled, cancelled);
}

void bl_context_cancel(bl_context *context)
{
    set_cancelled(context, 1);
}

void bl_context_resume(bl_context *context)
{
    set_cancelled(context, 0);
}

int bl_context_is_cancelled(const bl_context *context)
{
    return context != NULL && bl_guard_is_cancelled(bl_guard_of(&context->allocator));
}

int bl_context_threads(const bl_context *context)
{
    return bl_pool_threads(context->exec.pool);
}

const char *bl_context_isa(const bl_context *context)
{
    return bl_exec_tier(&context->exec);
}

/* ---- Tensors ------------------------------------------------------------------------- */

bl_tensor *bl_tensor_new(bl_context *context, bl_dtype dtype, const bl_shape *shape,
                         bl_error *err)
{
    if (shape == NULL) {
        bl_fail(err, BL_ERR_ARGUMENT, "bl_tensor_new: the shape is NULL");
        return NULL;
    }
    const bl_allocator *allocator = bl_context_allocator(context);
    bl_tensor *tensor = bl_tensor_make_zero(allocator, dtype, shape, err);

    return tensor != NULL ? tensor : bl_guard_explain_null(allocator, err);
}

static bl_tensor *borrow(bl_context *context, bl_dtype dtype, const bl_shape *shape,
                         const int64_t *strides, void *data, bool writable, bl_error *err)
{
    if (shape == NULL) {
        bl_fail(err, BL_ERR_ARGUMENT, "bl_tensor_borrow: the shape is NULL");
        return NULL;
    }
    const bl_allocator *allocator = bl_context_allocator(context);
    bl_tensor *tensor =
        bl_tensor_make_borrowed(allocator, dtype, shape, strides, data, writable, err);

    if (tensor == NULL)
        return bl_guard_explain_null(allocator, err);
    if (tensor->count == 0 || bl_tensor_is_aligned(tensor))
        return tensor;
    bl_fail(err, BL_ERR_ARGUMENT, "the data of a %s tensor are not aligned to %u bytes",
            bl_dtype_name(dtype), bl_dtype_info(dtype)->alignment);
    bl_tensor_free(tensor);
    return NULL;
}

bl_tensor *bl_tensor_borrow(bl_context *context, bl_dtype dtype, const bl_shape *shape,
                            const int64_t *strides, const void *data, bl_error *err)
{
    /* The const comes back in bl_tensor_mutable_data, which gives NULL. */
    return borrow(context, dtype, shape, strides, (void *)(uintptr_t)data, false, err);
}

bl_tensor *bl_tensor_borrow_mutable(bl_context *context, bl_dtype dtype,
                                    const bl_shape *shape, const int64_t *strides,
                                    void *data, bl_error *err)
{
    return borrow(context, dtype, shape, strides, data, true, err);
}
