/*
 * device.c - tensors and other memory on a device, and copies between it and the host
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "exec/device.h"

#include <stdio.h>
#include <string.h>

#include "base/guard.h"
#include "base/mem.h"

/* ---- Tensors ----------------------------------------------------------------------------------- */

static void free_shadow(bl_tensor *tensor)
{
    if (tensor->mapped != NULL && bl_vk_mapped(tensor->device, tensor->data) == NULL)
        bl_mem_free(&tensor->allocator, tensor->mapped, bl_tensor_bytes(tensor));
    tensor->mapped = NULL;
}

static void free_on_device(bl_tensor *tensor)
{
    free_shadow(tensor);
    bl_vk_free(tensor->device, tensor->data);
    bl_vk_let_go(tensor->device);
}

bl_tensor *bl_exec_tensor_make(const struct bl_exec *exec, bool on_device, bl_dtype dtype,
                               const bl_shape *shape, bl_error *err)
{
    if (exec->device == NULL || !on_device || dtype == BL_STRING)
        return bl_tensor_make(&exec->allocator, dtype, shape, err);
    bl_tensor *tensor = bl_tensor_make_header(&exec->allocator, dtype, shape, err);

    if (tensor == NULL)
        return NULL;
    tensor->data = bl_exec_alloc(exec, bl_tensor_bytes(tensor), err);
    if (tensor->data == NULL) {
        bl_mem_free(&exec->allocator, tensor, sizeof *tensor);
        return NULL;
    }
    bl_vk_hold(exec->device);
    tensor->device = exec->device;
    tensor->free_data = free_on_device;
    return tensor;
}

bl_status bl_exec_upload(bl_tensor *tensor, const void *elements, bl_error *err)
{
    const size_t bytes = bl_tensor_bytes(tensor);

    if (tensor->device != NULL)
        return bl_vk_upload(tensor->device, tensor->data, elements, bytes, err);
    if (bytes > 0)
        memcpy(tensor->data, elements, bytes);
    return BL_OK;
}

bl_status bl_exec_download(const bl_tensor *tensor, void *elements, bl_error *err)
{
    const size_t bytes = bl_tensor_bytes(tensor);

    if (tensor->device != NULL)
        return bl_vk_download(tensor->device, tensor->data, elements, bytes, err);
    if (bytes > 0)
        memcpy(elements, tensor->data, bytes);
    return BL_OK;
}

bl_status bl_exec_map(bl_tensor *tensor, bl_error *err)
{
    const size_t bytes = bl_tensor_bytes(tensor);

    if (tensor->device == NULL || tensor->mapped != NULL)
        return BL_OK;
    void *mapped = bl_vk_mapped(tensor->device, tensor->data);

    if (mapped == NULL) {
        mapped = bl_mem_alloc(&tensor->allocator, bytes);
        if (mapped == NULL)
            return bl_fail(err, BL_ERR_MEMORY, "out of memory to map %zu bytes", bytes);
        const bl_status status = bl_exec_download(tensor, mapped, err);

        if (status != BL_OK) {
            bl_mem_free(&tensor->allocator, mapped, bytes);
            return status;
        }
    }
    tensor->mapped = mapped;
    return BL_OK;
}

bl_status bl_exec_unmap(bl_tensor *tensor, bl_error *err)
{
    bl_status status = BL_OK;

    if (tensor->mapped == NULL)
        return BL_OK;
    if (bl_vk_mapped(tensor->device, tensor->data) == NULL)
        status = bl_exec_upload(tensor, tensor->mapped, err);
    free_shadow(tensor);
    return status;
}

bl_tensor *bl_exec_to_host(const bl_allocator *allocator, const bl_tensor *tensor,
                           bl_error *err)
{
    bl_tensor *copy = bl_tensor_make(allocator, tensor->dtype, &tensor->shape, err);

    if (copy == NULL || bl_exec_download(tensor, copy->data, err) == BL_OK)
        return copy;
    bl_tensor_free(copy);
    return NULL;
}

