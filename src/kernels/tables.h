/*
 * tables.h - the tables of kernels that resolve.c chooses from
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * In each, NULL means: no better kernel than in the tables before it.
 */
#ifndef BL_KERNELS_TABLES_H
#define BL_KERNELS_TABLES_H

#include "kernels/kernel.h"

/* What vectors do not speed up is compiled once. */
extern const struct bl_kernels bl_kernels_pairs;

/* isa.tmpl.h, once for each instruction set. */
extern const struct bl_kernels bl_kernels_baseline;
extern const struct bl_kernels bl_kernels_avx2;
extern const struct bl_kernels bl_kernels_avx512;

/* The row kernels of an operator, by element type.  A table of them has far fewer holes
 * than struct bl_kernels, of which these families would fill a quarter. */
struct bl_op_rows {
    enum bl_op_id op;
    bl_row_fn row[BL_DTYPE_COUNT];
};

struct bl_op_table {
    size_t count;
    const struct bl_op_rows *ops;
};

extern const struct bl_op_table bl_float_mod;

/* exact.tmpl.h, cast.tmpl.h, math.tmpl.h and pow.tmpl.h, once for each instruction set. */
extern const struct bl_op_table bl_exact_baseline;
extern const struct bl_op_table bl_exact_avx2;
extern const struct bl_op_table bl_exact_avx512;
extern const struct bl_op_table bl_cast_baseline;
extern const struct bl_op_table bl_cast_avx2;
extern const struct bl_op_table bl_cast_avx512;
extern const struct bl_op_table bl_math_baseline;
extern const struct bl_op_table bl_math_avx2;
extern const struct bl_op_table bl_math_avx512;
extern const struct bl_op_table bl_pow_baseline;
extern const struct bl_op_table bl_pow_avx2;
extern const struct bl_op_table bl_pow_avx512;

/* move.tmpl.h, once for each instruction set. */
extern const struct bl_movers bl_movers_baseline;
extern const struct bl_movers bl_movers_avx2;
extern const struct bl_movers bl_movers_avx512;

#endif
