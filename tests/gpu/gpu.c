/*
 * gpu.c - the least of Vulkan that a test of shaders needs
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "gpu.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"

static bool good(VkResult result, const char *what)
{
    if (result != VK_SUCCESS)
        fprintf(stderr, "%s: Vulkan's error %d\n", what, (int)result);
    return result == VK_SUCCESS;
}

/* ---- The device -------------------------------------------------------------------------------- */

static bool open_instance(struct gpu *gpu)
{
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_2};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application};
    uint32_t count = 1;

    if (!good(vkCreateInstance(&info, NULL, &gpu->instance), "vkCreateInstance"))
        return false;
    const VkResult result =
        vkEnumeratePhysicalDevices(gpu->instance, &count, &gpu->physical);

    if (count == 0 || (result != VK_SUCCESS && result != VK_INCOMPLETE)) {
        fprintf(stderr, "no Vulkan device\n");
        return false;
    }
    return true;
}

/* What the device has, which is all turned on. */
static void read_features(struct gpu *gpu, VkPhysicalDeviceFeatures2 *all)
{
    struct bl_shader_features *features = &gpu->features;
    VkPhysicalDeviceVulkan12Properties properties12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &properties12};
    VkPhysicalDeviceVulkan11Features *vulkan11 = all->pNext;
    VkPhysicalDeviceVulkan12Features *vulkan12 = vulkan11->pNext;

    vkGetPhysicalDeviceFeatures2(gpu->physical, all);
    vkGetPhysicalDeviceProperties2(gpu->physical, &properties);
    snprintf(gpu->name, sizeof gpu->name, "%s", properties.properties.deviceName);
    features->f16 = vulkan12->shaderFloat16;
    features->f64 = all->features.shaderFloat64;
    features->i8 = vulkan12->shaderInt8;
    features->i16 = all->features.shaderInt16;
    features->i64 = all->features.shaderInt64;
    features->atomic64 = vulkan12->shaderBufferInt64Atomics;
    features->store8 = vulkan12->storageBuffer8BitAccess;
    features->store16 = vulkan11->storageBuffer16BitAccess;
    features->declares_denorm_preserve = properties12.shaderDenormPreserveFloat32;
    features->declares_nan_preserve = properties12.shaderSignedZeroInfNanPreserveFloat32;
    features->round_to_even = properties12.shaderRoundingModeRTEFloat32;
    features->max_invocations = properties.properties.limits.maxComputeWorkGroupInvocations;
    features->group_limit = properties.properties.limits.maxComputeWorkGroupCount[0];
}

static bool open_device(struct gpu *gpu)
{
    VkPhysicalDeviceVulkan12Features vulkan12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceVulkan11Features vulkan11 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = &vulkan12};
    VkPhysicalDeviceFeatures2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                     .pNext = &vulkan11};
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType =
                                               VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &all,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue};
    const VkCommandPoolCreateInfo pool = {.sType =
                                              VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};

    read_features(gpu, &all);
    if (!vulkan12.bufferDeviceAddress) {
        fprintf(stderr, "%s has no buffer device addresses\n", gpu->name);
        return false;
    }
    if (!good(vkCreateDevice(gpu->physical, &info, NULL, &gpu->device), "vkCreateDevice"))
        return false;
    vkGetDeviceQueue(gpu->device, 0, 0, &gpu->queue);
    return good(vkCreateCommandPool(gpu->device, &pool, NULL, &gpu->pool),
                "vkCreateCommandPool");
}

static uint32_t shared_memory(const struct gpu *gpu, uint32_t allowed)
{
    const VkMemoryPropertyFlags wanted =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkPhysicalDeviceMemoryProperties memory;

    vkGetPhysicalDeviceMemoryProperties(gpu->physical, &memory);
    for (uint32_t i = 0; i < memory.memoryTypeCount; i++)
        if (allowed >> i & 1 && (memory.memoryTypes[i].propertyFlags & wanted) == wanted)
            return i;
    return 0;
}

static bool open_buffer(struct gpu *gpu, size_t bytes)
{
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = bytes,
                                     .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                              VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT};
    const VkMemoryAllocateFlagsInfo flags = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
        .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    VkMemoryRequirements needs;
    void *mapped;

    if (!good(vkCreateBuffer(gpu->device, &info, NULL, &gpu->buffer), "vkCreateBuffer"))
        return false;
    vkGetBufferMemoryRequirements(gpu->device, gpu->buffer, &needs);
    const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                           .pNext = &flags,
                                           .allocationSize = needs.size,
                                           .memoryTypeIndex =
                                               shared_memory(gpu, needs.memoryTypeBits)};
    const VkBufferDeviceAddressInfo address = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = gpu->buffer};

    if (!good(vkAllocateMemory(gpu->device, &allocate, NULL, &gpu->memory),
              "vkAllocateMemory") ||
        !good(vkBindBufferMemory(gpu->device, gpu->buffer, gpu->memory, 0),
              "vkBindBufferMemory") ||
        !good(vkMapMemory(gpu->device, gpu->memory, 0, VK_WHOLE_SIZE, 0, &mapped),
              "vkMapMemory"))
        return false;
    gpu->bytes = mapped;
    gpu->size = bytes;
    gpu->address = vkGetBufferDeviceAddress(gpu->device, &address);
    return true;
}

