/*
 * scenarios.h - uses of the library in which each allocation is made to fail once
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_TESTS_ALLOC_SCENARIOS_H
#define BL_TESTS_ALLOC_SCENARIOS_H

#include "tracker.h"

/*
 * What a scenario does with a context whose allocator is the tracker's.  It frees all that it made.  Where a call
 * fails for want of memory, it does the same call again on the same objects with memory enough.
 *
 * Returns BL_OK, BL_ERR_MEMORY if a call failed with that, or what else went wrong, with a message.
 */
typedef bl_status scenario_function(bl_context *context, struct tracker *tracker,
                                    bl_error *err);

struct scenario {
    const char *name;
    int threads;
    scenario_function *use;
};

extern const struct scenario scenarios[];
extern const size_t scenario_count;

/* Make the files and the bytes that scenarios read, in the current folder; 0 where that works. */
int scenarios_start(void);
void scenarios_end(void);

#endif
