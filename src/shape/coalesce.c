/*
 * coalesce.c - merge the axes of an iteration space into the fewest
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "shape/coalesce.h"

#include <stdbool.h>

static bool mergeable(int outer, int inner, const int64_t *dim, size_t operands,
                      const int64_t *stride, size_t pitch)
{
    for (size_t o = 0; o < operands; o++)
        if (stride[o * pitch + (size_t)outer] !=
            stride[o * pitch + (size_t)inner] * dim[inner])
            return false;
    return true;
}

/* Move axis `from` of all operands to `to`. */
static void move_axis(int to, int from, int64_t *dim, size_t operands, int64_t *stride,
                      size_t pitch)
{
    dim[to] = dim[from];
    for (size_t o = 0; o < operands; o++)
        stride[o * pitch + (size_t)to] = stride[o * pitch + (size_t)from];
}

int bl_coalesce(int rank, int64_t *dim, size_t operands, int64_t *stride, size_t pitch)
{
    int kept = 0; /* axes [0, kept) are done; the last of them may still grow */

    for (int axis = 0; axis < rank; axis++) {
        if (dim[axis] == 1)
            continue;
        if (kept > 0 && mergeable(kept - 1, axis, dim, operands, stride, pitch)) {
            const int64_t outer = dim[kept - 1];

            move_axis(kept - 1, axis, dim, operands, stride, pitch);
            dim[kept - 1] *= outer;
        } else {
            move_axis(kept, axis, dim, operands, stride, pitch);
            kept++;
        }
    }
    return kept;
}
