/*
 * arena.h - memory for many small things that are all given back at once
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_BASE_ARENA_H
#define BL_BASE_ARENA_H

#include "base/status.h"

struct bl_arena {
    bl_allocator allocator;
    struct bl_arena_block *blocks; /* the one that is being filled first */
    unsigned char *at;             /* what is free of it */
    size_t left;
};

/* Start; nothing is allocated.  The allocator is copied. */
void bl_arena_init(struct bl_arena *arena, const bl_allocator *allocator);

/* Give back everything. */
void bl_arena_free(struct bl_arena *arena);

/* Give back everything but one block, so that the arena can be filled again. */
void bl_arena_reset(struct bl_arena *arena);

/* `count` things of `size` bytes each, zeros, aligned for any type of C's; NULL on failure. */
void *bl_arena_alloc(struct bl_arena *arena, size_t count, size_t size);

/* A copy of `count` things; NULL on failure, and also for none, which needs no memory. */
void *bl_arena_copy(struct bl_arena *arena, const void *things, size_t count, size_t size);

/* A copy of `size` bytes with a 0 after them; NULL on failure. */
char *bl_arena_text(struct bl_arena *arena, const void *bytes, size_t size);

/* BL_ERR_MEMORY with a text for what an arena could not give. */
bl_status bl_arena_fail(bl_error *err);

/* An array in an arena that grows.  Start from zeros; things move when it does. */
struct bl_list {
    void *things;
    size_t count;
    size_t capacity;
};

/* Add a thing of `size` bytes, zeros, at the end; always the same size.  NULL on failure. */
void *bl_list_add(struct bl_list *list, struct bl_arena *arena, size_t size);

#endif
