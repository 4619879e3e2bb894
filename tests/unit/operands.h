/*
 * operands.h - random tensors with odd values in them, and bit-for-bit comparison
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_TESTS_UNIT_OPERANDS_H
#define BL_TESTS_UNIT_OPERANDS_H

#include <stdbool.h>

#include "broadloom/broadloom.h"

/* What values an operand may have. */
enum values {
    ANY,     /* random bits and odd values */
    NO_ZERO, /* no integer zero: a divisor */
    SMALL    /* 0 to 3: an exponent that every base has a power for */
};

/* True for operators whose inputs all have one shape, or broadcast, or are matrices; the others have
 * tests of their own, with inputs that mean something to them. */
bool takes_any_operands(const bl_op *op);

/* The values that an operator has a result for in its input i. */
enum values values_for(const bl_op *op, size_t i);

/* A pseudo-random number; the same sequence on every machine. */
uint64_t next_random(uint64_t *seed);

/* Fill `count` elements of a type. */
void fill_random(bl_dtype dtype, enum values values, void *elements, int64_t count,
                 uint64_t *seed);

/* A row-major tensor that owns its memory.  Strings are short, and often equal. */
bl_tensor *random_tensor(bl_dtype dtype, const bl_shape *shape, enum values values,
                         uint64_t *seed);

/* True if type and shape are the same, and each element is: bit for bit, every NaN counting
 * as the same; or within max_ulp for floating types. */
bool same_tensors(const bl_tensor *a, const bl_tensor *b, int max_ulp);

#endif
