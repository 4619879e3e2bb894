/*
 * physical.c - the devices that Vulkan's loader finds, and what each can do
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "backends/vulkan/physical.h"

#include <stdio.h>
#include <string.h>

bl_status bl_vk_physical_handles(const struct bl_vk_loader *loader,
                                 VkPhysicalDevice handles[BL_VK_DEVICES], uint32_t *count,
                                 bl_error *err)
{
    *count = BL_VK_DEVICES;
    const VkResult result =
        loader->vkEnumeratePhysicalDevices(loader->instance, count, handles);

    return result == VK_SUCCESS || result == VK_INCOMPLETE
               ? BL_OK
               : bl_vk_fail(err, result, "looking for Vulkan devices");
}

/* ---- One device -------------------------------------------------------------------------------- */

static const char *kind_of(VkPhysicalDeviceType type)
{
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return "discrete GPU";
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return "integrated GPU";
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return "virtual GPU";
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return "CPU";
    default:
        return "other";
    }
}

/* The more, the sooner a device is taken by itself. */
static int rank_of(VkPhysicalDeviceType type)
{
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return 4;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return 3;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return 2;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return 1;
    default:
        return 0;
    }
}

static void read_properties(const struct bl_vk_loader *loader,
                            struct bl_vk_physical *physical)
{
    VkPhysicalDeviceVulkan12Properties v12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES};
    VkPhysicalDeviceVulkan11Properties v11 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES, .pNext = &v12};
    VkPhysicalDeviceProperties2 all = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &v11};
    struct bl_shader_features *features = &physical->info.features;

    loader->vkGetPhysicalDeviceProperties2(physical->handle, &all);
    const VkPhysicalDeviceLimits *limits = &all.properties.limits;

    physical->tick = limits->timestampPeriod;
    memcpy(physical->cache_key, v11.driverUUID, VK_UUID_SIZE);
    memcpy(physical->cache_key + VK_UUID_SIZE, v11.deviceUUID, VK_UUID_SIZE);
    memcpy(physical->cache_key + 2 * VK_UUID_SIZE, all.properties.pipelineCacheUUID,
           VK_UUID_SIZE);
    snprintf(physical->info.driver, sizeof physical->info.driver, "%.240s %.240s",
             v12.driverName, v12.driverInfo);
    physical->info.allocation_bytes = v11.maxMemoryAllocationSize;
    features->declares_denorm_preserve = v12.shaderDenormPreserveFloat32;
    features->declares_nan_preserve = v12.shaderSignedZeroInfNanPreserveFloat32;
    features->round_to_even = v12.shaderRoundingModeRTEFloat32;
    features->max_invocations = limits->maxComputeWorkGroupInvocations;
    features->group_limit = limits->maxComputeWorkGroupCount[0];
    features->subgroup = v11.subgroupSize;
}

/* Returns whether buffers have addresses, without which nothing works. */
static bool read_features(const struct bl_vk_loader *loader,
                          struct bl_vk_physical *physical)
{
    VkPhysicalDeviceVulkan12Features v12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceVulkan11Features v11 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = &v12};
    VkPhysicalDeviceFeatures2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                     .pNext = &v11};
    struct bl_shader_features *features = &physical->info.features;

    loader->vkGetPhysicalDeviceFeatures2(physical->handle, &all);
    features->f64 = all.features.shaderFloat64;
    features->i64 = all.features.shaderInt64;
    features->i16 = all.features.shaderInt16;
    features->f16 = v12.shaderFloat16;
    features->i8 = v12.shaderInt8;
    features->atomic64 = v12.shaderBufferInt64Atomics;
    features->store8 = v12.storageBuffer8BitAccess;
    features->store16 = v11.storageBuffer16BitAccess;
    return v12.bufferDeviceAddress;
}

/* The first family of queues that computes; false if there is none. */
static bool read_queues(const struct bl_vk_loader *loader, struct bl_vk_physical *physical)
{
    VkQueueFamilyProperties families[64];
    uint32_t count = 64;

    loader->vkGetPhysicalDeviceQueueFamilyProperties(physical->handle, &count, families);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t bits = families[i].timestampValidBits;

        if (!(families[i].queueFlags & VK_QUEUE_COMPUTE_BIT))
            continue;
        physical->family = i;
        physical->clock_mask = bits >= 64  ? UINT64_MAX
                               : bits == 0 ? 0
                                           : (UINT64_C(1) << bits) - 1;
        physical->info.has_clock = bits > 0;
        return true;
    }
    return false;
}

