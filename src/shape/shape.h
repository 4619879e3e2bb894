/*
 * shape.h - shapes: count, check, text
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_SHAPE_SHAPE_H
#define BL_SHAPE_SHAPE_H

#include <stdbool.h>

#include "broadloom/broadloom.h"

/* Room for the text of most shapes; a longer one is cut to fit, with "..." in its place. */
#define BL_SHAPE_TEXT 512

/* "[2,3]" in `buffer`, of BL_SHAPE_TEXT bytes; returns it. */
char *bl_shape_text(const bl_shape *shape, char *buffer);

bool bl_shape_equal(const bl_shape *a, const bl_shape *b);

/* Row-major strides, in elements; axes of a shape that has no elements included. */
void bl_shape_row_major(const bl_shape *shape, int64_t *stride);

#endif
