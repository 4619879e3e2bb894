/*
 * block.h - move the elements of a strided block to and from a dense one
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_BACKENDS_CPU_BLOCK_H
#define BL_BACKENDS_CPU_BLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/kernel.h"

/* A block: `rank` axes with sizes and strides (in elements), and bytes an element. */
struct bl_block {
    int rank;
    const int64_t *dim;
    const int64_t *stride;
    size_t bytes;
    const struct bl_movers *movers;
};

/* Copy the block at `from` to `to`, row-major and dense.  An axis of stride 0 is read once
 * and repeated. Returns the end of what was written. */
char *bl_block_gather(const struct bl_block *block, char *to, const char *from);

/* The reverse: spread dense elements at `from` over the block at `to`.  Returns the end of
 * what was read. */
const char *bl_block_scatter(const struct bl_block *block, char *to, const char *from);

#endif
