/*
 * loader.h - Vulkan's functions, found at run time
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Nothing is linked: the library works where there is no Vulkan, and can say so.
 */
#ifndef BL_BACKENDS_VULKAN_LOADER_H
#define BL_BACKENDS_VULKAN_LOADER_H

#include <vulkan/vulkan_core.h>

#include "base/status.h"

/* Those of the loader itself, those of an instance, those of a device. */
#define BL_VK_GLOBAL_FUNCTIONS(F) \
    F(vkCreateInstance)           \
    F(vkEnumerateInstanceVersion)

#define BL_VK_INSTANCE_FUNCTIONS(F)             \
    F(vkDestroyInstance)                        \
    F(vkEnumeratePhysicalDevices)               \
    F(vkGetPhysicalDeviceProperties)            \
    F(vkGetPhysicalDeviceProperties2)           \
    F(vkGetPhysicalDeviceFeatures2)             \
    F(vkGetPhysicalDeviceMemoryProperties)      \
    F(vkGetPhysicalDeviceQueueFamilyProperties) \
    F(vkCreateDevice)                           \
    F(vkGetDeviceProcAddr)

#define BL_VK_DEVICE_FUNCTIONS(F)    \
    F(vkDestroyDevice)               \
    F(vkGetDeviceQueue)              \
    F(vkAllocateMemory)              \
    F(vkFreeMemory)                  \
    F(vkMapMemory)                   \
    F(vkCreateBuffer)                \
    F(vkDestroyBuffer)               \
    F(vkGetBufferMemoryRequirements) \
    F(vkBindBufferMemory)            \
    F(vkGetBufferDeviceAddress)      \
    F(vkCreateShaderModule)          \
    F(vkDestroyShaderModule)         \
    F(vkCreatePipelineLayout)        \
    F(vkDestroyPipelineLayout)       \
    F(vkCreatePipelineCache)         \
    F(vkDestroyPipelineCache)        \
    F(vkGetPipelineCacheData)        \
    F(vkCreateComputePipelines)      \
    F(vkDestroyPipeline)             \
    F(vkCreateCommandPool)           \
    F(vkDestroyCommandPool)          \
    F(vkAllocateCommandBuffers)      \
    F(vkBeginCommandBuffer)          \
    F(vkEndCommandBuffer)            \
    F(vkCmdBindPipeline)             \
    F(vkCmdPushConstants)            \
    F(vkCmdDispatch)                 \
    F(vkCmdPipelineBarrier)          \
    F(vkCmdCopyBuffer)               \
    F(vkCmdFillBuffer)               \
    F(vkCmdResetQueryPool)           \
    F(vkCmdWriteTimestamp)           \
    F(vkCreateFence)                 \
    F(vkDestroyFence)                \
    F(vkResetFences)                 \
    F(vkWaitForFences)               \
    F(vkQueueSubmit)                 \
    F(vkCreateQueryPool)             \
    F(vkDestroyQueryPool)            \
    F(vkGetQueryPoolResults)

#define BL_VK_DECLARE(name) PFN_##name name;

/* The loader, with an instance. */
struct bl_vk_loader {
    void *library;
    PFN_vkGetInstanceProcAddr vkGetInstanceProcAddr;
    VkInstance instance;
    BL_VK_GLOBAL_FUNCTIONS(BL_VK_DECLARE)
    BL_VK_INSTANCE_FUNCTIONS(BL_VK_DECLARE)
};

/* A device's own functions: calls through them do not pass the loader. */
struct bl_vk_functions {
    BL_VK_DEVICE_FUNCTIONS(BL_VK_DECLARE)
};

/* Open libvulkan.so.1 and make an instance of Vulkan 1.2.  BL_ERR_UNSUPPORTED says what is not there.
 * Undone by bl_vk_loader_close, also after a failure. */
bl_status bl_vk_loader_open(struct bl_vk_loader *loader, bl_error *err);
void bl_vk_loader_close(struct bl_vk_loader *loader);

bl_status bl_vk_load_device(const struct bl_vk_loader *loader, VkDevice device,
                            struct bl_vk_functions *functions, bl_error *err);

/* The status for a result that is no success, with a text: what failed ("out of device memory", "the
 * device was lost"), and while doing what. */
bl_status bl_vk_fail(bl_error *err, VkResult result, const char *doing);

#endif