/* ---- Memory that is no tensor's ---------------------------------------------------------------- */

void *bl_exec_alloc(const struct bl_exec *exec, size_t bytes, bl_error *err)
{
    const int64_t most = bl_limits_of(&exec->allocator)->max_bytes;
    void *memory;

    if (exec->device != NULL && bytes > (uint64_t)most) {
        bl_fail(err, BL_ERR_LIMIT,
                "max_bytes is %lld, but %zu bytes of the device are asked for",
                (long long)most, bytes);
        return NULL;
    }
    if (exec->device != NULL)
        return bl_vk_alloc(exec->device, bytes, err);
    memory = bl_mem_alloc(&exec->allocator, bytes);
    if (memory == NULL)
        bl_fail(err, BL_ERR_MEMORY, "out of memory for %zu bytes", bytes);
    return memory;
}

void bl_exec_free(const struct bl_exec *exec, void *memory, size_t bytes)
{
    if (exec->device != NULL)
        bl_vk_free(exec->device, memory);
    else
        bl_mem_free(&exec->allocator, memory, bytes);
}

bool bl_exec_is_on_device(const struct bl_exec *exec, const void *memory)
{
    return exec->device != NULL && bl_vk_has(exec->device, memory);
}

bl_status bl_exec_keep(const struct bl_exec *exec, const bl_tensor *tensor, bl_error *err)
{
    uintptr_t first, end;

    bl_tensor_extent(tensor, &first, &end);
    return exec->device == NULL || first == end
               ? BL_OK
               : bl_vk_keep(exec->device, (const void *)first, end - first, err);
}

void bl_exec_forget(const struct bl_exec *exec, const bl_tensor *tensor)
{
    uintptr_t first, end;

    bl_tensor_extent(tensor, &first, &end);
    if (exec->device != NULL && first != end)
        bl_vk_forget(exec->device, (const void *)first);
}

bl_status bl_exec_fetch(const struct bl_exec *exec, const bl_tensor *layout, bool read,
                        bl_tensor *view, void **memory, size_t *bytes, bl_error *err)
{
    uintptr_t first, end;

    bl_tensor_extent(layout, &first, &end);
    *view = *layout;
    *bytes = end - first;
    *memory = bl_mem_alloc(&exec->allocator, *bytes);
    if (*memory == NULL)
        return bl_fail(err, BL_ERR_MEMORY, "out of memory for %zu bytes of the device's",
                       *bytes);
    view->data = (char *)*memory + ((uintptr_t)layout->data - first);
    const bl_status status =
        read ? bl_vk_download(exec->device, (const void *)first, *memory, *bytes, err)
             : BL_OK;

    if (status != BL_OK) {
        bl_mem_free(&exec->allocator, *memory, *bytes);
        *memory = NULL;
    }
    return status;
}

bl_status bl_exec_put_back(const struct bl_exec *exec, const bl_tensor *view,
                           const bl_tensor *layout, bl_error *err)
{
    return bl_vk_upload(exec->device, layout->data, view->data, bl_tensor_bytes(view), err);
}

/* ---- What there is ----------------------------------------------------------------------------- */

bl_status bl_exec_describe(size_t i, bl_device_info *info, bl_error *err)
{
    struct bl_vk_info found;

    if (i > UINT16_MAX)
        return bl_fail(err, BL_ERR_ARGUMENT, "there is no device %zu", i);
    BL_TRY(bl_vk_describe((unsigned)i, &found, err));
    *info = (bl_device_info){.kind = found.kind,
                             .memory = found.memory_bytes,
                             .allocation = found.allocation_bytes,
                             .clock = found.has_clock,
                             .unfit = found.unfit};
    snprintf(info->backend, sizeof info->backend, "vulkan:%u", (unsigned)(uint16_t)i);
    memcpy(info->name, found.name, sizeof info->name);
    memcpy(info->driver, found.driver, sizeof info->driver);
    snprintf(info->version, sizeof info->version, "%u.%u.%u", found.version[0],
             found.version[1], found.version[2]);
    return BL_OK;
}
