/*
 * values.h - read the numbers in a tensor or an attribute that tell a shape
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_OPS_VALUES_H
#define BL_OPS_VALUES_H

#include <stddef.h>

#include "broadloom/broadloom.h"

/*
 * The elements of an int32 or int64 tensor of rank 0 or 1, with any stride.
 *
 * @param out  [max]; *count tells how many.
 * Errors: BL_ERR_TYPE, BL_ERR_SHAPE for another rank, BL_ERR_LIMIT for more than `max`.
 */
bl_status bl_tensor_to_int64s(const bl_tensor *tensor, int64_t *out, size_t max,
                              size_t *count, bl_error *err);

/*
 * max(ceil((limit - start) / delta), 0), the number of elements of a Range: exact for
 * integers; for floats the difference rounds to their type (16 bits: to float32), the
 * quotient to float64.
 *
 * The tensors are of one type that Range takes, with one element each.  BL_ERR_ARGUMENT
 * for a delta of 0 or a NaN, BL_ERR_LIMIT where the number does not fit 63 bits.
 */
bl_status bl_range_count(const bl_tensor *start, const bl_tensor *limit,
                         const bl_tensor *delta, int64_t *count, bl_error *err);

#endif
