/*
 * buffer.c - buffers with device addresses, each with memory of its own
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>

#include "backends/vulkan/device.h"
#include "base/mem.h"

/* ---- Kinds of memory --------------------------------------------------------------------------- */

#define FLAG(name) VK_MEMORY_PROPERTY_##name##_BIT

/* How well memory with these flags serves; below 0: not at all. */
static int score(enum bl_vk_use use, VkMemoryPropertyFlags flags)
{
    const VkMemoryPropertyFlags host = FLAG(HOST_VISIBLE) | FLAG(HOST_COHERENT);
    const bool near = flags & FLAG(DEVICE_LOCAL);
    const bool cached = flags & FLAG(HOST_CACHED);

    if (flags & ~(FLAG(DEVICE_LOCAL) | FLAG(HOST_CACHED) | host))
        return -1; /* protected, allocated when it is used, ... */
    if (use == BL_VK_USE_DEVICE) {
        /* What the host reads without a cache is better copied. */
        const bool shared = (flags & host) == host && cached;

        return !near ? 0 : shared ? 3 : flags & FLAG(HOST_VISIBLE) ? 1 : 2;
    }
    if ((flags & host) != host)
        return -1;
    return use == BL_VK_USE_ARGUMENTS ? near : cached + !near;
}

/* The best type among those in the mask, or -1. */
static int type_of(const struct bl_vk *vk, enum bl_vk_use use, uint32_t mask)
{
    const VkPhysicalDeviceMemoryProperties *memory = &vk->physical.memory;
    int best = -1;
    int best_score = -1;

    for (uint32_t i = 0; i < memory->memoryTypeCount; i++) {
        const int now = score(use, memory->memoryTypes[i].propertyFlags);

        if (!(mask >> i & 1) || now <= best_score)
            continue;
        best = (int)i;
        best_score = now;
    }
    return best;
}

static bool is_mapped(const struct bl_vk *vk, enum bl_vk_use use, int type)
{
    const VkMemoryPropertyFlags flags = vk->physical.memory.memoryTypes[type].propertyFlags;

    return use != BL_VK_USE_DEVICE || (score(use, flags) == 3 && !vk->staged) ||
           (score(use, flags) == 0 && flags & FLAG(HOST_VISIBLE) &&
            flags & FLAG(HOST_COHERENT) && !vk->staged);
}

/* ---- Buffers ----------------------------------------------------------------------------------- */

static VkResult allocate(struct bl_vk *vk, uint64_t bytes, int type, VkDeviceMemory *memory)
{
    const VkMemoryAllocateFlagsInfo flags = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
        .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT,
    };
    const VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = &flags,
        .allocationSize = bytes,
        .memoryTypeIndex = (uint32_t)type,
    };

    return vk->f.vkAllocateMemory(vk->device, &info, NULL, memory);
}

static VkResult create(struct bl_vk *vk, uint64_t bytes, VkBufferCreateFlags flags,
                       VkBuffer *buffer)
{
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .flags = flags,
        .size = bytes,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                 VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                 VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
        .sharingMode = VK_SHARING_MODE_EXCLUSIVE,
    };

    return vk->f.vkCreateBuffer(vk->device, &info, NULL, buffer);
}

static VkResult back(struct bl_vk *vk, enum bl_vk_use use, struct bl_vk_buffer *buffer)
{
    VkMemoryRequirements needs;
    void *mapped = NULL;

    vk->f.vkGetBufferMemoryRequirements(vk->device, buffer->handle, &needs);
    const int type = type_of(vk, use, needs.memoryTypeBits);

    if (type < 0)
        return VK_ERROR_FEATURE_NOT_PRESENT;
    VkResult result = allocate(vk, needs.size, type, &buffer->memory);

    if (result != VK_SUCCESS) {
        buffer->memory = VK_NULL_HANDLE;
        return result;
    }
    result = vk->f.vkBindBufferMemory(vk->device, buffer->handle, buffer->memory, 0);
    if (result == VK_SUCCESS && is_mapped(vk, use, type))
        result =
            vk->f.vkMapMemory(vk->device, buffer->memory, 0, VK_WHOLE_SIZE, 0, &mapped);
    buffer->mapped = mapped;
    return result;
}

bl_status bl_vk_buffer_make(struct bl_vk *vk, enum bl_vk_use use, uint64_t bytes,
                            struct bl_vk_buffer *buffer, bl_error *err)
{
    char doing[128];

    *buffer = (struct bl_vk_buffer){.bytes = bytes};
    snprintf(doing, sizeof doing, "allocating %llu bytes on %.60s",
             (unsigned long long)bytes, vk->physical.info.name);
    VkResult result = create(vk, bytes, 0, &buffer->handle);

    if (result != VK_SUCCESS)
        return bl_vk_fail(err, result, doing);
    result = back(vk, use, buffer);
    if (result != VK_SUCCESS) {
        bl_vk_buffer_free(vk, buffer);
        return bl_vk_fail(err, result, doing);
    }
    const VkBufferDeviceAddressInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = buffer->handle};

    buffer->address = vk->f.vkGetBufferDeviceAddress(vk->device, &info);
    return BL_OK;
}

void bl_vk_buffer_free(struct bl_vk *vk, struct bl_vk_buffer *buffer)
{
    /* Destroying nothing is allowed; memory that is freed is unmapped. */
    if (buffer->handle != VK_NULL_HANDLE)
        vk->f.vkDestroyBuffer(vk->device, buffer->handle, NULL);
    if (buffer->memory != VK_NULL_HANDLE)
        vk->f.vkFreeMemory(vk->device, buffer->memory, NULL);
    *buffer = (struct bl_vk_buffer){.handle = VK_NULL_HANDLE};
}
