/*
 * context.c - contexts, and the makers of tensors that take one
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "api/context.h"

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
    if ((unsigned)options->mapping > BL_MAPPING_TRUSTED)
        return bl_fail(err, BL_ERR_ARGUMENT, "%d is no mapping", (int)options->mapping);
    return BL_OK;
}

bl_context *bl_context_new(const bl_context_options *options, bl_error *err)
{
    static const bl_context_options defaults = BL_CONTEXT_DEFAULTS;

    if (options == NULL)
        options = &defaults;
    if (check_options(options, err) != BL_OK)
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
    context->mapping = options->mapping;
    context->calls = (struct bl_call_cache){{NULL}};
    if (bl_exec_init(&context->exec, allocator, options->isas, threads, err) != BL_OK) {
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

    bl_call_cache_clear(&context->calls, &allocator);
    bl_exec_close(&context->exec);
    bl_mem_free(&allocator, context, sizeof *context);
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
    return bl_tensor_make_zero(bl_context_allocator(context), dtype, shape, err);
}

static bl_tensor *borrow(bl_context *context, bl_dtype dtype, const bl_shape *shape,
                         const int64_t *strides, void *data, bool writable, bl_error *err)
{
    if (shape == NULL) {
        bl_fail(err, BL_ERR_ARGUMENT, "bl_tensor_borrow: the shape is NULL");
        return NULL;
    }
    bl_tensor *tensor = bl_tensor_make_borrowed(bl_context_allocator(context), dtype, shape,
                                                strides, data, writable, err);

    if (tensor == NULL || tensor->count == 0 || bl_tensor_is_aligned(tensor))
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
