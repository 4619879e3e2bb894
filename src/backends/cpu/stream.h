/*
 * stream.h - write results past the caches, and fetch operands ahead
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * An ordinary store reads the line from memory before it changes it, so that an Add of tensors
 * larger than the caches moves four streams where three are needed.
 */
#ifndef BL_BACKENDS_CPU_STREAM_H
#define BL_BACKENDS_CPU_STREAM_H

#include <stdbool.h>
#include <stddef.h>

/* The bytes of a cache line: what a streaming store should fill as a whole. */
#define BL_LINE 64

/* True if this machine has streaming stores: elsewhere bl_stream_copy is a memcpy, and not worth
 * its price. */
bool bl_stream_is_there(void);

/* Copy past the caches; whole lines of `to` at best.  The ranges do not overlap. */
void bl_stream_copy(char *to, const char *from, size_t bytes);

/* Ask for the lines of [from, from + bytes), which need not be memory of ours. */
void bl_stream_fetch(const char *from, size_t bytes);

/* Make what was streamed visible to other threads, in order.  Call before a job is done. */
void bl_stream_fence(void);

#endif
