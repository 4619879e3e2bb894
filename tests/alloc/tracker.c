/*
 * tracker.c - an allocator that fails when it is told to, and knows what was not given back
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tracker.h"

#include <stddef.h>
#include <string.h>

/* ---- malloc and the like, wrapped ----------------------------------------------------------- */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *memory);
char *__real_strdup(const char *text);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *memory);
char *__wrap_strdup(const char *text);

static atomic_long direct;

long direct_calls(void)
{
    return atomic_load(&direct);
}

void *__wrap_malloc(size_t size)
{
    atomic_fetch_add(&direct, 1);
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    atomic_fetch_add(&direct, 1);
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    atomic_fetch_add(&direct, 1);
    return __real_realloc(memory, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    atomic_fetch_add(&direct, 1);
    return __real_aligned_alloc(alignment, size);
}

void __wrap_free(void *memory)
{
    atomic_fetch_add(&direct, 1);
    __real_free(memory);
}

char *__wrap_strdup(const char *text)
{
    atomic_fetch_add(&direct, 1);
    return __real_strdup(text);
}

/* ---- The allocator --------------------------------------------------------------------------- */

/* Before each block: how large it is. */
#define HEAD 64

static void *tracked_alloc(void *user, size_t bytes, size_t alignment)
{
    struct tracker *tracker = user;
    const long call = atomic_fetch_add(&tracker->calls, 1);
    const bool fails =
        tracker->fail_at >= 0 &&
        (tracker->fails_onward ? call >= tracker->fail_at : call == tracker->fail_at);

    if (fails || alignment > HEAD || (double)bytes > 0x1p40) {
        atomic_fetch_add(&tracker->failed, 1);
        return NULL;
    }
    char *block = __real_aligned_alloc(HEAD, (HEAD + bytes + HEAD - 1) / HEAD * HEAD);

    if (block == NULL)
        return NULL;
    memcpy(block, &bytes, sizeof bytes);
    /* What is not written to must not be read. */
    memset(block + HEAD, 0xA5, bytes < 4096 ? bytes : 4096);
    atomic_fetch_add(&tracker->blocks, 1);
    atomic_fetch_add(&tracker->bytes, (long)bytes);
    return block + HEAD;
}

static void tracked_free(void *user, void *memory, size_t bytes)
{
    struct tracker *tracker = user;
    char *block = (char *)memory - HEAD;
    size_t asked;

    memcpy(&asked, block, sizeof asked);
    if (asked != bytes)
        atomic_fetch_add(&tracker->wrong, 1);
    atomic_fetch_sub(&tracker->blocks, 1);
    atomic_fetch_sub(&tracker->bytes, (long)asked);
    __real_free(block);
}

void tracker_reset(struct tracker *tracker, long fail_at, bool fails_onward)
{
    memset(tracker, 0, sizeof *tracker);
    tracker->fail_at = fail_at;
    tracker->fails_onward = fails_onward;
}

void tracker_relent(struct tracker *tracker)
{
    tracker->fail_at = -1;
}

bl_allocator tracker_allocator(struct tracker *tracker)
{
    return (bl_allocator){tracked_alloc, tracked_free, tracker};
}
