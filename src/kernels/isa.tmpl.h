/*
 * isa.tmpl.h - every kernel of one instruction set, and the table of them
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameter: ISA, the suffix of the table's name.  A unit isa_NAME.c is compiled with the
 * flags of its instruction set, and nothing in it has linkage but the table.
 *
 * To add an operator: its meaning in a template, and its row in the table below.  To add an
 * element type: its block of parameters, and its column in the sets of types.
 */
#include "kernels/tables.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/half.h"
#include "kernels/masks.h"
#include "kernels/run.h"

/* The name of what a template makes for its parameter TAG: F(add) is add_f32. */
#define F(name) BL_CAT(name, TAG)

/* ---- Elements as bits: Where and Identity know their size alone ------------------ */

#define LANES 1

typedef uint16_t BL_MAY_ALIAS bits16;
typedef uint32_t BL_MAY_ALIAS bits32;
typedef uint64_t BL_MAY_ALIAS bits64;

#define T uint8_t
#define TAG b8
#include "kernels/select.tmpl.h"
#include "kernels/bitwise.tmpl.h"
#undef T
#undef TAG

#define T bits16
#define TAG b16
#include "kernels/select.tmpl.h"
#include "kernels/bitwise.tmpl.h"
#undef T
#undef TAG

#define T bits32
#define TAG b32
#include "kernels/select.tmpl.h"
#include "kernels/bitwise.tmpl.h"
#undef T
#undef TAG

#define T bits64
#define TAG b64
#include "kernels/select.tmpl.h"
#include "kernels/bitwise.tmpl.h"
#undef T
#undef TAG

/* ---- Numbers ---------------------------------------------------------------------- */

#define FLOATING 1

#define T float
#define TAG f32
#define W float
#define COPY copy_b32
#define TO_BITS bl_f32_bits
#define FROM_BITS bl_f32_from_bits
#define WIDTH 32
#include "kernels/number.tmpl.h"

#define T double
#define TAG f64
#define W double
#define COPY copy_b64
#define TO_BITS bl_f64_bits
#define FROM_BITS bl_f64_from_bits
#define WIDTH 64
#include "kernels/number.tmpl.h"

#undef FLOATING
#define FLOATING 0

#define T uint8_t
#define TAG u8
#define W uint32_t
#define COPY copy_b8
#define SIGNED 0
#define WIDTH 8
#include "kernels/number.tmpl.h"

#define T uint16_t
#define TAG u16
#define W uint32_t /* uint16_t would promote to int, whose product can overflow */
#define COPY copy_b16
#define SIGNED 0
#define WIDTH 16
#include "kernels/number.tmpl.h"

#define T uint32_t
#define TAG u32
#define W uint32_t
#define COPY copy_b32
#define SIGNED 0
#define WIDTH 32
#include "kernels/number.tmpl.h"

#define T uint64_t
#define TAG u64
#define W uint64_t
#define COPY copy_b64
#define SIGNED 0
#define WIDTH 64
#include "kernels/number.tmpl.h"

#define T int8_t
#define TAG i8
#define W uint32_t
#define COPY copy_b8
#define SIGNED 1
#define WIDTH 8
#include "kernels/number.tmpl.h"

#define T int16_t
#define TAG i16
#define W uint32_t
#define COPY copy_b16
#define SIGNED 1
#define WIDTH 16
#include "kernels/number.tmpl.h"

#define T int32_t
#define TAG i32
#define W uint32_t
#define COPY copy_b32
#define SIGNED 1
#define WIDTH 32
#include "kernels/number.tmpl.h"

#define T int64_t
#define TAG i64
#define W uint64_t
#define COPY copy_b64
#define SIGNED 1
#define WIDTH 64
#include "kernels/number.tmpl.h"

#undef FLOATING

/* ---- 16-bit floats, bools ------------------------------------------------------------ */

#include "kernels/convert.tmpl.h"

#define TAG f16
#define GROUPED 1
#define INFINITE 0x7C00
#define QUIET 0x0200
#include "kernels/half.tmpl.h"
#undef TAG

#define TAG bf16
#define GROUPED 0
#define INFINITE 0x7F80
#define QUIET 0x0040
#include "kernels/half.tmpl.h"
#undef TAG

#define T uint8_t
#define TAG boolean
#include "kernels/logic.tmpl.h"
#undef T
#undef TAG

/* ---- Gemm's accumulators ------------------------------------------------------------- */

#define T float
#define TAG f32
#include "kernels/tile.tmpl.h"
#undef T
#undef TAG

#define T double
#define TAG f64
#include "kernels/tile.tmpl.h"
#undef T
#undef TAG

#define T uint32_t
#define TAG u32
#include "kernels/tile.tmpl.h"
#undef T
#undef TAG

#define T uint64_t
#define TAG u64
#include "kernels/tile.tmpl.h"
#undef T
#undef TAG

/* ---- The table -------------------------------------------------------------------- */

/* Sets of element types, under the names of ops/types.h, as entries of a table. */
#define F4(row)                                                                     \
    [BL_FLOAT16] = row##_f16, [BL_BFLOAT16] = row##_bf16, [BL_FLOAT32] = row##_f32, \
    [BL_FLOAT64] = row##_f64
