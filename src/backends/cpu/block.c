/*
 * block.c - move the elements of a strided block to and from a dense one
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "backends/cpu/block.h"

#include <string.h>

#include "base/compiler.h"

/* Copy n elements; strides in bytes.  `bytes` is a constant at each call below, so that
 * every memcpy becomes one move. */
BL_FORCE_INLINE void move_elements(int64_t n, size_t bytes, char *to, ptrdiff_t to_stride,
                                   const char *from, ptrdiff_t from_stride)
{
    for (int64_t i = 0; i < n; i++)
        memcpy(to + i * to_stride, from + i * from_stride, bytes);
}

static void move_row(int64_t n, size_t bytes, char *to, ptrdiff_t to_stride,
                     const char *from, ptrdiff_t from_stride)
{
    switch (bytes) {
    case 1:
        move_elements(n, 1, to, to_stride, from, from_stride);
        break;
    case 2:
        move_elements(n, 2, to, to_stride, from, from_stride);
        break;
    case 4:
        move_elements(n, 4, to, to_stride, from, from_stride);
        break;
    case 8:
        move_elements(n, 8, to, to_stride, from, from_stride);
        break;
    default: /* 16: complex128 and strings */
        move_elements(n, bytes, to, to_stride, from, from_stride);
        break;
    }
}

/* Append count - 1 copies of the `size` bytes that end at `end`, doubling; returns the new
 * end. */
static char *repeat(char *end, size_t size, int64_t count)
{
    char *const start = end - size;
    const size_t whole = size * (size_t)count;

    for (size_t done = size; done < whole;) {
        const size_t next = done < whole - done ? done : whole - done;

        memcpy(start + done, start, next);
        done += next;
    }
    return start + whole;
}

/* ---- Whole blocks -------------------------------------------------------------------------------- */

char *bl_block_gather(const struct bl_block *block, char *to, const char *from)
{
    if (block->rank == 0) {
        memcpy(to, from, block->bytes);
        return to + block->bytes;
    }
    const int64_t n = block->dim[0];
    const ptrdiff_t step = (ptrdiff_t)block->stride[0] * (ptrdiff_t)block->bytes;
    const struct bl_block rest = {block->rank - 1, block->dim + 1, block->stride + 1,
                                  block->bytes, block->movers};

    if (step == 0) {
        char *const end = bl_block_gather(&rest, to, from);

        return repeat(end, (size_t)(end - to), n);
    }
    if (rest.rank == 1 && rest.stride[0] == 0) {
        const size_t times = (size_t)rest.dim[0];

        block->movers->repeat((size_t)n, block->bytes, times, to, from, step);
        return to + (size_t)n * times * block->bytes;
    }
    if (rest.rank > 0) {
        for (int64_t i = 0; i < n; i++)
            to = bl_block_gather(&rest, to, from + i * step);
        return to;
    }
    if (block->stride[0] == 1)
        memcpy(to, from, (size_t)n * block->bytes);
    else
        move_row(n, block->bytes, to, (ptrdiff_t)block->bytes, from, step);
    return to + (size_t)n * block->bytes;
}

const char *bl_block_scatter(const struct bl_block *block, char *to, const char *from)
{
    if (block->rank == 0) {
        memcpy(to, from, block->bytes);
        return from + block->bytes;
    }
    const int64_t n = block->dim[0];
    const ptrdiff_t step = (ptrdiff_t)block->stride[0] * (ptrdiff_t)block->bytes;
    const struct bl_block rest = {block->rank - 1, block->dim + 1, block->stride + 1,
                                  block->bytes, block->movers};

    if (rest.rank > 0) {
        for (int64_t i = 0; i < n; i++)
            from = bl_block_scatter(&rest, to + i * step, from);
        return from;
    }
    move_row(n, block->bytes, to, step, from, (ptrdiff_t)block->bytes);
    return from + (size_t)n * block->bytes;
}
