/*
 * writer.h - write a file whole or not at all
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The bytes go to a temporary file in the target's folder, which takes the target's name
 * once all of them are written and on the disk (fsync).  So the target holds the old content or the new
 * one, also when the disk is full, the process is killed or the power fails.  The folder is not synced: after a
 * loss of power it may be the old content.
 *
 * A symbolic link stays one: what it points to is replaced.  Another hard link to the old file keeps that.
 * What is there and is no regular file (a pipe, a device, "/dev/stdout") is written to as the bytes come.  A
 * file that may not be written to is not replaced, though its folder would allow it.  Permissions of a new
 * file are what the umask leaves of 0666; one that replaces another has none that the old one had not.
 *
 *     struct bl_writer writer;
 *     BL_TRY(bl_writer_open(&writer, path, err));
 *     bl_status status = bl_writer_put(&writer, bytes, size, err);
 *     return bl_writer_close(&writer, status, err);
 */
#ifndef BL_IO_WRITER_H
#define BL_IO_WRITER_H

#include <stdbool.h>

#include "base/status.h"

#define BL_PATH_BYTES 4096 /* with the terminator; PATH_MAX of Linux */

struct bl_writer {
    const char *path; /* as the caller named it */
    int fd;
    bool renames;
    bool keeps_open;               /* the file is the caller's */
    char target[BL_PATH_BYTES];    /* `path` with the links of its last part followed */
    char temporary[BL_PATH_BYTES]; /* what is being written, if `renames` */
    size_t used;
    unsigned char buffer[16384];
};

/* Start.  `path` is kept, not copied.  A process that may write to a pipe should ignore
 * SIGPIPE, to get an error instead. */
bl_status bl_writer_open(struct bl_writer *writer, const char *path, bl_error *err);

/* Start to write to what is open as `fd`, from where it stands; it stays open, `name` is for messages. */
void bl_writer_open_fd(struct bl_writer *writer, const char *name, int fd);

bl_status bl_writer_put(struct bl_writer *writer, const void *bytes, size_t size,
                        bl_error *err);

/* End, always.  With BL_OK: write out what is buffered and put the file in its place.  With
 * another status, or where that fails: leave no trace.  Returns the status of the whole. */
bl_status bl_writer_close(struct bl_writer *writer, bl_status status, bl_error *err);

#endif
