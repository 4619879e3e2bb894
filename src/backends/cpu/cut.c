/*
 * cut.c - cut the space of a pointwise step into blocks
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A block takes the innermost axes, and a part of the next one.  It is long enough for the
 * cost of starting a kernel not to show, and short enough for all that is kept of it between
 * two instructions to stay in the caches.
 */
#include "backends/cpu/cpu.h"

enum {
    /* Elements in a block that keeps nothing: only the cost of starting a row counts. */
    BLOCK_DIRECT = 32768,
    /* Elements in a block with buffers, if they fit KEPT_BYTES. */
    BLOCK_KEPT = 4096,
    /* Buffers and temporaries of a block stay in a second-level cache of 512 KiB. */
    KEPT_BYTES = 256 << 10,
    /* A run that is long enough as it is, not to be lengthened at the price of expanding an
     * operand; and what a block has whatever the bytes. */
    LONG_RUN = 256,
};

/* How an operand lies in a block of the axes [first, rank), of which the first has `dim`
 * indexes. */
static enum bl_lie lie_in(const struct bl_pointwise *step, const struct bl_operand *operand,
                          int first, int64_t first_dim)
{
    int64_t dense = 1;
    bool is_dense = true;
    bool is_value = true;

    for (int axis = step->rank - 1; axis >= first; axis--) {
        const int64_t dim = axis == first ? first_dim : step->dim[axis];

        if (dim == 1)
            continue;
        is_dense &= operand->stride[axis] == dense;
        is_value &= operand->stride[axis] == 0;
        dense *= dim;
    }
    if (is_value)
        return BL_LIE_ONE_VALUE;
    if (is_dense)
        return BL_LIE_DENSE;
    return first == step->rank - 1 ? BL_LIE_ONE_AXIS : BL_LIE_SCATTERED;
}

enum bl_lie bl_cpu_lie(const struct bl_cpu_job *job, const struct bl_operand *operand)
{
    return lie_in(&job->step->as.pointwise, operand, job->outer, job->split);
}

bool bl_cpu_is_aligned(const void *data, size_t bytes)
{
    /* Complex numbers and strings, the only elements of 16 bytes, are aligned to their parts. */
    return (uintptr_t)data % (bytes < 8 ? bytes : 8) == 0;
}

bool bl_cpu_needs_buffer(const struct bl_operand *operand, enum bl_lie lie)
{
    /* What a kernel writes is dense; what it reads is aligned. */
    return lie == BL_LIE_SCATTERED || (operand->written && lie == BL_LIE_ONE_AXIS) ||
           !bl_cpu_is_aligned(operand->data, operand->bytes);
}

/* The operands that need a buffer for a block of the axes [first, rank), and the bytes that
 * an element of all of these and of the temporaries takes. */
static size_t count_buffers(const struct bl_pointwise *step, int first, int64_t first_dim,
                            size_t *bytes)
{
    size_t count = 0;

    *bytes = 0;
    for (size_t t = 0; t < step->temp_count; t++)
        *bytes += step->temp_bytes[t];
    for (size_t o = 0; o < step->operand_count; o++) {
        const struct bl_operand *operand = &step->operand[o];

        if (bl_cpu_needs_buffer(operand, lie_in(step, operand, first, first_dim))) {
            count++;
            *bytes += operand->bytes;
        }
    }
    return count;
}

static int64_t block_limit(size_t bytes)
{
    int64_t limit = BLOCK_KEPT;

    if (bytes == 0)
        return BLOCK_DIRECT;
    while (limit > LONG_RUN && (size_t)limit * bytes > KEPT_BYTES)
        limit /= 2;
    return limit;
}

void bl_cpu_cut_pointwise(struct bl_cpu_job *job)
{
    const struct bl_pointwise *step = &job->step->as.pointwise;
    int64_t block = 1;
    int axis = step->rank;

    job->split = 1;
    while (axis > 0) {
        const int64_t dim = step->dim[axis - 1];
        const int64_t now_dim = axis < step->rank ? step->dim[axis] : 1;
        size_t now_bytes, next_bytes;
        const size_t now = count_buffers(step, axis, now_dim, &now_bytes);
        const size_t next = count_buffers(step, axis - 1, dim, &next_bytes);
        const int64_t limit = block_limit(next_bytes);

        if (block >= limit || (next > now && block >= LONG_RUN))
            break;
        axis--;
        job->split = dim < limit / block ? dim : limit / block;
        if (job->split < dim)
            break;
        block *= dim;
    }
    job->outer = axis;
    job->inner = 1;
    for (int i = axis + 1; i < step->rank; i++)
        job->inner *= step->dim[i];
    job->pieces = 1;
    if (axis < step->rank)
        job->pieces = (step->dim[axis] - 1) / job->split + 1;
    job->units = job->pieces;
    for (int i = 0; i < axis; i++)
        job->units *= step->dim[i];
    job->unit_cost = job->split * job->inner;
    job->scratch_bytes = bl_cpu_pointwise_scratch(job);
}
