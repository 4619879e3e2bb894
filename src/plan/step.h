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

#include <stddef.h>
#include <stdint.h>

#include "broadloom/broadloom.h"
#include "ops/op.h"

enum bl_step_kind { BL_STEP_POINTWISE, BL_STEP_MATMUL };

/* One operand of a pointwise step: a stride (in elements) for each axis of the iteration
 * space, 0 where the operand is broadcast. */
struct bl_operand {
    char *data;     /* at index 0 on every axis; only the output is written */
    unsigned bytes; /* an element */
    const int64_t *stride;
};

/* out[index] = op(in0[index], in1[index], ...) for every index of the space, in row-major
 * order. */
struct bl_pointwise {
    enum bl_op_id op;
    bl_dtype dtype;  /* what the kernel goes by: the type of the inputs but for Where's
                        condition */
    bl_dtype second; /* the type of input 1 */
    int rank;        /* after coalescing; 0 is a single element */
    const int64_t *dim;
    size_t inputs;
    const struct bl_operand *operand; /* [1 + inputs]: the output, then the inputs */
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
