/*
 * limited.h - contexts with limits, and what they allocate, for tests
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_TESTS_UNIT_LIMITED_H
#define BL_TESTS_UNIT_LIMITED_H

#include "contexts.h"

/* What an allocator handed out at once, and over time. */
struct counting {
    size_t largest;
    size_t live;
};

static inline void *counting_alloc(void *user, size_t bytes, size_t alignment)
{
    struct counting *counting = user;

    if (bytes > counting->largest)
        counting->largest = bytes;
    counting->live++;
    return aligned_alloc(alignment, (bytes / alignment + 1) * alignment);
}

static inline void counting_free(void *user, void *memory, size_t bytes)
{
    (void)bytes;
    ((struct counting *)user)->live--;
    free(memory);
}

static inline bl_context *limited(const bl_limits *limits, struct counting *counting)
{
    const bl_allocator allocator = {counting_alloc, counting_free, counting};
    bl_context_options options = BL_CONTEXT_DEFAULTS;

    options.limits = *limits;
    if (counting != NULL) {
        *counting = (struct counting){0, 0};
        options.allocator = &allocator;
    }
    bl_context *made = bl_context_new(&options, &err);

    if (made == NULL)
        fail_msg("%s", err.message);
    return made;
}

static inline void fails_with(bl_status status, const char *text)
{
    if (err.status != status || strstr(err.message, text) == NULL)
        fail_msg("\"%s\" (%s) instead of \"%s\"", err.message, bl_status_name(err.status),
                 text);
    memset(&err, 0, sizeof err);
}

#endif
