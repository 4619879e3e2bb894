/*
 * memory.c - places for tensors: device memory in blocks, handed out in parts
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "backends/vulkan/device.h"
#include "base/checked.h"
#include "base/mem.h"

/* Parts start at multiples of it; so may any kind of access. */
#define PART_ALIGNMENT 256
/* A block is at least so large; what is larger than a quarter of it has a block of its own. */
#define BLOCK_BYTES ((size_t)64 << 20)
/* Of blocks without parts, so many bytes are kept for what comes next. */
#define SPARE_BYTES ((size_t)256 << 20)

bool bl_vk_grow(struct bl_vk *vk, void **array, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return true;
    const size_t more = *room > 0 ? 2 * *room : 8;
    size_t bytes;

    if (more < *room || !bl_size_mul(more, size, &bytes))
        return false;
    void *larger = bl_mem_alloc(&vk->allocator, bytes);

    if (larger == NULL)
        return false;
    if (count > 0)
        memcpy(larger, *array, count * size);
    bl_mem_free(&vk->allocator, *array, *room * size);
    *array = larger;
    *room = more;
    return true;
}

static bl_status no_memory(bl_error *err)
{
    return bl_fail(err, BL_ERR_MEMORY, "out of memory for the list of device memory");
}

/* ---- Blocks ------------------------------------------------------------------------------------ */

static void free_block(struct bl_vk *vk, size_t i)
{
    struct bl_vk_memory *memory = &vk->memory;
    struct bl_vk_block *block = &memory->blocks[i];

    bl_vk_buffer_free(vk, &block->buffer);
    munmap(block->place, block->bytes);
    bl_mem_free(&vk->allocator, block->parts, block->part_room * sizeof *block->parts);
    memory->blocks[i] = memory->blocks[--memory->block_count];
}

/* Give back blocks without parts, but for so many bytes. */
static bool free_spare(struct bl_vk *vk, size_t keep)
{
    bool freed = false;

    for (size_t i = vk->memory.block_count; i-- > 0;) {
        const struct bl_vk_block *block = &vk->memory.blocks[i];

        if (block->part_count > 0)
            continue;
        if (block->bytes <= keep) {
            keep -= block->bytes;
            continue;
        }
        free_block(vk, i);
        freed = true;
    }
    return freed;
}

static bl_status make_block(struct bl_vk *vk, size_t bytes, bl_error *err)
{
    struct bl_vk_memory *memory = &vk->memory;
    struct bl_vk_block block = {.bytes = bytes};

    if (!bl_vk_grow(vk, (void **)&memory->blocks, memory->block_count, &memory->block_room,
                    sizeof block))
        return no_memory(err);
    block.place =
        mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block.place == MAP_FAILED)
        return bl_fail(err, BL_ERR_MEMORY, "no addresses for %zu bytes of device memory",
                       bytes);
    bl_status status = bl_vk_buffer_make(vk, BL_VK_USE_DEVICE, bytes, &block.buffer, err);

    if (status == BL_ERR_MEMORY && free_spare(vk, 0))
        status = bl_vk_buffer_make(vk, BL_VK_USE_DEVICE, bytes, &block.buffer, err);
    if (status != BL_OK) {
        munmap(block.place, bytes);
        return status;
    }
    memory->blocks[memory->block_count++] = block;
    return BL_OK;
}

/* ---- Parts ------------------------------------------------------------------------------------- */

/* The first gap of a block that is large enough; false if there is none. */
static bool find_gap(const struct bl_vk_block *block, size_t bytes, size_t *index,
                     size_t *start)
{
    size_t at = 0;

    for (size_t i = 0; i <= block->part_count; i++) {
        const size_t end = i < block->part_count ? block->parts[i].start : block->bytes;

        if (end - at >= bytes) {
            *index = i;
            *start = at;
            return true;
        }
        if (i < block->part_count)
            at = end + block->parts[i].bytes;
    }
    return false;
}

/* A place in the block; NULL if it has no gap, or no memory for the list. */
static void *take(struct bl_vk *vk, struct bl_vk_block *block, size_t bytes)
{
    size_t index, start;

    if (!find_gap(block, bytes, &index, &start) ||
        !bl_vk_grow(vk, (void **)&block->parts, block->part_count, &block->part_room,
                    sizeof *block->parts))
        return NULL;
    memmove(block->parts + index + 1, block->parts + index,
            (block->part_count - index) * sizeof *block->parts);
    block->parts[index] = (struct bl_vk_part){start, bytes};
    block->part_count++;
    return block->place + start;
}

/* True for a block that a request of that size may share: small ones share, large ones have their
 * own. */
static bool suits(const struct bl_vk_block *block, size_t bytes)
{
    if (bytes <= BLOCK_BYTES / 4)
        return block->bytes == BLOCK_BYTES;
    return block->part_count == 0 && block->bytes >= bytes && block->bytes / 2 <= bytes;
}

