/*
 * sandbox.h - a file with others around it, in a temporary folder
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CONFORM_SANDBOX_H
#define BL_CONFORM_SANDBOX_H

#include <stddef.h>

#include "broadloom/broadloom.h"

/* A file to be made: bytes, or a symbolic link.  The path is relative to the main file's
 * folder. */
struct bl_sandbox_file {
    const char *path;
    unsigned char *bytes; /* never written to */
    size_t size;
    const char *link; /* where the link leads; NULL: a file of bytes */
};

struct bl_sandbox {
    char *path;   /* of the main file */
    char **made;  /* files, links and folders, in the order in which they were made */
    size_t count; /* of them */
    size_t room;
};

/*
 * Make a folder in the system's place for temporary files (TMPDIR), and in it the files.
 *
 * `file` lies so deep that paths with ".." stay inside: "../secret.bin" is made
 * beside the folder of `file`.  A file with an absolute path is not made at all.  Links
 * come last, so that no file is written through one.
 *
 * On failure nothing is left.  BL_ERR_FORMAT for a path that cannot be a file's,
 * BL_ERR_IO, BL_ERR_MEMORY.
 */
bl_status bl_sandbox_open(struct bl_sandbox *out, const struct bl_sandbox_file *file,
                          const struct bl_sandbox_file *beside, size_t count,
                          bl_error *err);

/* Remove all that was made; also what is all zeros. */
void bl_sandbox_close(struct bl_sandbox *sandbox);

#endif
