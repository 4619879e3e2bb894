/*
 * stage.h - several files that appear together, whole, or not at all
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *     bl_stage_start, bl_stage_add or bl_stage_tensor for each file, bl_stage_commit, and bl_stage_end in any case.
 *
 * Each file is written to a temporary one beside it and synced to the disk.  Once all are, they take their
 * names; if one cannot, those before it get back what they held, and if that fails too a message says which
 * did not.  A signal that ends the tool removes what is temporary; SIGKILL leaves it (".broadloom-PID-N.part",
 * and ".old" in the moment of renaming).
 *
 * Links are followed.  What is no regular file, such as a pipe, a device or /dev/stdout, is written to directly,
 * before the others are renamed.
 */
#ifndef BL_CLI_STAGE_H
#define BL_CLI_STAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "broadloom/broadloom.h"

struct bl_staged; /* a file */

struct bl_stage {
    struct bl_staged *files; /* [count] */
    size_t count;
};

/* Room for `most` files.  False after a message. */
bool bl_stage_start(struct bl_stage *stage, size_t most);

/* Write `what` to the file open as `fd`, which stays open; where that is -1, to `path`, by opening it.  False after a
 * message, which names the path. */
typedef bool bl_stage_writer(const void *what, const char *path, int fd);

/* Write what is to become `path`; path and `what` are kept.  False after a message. */
bool bl_stage_add(struct bl_stage *stage, const char *path, bl_stage_writer *writer,
                  const void *what);

/* The same for a tensor; the path's ending says the format. */
bool bl_stage_tensor(struct bl_stage *stage, const char *path, const bl_tensor *tensor);

/* Give all files their names.  False after a message. */
bool bl_stage_commit(struct bl_stage *stage);

/* Remove what was not committed. */
void bl_stage_end(struct bl_stage *stage);

#endif
