/*
 * kernel.h - what a kernel is: one row of one operator, and the table of them
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A kernel is pure: one thread, no allocation, no shapes.  It knows a run of elements.
 */
#ifndef BL_KERNELS_KERNEL_H
#define BL_KERNELS_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#include "broadloom/broadloom.h"
#include "cpu/cpu.h"
#include "ops/op.h"

/*
 * One row: out[i] = f(in[0][i * stride[0]], in[1][i * stride[1]], ...) for i < n.
 *
 * Strides count elements of the input's own type.  The fast paths are strides 1 and 0; any
 * other one works.  `out` is contiguous.  It may be one of the inputs whose stride is 1 and
 * whose elements have its size; otherwise it overlaps none.
 */
struct bl_row {
    size_t n;
    void *out;
    const void *const *in;
    const ptrdiff_t *stride;
    size_t inputs;
    bl_dtype second; /* the type of in[1], which only Pow has as one of its own */
};

/* Returns n, or the first index without a result: an integer divided by zero, or 0 to a
 * negative power.  Nothing traps, and elements of out from there on are unspecified. */
typedef size_t (*bl_row_fn)(const struct bl_row *row);

/* out[i] = in[i * stride], converted, for i < n.  `out` does not overlap `in`. */
typedef void (*bl_convert_fn)(size_t n, void *out, const void *in, ptrdiff_t stride);

/*
 * A block of a matrix product in the accumulator type (float32, float64, uint32, uint64):
 * acc[i][j] += sum over k of a[i][k] * b[k][j], adding one k after the other, in order, no
 * fused multiply-add.
 *
 * Shapes: acc is m x n, a is m x k, b is k x n, their rows acc_stride, a_stride, b_stride
 *         elements apart.  All hold the accumulator's type; acc overlaps neither a nor b.
 */
struct bl_tile {
    size_t m, n, k;
    void *acc;
    size_t acc_stride;
    const void *a;
    size_t a_stride;
    const void *b;
    size_t b_stride;
};

typedef void (*bl_tile_fn)(const struct bl_tile *tile);

/*
 * Every kernel, by operator and by the element type it reads (of the first input that is
 * not Where's condition).  NULL: none (the operator version does not allow the type).
 */
struct bl_kernels {
    bl_row_fn row[BL_OP_ID_COUNT][BL_DTYPE_COUNT];
    bl_tile_fn tile[BL_DTYPE_COUNT];      /* by accumulator type */
    bl_convert_fn widen[BL_DTYPE_COUNT];  /* to the accumulator type */
    bl_convert_fn narrow[BL_DTYPE_COUNT]; /* back from it, rounded once */
};

/* The accumulator type in which Gemm computes a type; BL_UNDEFINED if it has no Gemm. */
bl_dtype bl_accumulator(bl_dtype dtype);

/* Fill `kernels` with the best kernel of the tiers in the mask for every entry. */
void bl_kernels_resolve(struct bl_kernels *kernels, uint32_t mask);

#endif
