/*
 * device.c - devices, tensors on them, and how long their steps took
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "api/context.h"
#include "base/status.h"
#include "exec/device.h"

bl_status bl_device(size_t i, bl_device_info *info, bl_error *err)
{
    if (info == NULL)
        return bl_fail(err, BL_ERR_ARGUMENT, "bl_device: NULL argument");
    return bl_exec_describe(i, info, err);
}

int bl_context_lacks(const bl_context *context, size_t i, char *line, size_t size)
{
    if (context == NULL || line == NULL || size == 0)
        return 0;
    struct bl_text text = bl_text_in(line, size);

    return bl_exec_lacks(&context->exec, i, &text);
}

int bl_context_timing(const bl_context *context, size_t i, bl_timing *timing)
{
    if (context == NULL || timing == NULL || i >= context->exec.times.count)
        return 0;
    *timing = context->exec.times.list[i];
    return 1;
}

void bl_context_forget_timings(bl_context *context)
{
    if (context != NULL)
        bl_exec_forget_times(&context->exec);
}

/* ---- Tensors ----------------------------------------------------------------------------------- */

bl_tensor *bl_tensor_new_on_device(bl_context *context, bl_dtype dtype,
                                   const bl_shape *shape, bl_error *err)
{
    if (context == NULL || shape == NULL) {
        bl_fail(err, BL_ERR_ARGUMENT, "bl_tensor_new_on_device: NULL argument");
        return NULL;
    }
    return bl_exec_tensor_make(&context->exec, true, dtype, shape, err);
}

int bl_tensor_is_on_device(const bl_tensor *tensor)
{
    return tensor != NULL && tensor->device != NULL;
}

/* What can be copied byte by byte. */
static bl_status check_copy(const bl_tensor *tensor, const void *elements,
                            const char *function, bl_error *err)
{
    if (tensor == NULL || (elements == NULL && tensor->count > 0))
        return bl_fail(err, BL_ERR_ARGUMENT, "%s: NULL argument", function);
    if (tensor->dtype == BL_STRING)
        return bl_fail(err, BL_ERR_TYPE, "%s: strings cannot be copied so", function);
    if (!bl_tensor_is_row_major(tensor))
        return bl_fail(err, BL_ERR_ARGUMENT, "%s: the tensor is not row-major", function);
    if (tensor->mapped != NULL)
        return bl_fail(err, BL_ERR_ARGUMENT, "%s: the tensor is mapped", function);
    return BL_OK;
}

bl_status bl_tensor_upload(bl_tensor *tensor, const void *elements, bl_error *err)
{
    BL_TRY(check_copy(tensor, elements, "bl_tensor_upload", err));
    if (!tensor->writable)
        return bl_fail(err, BL_ERR_ARGUMENT, "bl_tensor_upload: the tensor is read-only");
    return bl_exec_upload(tensor, elements, err);
}

bl_status bl_tensor_download(const bl_tensor *tensor, void *elements, bl_error *err)
{
    BL_TRY(check_copy(tensor, elements, "bl_tensor_download", err));
    return bl_exec_download(tensor, elements, err);
}

bl_status bl_tensor_map(bl_tensor *tensor, bl_error *err)
{
    if (tensor == NULL)
        return bl_fail(err, BL_ERR_ARGUMENT, "bl_tensor_map: NULL argument");
    return bl_exec_map(tensor, err);
}

bl_status bl_tensor_unmap(bl_tensor *tensor, bl_error *err)
{
    if (tensor == NULL)
        return bl_fail(err, BL_ERR_ARGUMENT, "bl_tensor_unmap: NULL argument");
    return bl_exec_unmap(tensor, err);
}
