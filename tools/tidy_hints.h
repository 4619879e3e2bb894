/*
 * tidy_hints.h - what clang's analyzer cannot know, for tools/tidy.sh alone
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The analyzer reads one file at a time, and would follow a failure that is BL_OK after all into
 * code that may rely on success.  So each function that makes a failure is wrapped: it returns the
 * status that it was given.
 */
#ifndef BL_TIDY_HINTS_H
#define BL_TIDY_HINTS_H

#include "base/status.h"
#include "cli/message.h"
#include "io/source.h"

#define bl_error_fill(err, status, ...) (bl_error_fill(err, status, __VA_ARGS__), (status))
#define bl_fail(err, status, ...) (bl_fail(err, status, __VA_ARGS__), (status))
#define bl_fail_at(err, status, ...) (bl_fail_at(err, status, __VA_ARGS__), (status))
#define bl_fail_prefix(err, status, ...) \
    (bl_fail_prefix(err, status, __VA_ARGS__), (status))

#endif
