/*
 * times.h - how long each step took
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_EXEC_TIMES_H
#define BL_EXEC_TIMES_H

#include <stdbool.h>

#include "base/status.h"
#include "plan/step.h"

/* Steps that are noted at most; later ones are not. */
#define BL_EXEC_TIMES_MAX ((size_t)1 << 20)

struct bl_exec_times {
    bool wanted;
    bl_timing *list; /* [count] */
    size_t count, room;
    size_t on_device; /* of those that the device has timed */
};

/* The host's clock, in seconds. */
double bl_exec_now(void);

/* Note a step; its time may be set later.  Where memory runs out it is not noted. */
void bl_exec_times_add(struct bl_exec_times *times, const bl_allocator *allocator,
                       const struct bl_step *step, double seconds);

void bl_exec_times_close(struct bl_exec_times *times, const bl_allocator *allocator);

#endif
