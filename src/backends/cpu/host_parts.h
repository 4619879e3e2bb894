/*
 * host_parts.h - what the operators on whole tensors share: walking, single elements, strings
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_BACKENDS_CPU_HOST_PARTS_H
#define BL_BACKENDS_CPU_HOST_PARTS_H

#include "base/guard.h"
#include "ops/node.h"
#include "tensor/tensor.h"

/* Goes through all indexes of a shape, row-major; ends early where the guard's work is cancelled. */
struct bl_walk {
    const bl_shape *shape;
    struct bl_guard *guard;
    int64_t left; /* indexes from this one on */
    int64_t index[BL_MAX_RANK];
};

struct bl_walk bl_walk_of(const bl_shape *shape, struct bl_guard *guard);

void bl_walk_next(struct bl_walk *walk);

/* The elements from index 0 to this one, for an operand with those strides. */
int64_t bl_walk_offset(const struct bl_walk *walk, const int64_t *stride);

/* A number of an integer type, at an offset in elements; and back, wrapped. */
int64_t bl_read_int64(const bl_tensor *tensor, int64_t offset);
void bl_write_int64(bl_tensor *tensor, int64_t offset, int64_t value);

/* A number of type float64. */
double bl_read_double(const bl_tensor *tensor, int64_t offset);

/* A number of type float32, float16 or bfloat16; and back, rounded. */
float bl_read_float(const bl_tensor *tensor, int64_t offset);
void bl_write_float(bl_tensor *tensor, int64_t offset, float value);

/* The operators on strings.  (host_string.c) */
bl_status bl_host_string_concat(const bl_tensor *a, const bl_tensor *b, bl_tensor *output,
                                struct bl_guard *guard, bl_error *err);
bl_status bl_host_string_cast(const bl_node *node, const bl_tensor *input,
                              bl_tensor *output, struct bl_guard *guard, bl_error *err);

#endif
