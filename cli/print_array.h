/*
 * print_array.h - tensors as people read arrays, and as JSON
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CLI_PRINT_ARRAY_H
#define BL_CLI_PRINT_ARRAY_H

#include <stdbool.h>
#include <stdio.h>

#include "broadloom/broadloom.h"

/*
 * Print "int32[2,3]" and the values in nested brackets, one innermost row a line.
 *
 * From rank 2 on numbers are right-aligned to one width.  Of more than 1000 elements only
 * the first and last 3 on each axis are shown, unless `full`.
 */
void bl_array_print(FILE *out, const bl_tensor *tensor, bool full);

/*
 * Print {"dtype": ..., "shape": ..., "data": {"kind": "values", "values": [...]}}, the
 * tensor of a conformance fixture: row-major; NaN and the infinities as strings; complex as
 * [re, im].
 */
void bl_array_print_json(FILE *out, const bl_tensor *tensor);

/* The same without the line's end, to stand within other JSON. */
void bl_array_put_json(FILE *out, const bl_tensor *tensor);

#endif
