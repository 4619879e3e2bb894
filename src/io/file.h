/*
 * file.h - read a whole file into memory
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_IO_FILE_H
#define BL_IO_FILE_H

#include "base/status.h"

struct bl_file {
    unsigned char *bytes;
    size_t size;
    size_t capacity; /* bytes allocated */
};

/*
 * Read a regular file, a pipe or a device up to its end.  "/dev/stdin" is the process's
 * standard input from where it stands, whatever that is.
 *
 * Memory is bounded by what there is to read: a regular file's size, or three times what a
 * pipe gave (while its buffer is doubled).
 *
 * Errors: BL_ERR_IO with the path and the system's reason, BL_ERR_LIMIT, BL_ERR_MEMORY; on
 *         failure nothing is held.
 */
bl_status bl_file_read(const char *path, const bl_allocator *from, struct bl_file *file,
                       bl_error *err);

/* The same for a file that is open as `fd`, from where it stands; `path` is for messages. */
bl_status bl_file_read_open(const char *path, int fd, const bl_allocator *from,
                            struct bl_file *file, bl_error *err);

/* Free what bl_file_read got, with the same allocator. */
void bl_file_free(const bl_allocator *from, struct bl_file *file);

#define BL_REASON_BYTES 128

/* The system's text for an errno, in `buffer` of BL_REASON_BYTES, which it returns. */
const char *bl_system_reason(int number, char *buffer);

#endif
