/*
 * commands.c - record commands, run them, wait
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "backends/vulkan/device.h"

bl_status bl_vk_commands_make(struct bl_vk *vk, struct bl_vk_commands *commands,
                              bl_error *err)
{
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = vk->physical.family,
    };
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkResult result = vk->f.vkCreateCommandPool(vk->device, &pool, NULL, &commands->pool);

    if (result == VK_SUCCESS) {
        const VkCommandBufferAllocateInfo buffer = {
            .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
            .commandPool = commands->pool,
            .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
            .commandBufferCount = 1,
        };

        result = vk->f.vkAllocateCommandBuffers(vk->device, &buffer, &commands->buffer);
    }
    if (result == VK_SUCCESS)
        result = vk->f.vkCreateFence(vk->device, &fence, NULL, &commands->fence);
    return result == VK_SUCCESS ? BL_OK
                                : bl_vk_fail(err, result, "making a command buffer");
}

void bl_vk_commands_free(struct bl_vk *vk, struct bl_vk_commands *commands)
{
    if (commands->fence != VK_NULL_HANDLE)
        vk->f.vkDestroyFence(vk->device, commands->fence, NULL);
    if (commands->pool != VK_NULL_HANDLE)
        vk->f.vkDestroyCommandPool(vk->device, commands->pool, NULL);
    *commands = (struct bl_vk_commands){.pool = VK_NULL_HANDLE};
}

bl_status bl_vk_commands_begin(struct bl_vk *vk, const struct bl_vk_commands *commands,
                               bl_error *err)
{
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    const VkResult result = vk->f.vkBeginCommandBuffer(commands->buffer, &info);

    return result == VK_SUCCESS ? BL_OK : bl_vk_fail(err, result, "recording commands");
}

void bl_vk_commands_barrier(struct bl_vk *vk, const struct bl_vk_commands *commands)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                         VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT |
                         VK_ACCESS_HOST_READ_BIT | VK_ACCESS_HOST_WRITE_BIT,
    };

    vk->f.vkCmdPipelineBarrier(
        commands->buffer,
        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT |
            VK_PIPELINE_STAGE_HOST_BIT,
        0, 1, &barrier, 0, NULL, 0, NULL);
}

bl_status bl_vk_commands_run(struct bl_vk *vk, const struct bl_vk_commands *commands,
                             const char *doing, bl_error *err)
{
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &commands->buffer,
    };
    VkResult result = vk->f.vkEndCommandBuffer(commands->buffer);

    if (result == VK_SUCCESS)
        result = vk->f.vkResetFences(vk->device, 1, &commands->fence);
    if (result == VK_SUCCESS)
        result = vk->f.vkQueueSubmit(vk->queue, 1, &submit, commands->fence);
    if (result == VK_SUCCESS)
        result =
            vk->f.vkWaitForFences(vk->device, 1, &commands->fence, VK_TRUE, UINT64_MAX);
    return result == VK_SUCCESS ? BL_OK : bl_vk_fail(err, result, doing);
}
