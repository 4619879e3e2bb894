/*
 * map.h - a file's bytes, mapped where that is possible
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * What is small is read: that is as fast, and cannot change any more.  What is large is mapped, and guarded
 * (io/map_guard.h) against being cut short, unless the context wants it otherwise (bl_mapping).
 */
#ifndef BL_IO_MAP_H
#define BL_IO_MAP_H

#include <stdbool.h>

#include "io/file.h"

struct bl_map {
    const unsigned char *bytes;
    size_t size;
    bool mapped;
    int guard;           /* 0: not guarded */
    struct bl_file file; /* what holds the bytes if they are not mapped */
};

struct bl_map_options {
    bl_allocator allocator;
    bl_mapping mapping;
};

/*
 * Open a file to be read.  What is no regular file, such as a pipe, is read into memory, and
 * so is a file on a system, or of a kind, that cannot be mapped or guarded.
 *
 * `folder`: the open folder that the last part of the path is looked up in; -1: none, the path is.
 *
 * Errors: as bl_file_read; on failure nothing is held.
 */
bl_status bl_map_open(const char *path, int folder, const struct bl_map_options *with,
                      struct bl_map *map, bl_error *err);

/* The same for a regular file that is open as `fd`, which stays open; `path` is for
 * messages. */
bl_status bl_map_file(const char *path, int fd, const struct bl_map_options *with,
                      struct bl_map *map, bl_error *err);

/* BL_ERR_IO if something of the file could not be read since it is open, so that zeros were read in its
 * place. */
bl_status bl_map_check(const char *path, const struct bl_map *map, bl_error *err);

/* Close what bl_map_open opened, with the same allocator. */
void bl_map_close(const bl_allocator *from, struct bl_map *map);

#endif
