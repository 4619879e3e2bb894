/*
 * map.h - a file's bytes, mapped where that is possible
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A mapped file must not be cut short while it is in use: reading what is no longer there
 * ends the process, which no check can prevent.
 */
#ifndef BL_IO_MAP_H
#define BL_IO_MAP_H

#include <stdbool.h>

#include "io/file.h"

struct bl_map {
    const unsigned char *bytes;
    size_t size;
    bool mapped;
    struct bl_file file; /* what holds the bytes if they are not mapped */
};

/*
 * Open a file to be read.  What is no regular file, such as a pipe, is read into memory, and
 * so is a file on a system, or of a kind, that cannot be mapped.
 *
 * Errors: as bl_file_read; on failure nothing is held.
 */
bl_status bl_map_open(const char *path, const bl_allocator *from, struct bl_map *map,
                      bl_error *err);

/* The same for a regular file that is open as `fd`, which stays open; `path` is for
 * messages. */
bl_status bl_map_file(const char *path, int fd, const bl_allocator *from,
                      struct bl_map *map, bl_error *err);

/* Close what bl_map_open opened, with the same allocator. */
void bl_map_close(const bl_allocator *from, struct bl_map *map);

#endif
