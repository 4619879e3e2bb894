/*
 * cut.c - cut the space of a pointwise step into blocks
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A block takes the innermost axes, and a part of the next one.  It is long enough for the
 * cost of starting a kernel not to show, and short enough for what is expanded of its operands
 * to stay in the caches.  Within it a program runs strip by strip, all its instructions on one
 * before the next, so that what lies between two of them stays in the first-level cache.
 */
#include "backends/cpu/slots.h"

enum {
    /* Elements in a block that keeps nothing: only the cost of starting a row counts. */
    BLOCK_DIRECT = 32768,
    /* Elements in a block with buffers, if they fit BL_CPU_KEPT_BYTES. */
    BLOCK_KEPT = 4096,
    /* A run that is long enough as it is, not to be lengthened at the price of expanding an
     * operand; and what a block has whatever the bytes. */
    LONG_RUN = 256,
    /* Bytes of the widest value in a strip whose results are streamed: what is fetched for the
     * next strip, and what this one makes, fit the first-level cache together. */
    STRIP_STREAMED = 2048,
    /* The same for a program whose results are stored as usual. */
    STRIP_STORED = 4096,
    /* Turns that a thread takes: each begins with nothing expanded. */
    CHUNKS = 8,
    /* Arguments of an instruction that a strip is not made shorter for, and the least that it then
     * has: a run can be stopped between strips, which should not take longer than some
     * milliseconds. */
    MANY_ARGS = 256,
    LEAST_STRIP = 64,
};

/* Steps that move so many bytes stream their results, unless the plan reads them again: one
 * thread's part of a last-level cache, which several share. */
#define STREAMED_BYTES (INT64_C(4) << 20)
/* A result of so many bytes is streamed though a later step reads it: it would not be there still. */
#define CACHE_BYTES (INT64_C(16) << 20)

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

ptrdiff_t bl_cpu_stride(const struct bl_cpu_job *job, const struct bl_operand *operand)
{
    switch (bl_cpu_lie(job, operand)) {
    case BL_LIE_ONE_VALUE:
        return 0;
    case BL_LIE_ONE_AXIS:
        return (ptrdiff_t)operand->stride[job->step->as.pointwise.rank - 1];
    default:
        return 1;
    }
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
 * an element of all of these takes. */
static size_t count_buffers(const struct bl_pointwise *step, int first, int64_t first_dim,
                            size_t *bytes)
{
    size_t count = 0;

    *bytes = 0;
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
    while (limit > LONG_RUN && limit * (int64_t)bytes > BL_CPU_KEPT_BYTES)
        limit /= 2;
    return limit;
}

/* ---- Strips ---------------------------------------------------------------------------------- */

/* The bytes of an operand's elements, each counted once; no more than `most`. */
static int64_t bytes_of(const struct bl_pointwise *step, const struct bl_operand *operand,
                        int64_t most)
{
    int64_t bytes = operand->bytes;

    for (int axis = 0; axis < step->rank; axis++)
        if (operand->stride[axis] != 0)
            bytes = step->dim[axis] < most / bytes ? bytes * step->dim[axis] : most;
    return bytes < most ? bytes : most;
}

/* True if the results should go past the caches: what is moved does not fit them. */
static bool is_large(const struct bl_pointwise *step)
{
    int64_t bytes = 0;

    for (size_t o = 0; o < step->operand_count && bytes < STREAMED_BYTES; o++)
        bytes += bytes_of(step, &step->operand[o], STREAMED_BYTES);
    return bytes >= STREAMED_BYTES;
}

bool bl_cpu_streams(const struct bl_cpu_job *job, const struct bl_operand *operand)
{
    return job->streams && operand->written && bl_cpu_lie(job, operand) == BL_LIE_DENSE &&
           (!operand->read_again ||
            bytes_of(&job->step->as.pointwise, operand, CACHE_BYTES) == CACHE_BYTES);
}

/* A shorter strip for an instruction with very many arguments. */
static int64_t shorten(const struct bl_pointwise *step, int64_t strip)
{
    size_t most = 0;

    for (size_t i = 0; i < step->instruction_count; i++)
        if (step->instruction[i].arg_count > most)
            most = step->instruction[i].arg_count;
    const int64_t shorter = strip / (int64_t)(most / MANY_ARGS + 1);

    if (most < MANY_ARGS || strip <= LEAST_STRIP)
        return strip;
    return shorter > LEAST_STRIP ? shorter / LEAST_STRIP * LEAST_STRIP : LEAST_STRIP;
}

static int64_t strip_of(const struct bl_cpu_job *job)
{
    const struct bl_pointwise *step = &job->step->as.pointwise;
    unsigned widest = 1;

    if (!job->streams && step->instruction_count == 1)
        return job->unit_cost;
    for (size_t o = 0; o < step->operand_count; o++)
        if (step->operand[o].bytes > widest)
            widest = step->operand[o].bytes;
    for (size_t t = 0; t < step->temp_count; t++)
        if (step->temp_bytes[t] > widest)
            widest = step->temp_bytes[t];
    const int64_t strip = (job->streams ? STRIP_STREAMED : STRIP_STORED) / (int64_t)widest;

    return strip < job->unit_cost ? strip : job->unit_cost;
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

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
    job->chunks = CHUNKS;
    job->streams = job->kernels->movers.stream != NULL && is_large(step);
    job->strip = shorten(step, strip_of(job));
    job->scratch_bytes = bl_cpu_slots_bytes(job);
    bl_cpu_find_single(job);
}
