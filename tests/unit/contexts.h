/*
 * contexts.h - contexts for a group of tests: one of one thread, one of three
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Run the group with make_contexts and free_contexts.  The environment variable BL_TEST_BACKEND says
 * what computes, as the tool's --backend does (cpu by default).
 */
#ifndef BL_TESTS_UNIT_CONTEXTS_H
#define BL_TESTS_UNIT_CONTEXTS_H

#include "unit.h"

static bl_error err;
static bl_context *context;       /* of one thread */
static bl_context *three_threads; /* of three */

static inline int make_contexts(void **state)
{
    bl_context_options options = BL_CONTEXT_DEFAULTS;

    (void)state;
    options.backend = getenv("BL_TEST_BACKEND");
    context = bl_context_new(&options, &err);
    options.threads = 3;
    three_threads = bl_context_new(&options, &err);
    if (context == NULL || three_threads == NULL)
        print_error("%s\n", err.message);
    return context == NULL || three_threads == NULL;
}

static inline int free_contexts(void **state)
{
    (void)state;
    bl_context_free(context);
    bl_context_free(three_threads);
    return 0;
}

#endif