static void read_memory(const struct bl_vk_loader *loader, struct bl_vk_physical *physical)
{
    VkPhysicalDeviceMemoryProperties *memory = &physical->memory;

    loader->vkGetPhysicalDeviceMemoryProperties(physical->handle, memory);
    for (uint32_t i = 0; i < memory->memoryHeapCount; i++)
        if (memory->memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT &&
            memory->memoryHeaps[i].size > physical->info.memory_bytes)
            physical->info.memory_bytes = memory->memoryHeaps[i].size;
}

void bl_vk_physical_read(const struct bl_vk_loader *loader, VkPhysicalDevice handle,
                         struct bl_vk_physical *physical)
{
    VkPhysicalDeviceProperties properties;

    loader->vkGetPhysicalDeviceProperties(handle, &properties);
    *physical = (struct bl_vk_physical){.handle = handle, .type = properties.deviceType};
    snprintf(physical->info.name, sizeof physical->info.name, "%.255s",
             properties.deviceName);
    physical->info.version[0] = VK_API_VERSION_MAJOR(properties.apiVersion);
    physical->info.version[1] = VK_API_VERSION_MINOR(properties.apiVersion);
    physical->info.version[2] = VK_API_VERSION_PATCH(properties.apiVersion);
    physical->info.kind = kind_of(properties.deviceType);
    read_memory(loader, physical);
    if (properties.apiVersion < VK_API_VERSION_1_2) {
        physical->info.unfit = "it has no Vulkan 1.2";
        return;
    }
    read_properties(loader, physical);
    if (!read_features(loader, physical))
        physical->info.unfit = "its buffers have no addresses (bufferDeviceAddress)";
    if (!read_queues(loader, physical))
        physical->info.unfit = "it has no queue that computes";
}

/* ---- Choosing ---------------------------------------------------------------------------------- */

static bl_status choose_best(const struct bl_vk_loader *loader,
                             const VkPhysicalDevice *handles, uint32_t count,
                             struct bl_vk_physical *physical, bl_error *err)
{
    struct bl_vk_physical seen;
    int best = -1;

    for (uint32_t i = 0; i < count; i++) {
        bl_vk_physical_read(loader, handles[i], &seen);
        if (seen.info.unfit != NULL || rank_of(seen.type) <= best)
            continue;
        *physical = seen;
        best = rank_of(seen.type);
    }
    if (best >= 0)
        return BL_OK;
    if (count == 0)
        return bl_fail(err, BL_ERR_UNSUPPORTED, "Vulkan's loader finds no device");
    return bl_fail(err, BL_ERR_UNSUPPORTED,
                   "none of the %u Vulkan devices can be used; vulkan:%u (%s): %s",
                   (unsigned)count, (unsigned)count - 1, seen.info.name, seen.info.unfit);
}

bl_status bl_vk_physical_choose(const struct bl_vk_loader *loader, int i,
                                struct bl_vk_physical *physical, bl_error *err)
{
    VkPhysicalDevice handles[BL_VK_DEVICES];
    uint32_t count;

    BL_TRY(bl_vk_physical_handles(loader, handles, &count, err));
    if (i < 0)
        return choose_best(loader, handles, count, physical, err);
    if ((uint32_t)i >= count)
        return bl_fail(err, BL_ERR_ARGUMENT, "there is no device vulkan:%d, but %u of them",
                       i, (unsigned)count);
    bl_vk_physical_read(loader, handles[i], physical);
    if (physical->info.unfit != NULL)
        return bl_fail(err, BL_ERR_UNSUPPORTED, "vulkan:%d (%s) cannot be used: %s", i,
                       physical->info.name, physical->info.unfit);
    return BL_OK;
}

bl_status bl_vk_describe(unsigned i, struct bl_vk_info *info, bl_error *err)
{
    VkPhysicalDevice handles[BL_VK_DEVICES];
    struct bl_vk_physical physical;
    struct bl_vk_loader loader;
    uint32_t count = 0;
    bl_status status = bl_vk_loader_open(&loader, err);

    if (status == BL_OK)
        status = bl_vk_physical_handles(&loader, handles, &count, err);
    if (status == BL_OK && i >= count)
        status =
            bl_fail(err, BL_ERR_ARGUMENT, "there is no device vulkan:%u, but %u of them", i,
                    (unsigned)count);
    if (status == BL_OK) {
        bl_vk_physical_read(&loader, handles[i], &physical);
        *info = physical.info;
    }
    bl_vk_loader_close(&loader);
    return status;
}
