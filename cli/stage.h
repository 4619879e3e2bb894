/*
 * stage.h - several files that appear together, whole, or not at all
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *     bl_stage_start, then for each file bl_stage_add, and write to the path it gives,
 *     bl_stage_commit when all are written, bl_stage_end in any case.
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

/* Where to write what is to become `path`: a temporary file beside it; `path` itself where
 * that is no regular file, such as a pipe.  NULL after a message. */
const char *bl_stage_add(struct bl_stage *stage, const char *path);

/* Report a failure to write the file added last, by the name that it was to have. */
void bl_stage_message(const struct bl_stage *stage, const char *message);

/* Give all files their names.  False after a message. */
bool bl_stage_commit(struct bl_stage *stage);

/* Remove what was not committed. */
void bl_stage_end(struct bl_stage *stage);

#endif
