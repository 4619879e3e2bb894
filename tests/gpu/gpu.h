/*
 * gpu.h - the least of Vulkan that a test of shaders needs
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_TESTS_GPU_H
#define BL_TESTS_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

#include "backends/vulkan/compile.h"
#include "backends/vulkan/shader.h"

/* A device with one buffer, which both sides see. */
struct gpu {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    VkCommandPool pool;
    VkBuffer buffer;
    VkDeviceMemory memory;
    char *bytes;
    uint64_t address; /* of bytes[0] */
    size_t size;
    char name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];
    struct bl_shader_features features;
    struct bl_vk_compiler *compiler;
};

/* Open the first device.  False, with a line on stderr, where there is none that will do. */
bool gpu_open(struct gpu *gpu, size_t bytes);
void gpu_close(struct gpu *gpu);

/* A shader that is ready to run. */
struct gpu_shader {
    VkShaderModule module;
    VkPipelineLayout layout;
    VkPipeline pipeline;
};

/* Compile text.  False, with the compiler's messages on stderr. */
bool gpu_compile(struct gpu *gpu, const char *glsl, struct gpu_shader *shader);
void gpu_free_shader(struct gpu *gpu, struct gpu_shader *shader);

/* Run it on the argument block at that place of the buffer, and wait. */
bool gpu_run(struct gpu *gpu, const struct gpu_shader *shader, size_t block,
             struct bl_shader_groups groups);

#endif
