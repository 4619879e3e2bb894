/*
 * bitcast.c - BitCast between complex64 and other types of 64 bits, where bytes are big-endian
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The real part is the lower half of the bits.  Where the lowest byte of a number comes first
 * in memory, it is so by itself, and elements are copied as they are.
 */
#include "kernels/bitcast.h"

#ifdef BL_BIG_ENDIAN

#include "base/compiler.h"
#include "kernels/row.h"

/* Aligned as the parts of a complex number are. */
typedef struct {
    uint32_t first, second;
} BL_MAY_ALIAS halves;

static size_t bitcast_64(const struct bl_row *row, bool is_complex)
{
    const bool turned = is_complex != (row->second == BL_COMPLEX64);
    const halves *x = row->in[0];
    halves *y = row->out;

    for (size_t i = 0; i < row->n; i++, x += row->stride[0])
        y[i] = turned ? (halves){x->second, x->first} : *x;
    return row->n;
}

static size_t row_bitcast_pair(const struct bl_row *row)
{
    return bitcast_64(row, true);
}

static size_t row_bitcast_whole(const struct bl_row *row)
{
    return bitcast_64(row, false);
}

static const struct bl_op_rows bitcasts[] = {
    {BL_OP_BITCAST,
     {[BL_COMPLEX64] = row_bitcast_pair,
      [BL_FLOAT64] = row_bitcast_whole,
      [BL_INT64] = row_bitcast_whole,
      [BL_UINT64] = row_bitcast_whole}},
};

const struct bl_op_table bl_bitcast_64 = {BL_COUNT_OF(bitcasts), bitcasts};

#endif
