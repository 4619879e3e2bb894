/*
 * physical.h - the devices that Vulkan's loader finds, and what each can do
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_BACKENDS_VULKAN_PHYSICAL_H
#define BL_BACKENDS_VULKAN_PHYSICAL_H

#include "backends/vulkan/loader.h"
#include "backends/vulkan/vulkan.h"

/* More devices than that are not looked at. */
#define BL_VK_DEVICES 64

struct bl_vk_physical {
    VkPhysicalDevice handle;
    VkPhysicalDeviceType type;
    uint32_t family;     /* of queues that compute */
    float tick;          /* nanoseconds of a timestamp */
    uint64_t clock_mask; /* the bits of a timestamp that count; 0: there are none */
    uint8_t
        cache_key[3 * VK_UUID_SIZE]; /* compiled shaders are good for devices of the same */
    VkPhysicalDeviceMemoryProperties memory;
    struct bl_vk_info info;
};

/* All devices; *count at most BL_VK_DEVICES. */
bl_status bl_vk_physical_handles(const struct bl_vk_loader *loader,
                                 VkPhysicalDevice handles[BL_VK_DEVICES], uint32_t *count,
                                 bl_error *err);

void bl_vk_physical_read(const struct bl_vk_loader *loader, VkPhysicalDevice handle,
                         struct bl_vk_physical *physical);

/* The i-th, which has to be fit; -1: the first of the best kind. */
bl_status bl_vk_physical_choose(const struct bl_vk_loader *loader, int i,
                                struct bl_vk_physical *physical, bl_error *err);

#endif
