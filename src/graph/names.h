/*
 * names.h - a table of names, each with a number
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_GRAPH_NAMES_H
#define BL_GRAPH_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

struct bl_names {
    struct bl_arena *arena;
    struct bl_names_slot *slots; /* [capacity], a power of two, at most half of it full */
    size_t capacity;
    size_t count;
};

/* Start; the arena has to outlive the table, and the table must not move. */
void bl_names_init(struct bl_names *names, struct bl_arena *arena);

/* True if the name is there; then *number is its number. */
bool bl_names_find(const struct bl_names *names, const char *name, int32_t *number);

/* Add a name that is not there yet.  It is kept, not copied.  BL_ERR_MEMORY. */
bl_status bl_names_add(struct bl_names *names, const char *name, int32_t number,
                       bl_error *err);

#endif
