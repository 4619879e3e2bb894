/*
 * row.h - what the kernel templates share: blocks, operands, the shape of a run
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * For kernel units only.  All is static: a unit compiled for AVX-512 must not lend its copy
 * of a function to the others.
 */
#ifndef BL_KERNELS_ROW_H
#define BL_KERNELS_ROW_H

#include "base/compiler.h"
#include "kernels/kernel.h"

/* Elements a kernel works on at a time where it keeps something in between: a few
 * buffers of that many elements stay in the first-level cache, and a call for each block
 * costs nothing beside it. */
#define BLOCK 512

/* The number of elements of the block that starts at `at`. */
static inline size_t block_size(const struct bl_row *row, size_t at)
{
    return row->n - at < BLOCK ? row->n - at : BLOCK;
}

/* Element `at` of the row in input j, whose elements take `size` bytes. */
static inline const void *operand(const struct bl_row *row, size_t j, size_t at,
                                  size_t size)
{
    return (const char *)row->in[j] + (ptrdiff_t)at * row->stride[j] * (ptrdiff_t)size;
}

/* Greater is Less with its operands exchanged. */
static inline size_t exchanged(const struct bl_row *row, bl_row_fn of)
{
    const void *const in[] = {row->in[1], row->in[0]};
    const ptrdiff_t stride[] = {row->stride[1], row->stride[0]};
    struct bl_row other = *row;

    other.in = in;
    other.stride = stride;
    return of(&other);
}

#endif
