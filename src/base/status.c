/*
 * status.c - how a failure is made and passed on
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void mark_cut(char *message)
{
    memcpy(message + BL_ERROR_BYTES - 4, "...", 4);
}

/* A message is one line, and moves no cursor, whatever names and texts of a stranger are in it. */
static void mask_control(char *message)
{
    for (char *p = message; *p != '\0'; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7F)
            *p = '?';
}

bl_status bl_fail(bl_error *err, bl_status status, const char *format, ...)
{
    if (err != NULL) {
        va_list args;

        va_start(args, format);
        const int length = vsnprintf(err->message, BL_ERROR_BYTES, format, args);
        va_end(args);
        if (length >= BL_ERROR_BYTES)
            mark_cut(err->message);
        mask_control(err->message);
        err->status = status;
    }
    return status;
}

bl_status bl_fail_prefix(bl_error *err, bl_status status, const char *format, ...)
{
    if (err != NULL) {
        char tail[BL_ERROR_BYTES];
        va_list args;

        memcpy(tail, err->message, BL_ERROR_BYTES);
        va_start(args, format);
        const int head = vsnprintf(err->message, BL_ERROR_BYTES, format, args);
        va_end(args);
        if (head < 0 || head >= BL_ERROR_BYTES) {
            mark_cut(err->message);
        } else {
            const size_t room = BL_ERROR_BYTES - (size_t)head;

            if ((size_t)snprintf(err->message + head, room, "%s", tail) >= room)
                mark_cut(err->message);
        }
        mask_control(err->message);
        err->status = status;
    }
    return status;
}

const char *bl_status_name(bl_status status)
{
    static const char *const names[] = {
        [BL_OK] = "ok",
        [BL_ERR_ARGUMENT] = "argument",
        [BL_ERR_OPERATOR] = "operator",
        [BL_ERR_ARITY] = "arity",
        [BL_ERR_TYPE] = "type",
        [BL_ERR_SHAPE] = "shape",
        [BL_ERR_ATTRIBUTE] = "attribute",
        [BL_ERR_ARITHMETIC] = "arithmetic",
        [BL_ERR_LIMIT] = "limit",
        [BL_ERR_MEMORY] = "memory",
        [BL_ERR_IO] = "io",
        [BL_ERR_FORMAT] = "format",
        [BL_ERR_UNSUPPORTED] = "unsupported",
        [BL_ERR_CANCELLED] = "cancelled",
        [BL_ERR_DEVICE] = "device",
    };
    _Static_assert(BL_COUNT_OF(names) == BL_STATUS_COUNT, "a name for every status");

    return (unsigned)status < BL_STATUS_COUNT ? names[status] : "unknown";
}
