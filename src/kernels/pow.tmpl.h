/*
 * pow.tmpl.h - the kernels of Pow of one instruction set, and the table of them
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameter: ISA, the suffix of the table's name.  A unit pow_NAME.c is compiled with the
 * flags of its instruction set, and nothing in it has linkage but the table.
 *
 * Powers of floats are computed in vectors, a few bits longer than they have to be.  Those
 * whose rounding that leaves open, about one of 4096, and the special ones are done again
 * one by one (pow.c): so each has the bits it would have if all were.
 */
#include "kernels/tables.h"

#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "base/half.h"
#include "kernels/convert.tmpl.h"
#include "kernels/pow.h"
#include "kernels/pow_lanes.h"
#include "kernels/unary.h"

/* The name of what a template makes for its parameter TAG: F(row) is row_f32. */
#define F(name) BL_CAT(name, TAG)

#include "kernels/pow_float.tmpl.h"

#define TAG f16
#define DTYPE BL_FLOAT16
#include "kernels/pow_half.tmpl.h"

#define TAG bf16
#define DTYPE BL_BFLOAT16
#include "kernels/pow_half.tmpl.h"

#define T int32_t
#define W uint32_t
#define TAG i32
#define DTYPE BL_INT32
#include "kernels/pow_integer.tmpl.h"

#define T int64_t
#define W uint64_t
#define TAG i64
#define DTYPE BL_INT64
#include "kernels/pow_integer.tmpl.h"

static const struct bl_op_rows ops[] = {
    {BL_OP_POW,
     {[BL_FLOAT16] = row_f16,
      [BL_BFLOAT16] = row_bf16,
      [BL_FLOAT32] = row_f32,
      [BL_FLOAT64] = row_f64,
      [BL_INT32] = row_i32,
      [BL_INT64] = row_i64}},
};

const struct bl_op_table BL_CAT(bl_pow, ISA) = {BL_COUNT_OF(ops), ops};
