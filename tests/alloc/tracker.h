/*
 * tracker.h - an allocator that fails when it is told to, and knows what was not given back
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_TESTS_ALLOC_TRACKER_H
#define BL_TESTS_ALLOC_TRACKER_H

#include <stdatomic.h>
#include <stdbool.h>

#include "broadloom/broadloom.h"

struct tracker {
    long fail_at;      /* the call, counted from 0, that fails; -1: none */
    bool fails_onward; /* and all after it */
    atomic_long calls;
    atomic_long failed; /* calls that failed */
    atomic_long blocks; /* not given back */
    atomic_long bytes;
    atomic_long wrong; /* blocks given back with another size than they were asked for */
};

/* Start to count anew. */
void tracker_reset(struct tracker *tracker, long fail_at, bool fails_onward);

/* From now on nothing fails. */
void tracker_relent(struct tracker *tracker);

bl_allocator tracker_allocator(struct tracker *tracker);

/* How often malloc, free and their like were called, by the library or by a test, past any allocator.  The linker
 * leads their calls here (--wrap); what the C library allocates for itself does not count. */
long direct_calls(void);

#endif
