/*
 * names.c - a table of names, each with a number
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Open addressing.  The hash starts from the table's address, so that a file cannot be
 * made to have names that all meet in one slot; no result depends on it.
 */
#include "graph/names.h"

#include <string.h>

#define FIRST_CAPACITY 64

struct bl_names_slot {
    const char *name; /* NULL: free */
    int32_t number;
};

/* FNV-1a, and a last mix for the low bits, which choose the slot. */
static uint64_t hash_of(const struct bl_names *names, const char *name)
{
    uint64_t hash = (uint64_t)(uintptr_t)names ^ UINT64_C(0xCBF29CE484222325);

    for (; *name != '\0'; name++)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001B3);
    hash = (hash ^ hash >> 32) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32;
}

void bl_names_init(struct bl_names *names, struct bl_arena *arena)
{
    *names = (struct bl_names){.arena = arena};
}

/* The slot that the name is in, or the free one where it belongs.  There is a free one. */
static struct bl_names_slot *slot_of(const struct bl_names *names, const char *name)
{
    const size_t mask = names->capacity - 1;
    size_t i = (size_t)hash_of(names, name) & mask;

    while (names->slots[i].name != NULL && strcmp(names->slots[i].name, name) != 0)
        i = (i + 1) & mask;
    return &names->slots[i];
}

bool bl_names_find(const struct bl_names *names, const char *name, int32_t *number)
{
    if (names->count == 0)
        return false;
    const struct bl_names_slot *slot = slot_of(names, name);

    if (slot->name == NULL)
        return false;
    *number = slot->number;
    return true;
}

static bl_status grow(struct bl_names *names, bl_error *err)
{
    const struct bl_names_slot *slots = names->slots;
    const size_t old = names->capacity;
    const size_t capacity = old > 0 ? 2 * old : FIRST_CAPACITY;
    struct bl_names_slot *wider = bl_arena_alloc(names->arena, capacity, sizeof *wider);

    if (wider == NULL)
        return bl_arena_fail(err);
    names->slots = wider;
    names->capacity = capacity;
    for (size_t i = 0; i < old; i++)
        if (slots[i].name != NULL)
            *slot_of(names, slots[i].name) = slots[i];
    return BL_OK;
}

bl_status bl_names_add(struct bl_names *names, const char *name, int32_t number,
                       bl_error *err)
{
    if (2 * (names->count + 1) > names->capacity)
        BL_TRY(grow(names, err));
    *slot_of(names, name) = (struct bl_names_slot){name, number};
    names->count++;
    return BL_OK;
}
