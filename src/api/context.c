/*
 * context.c - contexts, and the makers of tensors that take one
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "api/context.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/status.h"
#include "base/text.h"
#include "cpu/cpu.h"
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

/* The tiers that the environment allows: those up to the one that BL_ISA names. */
static bl_status tiers_of_environment(uint32_t *tiers, bl_error *err)
{
    const char *limit = getenv("BL_ISA");
    char names[64];
    struct bl_text text = bl_text_in(names, sizeof names);

    *tiers = BL_ISA_ALL;
    if (limit == NULL || limit[0] == '\0')
        return BL_OK;
    for (int tier = 0; tier < BL_TIER_COUNT; tier++) {
        if (strcmp(limit, bl_tier_name((enum bl_isa)tier)) == 0) {
            *tiers = (UINT32_C(2) << tier) - 1;
            return BL_OK;
        }
        bl_text_put(&text, "%s%s", tier > 0 ? ", " : "", bl_tier_name((enum bl_isa)tier));
    }
    return bl_fail(err, BL_ERR_ARGUMENT,
                   "environment variable BL_ISA is '%.40s', which is none of: %s", limit,
                   names);
}

static bl_status check_options(const bl_context_options *options, bl_error *err)
{
    if (options->size != sizeof *options)
        return bl_fail(
            err, BL_ERR_ARGUMENT,
            "bl_context_options.size is %zu, not %zu: start from BL_CONTEXT_DEFAULTS",
            options->size, sizeof *options);
    if (options->threads < 0 || options->threads > MAX_THREADS)
        return bl_fail(err, BL_ERR_ARGUMENT, "%d threads are out of range (0 to %d)",
                       options->threads, MAX_THREADS);
    if (options->allocator != NULL &&
        (options->allocator->alloc == NULL || options->allocator->free == NULL))
        return bl_fail(err, BL_ERR_ARGUMENT, "a function of the allocator is NULL");
    return BL_OK;
}

bl_context *bl_context_new(const bl_context_options *options, bl_error *err)
{
    static const bl_context_options defaults = BL_CONTEXT_DEFAULTS;
    uint32_t tiers;

    if (options == NULL)
        options = &defaults;
    if (check_options(options, err) != BL_OK || tiers_of_environment(&tiers, err) != BL_OK)
        return NULL;
    const bl_allocator *allocator =
        options->allocator != NULL ? options->allocator : &bl_allocator_default;
    const int threads = options->threads > 0 ? options->threads : bl_processors();
    bl_context *context = bl_mem_alloc(allocator, sizeof *context);

    if (context == NULL) {
        bl_fail(err, BL_ERR_MEMORY, "out of memory for a context (%zu bytes)",
                sizeof *context);
        return NULL;
    }
    context->allocator = *allocator;
    /* The baseline cannot be turned off. */
    tiers &= options->isas | (UINT32_C(1) << BL_TIER_BASELINE);
    if (bl_exec_init(&context->exec, allocator, tiers, threads, err) != BL_OK) {
        bl_mem_free(allocator, context, sizeof *context);
        return NULL;
    }
    return context;
}

void bl_context_free(bl_context *context)
{
    if (context == NULL)
        return;
    const bl_allocator allocator = context->allocator;

    bl_exec_close(&context->exec);
    bl_mem_free(&allocator, context, sizeof *context);
}

int bl_context_threads(const bl_context *context)
{
    return bl_pool_threads(context->exec.pool);
}

const char *bl_context_isa(const bl_context *context)
{
    return bl_tier_name(context->exec.tier);
}

const char *bl_cpu_isa(void)
{
    const uint32_t tiers = bl_cpu_tiers();
    int best = BL_TIER_COUNT - 1;

    while (best > 0 && !(tiers >> best & 1))
        best--;
    return bl_tier_name((enum bl_isa)best);
}

/* ---- Tensors ------------------------------------------------------------------------- */

bl_tensor *bl_tensor_new(bl_context *context, bl_dtype dtype, const bl_shape *shape,
                         bl_error *err)
{
    if (shape == NULL) {
        bl_fail(err, BL_ERR_ARGUMENT, "bl_tensor_new: the shape is NULL");
        return NULL;
    }
    return bl_tensor_make_zero(bl_context_allocator(context), dtype, shape, err);
}

static bl_tensor *borrow(bl_context *context, bl_dtype dtype, const bl_shape *shape,
                         const int64_t *strides, void *data, bool writable, bl_error *err)
{
    if (shape == NULL) {
        bl_fail(err, BL_ERR_ARGUMENT, "bl_tensor_borrow: the shape is NULL");
        return NULL;
    }
    return bl_tensor_make_borrowed(bl_context_allocator(context), dtype, shape, strides,
                                   data, writable, err);
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
