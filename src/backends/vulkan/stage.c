/*
 * stage.c - host memory that steps read and write, copied to the device and back
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "backends/vulkan/device.h"
#include "base/mem.h"

static bool contains(const struct bl_vk_staged *staged, const char *first, size_t bytes)
{
    const uintptr_t offset = (uintptr_t)first - (uintptr_t)staged->host;

    return offset < staged->bytes && staged->bytes - offset >= bytes;
}

static bool meets(const struct bl_vk_staged *staged, const char *first, size_t bytes)
{
    return (uintptr_t)first < (uintptr_t)staged->host + staged->bytes &&
           (uintptr_t)staged->host < (uintptr_t)first + bytes;
}

/* The entry that holds the memory, and that the step may use: what lies among the arguments is not
 * written. */
static struct bl_vk_staged *find(const struct bl_vk *vk, const char *first, size_t bytes,
                                 bool written)
{
    for (size_t i = vk->batch.staged_count;
         i-- > 0;) { /* the newest holds what was written */
        struct bl_vk_staged *staged = &vk->batch.staged[i];

        if (contains(staged, first, bytes) && (!written || staged->place != NULL))
            return staged;
    }
    return NULL;
}

bool bl_vk_stage_clashes(const struct bl_vk *vk, const char *first, size_t bytes,
                         bool written)
{
    bool clashes = false;
    size_t holders = 0;

    for (size_t i = 0; i < vk->batch.staged_count; i++) {
        const struct bl_vk_staged *staged = &vk->batch.staged[i];

        if (!meets(staged, first, bytes))
            continue;
        holders++;
        clashes = clashes || written || staged->written;
    }
    /* One entry that holds it all is used, whoever writes. */
    return clashes && (holders > 1 || find(vk, first, bytes, written) == NULL);
}

/* What is read and small lies among the arguments, where shaders read it without a copy. */
static bl_status copy_small(struct bl_vk *vk, struct bl_vk_staged *staged)
{
    void *copy = bl_vk_argument_room(vk, staged->bytes, &staged->address);

    memcpy(copy, staged->host, staged->bytes);
    return BL_OK;
}

static bl_status copy_large(struct bl_vk *vk, struct bl_vk_staged *staged, bl_error *err)
{
    staged->place = bl_vk_alloc(vk, staged->bytes, err);
    if (staged->place == NULL)
        return BL_ERR_MEMORY;
    staged->address = bl_vk_address_of(vk, staged->place);
    const bl_status status =
        staged->written ? BL_OK
                        : bl_vk_upload(vk, staged->place, staged->host, staged->bytes, err);

    if (status != BL_OK)
        bl_vk_free(vk, staged->place);
    return status;
}

bl_status bl_vk_stage(struct bl_vk *vk, char *first, size_t bytes, bool written,
                      VkDeviceAddress *address, bl_error *err)
{
    struct bl_vk_batch *batch = &vk->batch;
    struct bl_vk_staged *known = find(vk, first, bytes, written);
    struct bl_vk_staged staged = {.host = first, .bytes = bytes, .written = written};

    if (known != NULL) {
        known->written = known->written || written;
        *address = known->address + (VkDeviceAddress)(first - known->host);
        return BL_OK;
    }
    if (!bl_vk_grow(vk, (void **)&batch->staged, batch->staged_count, &batch->staged_room,
                    sizeof staged))
        return bl_fail(err, BL_ERR_MEMORY, "out of memory for the list of host tensors");
    BL_TRY(written || bytes > BL_VK_SMALL_BYTES ? copy_large(vk, &staged, err)
                                                : copy_small(vk, &staged));
    batch->staged[batch->staged_count++] = staged;
    *address = staged.address;
    return BL_OK;
}

bl_status bl_vk_unstage(struct bl_vk *vk, bool drop, bl_error *err)
{
    struct bl_vk_batch *batch = &vk->batch;
    bl_status status = BL_OK;

    for (size_t i = 0; i < batch->staged_count; i++) {
        struct bl_vk_staged *staged = &batch->staged[i];

        if (staged->place == NULL)
            continue;
        if (staged->written && !drop && status == BL_OK)
            status = bl_vk_download(vk, staged->place, staged->host, staged->bytes, err);
        bl_vk_free(vk, staged->place);
    }
    batch->staged_count = 0;
    return status;
}