#define U4(row)                                                              \
    [BL_UINT8] = row##_u8, [BL_UINT16] = row##_u16, [BL_UINT32] = row##_u32, \
    [BL_UINT64] = row##_u64
#define I8(row)                                                                    \
    U4(row), [BL_INT8] = row##_i8, [BL_INT16] = row##_i16, [BL_INT32] = row##_i32, \
             [BL_INT64] = row##_i64
#define N12(row) F4(row), I8(row)
#define HP8(row)                                                                       \
    F4(row), [BL_UINT32] = row##_u32, [BL_UINT64] = row##_u64, [BL_INT32] = row##_i32, \
             [BL_INT64] = row##_i64
#define B(row) [BL_BOOL] = row##_boolean
/* By size.  Complex numbers and strings are in pairs.c. */
#define INTEGER_BITS(row)                                                    \
    [BL_UINT8] = row##_b8, [BL_INT8] = row##_b8, [BL_UINT16] = row##_b16,    \
    [BL_INT16] = row##_b16, [BL_UINT32] = row##_b32, [BL_INT32] = row##_b32, \
    [BL_UINT64] = row##_b64, [BL_INT64] = row##_b64
#define BITS(row)                                                           \
    INTEGER_BITS(row), [BL_BOOL] = row##_b8, [BL_FLOAT16] = row##_b16,      \
                       [BL_BFLOAT16] = row##_b16, [BL_FLOAT32] = row##_b32, \
                       [BL_FLOAT64] = row##_b64
/* The floats of 8 bits, and those of less, a byte each. */
#define EIGHT(row)                                                \
    [BL_FLOAT8E4M3FN] = row##_b8, [BL_FLOAT8E4M3FNUZ] = row##_b8, \
    [BL_FLOAT8E5M2] = row##_b8, [BL_FLOAT8E5M2FNUZ] = row##_b8, [BL_FLOAT8E8M0] = row##_b8
#define SMALL(row)                                                                       \
    EIGHT(row), [BL_FLOAT4E2M1] = row##_b8, [BL_UINT4] = row##_b8, [BL_INT4] = row##_b8, \
                [BL_UINT2] = row##_b8, [BL_INT2] = row##_b8
/* Gemm's types: 16-bit floats are converted, the others have their accumulator's bits. */
#define CONVERT(function)                                                   \
    [BL_FLOAT16] = function##_f16, [BL_BFLOAT16] = function##_bf16,         \
    [BL_FLOAT32] = copy_b32, [BL_UINT32] = copy_b32, [BL_INT32] = copy_b32, \
    [BL_FLOAT64] = copy_b64, [BL_UINT64] = copy_b64, [BL_INT64] = copy_b64

#define TABLE BL_CAT(bl_kernels, ISA)

const struct bl_kernels TABLE = {
    .row =
        {
            [BL_OP_ADD] = {N12(row_add)},
            [BL_OP_AND] = {B(row_and)},
            /* between types of less than a byte: cast.tmpl.h */
            [BL_OP_BITCAST] = {BITS(row_identity), EIGHT(row_identity)},
            [BL_OP_BITSHIFT] = {U4(row_bitshift)},
            [BL_OP_BITWISEAND] = {INTEGER_BITS(row_bitwiseand)},
            [BL_OP_BITWISEOR] = {INTEGER_BITS(row_bitwiseor)},
            [BL_OP_BITWISEXOR] = {INTEGER_BITS(row_bitwisexor)},
            [BL_OP_CLIP] = {N12(row_clip)},
            [BL_OP_DIV] = {N12(row_div)},
            [BL_OP_EQUAL] = {N12(row_equal), B(row_equal)},
            [BL_OP_GREATER] = {N12(row_greater)},
            [BL_OP_GREATEROREQUAL] = {N12(row_greaterorequal)},
            [BL_OP_IDENTITY] = {BITS(row_identity), SMALL(row_identity)},
            [BL_OP_LESS] = {N12(row_less)},
            [BL_OP_LESSOREQUAL] = {N12(row_lessorequal)},
            [BL_OP_MAX] = {N12(row_max)},
            [BL_OP_MEAN] = {F4(row_mean)},
            [BL_OP_MIN] = {N12(row_min)},
            [BL_OP_MOD] = {I8(row_mod)}, /* of floats: mod.c */
            [BL_OP_MUL] = {N12(row_mul)},
            [BL_OP_OR] = {B(row_or)},
            [BL_OP_PRELU] = {HP8(row_prelu)},
            [BL_OP_SUB] = {N12(row_sub)},
            [BL_OP_SUM] = {F4(row_sum)},
            [BL_OP_WHERE] = {BITS(row_where)},
            [BL_OP_XOR] = {B(row_xor)},
        },
    .product =
        {
            [BL_FLOAT32] = &product_f32,
            [BL_FLOAT64] = &product_f64,
            [BL_UINT32] = &product_u32,
            [BL_UINT64] = &product_u64,
        },
    .widen = {CONVERT(widen)},
    .narrow = {CONVERT(narrow)},
};
