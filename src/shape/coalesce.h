/*
 * coalesce.h - merge the axes of an iteration space into the fewest
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_SHAPE_COALESCE_H
#define BL_SHAPE_COALESCE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Drop axes of size 1, and merge neighbours that every operand walks as one: where the
 * outer stride is the inner one times the inner size.
 *
 * Shapes: dim is [rank]; stride is [operands][pitch], pitch >= rank, in elements.  Both are
 * rewritten. Returns the new rank, 0 for a single element.  Row-major order of the elements
 * is kept.
 */
int bl_coalesce(int rank, int64_t *dim, size_t operands, int64_t *stride, size_t pitch);

#endif
