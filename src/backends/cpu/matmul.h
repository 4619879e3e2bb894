/*
 * matmul.h - what the files of Gemm and MatMul share: packing before, scaling after
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_BACKENDS_CPU_MATMUL_H
#define BL_BACKENDS_CPU_MATMUL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/guard.h"
#include "kernels/kernel.h"
#include "plan/step.h"

/* ---- Packing (matmul_pack.c) --------------------------------------------------------- */

/* A block that is packed has at most so many rows and columns. */
#define BL_PACK_MOST 512
/* Lines of the operand that are moved at a time. */
#define BL_PACK_LINES 4
/* What packing needs of scratch: lines in the accumulator's type, and one that is not aligned. */
#define BL_PACK_SCRATCH_BYTES ((BL_PACK_LINES + 1) * BL_PACK_MOST * 8)

/* An operand as it lies, and how its elements become accumulators. */
struct bl_pack_source {
    bl_convert_fn widen;
    size_t bytes; /* an element */
    size_t word;  /* an accumulator: 4 or 8 bytes */
    struct bl_matrix matrix;
    void *scratch; /* BL_PACK_SCRATCH_BYTES */
};

/* A block in the accumulator's type: panels of `columns`, a multiple of BL_PACK_LINES unless there
 * is but one panel.  Strides in elements: of the rows of a panel, of the panels. */
struct bl_packed {
    char *data;
    size_t columns;
    size_t row_stride, panel_stride;
};

/* True if the kernels can read the operand as it lies: rows of accumulators without gaps. */
bool bl_matmul_is_plain(const struct bl_pack_source *from);

/* Element (row, column) of the operand. */
const char *bl_matmul_at(const struct bl_pack_source *from, int64_t row, int64_t column);

/* Convert rows x columns elements, from (row, column) on.  Columns of the last panel that are
 * beyond the block become zeros. */
void bl_matmul_pack(const struct bl_pack_source *from, int64_t row, int64_t column,
                    int64_t rows, int64_t columns, const struct bl_packed *to);

/* ---- A matrix times a vector (matmul_dots.c) ------------------------------------------- */

/* y[i] = the sum of lines[i * stride + k] * b[k] for k < terms, in that order, for i < n; or nothing
 * in particular where the guard's work is cancelled. */
void bl_matmul_dots(int64_t n, int64_t terms, float *y, const float *lines, int64_t stride,
                    const float *b, struct bl_guard *guard);

/* ---- alpha * acc + beta * c (matmul_finish.c) ------------------------------------------ */

/* The scale factors, read once for all elements. */
struct bl_scale {
    bool is_one;   /* the accumulators are the results */
    bool has_c;    /* there is a c, and beta is not 0: otherwise c is not read */
    bool no_terms; /* k is 0: the product is nothing, and beta * c stands alone */
    float alpha, beta;
    bool whole; /* both are integers, so that an integer result is exact modulo 2^n */
    uint64_t alpha_int, beta_int;
};

struct bl_scale bl_matmul_scale(const struct bl_matmul *step);

/* Turn n accumulators of `dtype` into results, still in the accumulator's type.  c, in that type
 * too, is not read unless scale->has_c. */
void bl_matmul_finish(const struct bl_scale *scale, bl_dtype dtype, int64_t n, void *acc,
                      const void *c);

#endif
