/*
 * exact.tmpl.h - the exact kernels of one operand, of one instruction set, and the table of
 * them
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameter: ISA, the suffix of the table's name.  A unit exact_NAME.c is compiled with the
 * flags of its instruction set, and nothing in it has linkage but the table.
 */
#include "kernels/tables.h"

#include <math.h>

#include "base/compiler.h"
#include "base/half.h"
#include "kernels/convert.tmpl.h"
#include "kernels/unary.h"

/* The name of what a template makes for its parameter TAG: F(row_abs) is row_abs_f32. */
#define F(name) BL_CAT(name, TAG)

/* Floating functions of x alone, and of x and attributes. */
/* clang-format off */
#define PLAIN_FUNCTIONS(X)                                                     \
    X(abs) X(ceil) X(floor) X(hardswish) X(neg) X(reciprocal) X(relu) X(round) \
    X(sign) X(softsign) X(sqrt)
#define TUNED_FUNCTIONS(X) X(hardsigmoid) X(leakyrelu) X(shrink) X(thresholdedrelu)
/* clang-format on */

#define T float
#define TAG f32
#define M(function) function##f
#define WHOLE 0x1p23f
#include "kernels/exact_float.tmpl.h"

#define T double
#define TAG f64
#define M(function) function
#define WHOLE 0x1p52
#include "kernels/exact_float.tmpl.h"

/* ---- 16-bit floats: through float32; other bits -------------------------------------- */

#define TAG f16
#include "kernels/exact_half.tmpl.h"
#undef TAG

#define TAG bf16
#include "kernels/exact_half.tmpl.h"
#undef TAG

#define T uint16_t
#define TAG f16
#define IS_NAN(x) ((x & 0x7FFF) > 0x7C00)
#define INFINITE 0x7C00
#include "kernels/exact_bits.tmpl.h"

#define T uint16_t
#define TAG bf16
#define IS_NAN(x) ((x & 0x7FFF) > 0x7F80)
#define INFINITE 0x7F80
#include "kernels/exact_bits.tmpl.h"

#define T uint8_t
#define TAG e4m3fn
#define IS_NAN(x) ((x & 0x7F) == 0x7F)
#define INFINITE 0
#include "kernels/exact_bits.tmpl.h"

#define T uint8_t
#define TAG e5m2
#define IS_NAN(x) ((x & 0x7F) > 0x7C)
#define INFINITE 0x7C
#include "kernels/exact_bits.tmpl.h"

/* Both FNUZ types: what would be -0 is NaN. */
#define T uint8_t
#define TAG fnuz
#define IS_NAN(x) (x == 0x80)
#define INFINITE 0
#include "kernels/exact_bits.tmpl.h"

static void run_not(size_t n, const void *in, void *out, BL_UNUSED struct attributes with)
{
    const uint8_t *x = in;
    uint8_t *y = out;

    BL_LANEWISE
    for (size_t i = 0; i < n; i++)
        y[i] = x[i] == 0;
}

static size_t row_not(const struct bl_row *row)
{
    return unary(row, run_not, 1, 1);
}

/* ---- Integers ------------------------------------------------------------------------ */

#define T uint8_t
#define TAG u8
#define W uint32_t
#define LEAST 0
#define GREATEST UINT8_MAX
#include "kernels/exact_integer.tmpl.h"

#define T uint16_t
#define TAG u16
#define W uint32_t
#define LEAST 0
#define GREATEST UINT16_MAX
#include "kernels/exact_integer.tmpl.h"

#define T uint32_t
#define TAG u32
#define W uint32_t
#define LEAST 0
#define GREATEST UINT32_MAX
#include "kernels/exact_integer.tmpl.h"

#define T uint64_t
#define TAG u64
#define W uint64_t
#define LEAST 0
#define GREATEST UINT64_MAX
#include "kernels/exact_integer.tmpl.h"

#define T int8_t
#define TAG i8
#define W uint32_t
#define LEAST INT8_MIN
#define GREATEST INT8_MAX
#include "kernels/exact_integer.tmpl.h"

#define T int16_t
#define TAG i16
#define W uint32_t
#define LEAST INT16_MIN
#define GREATEST INT16_MAX
#include "kernels/exact_integer.tmpl.h"

#define T int32_t
#define TAG i32
#define W uint32_t
#define LEAST INT32_MIN
#define GREATEST INT32_MAX
#include "kernels/exact_integer.tmpl.h"

#define T int64_t
#define TAG i64
#define W uint64_t
#define LEAST INT64_MIN
#define GREATEST INT64_MAX
#include "kernels/exact_integer.tmpl.h"

/* ---- The table ----------------------------------------------------------------------- */

/* Sets of element types, under the names of ops/types.h, as entries of a table. */
#define F3(row) [BL_FLOAT16] = row##_f16, [BL_FLOAT32] = row##_f32, [BL_FLOAT64] = row##_f64
#define F4(row) F3(row), [BL_BFLOAT16] = row##_bf16
#define S4(row)                                                           \
    [BL_INT8] = row##_i8, [BL_INT16] = row##_i16, [BL_INT32] = row##_i32, \
    [BL_INT64] = row##_i64
#define U4(row)                                                              \
    [BL_UINT8] = row##_u8, [BL_UINT16] = row##_u16, [BL_UINT32] = row##_u32, \
    [BL_UINT64] = row##_u64
#define F8(row)                                                                  \
    F4(row), [BL_FLOAT8E4M3FN] = row##_e4m3fn, [BL_FLOAT8E4M3FNUZ] = row##_fnuz, \
             [BL_FLOAT8E5M2] = row##_e5m2, [BL_FLOAT8E5M2FNUZ] = row##_fnuz

static const struct bl_op_rows ops[] = {
    {BL_OP_ABS, {F4(row_abs), S4(row_abs), U4(row_abs)}},
    {BL_OP_BITWISENOT, {S4(row_bitwisenot), U4(row_bitwisenot)}},
    {BL_OP_CEIL, {F4(row_ceil)}},
    {BL_OP_ERF, {S4(row_erf), U4(row_erf)}},
    {BL_OP_FLOOR, {F4(row_floor)}},
    {BL_OP_HARDSIGMOID, {F4(row_hardsigmoid)}},
    {BL_OP_HARDSWISH, {F4(row_hardswish)}},
    {BL_OP_ISINF, {F8(row_isinf)}},
    {BL_OP_ISNAN, {F8(row_isnan)}},
    {BL_OP_LEAKYRELU, {F4(row_leakyrelu)}},
    {BL_OP_NEG, {F4(row_neg), S4(row_neg)}},
    {BL_OP_NOT, {[BL_BOOL] = row_not}},
    {BL_OP_RECIPROCAL, {F4(row_reciprocal)}},
    {BL_OP_RELU, {F4(row_relu), S4(row_relu)}},
    {BL_OP_ROUND, {F4(row_round)}},
    {BL_OP_SHRINK, {F3(row_shrink), S4(row_shrink), U4(row_shrink)}},
    {BL_OP_SIGN, {F4(row_sign), S4(row_sign), U4(row_sign)}},
    {BL_OP_SOFTSIGN, {F4(row_softsign)}},
    {BL_OP_SQRT, {F4(row_sqrt)}},
    {BL_OP_THRESHOLDEDRELU, {F4(row_thresholdedrelu)}},
};

const struct bl_op_table BL_CAT(bl_exact, ISA) = {BL_COUNT_OF(ops), ops};
