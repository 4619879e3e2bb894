/*
 * source.h - the bytes a reader reads, under a name, and faults in them
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_IO_SOURCE_H
#define BL_IO_SOURCE_H

#include "base/status.h"

struct bl_source {
    const char *name; /* a path, or what the caller calls these bytes; for messages */
    const unsigned char *bytes;
    size_t size;
};

/* bl_fail with "NAME: byte OFFSET: " in front: what is wrong, and where. */
bl_status bl_fail_at(bl_error *err, bl_status status, const struct bl_source *source,
                     size_t offset, const char *format, ...) BL_PRINTF(5, 6);

/* What is read twice, to count and to take out, may come from a mapped file and be another the second time.  Then
 * this is the error: nothing is taken that was not counted. */
bl_status bl_fail_changed(bl_error *err, const struct bl_source *source, size_t offset);

#define BL_QUOTE_BYTES 40

/* Bytes of a source as text fit for a message: what is not printable ASCII shows as '?',
 * what is too long is cut.  Returns buffer, which has BL_QUOTE_BYTES. */
const char *bl_quote(const unsigned char *bytes, size_t size, char *buffer);

#endif
