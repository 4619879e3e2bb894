/*
 * kernel.h - what a kernel is: one row of one operator, and the table of them
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A kernel is pure: one thread, no allocation, no shapes.  It knows a run of elements.
 */
#ifndef BL_KERNELS_KERNEL_H
#define BL_KERNELS_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "broadloom/broadloom.h"
#include "cpu/cpu.h"
#include "ops/node.h"
#include "ops/op.h"

/*
 * One row: out[i] = f(in[0][i * stride[0]], in[1][i * stride[1]], ...) for i < n.
 *
 * Strides count elements of the input's own type.  The fast paths are strides 1 and 0; any other
 * one works.  `out` is contiguous.  It may be one of the inputs whose stride is 1 and whose
 * elements have its size; otherwise it overlaps none.
 *
 * Clip's inputs 1 and 2 are NULL or point to one element, whatever their strides.
 */
struct bl_row {
    size_t n;
    void *out;
    const void *const *in;
    const ptrdiff_t *stride;
    size_t inputs;
    /* The type of in[1], where it has one of its own (Pow); of out, of a Cast or BitCast. */
    bl_dtype second;
    /* The node's attributes; NULL will do for an operator that has none. */
    const struct bl_params *params;
};

/* Returns n, or the first index without a result: an integer divided by zero, or 0 to a negative
 * power.  Elements of out from there on are then unspecified, and nothing traps. */
typedef size_t (*bl_row_fn)(const struct bl_row *row);

/* out[i] = in[i * stride], converted, for i < n.  `out` does not overlap `in`. */
typedef void (*bl_convert_fn)(size_t n, void *out, const void *in, ptrdiff_t stride);

/*
 * A block of a matrix product in the accumulator type (float32, float64, uint32, uint64):
 * acc[i][j] += sum over k of a[i][k] * b[k][j], adding one k after the other, in order, no
 * fused multiply-add.
 *
 * Shapes: acc is m x n with acc_stride, a is m x k, with rows of a_stride elements; b is k x n in
 *         panels of so many columns as struct bl_product says.  A panel's rows are b_stride apart,
 *         the panels b_panel; all columns of the last one are read, also those beyond n.  A b that
 *         lies row by row has panels one beside the other.
 */
struct bl_tile {
    size_t m, n, k;
    bool fresh; /* the sums start from 0: acc is not read */
    void *acc;
    size_t acc_stride;
    const void *a;
    size_t a_stride;
    const void *b;
    size_t b_stride, b_panel;
};

typedef void (*bl_tile_fn)(const struct bl_tile *tile);

/* The bytes of a cache line: what a streaming store should fill as a whole. */
#define BL_LINE 64

/* Memory to ask for while results are streamed: `step` bytes from `at` on for each line.  It need
 * not be ours. */
struct bl_fetch {
    const char *at;
    size_t step;
};

/* Results to be copied past the caches.  The ranges do not overlap; what is not a whole line of
 * `to` is stored as usual. */
struct bl_stream {
    char *to;
    const char *from;
    size_t bytes;
    const struct bl_fetch *fetch; /* [fetch_count] */
    size_t fetch_count;
};

/* Functions that move elements and look at none. */
struct bl_movers {
    /* NULL, both, on a machine without streaming stores. */
    void (*stream)(const struct bl_stream *stream);
    void (*fence)(void); /* to be called before others may read what was streamed */
    /* Copy each of n elements, `step` bytes from one to the next, `times` times, one copy after the
     * other.  `bytes` is 1, 2, 4, 8 or 16; the ranges do not overlap. */
    void (*repeat)(size_t n, size_t bytes, size_t times, char *to, const char *from,
                   ptrdiff_t step);
};

/* The kernels of a matrix product in one accumulator type. */
struct bl_product {
    size_t rows; /* that are computed at a time: a tile has best a multiple */
    size_t columns;
    bl_tile_fn tile;
    bl_tile_fn few_rows; /* b lies row by row, and columns beyond n are not read */
};

/*
 * Every kernel, by operator and by the element type it reads (of the first input that is not
 * Where's condition).  NULL: none (the operator version does not allow the type).
 */
struct bl_kernels {
    bl_row_fn row[BL_OP_ID_COUNT][BL_DTYPE_COUNT];
    const struct bl_product *product[BL_DTYPE_COUNT]; /* by accumulator type */
    bl_convert_fn widen
        [BL_DTYPE_COUNT]; /* to Gemm's accumulator type (float16 -> float32, int32 -> uint32) */
    bl_convert_fn narrow[BL_DTYPE_COUNT]; /* back from it, rounded once */
    struct bl_movers movers;
};

/* The accumulator type in which Gemm computes a type; BL_UNDEFINED where there is no Gemm. */
bl_dtype bl_accumulator(bl_dtype dtype);

/* Fill `kernels` with the best kernel of the tiers in the mask for every entry. */
void bl_kernels_resolve(struct bl_kernels *kernels, uint32_t mask);

#endif
