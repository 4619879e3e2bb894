/*
 * transfer.c - copies between the host and places
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "backends/vulkan/device.h"

/* What is copied through the host's buffer at once. */
#define STAGING_BYTES ((size_t)32 << 20)

static bl_status need_staging(struct bl_vk *vk, bl_error *err)
{
    if (vk->staging.handle != VK_NULL_HANDLE)
        return BL_OK;
    return bl_vk_buffer_make(vk, BL_VK_USE_STAGING, STAGING_BYTES, &vk->staging, err);
}

static bl_status copy(struct bl_vk *vk, VkBuffer from, uint64_t from_at, VkBuffer to,
                      uint64_t to_at, uint64_t bytes, const char *doing, bl_error *err)
{
    const VkBufferCopy region = {from_at, to_at, bytes};

    BL_TRY(bl_vk_commands_begin(vk, &vk->transfer, err));
    vk->f.vkCmdCopyBuffer(vk->transfer.buffer, from, to, 1, &region);
    bl_vk_commands_barrier(vk, &vk->transfer);
    return bl_vk_commands_run(vk, &vk->transfer, doing, err);
}

bl_status bl_vk_upload(struct bl_vk *vk, void *place, const void *from, size_t bytes,
                       bl_error *err)
{
    const struct bl_vk_block *block = bl_vk_block_of(vk, place);
    void *mapped = bl_vk_mapped(vk, place);

    if (bytes == 0)
        return BL_OK;
    if (mapped != NULL) {
        memcpy(mapped, from, bytes);
        return BL_OK;
    }
    BL_TRY(need_staging(vk, err));
    const uint64_t start = (uint64_t)((char *)place - block->place);

    for (size_t at = 0; at < bytes; at += STAGING_BYTES) {
        const size_t now = bytes - at < STAGING_BYTES ? bytes - at : STAGING_BYTES;

        memcpy(vk->staging.mapped, (const char *)from + at, now);
        BL_TRY(copy(vk, vk->staging.handle, 0, block->buffer.handle, start + at, now,
                    "copying to the device", err));
    }
    return BL_OK;
}

bl_status bl_vk_download(struct bl_vk *vk, const void *place, void *to, size_t bytes,
                         bl_error *err)
{
    const struct bl_vk_block *block = bl_vk_block_of(vk, place);
    const void *mapped = bl_vk_mapped(vk, place);

    if (bytes == 0)
        return BL_OK;
    if (mapped != NULL) {
        memcpy(to, mapped, bytes);
        return BL_OK;
    }
    BL_TRY(need_staging(vk, err));
    const uint64_t start = (uint64_t)((const char *)place - block->place);

    for (size_t at = 0; at < bytes; at += STAGING_BYTES) {
        const size_t now = bytes - at < STAGING_BYTES ? bytes - at : STAGING_BYTES;

        BL_TRY(copy(vk, block->buffer.handle, start + at, vk->staging.handle, 0, now,
                    "copying from the device", err));
        memcpy((char *)to + at, vk->staging.mapped, now);
    }
    return BL_OK;
}