void *bl_vk_alloc(struct bl_vk *vk, size_t bytes, bl_error *err)
{
    size_t whole;

    if (!bl_size_add(bytes > 0 ? bytes : 1, PART_ALIGNMENT - 1, &whole)) {
        bl_fail(err, BL_ERR_LIMIT, "%zu bytes are more than memory has", bytes);
        return NULL;
    }
    whole = whole / PART_ALIGNMENT * PART_ALIGNMENT;
    for (size_t i = 0; i < vk->memory.block_count; i++) {
        struct bl_vk_block *block = &vk->memory.blocks[i];
        void *place = suits(block, whole) ? take(vk, block, whole) : NULL;

        if (place != NULL)
            return place;
    }
    if (make_block(vk, whole <= BLOCK_BYTES / 4 ? BLOCK_BYTES : whole, err) != BL_OK)
        return NULL;
    void *place = take(vk, &vk->memory.blocks[vk->memory.block_count - 1], whole);

    if (place == NULL)
        (void)no_memory(err);
    return place;
}

const struct bl_vk_block *bl_vk_block_of(const struct bl_vk *vk, const void *address)
{
    const uintptr_t at = (uintptr_t)address;

    for (size_t i = 0; i < vk->memory.block_count; i++) {
        const struct bl_vk_block *block = &vk->memory.blocks[i];

        if (at - (uintptr_t)block->place < block->bytes)
            return block;
    }
    return NULL;
}

void bl_vk_free(struct bl_vk *vk, void *place)
{
    struct bl_vk_block *block = (struct bl_vk_block *)(uintptr_t)bl_vk_block_of(vk, place);

    if (block == NULL)
        return;
    const size_t start = (size_t)((char *)place - block->place);

    for (size_t i = 0; i < block->part_count; i++) {
        if (block->parts[i].start != start)
            continue;
        block->part_count--;
        memmove(block->parts + i, block->parts + i + 1,
                (block->part_count - i) * sizeof *block->parts);
        break;
    }
    if (block->part_count == 0)
        free_spare(vk, SPARE_BYTES);
}

bool bl_vk_has(const struct bl_vk *vk, const void *address)
{
    return bl_vk_block_of(vk, address) != NULL;
}

void *bl_vk_mapped(const struct bl_vk *vk, const void *place)
{
    const struct bl_vk_block *block = bl_vk_block_of(vk, place);

    return block == NULL || block->buffer.mapped == NULL
               ? NULL
               : block->buffer.mapped + ((const char *)place - block->place);
}

VkDeviceAddress bl_vk_address_of(const struct bl_vk *vk, const void *place)
{
    const struct bl_vk_block *block = bl_vk_block_of(vk, place);

    return block == NULL ? 0
                         : block->buffer.address +
                               (VkDeviceAddress)((const char *)place - block->place);
}

void bl_vk_memory_close(struct bl_vk *vk)
{
    struct bl_vk_memory *memory = &vk->memory;

    while (memory->block_count > 0)
        free_block(vk, memory->block_count - 1);
    bl_mem_free(&vk->allocator, memory->blocks,
                memory->block_room * sizeof *memory->blocks);
    bl_mem_free(&vk->allocator, memory->kept, memory->kept_room * sizeof *memory->kept);
    *memory = (struct bl_vk_memory){.blocks = NULL};
}

/* ---- Host memory with a copy ------------------------------------------------------------------- */

/* Where the first entry is whose memory starts behind `host`. */
static size_t after(const struct bl_vk_memory *memory, const char *host)
{
    size_t low = 0, high = memory->kept_count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if ((uintptr_t)memory->kept[middle].host <= (uintptr_t)host)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bl_status bl_vk_keep(struct bl_vk *vk, const void *host, size_t bytes, bl_error *err)
{
    struct bl_vk_memory *memory = &vk->memory;
    const size_t at = after(memory, host);
    struct bl_vk_kept kept = {.host = host, .bytes = bytes, .times = 1};

    if (at > 0 && memory->kept[at - 1].host == host &&
        memory->kept[at - 1].bytes >= bytes) {
        memory->kept[at - 1].times++;
        return BL_OK;
    }
    if (!bl_vk_grow(vk, (void **)&memory->kept, memory->kept_count, &memory->kept_room,
                    sizeof kept))
        return no_memory(err);
    kept.place = bl_vk_alloc(vk, bytes, err);
    if (kept.place == NULL)
        return BL_ERR_MEMORY;
    const bl_status status = bl_vk_upload(vk, kept.place, host, bytes, err);

    if (status != BL_OK) {
        bl_vk_free(vk, kept.place);
        return status;
    }
    memmove(memory->kept + at + 1, memory->kept + at,
            (memory->kept_count - at) * sizeof *memory->kept);
    memory->kept[at] = kept;
    memory->kept_count++;
    return BL_OK;
}

void bl_vk_forget(struct bl_vk *vk, const void *host)
{
    struct bl_vk_memory *memory = &vk->memory;
    const size_t at = after(memory, host);

    if (at == 0 || memory->kept[at - 1].host != host || --memory->kept[at - 1].times > 0)
        return;
    bl_vk_free(vk, memory->kept[at - 1].place);
    memory->kept_count--;
    memmove(memory->kept + at - 1, memory->kept + at,
            (memory->kept_count - (at - 1)) * sizeof *memory->kept);
}

VkDeviceAddress bl_vk_kept_address(const struct bl_vk *vk, const char *host, size_t bytes)
{
    const size_t at = after(&vk->memory, host);

    if (at == 0)
        return 0;
    const struct bl_vk_kept *kept = &vk->memory.kept[at - 1];
    const size_t offset = (size_t)(host - kept->host);

    return offset >= kept->bytes || kept->bytes - offset < bytes
               ? 0
               : bl_vk_address_of(vk, kept->place) + offset;
}
