/*
 * step.h - what a backend is asked to do
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A step knows memory and strides, not models or tensors.  A plan makes it; a backend runs
 * it.
 */
#ifndef BL_PLAN_STEP_H
#define BL_PLAN_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "broadloom/broadloom.h"
#include "ops/node.h"
#include "ops/op.h"

enum bl_step_kind { BL_STEP_POINTWISE, BL_STEP_MATMUL };

/* One operand of a pointwise step: a stride (in elements) for each axis of the iteration
 * space, 0 where the operand is broadcast. */
struct bl_operand {
    char *data;      /* at index 0 on every axis; an input need not be aligned */
    unsigned bytes;  /* an element */
    bool written;    /* by an instruction; such an operand has no stride of 0 */
    bool read_again; /* by a later step: it should stay in the caches */
    const int64_t *stride;
};

/* Where an instruction finds a value: an operand, or behind those a temporary of the block. */
typedef uint32_t bl_slot;
#define BL_NO_SLOT UINT32_MAX /* an optional argument that is absent */

/* slot `result` = op(slots args[0], args[1], ...), element by element. */
struct bl_instruction {
    enum bl_op_id op;
    bl_dtype dtype;                 /* what the kernel goes by: see kernels/kernel.h */
    bl_dtype second;                /* the type of argument 1; for Cast the result's */
    const struct bl_params *params; /* the node's attributes */
    const bl_slot *args;
    size_t arg_count;
    bl_slot result;
};

/*
 * A pointwise program: the instructions run one after the other for every index of the
 * space, in row-major order of strips.  Each rounds to its own type, as if it stood alone.
 */
struct bl_pointwise {
    int rank; /* after coalescing; 0 is a single element */
    const int64_t *dim;
    size_t operand_count;
    struct bl_operand *operand; /* the data pointers may be set anew for every run */
    size_t temp_count;
    const unsigned *temp_bytes; /* [temp_count], an element */
    size_t instruction_count;
    const struct bl_instruction *instruction;
};

/* A matrix operand: rows and columns have any stride, in elements, also 0. */
struct bl_matrix {
    char *data; /* NULL: absent */
    int64_t row_stride, column_stride;
};

/* y = alpha * a * b + beta * c, with a m x k, b k x n; c, broadcast by its strides, is not
 * read if beta is 0. */
struct bl_matmul {
    bl_dtype dtype;
    int batch_rank;
    const int64_t *batch_dim; /* [batch_rank]; a, b and y have a matrix for each index */
    const int64_t *batch_stride[3]; /* of a, b and y, in elements; 0 where broadcast */
    int64_t m, n, k;
    float alpha, beta;
    struct bl_matrix a, b, c, y;
};

struct bl_step {
    enum bl_step_kind kind;
    union {
        struct bl_pointwise pointwise;
        struct bl_matmul matmul;
    } as;
};

#endif
