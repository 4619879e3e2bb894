/*
 * dims.h - shapes as people write them: 2,3 or 2x3 or [2,3]
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CLI_DIMS_H
#define BL_CLI_DIMS_H

#include "broadloom/broadloom.h"

/* Bytes that hold the text of any shape: "[", 64 times 19 digits and a comma, "]". */
#define BL_DIMS_TEXT (2 + BL_MAX_RANK * 20 + 1)

/*
 * Read dims, with ',' or 'x' between them, from *at on: none at all, where no digit
 * follows, is rank 0. *at moves behind the last, or to the byte that is wrong.
 */
bl_status bl_dims_read(const char **at, bl_shape *shape, bl_error *err);

/* Read all of `text` as a shape.  *at is the offset of what is wrong. */
bl_status bl_dims_parse(const char *text, bl_shape *shape, size_t *at, bl_error *err);

/* A shape as "[2,3]" in `buffer` of BL_DIMS_TEXT bytes, which it returns. */
char *bl_dims_text(const bl_shape *shape, char *buffer);

#endif
