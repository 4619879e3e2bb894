/*
 * status.h - how a failure is made and passed on
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_BASE_STATUS_H
#define BL_BASE_STATUS_H

#include "base/compiler.h"
#include "broadloom/broadloom.h"

/* Fill *err, if there is one, and return `status`.  A message that does not fit ends in
 * "...". */
bl_status bl_fail(bl_error *err, bl_status status, const char *format, ...) BL_PRINTF(3, 4);

/* Put text in front of the message of an error that was made further down ("file x: " ...).
 */
bl_status bl_fail_prefix(bl_error *err, bl_status status, const char *format, ...)
    BL_PRINTF(3, 4);

/* Return early with the callee's status. */
#define BL_TRY(call)                            \
    do {                                        \
        const bl_status bl_try_status = (call); \
        if (bl_try_status != BL_OK)             \
            return bl_try_status;               \
    } while (0)

#endif
