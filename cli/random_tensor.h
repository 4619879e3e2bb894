/*
 * random_tensor.h - tensors of values that a seed determines
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CLI_RANDOM_TENSOR_H
#define BL_CLI_RANDOM_TENSOR_H

#include "broadloom/broadloom.h"

/*
 * A tensor of random values, the same on every machine: floating-point numbers in [-1, 1),
 * integers from 0 to 10, or as far as the type goes, false and true, and strings of those
 * digits.
 *
 * @param stream  which of a seed's sequences of numbers; an input's number.
 */
bl_tensor *bl_random_tensor(bl_context *context, const bl_tensor_type *type, uint64_t seed,
                            uint64_t stream, bl_error *err);

#endif
