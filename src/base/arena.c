/*
 * arena.c - memory for many small things that are all given back at once
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/arena.h"

#include <stdint.h>
#include <string.h>

#include "base/checked.h"
#include "base/mem.h"

/* A small model needs one block, a large one a few of growing size. */
#define FIRST_BLOCK ((size_t)4096)
#define LARGEST_STEP ((size_t)1 << 20)

#define FIRST_CAPACITY 8

struct bl_arena_block {
    struct bl_arena_block *next;
    size_t bytes; /* with this header */
    max_align_t memory[];
};

void bl_arena_init(struct bl_arena *arena, const bl_allocator *allocator)
{
    *arena = (struct bl_arena){.allocator = *allocator};
}

static void free_blocks(struct bl_arena *arena, struct bl_arena_block *block)
{
    while (block != NULL) {
        struct bl_arena_block *next = block->next;

        bl_mem_free(&arena->allocator, block, block->bytes);
        block = next;
    }
}

void bl_arena_free(struct bl_arena *arena)
{
    free_blocks(arena, arena->blocks);
    bl_arena_init(arena, &arena->allocator);
}

static void fill_block(struct bl_arena *arena, struct bl_arena_block *block)
{
    arena->blocks = block;
    arena->at = (unsigned char *)block->memory;
    arena->left = block->bytes - sizeof *block;
}

void bl_arena_reset(struct bl_arena *arena)
{
    if (arena->blocks == NULL)
        return;
    free_blocks(arena, arena->blocks->next);
    arena->blocks->next = NULL;
    fill_block(arena, arena->blocks);
}

/* Each block is twice as large as the last one, within limits, or as large as is asked for. */
static bool add_block(struct bl_arena *arena, size_t bytes)
{
    size_t whole = arena->blocks != NULL ? arena->blocks->bytes : FIRST_BLOCK / 2;
    size_t needed;

    whole = whole < LARGEST_STEP ? 2 * whole : LARGEST_STEP;
    if (!bl_size_add(bytes, sizeof(struct bl_arena_block), &needed))
        return false;
    if (whole < needed)
        whole = needed;
    struct bl_arena_block *block = bl_mem_alloc(&arena->allocator, whole);

    if (block == NULL)
        return false;
    *block = (struct bl_arena_block){.next = arena->blocks, .bytes = whole};
    fill_block(arena, block);
    return true;
}

/* The same, unspecified content. */
static void *take(struct bl_arena *arena, size_t count, size_t size)
{
    const size_t unit = _Alignof(max_align_t);
    size_t bytes;

    if (!bl_size_mul(count, size, &bytes) || bytes > SIZE_MAX - unit)
        return NULL;
    bytes = bytes == 0 ? unit : (bytes + unit - 1) / unit * unit;
    if (bytes > arena->left && !add_block(arena, bytes))
        return NULL;
    void *taken = arena->at;

    arena->at += bytes;
    arena->left -= bytes;
    return taken;
}

void *bl_arena_alloc(struct bl_arena *arena, size_t count, size_t size)
{
    void *taken = take(arena, count, size);

    if (taken != NULL)
        memset(taken, 0, count * size);
    return taken;
}

void *bl_arena_copy(struct bl_arena *arena, const void *things, size_t count, size_t size)
{
    void *copy = count > 0 ? take(arena, count, size) : NULL;

    if (copy != NULL)
        memcpy(copy, things, count * size);
    return copy;
}

char *bl_arena_text(struct bl_arena *arena, const void *bytes, size_t size)
{
    char *text = size < SIZE_MAX ? take(arena, size + 1, 1) : NULL;

    if (text == NULL)
        return NULL;
    if (size > 0)
        memcpy(text, bytes, size);
    text[size] = '\0';
    return text;
}

bl_status bl_arena_fail(bl_error *err)
{
    return bl_fail(err, BL_ERR_MEMORY, "out of memory for the graph of a model");
}

void *bl_list_add(struct bl_list *list, struct bl_arena *arena, size_t size)
{
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity > 0 ? 2 * list->capacity : FIRST_CAPACITY;
        unsigned char *things = take(arena, capacity, size);

        if (things == NULL)
            return NULL;
        if (list->count > 0)
            memcpy(things, list->things, list->count * size);
        list->things = things;
        list->capacity = capacity;
    }
    return memset((unsigned char *)list->things + list->count++ * size, 0, size);
}
