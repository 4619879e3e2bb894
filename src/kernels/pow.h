/*
 * pow.h - what Pow means for one element, for the kernels that do many at a time
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of pow.tmpl.h leave to these what their vectors cannot be sure of.  They are
 * compiled once, for any processor.
 */
#ifndef BL_KERNELS_POW_H
#define BL_KERNELS_POW_H

#include <stdbool.h>

#include "kernels/kernel.h"

/* Element i of a row whose base has the floating type `base`, not yet rounded to it. */
double bl_pow_value(const struct bl_row *row, bl_dtype base, size_t i);

/* A row of float64, element by element. */
size_t bl_pow_doubles(const struct bl_row *row);

/* Elements from `from` to below `to` of a row with the integer base BL_INT32 or BL_INT64.
 * Returns `to`, or the first index without a result. */
size_t bl_pow_integers(const struct bl_row *row, bl_dtype base, size_t from, size_t to);

/* y[i] is exponent at + i, for i < n; NaN where a double does not hold it exactly. */
void bl_pow_exponents(const struct bl_row *row, size_t at, size_t n, double *y);

/* The same for integer exponents, as int64_t.  Returns false if one is negative or beyond
 * that type. */
bool bl_pow_whole_exponents(const struct bl_row *row, size_t at, size_t n, int64_t *y);

#endif
