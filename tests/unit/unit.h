/*
 * unit.h - what the unit tests share: cmocka, contexts, allocators that fail
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_TESTS_UNIT_UNIT_H
#define BL_TESTS_UNIT_UNIT_H

/* cmocka.h wants these first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "broadloom/broadloom.h"

/* Fail the test with the message of `err` unless `call` gives BL_OK. */
#define assert_ok(call, err)                           \
    do {                                               \
        if ((call) != BL_OK)                           \
            fail_msg("%s: %s", #call, (err)->message); \
    } while (0)

/* Fail the test unless `call` gives `status`, with a message that contains `text`. */
#define assert_fails(call, expected, err, text)                                       \
    do {                                                                              \
        memset(err, 0, sizeof *(err));                                                \
        assert_int_equal(call, expected);                                             \
        assert_int_equal((err)->status, expected);                                    \
        if (strstr((err)->message, text) == NULL)                                     \
            fail_msg("message \"%s\" does not contain \"%s\"", (err)->message, text); \
    } while (0)

/* An allocator that fails at its n-th call (counted from 0), and counts what is not given
 * back. */
struct failing_allocator {
    long fail_at; /* -1: never */
    long calls;
    long live;
};

static inline void *failing_alloc(void *user, size_t bytes, size_t alignment)
{
    struct failing_allocator *state = user;

    if (state->calls++ == state->fail_at || (double)bytes > 0x1p40)
        return NULL;
    state->live++;
    return aligned_alloc(alignment, (bytes + alignment) / alignment * alignment);
}

static inline void failing_free(void *user, void *memory, size_t bytes)
{
    struct failing_allocator *state = user;

    (void)bytes;
    state->live--;
    free(memory);
}

#endif
