/*
 * cast.tmpl.h - Cast and CastLike of one instruction set, and the table of them
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameter: ISA, the suffix of the table's name.  A unit cast_NAME.c is compiled with the
 * flags of its instruction set, and nothing in it has linkage but the table.
 *
 * Each pair of types would be a loop of its own, 576 of them.  Instead a block is loaded as
 * float32, float64 or 64-bit integers, and stored from there, both in loops that vectorise;
 * it stays in the first-level cache in between.  What is loaded is exact, or rounded to
 * odd, so there is one rounding.
 */
#include "kernels/tables.h"

#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "kernels/cast_small.h"
#include "kernels/convert.tmpl.h"
#include "kernels/lanes.h"
#include "kernels/unary.h"

#include "kernels/cast_load.tmpl.h"
#include "kernels/cast_store.tmpl.h"

/* ---- The way from one type to another ------------------------------------------------ */

#define SET(dtype) (UINT32_C(1) << (dtype))

static const uint32_t whole_types =
    SET(BL_UINT8) | SET(BL_INT8) | SET(BL_UINT16) | SET(BL_INT16) | SET(BL_UINT32) |
    SET(BL_INT32) | SET(BL_UINT64) | SET(BL_INT64) | SET(BL_BOOL) | SET(BL_UINT4) |
    SET(BL_INT4) | SET(BL_UINT2) | SET(BL_INT2);

/* Those that float32 does not hold. */
static const uint32_t wide_types =
    SET(BL_FLOAT64) | SET(BL_UINT32) | SET(BL_INT32) | SET(BL_UINT64) | SET(BL_INT64);

/* Those that float32 rounds to. */
static const uint32_t narrow_types = SET(BL_FLOAT32) | SET(BL_FLOAT16) | SET(BL_BFLOAT16) |
                                     SET(BL_FLOAT8E4M3FN) | SET(BL_FLOAT8E4M3FNUZ) |
                                     SET(BL_FLOAT8E5M2) | SET(BL_FLOAT8E5M2FNUZ) |
                                     SET(BL_FLOAT4E2M1);

static bool has(uint32_t set, bl_dtype dtype)
{
    return set >> dtype & 1;
}

static size_t size_of(bl_dtype dtype)
{
    switch (dtype) {
    case BL_FLOAT64:
    case BL_UINT64:
    case BL_INT64:
        return 8;
    case BL_FLOAT32:
    case BL_UINT32:
    case BL_INT32:
        return 4;
    case BL_FLOAT16:
    case BL_BFLOAT16:
    case BL_UINT16:
    case BL_INT16:
        return 2;
    default:
        return 1;
    }
}

/* A block of elements that lie side by side.  y may be x if their sizes are the same. */
static void convert(bl_dtype from, bl_dtype to, size_t n, const void *x, void *y,
                    const struct bl_params *params)
{
    union {
        float floats[BLOCK];
        double doubles[BLOCK];
        uint64_t bits[BLOCK];
    } block;

    if (has(whole_types, from) && has(whole_types, to)) {
        load_bits(from, n, x, block.bits);
        store_bits(to, n, block.bits, y);
    } else if (!has(wide_types, from) && has(narrow_types, to)) {
        float *floats = to == BL_FLOAT32 ? y : block.floats;

        load_float(from, n, x, floats);
        if (floats != y)
            store_float(to, n, floats, y, params);
    } else if (to == BL_FLOAT64 && (from == BL_INT64 || from == BL_UINT64)) {
        load_rounded(from, n, x, y);
    } else {
        load_double(from, n, x, block.doubles);
        store_double(to, n, block.doubles, y, params);
    }
}

static size_t cast(const struct bl_row *row, bl_dtype from, bl_dtype to)
{
    const size_t in_size = size_of(from);
    const size_t out_size = size_of(to);
    /* The payload of a NaN stays.  Bytes may hold what they should not, or saturate. */
    const bool is_copy = from == to && in_size > 1;
    uint64_t gathered[BLOCK];

    if (is_copy && row->stride[0] == 1) {
        memmove(row->out, row->in[0], row->n * in_size);
        return row->n;
    }
    for (size_t at = 0; at < row->n; at += BLOCK) {
        const size_t n = block_size(row, at);
        const void *x = operand(row, 0, at, in_size);
        char *y = (char *)row->out + at * out_size;

        if (row->stride[0] != 1) {
            spread(n, gathered, x, row->stride[0], in_size);
            x = gathered;
        }
        if (is_copy)
            memcpy(y, x, n * in_size);
        else
            convert(from, to, n, x, y, row->params);
    }
    return row->n;
}

/* The bits of a type of less than a byte, which in memory are extended if it is signed. */
static bl_dtype bits_type(bl_dtype dtype)
{
    return dtype == BL_FLOAT4E2M1 ? BL_UINT4 : dtype;
}

/* ---- The table ----------------------------------------------------------------------- */

/* clang-format off */
#define SMALL_TYPES(X) X(UINT4) X(INT4) X(UINT2) X(INT2) X(FLOAT4E2M1)
#define TYPES(X)                                                                \
    SMALL_TYPES(X) X(FLOAT64) X(FLOAT32) X(FLOAT16) X(BFLOAT16)                 \
    X(UINT8) X(UINT16) X(UINT32) X(UINT64) X(INT8) X(INT16) X(INT32) X(INT64)   \
    X(BOOL) X(FLOAT8E4M3FN) X(FLOAT8E4M3FNUZ) X(FLOAT8E5M2) X(FLOAT8E5M2FNUZ)   \
    X(FLOAT8E8M0)
/* clang-format on */

#define ROW(ID)                                           \
    static size_t row_cast_##ID(const struct bl_row *row) \
    {                                                     \
        return cast(row, BL_##ID, row->second);           \
    }
#define BITCAST_ROW(ID)                                               \
    static size_t row_bitcast_##ID(const struct bl_row *row)          \
    {                                                                 \
        return cast(row, bits_type(BL_##ID), bits_type(row->second)); \
    }

TYPES(ROW)
SMALL_TYPES(BITCAST_ROW)

#define CAST(ID) [BL_##ID] = row_cast_##ID,
#define BITCAST(ID) [BL_##ID] = row_bitcast_##ID,

static const struct bl_op_rows ops[] = {
    {BL_OP_BITCAST, {SMALL_TYPES(BITCAST)}},
    {BL_OP_CAST, {TYPES(CAST)}},
    {BL_OP_CASTLIKE, {TYPES(CAST)}},
};

const struct bl_op_table BL_CAT(bl_cast, ISA) = {BL_COUNT_OF(ops), ops};