static bool probe(struct gpu *gpu)
{
    static char room[65536];
    struct bl_text glsl = bl_text_in(room, sizeof room);
    struct gpu_shader shader;
    bl_error err;

    if (bl_shader_print_probe(&gpu->features, &glsl, &err) != BL_OK) {
        fprintf(stderr, "%s\n", err.message);
        return false;
    }
    bl_shader_probe_fill(gpu->bytes);
    if (!gpu_compile(gpu, room, &shader) ||
        !gpu_run(gpu, &shader, 0, (struct bl_shader_groups){1, 1, 1}))
        return false;
    bl_shader_probe_read(gpu->bytes, &gpu->features);
    gpu_free_shader(gpu, &shader);
    return true;
}

bool gpu_open(struct gpu *gpu, size_t bytes)
{
    *gpu = (struct gpu){.size = 0};
    bl_error err;

    if (bl_vk_compiler_open(&bl_allocator_default, &gpu->compiler, &err) != BL_OK) {
        fprintf(stderr, "%s\n", err.message);
        return false;
    }
    return open_instance(gpu) && open_device(gpu) && open_buffer(gpu, bytes) && probe(gpu);
}

void gpu_close(struct gpu *gpu)
{
    vkDestroyBuffer(gpu->device, gpu->buffer, NULL);
    vkFreeMemory(gpu->device, gpu->memory, NULL);
    vkDestroyCommandPool(gpu->device, gpu->pool, NULL);
    vkDestroyDevice(gpu->device, NULL);
    vkDestroyInstance(gpu->instance, NULL);
    bl_vk_compiler_close(&bl_allocator_default, gpu->compiler);
}

/* ---- Shaders ----------------------------------------------------------------------------------- */

static bool make_pipeline(struct gpu *gpu, const void *code, size_t bytes,
                          struct gpu_shader *shader)
{
    const VkShaderModuleCreateInfo module = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = bytes,
        .pCode = code};
    const VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(uint64_t)};
    const VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &push};

    if (!good(vkCreateShaderModule(gpu->device, &module, NULL, &shader->module),
              "vkCreateShaderModule") ||
        !good(vkCreatePipelineLayout(gpu->device, &layout, NULL, &shader->layout),
              "vkCreatePipelineLayout"))
        return false;
    const VkComputePipelineCreateInfo pipeline = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = shader->module,
                  .pName = "main"},
        .layout = shader->layout};

    return good(
        vkCreateComputePipelines(gpu->device, NULL, 1, &pipeline, NULL, &shader->pipeline),
        "vkCreateComputePipelines");
}

bool gpu_compile(struct gpu *gpu, const char *glsl, struct gpu_shader *shader)
{
    struct bl_vk_spirv spirv = {NULL, 0};
    bl_error err;

    if (bl_vk_compile(gpu->compiler, &bl_allocator_default, glsl, &spirv, &err) != BL_OK) {
        fprintf(stderr, "%s\n", err.message);
        return false;
    }
    const bool sound = make_pipeline(gpu, spirv.words, spirv.bytes, shader);

    bl_mem_free(&bl_allocator_default, spirv.words, spirv.bytes);
    return sound;
}

void gpu_free_shader(struct gpu *gpu, struct gpu_shader *shader)
{
    vkDestroyPipeline(gpu->device, shader->pipeline, NULL);
    vkDestroyPipelineLayout(gpu->device, shader->layout, NULL);
    vkDestroyShaderModule(gpu->device, shader->module, NULL);
}

static bool record(VkCommandBuffer commands, const struct gpu_shader *shader,
                   uint64_t block, struct bl_shader_groups groups)
{
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_HOST_READ_BIT};

    if (!good(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer"))
        return false;
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, shader->pipeline);
    vkCmdPushConstants(commands, shader->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                       sizeof block, &block);
    vkCmdDispatch(commands, groups.x, groups.y, groups.z);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                         VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
    return good(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
}

bool gpu_run(struct gpu *gpu, const struct gpu_shader *shader, size_t block,
             struct bl_shader_groups groups)
{
    const VkCommandBufferAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = gpu->pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1};
    VkCommandBuffer commands;

    if (!good(vkAllocateCommandBuffers(gpu->device, &allocate, &commands),
              "vkAllocateCommandBuffers"))
        return false;
    const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .commandBufferCount = 1,
                                 .pCommandBuffers = &commands};
    const bool ran =
        record(commands, shader, gpu->address + block, groups) &&
        good(vkQueueSubmit(gpu->queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit") &&
        good(vkQueueWaitIdle(gpu->queue), "vkQueueWaitIdle");

    vkFreeCommandBuffers(gpu->device, gpu->pool, 1, &commands);
    return ran;
}
