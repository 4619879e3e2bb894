/*
 * source.c - the bytes a reader reads, under a name, and faults in them
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/source.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bl_status bl_fail_at(bl_error *err, bl_status status, const struct bl_source *source,
                     size_t offset, const char *format, ...)
{
    char what[1024];
    va_list args;

    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return bl_fail(err, status, "%s: byte %zu: %s", source->name, offset, what);
}

bl_status bl_fail_changed(bl_error *err, const struct bl_source *source, size_t offset)
{
    return bl_fail_at(err, BL_ERR_IO, source, offset, "changed while it was read");
}

const char *bl_quote(const unsigned char *bytes, size_t size, char *buffer)
{
    const size_t room = BL_QUOTE_BYTES - 4;
    const size_t shown = size < room ? size : room;

    for (size_t i = 0; i < shown; i++)
        buffer[i] = bytes[i] >= 0x20 && bytes[i] < 0x7F ? (char)bytes[i] : '?';
    memcpy(buffer + shown, "...", 4);
    if (shown == size)
        buffer[shown] = '\0';
    return buffer;
}
