/*
 * guard.h - the limits of a context, and the flag that stops its work
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A guard is an allocator that counts what it hands out, and refuses what would be too much.
 * Whoever allocates has an allocator at hand, and so the limits too, which need no other way
 * through the rooms.  It lives until its owner and the last memory that came from it are gone:
 * tensors may outlive their context.
 */
#ifndef BL_BASE_GUARD_H
#define BL_BASE_GUARD_H

#include <stdatomic.h>
#include <stdbool.h>

#include "broadloom/broadloom.h"

struct bl_guard {
    bl_allocator from;     /* where the memory comes from */
    bl_limits limits;      /* none of them 0 */
    atomic_size_t held;    /* bytes that are handed out, this struct's among them */
    atomic_size_t refused; /* bytes that were last asked for in vain; 0: none */
    atomic_int cancelled;
    atomic_int
        stopped; /* 1: work of the call at hand was left undone since it is cancelled */
};

/* The limits where no context sets others.  max_bytes is that of a context only. */
extern const bl_limits bl_limits_default;

/* Make a guard; *out is the allocator that it is.  A limit of 0 gets its default. */
bl_status bl_guard_new(const bl_allocator *from, const bl_limits *limits, bl_allocator *out,
                       bl_error *err);

/* The owner is done with the guard; memory from it may still be given back. */
void bl_guard_release(const bl_allocator *guard);

/* The guard that an allocator is; NULL for any other. */
struct bl_guard *bl_guard_of(const bl_allocator *allocator);

/* The limits that bind who uses the allocator. */
const bl_limits *bl_limits_of(const bl_allocator *allocator);

static inline bool bl_guard_is_cancelled(const struct bl_guard *guard)
{
    return guard != NULL &&
           atomic_load_explicit(&guard->cancelled, memory_order_relaxed) != 0;
}

/* True if the work at hand has to end now; the call then fails, also if it is resumed meanwhile.
 * NULL: never.  It costs a load: ask for each block of work. */
static inline bool bl_guard_stops(struct bl_guard *guard)
{
    if (!bl_guard_is_cancelled(guard))
        return false;
    atomic_store_explicit(&guard->stopped, 1, memory_order_relaxed);
    return true;
}

/* A call begins: nothing of it is left undone yet. */
static inline void bl_map_guard_begin(struct bl_guard *guard)
{
    atomic_store_explicit(&guard->stopped, 0, memory_order_relaxed);
}

/* BL_ERR_CANCELLED. */
bl_status bl_guard_cancelled(bl_error *err);

/* The same if work was left undone, or would be; else BL_OK.  Small calls ask too: nothing is called
 * for that. */
static inline bl_status bl_guard_check(struct bl_guard *guard, bl_error *err)
{
    if (guard == NULL || (!bl_guard_is_cancelled(guard) &&
                          atomic_load_explicit(&guard->stopped, memory_order_relaxed) == 0))
        return BL_OK;
    return bl_guard_cancelled(err);
}

/* What a failure really was: memory that the guard refused is BL_ERR_LIMIT, with the limit and the
 * bytes in front of the message, or BL_ERR_CANCELLED.  For the end of a public function that fails. */
bl_status bl_guard_explain(const bl_allocator *allocator, bl_status status, bl_error *err);

/* The same for a function that tells a failure by NULL, which this returns. */
static inline void *bl_guard_explain_null(const bl_allocator *allocator, bl_error *err)
{
    (void)bl_guard_explain(allocator, err != NULL ? err->status : BL_ERR_MEMORY, err);
    return NULL;
}

#endif
