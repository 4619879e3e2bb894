/*
 * math.tmpl.h - the transcendental kernels of one instruction set, and the table of them
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameter: ISA, the suffix of the table's name.  A unit math_NAME.c is compiled with the
 * flags of its instruction set, and nothing in it has linkage but the table.
 *
 * To add a function: what it computes in math32.h and in one of the headers of 64, its name
 * in a list here, and its row in the table.
 */
#include "kernels/tables.h"

#include "kernels/activation64.h"
#include "kernels/circle64.h"
#include "kernels/convert.tmpl.h"
#include "kernels/math32.h"
#include "kernels/math64.h"
#ifdef __FMA__
#include "kernels/math_pairs32.h"
#include "kernels/math_quick.h"
#include "kernels/math_quick32.h"
#endif
#include "kernels/reduce.h"
#include "kernels/unary.h"

/* The name of what a template makes for its parameter TAG: F(row_exp) is row_exp_f32. */
#define F(name) BL_CAT(name, TAG)

/* Functions of x alone, of x and of attributes, and of an angle less its quarter turns. */
/* clang-format off */
#define PLAIN_FUNCTIONS(X)                                                     \
    X(acos) X(acosh) X(asin) X(asinh) X(atan) X(atanh) X(cosh) X(erf) X(exp)   \
    X(gelu_erf) X(gelu_tanh) X(log) X(mish) X(sigmoid) X(sinh) X(softplus)     \
    X(tanh)
#define TUNED_FUNCTIONS(X) X(celu) X(elu) X(selu) X(swish)
#define TURNED_FUNCTIONS(X) X(cos) X(sin) X(tan)

/* All of them again: those that have quick lanes for float32 in pairs of floats; in
 * doubles, each with the `zero`, `low`, `high`, `bits` and `cares` of struct quick
 * (math_quick.h); and the others. */
#define PAIR_FUNCTIONS(X) X(exp) X(sigmoid)
#define QUICK_FUNCTIONS(X)                                                      \
    X(celu, -INFINITY, -FLT_MAX, FLT_MAX, 36, QUICK_TINY | QUICK_ALPHA)         \
    X(cos, -INFINITY, -32768, 32768, 36, 0)                                     \
    X(elu, -INFINITY, -FLT_MAX, FLT_MAX, 36, QUICK_TINY)                        \
    X(erf, -INFINITY, -FLT_MAX, FLT_MAX, 33, QUICK_TINY)                        \
    X(gelu_erf, -INFINITY, -6.5f, FLT_MAX, 33, QUICK_TINY)                      \
    X(gelu_tanh, -INFINITY, -9.5f, FLT_MAX, 37, QUICK_TINY)                     \
    X(log, -INFINITY, 0, FLT_MAX, 36, 0)                                        \
    X(mish, -INFINITY, -80, FLT_MAX, 37, QUICK_TINY)                            \
    X(selu, -INFINITY, -FLT_MAX, FLT_MAX, 36, QUICK_TINY)                       \
    X(sin, -INFINITY, -32768, 32768, 36, 0)                                     \
    X(softplus, -INFINITY, -87, INFINITY, 36, 0)                                \
    X(swish, -INFINITY, -FLT_MAX, FLT_MAX, 37, QUICK_TINY)                      \
    X(tanh, -INFINITY, -340, 340, 38, 0)
#define EXACT_FUNCTIONS(X)                                                     \
    X(acos) X(acosh) X(asin) X(asinh) X(atan) X(atanh) X(cosh) X(sinh) X(tan)
/* clang-format on */

static inline struct pair pair_of(const double parts[2])
{
    return (struct pair){parts[0], parts[1]};
}

#ifdef __FMA__
#define QUICK_LANES
#define QUICK_F32(name) quick_##name##_f32
#else
#define QUICK_F32(name) run_##name##_f32
#endif

#define T float
#define TAG f32
#define LANE(name) name##32
#define QUICK(name) QUICK_F32(name)
#define REST double
#define REST_OF(x) (x)[0]
#include "kernels/math_run.tmpl.h"

#define T double
#define TAG f64
#define LANE(name) name##64
#define QUICK(name) run_##name##_f64
#define REST struct pair
#define REST_OF(x) pair_of(x)
#include "kernels/math_run.tmpl.h"

#define TAG f16
#include "kernels/math_half.tmpl.h"
#undef TAG

#define TAG bf16
#include "kernels/math_half.tmpl.h"
#undef TAG

#define GELU(type)                                                                       \
    static size_t row_gelu_##type(const struct bl_row *row)                              \
    {                                                                                    \
        return row->params->tanh ? row_gelu_tanh_##type(row) : row_gelu_erf_##type(row); \
    }

GELU(f16)
GELU(bf16)
GELU(f32)
GELU(f64)
#undef GELU

/* ---- The table ----------------------------------------------------------------------- */

/* As F4 of ops/types.h. */
#define F4(row)                                                                     \
    [BL_FLOAT16] = row##_f16, [BL_BFLOAT16] = row##_bf16, [BL_FLOAT32] = row##_f32, \
    [BL_FLOAT64] = row##_f64

static const struct bl_op_rows ops[] = {
    {BL_OP_ACOS, {F4(row_acos)}},       {BL_OP_ACOSH, {F4(row_acosh)}},
    {BL_OP_ASIN, {F4(row_asin)}},       {BL_OP_ASINH, {F4(row_asinh)}},
    {BL_OP_ATAN, {F4(row_atan)}},       {BL_OP_ATANH, {F4(row_atanh)}},
    {BL_OP_CELU, {F4(row_celu)}},       {BL_OP_COS, {F4(row_cos)}},
    {BL_OP_COSH, {F4(row_cosh)}},       {BL_OP_ELU, {F4(row_elu)}},
    {BL_OP_ERF, {F4(row_erf)}},         {BL_OP_EXP, {F4(row_exp)}},
    {BL_OP_GELU, {F4(row_gelu)}},       {BL_OP_LOG, {F4(row_log)}},
    {BL_OP_MISH, {F4(row_mish)}},       {BL_OP_SELU, {F4(row_selu)}},
    {BL_OP_SIGMOID, {F4(row_sigmoid)}}, {BL_OP_SIN, {F4(row_sin)}},
    {BL_OP_SINH, {F4(row_sinh)}},       {BL_OP_SOFTPLUS, {F4(row_softplus)}},
    {BL_OP_SWIGLU, {F4(row_swiglu)}},   {BL_OP_SWISH, {F4(row_swish)}},
    {BL_OP_TAN, {F4(row_tan)}},         {BL_OP_TANH, {F4(row_tanh)}},
};

const struct bl_op_table BL_CAT(bl_math, ISA) = {BL_COUNT_OF(ops), ops};
