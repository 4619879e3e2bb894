/*
 * pointwise.c - run a pointwise step block by block
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The space is cut into blocks of its innermost axes.  Within a block an operand is dense,
 * one value, or a single strided axis, and goes to the kernel as it lies; any other is
 * expanded into a buffer first, and that buffer is kept while the outer indexes do not move
 * the operand.  So [4096,64,7,3] + [1,64,1,3] runs as 4096 rows of 1344, with the second
 * operand expanded once.
 */
#include "backends/cpu/cpu.h"

#include <stdbool.h>
#include <string.h>

#include "backends/cpu/block.h"
#include "base/compiler.h"
#include "base/mem.h"

enum {
    /* Elements in a block.  With expanded operands it has to stay in L1 and L2; without, it
     * only has to be long enough for the cost of starting a row not to show. */
    BLOCK_EXPANDED = 4096,
    BLOCK_DIRECT = 32768,
    /* A run that is long enough as it is, not to be lengthened at the price of expanding.
     */
    LONG_RUN = 256,
    /* What the buffers of a thread may take together, as long as a block has LONG_RUN
       elements. */
    SCRATCH_LIMIT = 512 << 10,
};

/* How an operand lies within a block of the axes [first, rank). */
enum lie { ONE_VALUE, ONE_AXIS, DENSE, SCATTERED };

static enum lie how_it_lies(const struct bl_pointwise *step,
                            const struct bl_operand *operand, int first, int64_t first_dim)
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
        return ONE_VALUE;
    if (is_dense)
        return DENSE;
    return first == step->rank - 1 ? ONE_AXIS : SCATTERED;
}

/* The number of operands that would have to go through a buffer, and the bytes of theirs
 * for one element. */
static size_t expanded(const struct bl_pointwise *step, int first, int64_t first_dim,
                       size_t *bytes)
{
    size_t count = 0;

    *bytes = 0;
    for (size_t o = 0; o <= step->inputs; o++) {
        const enum lie lie = how_it_lies(step, &step->operand[o], first, first_dim);

        /* The output of a kernel is dense, so one that is not goes through a buffer too. */
        if (lie == SCATTERED || (o == 0 && lie == ONE_AXIS)) {
            count++;
            *bytes += step->operand[o].bytes;
        }
    }
    return count;
}

static int64_t block_limit(size_t buffers, size_t bytes)
{
    int64_t limit = BLOCK_EXPANDED;

    if (buffers == 0)
        return BLOCK_DIRECT;
    while (limit > LONG_RUN && (size_t)limit * bytes > SCRATCH_LIMIT)
        limit /= 2;
    return limit;
}

/* Where each thread's memory starts: pointers, strides, last sources; then the buffers. */
struct scratch {
    const void **in;       /* [inputs] */
    ptrdiff_t *stride;     /* [inputs] */
    const char **expanded; /* [inputs]: the source that is in the buffer now */
    char **buffer;         /* [1 + inputs], NULL for an operand that needs none */
};

static size_t round_up(size_t bytes)
{
    return (bytes + BL_ALIGNMENT - 1) / BL_ALIGNMENT * BL_ALIGNMENT;
}

static size_t state_bytes(size_t inputs)
{
    return round_up((4 * inputs + 1) * sizeof(void *));
}

void bl_cpu_prepare_pointwise(struct bl_cpu_job *job)
{
    const struct bl_pointwise *step = &job->step->as.pointwise;
    int64_t block = 1;
    size_t bytes = 0;
    int axis = step->rank;

    job->split = 1;
    while (axis > 0) {
        const int64_t dim = step->dim[axis - 1];
        size_t now_bytes, next_bytes;
        const size_t now =
            expanded(step, axis, axis < step->rank ? step->dim[axis] : 1, &now_bytes);
        const size_t next = expanded(step, axis - 1, dim, &next_bytes);
        const int64_t limit = block_limit(next, next_bytes);

        if (block >= limit || (next > now && block >= LONG_RUN))
            break;
        axis--;
        job->split = dim < limit / block ? dim : limit / block;
        bytes = next_bytes;
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
    job->scratch_bytes = state_bytes(step->inputs) + (size_t)job->unit_cost * bytes +
                         (step->inputs + 1) * BL_ALIGNMENT;
}

/* ---- Running ------------------------------------------------------------------------ */

/* Lay out a thread's memory, and decide once how each operand reaches the kernel. */
static struct scratch set_up(const struct bl_cpu_job *job, char *memory)
{
    const struct bl_pointwise *step = &job->step->as.pointwise;
    struct scratch scratch;

    scratch.in = (const void **)(void *)memory;
    scratch.expanded = (const char **)(void *)(scratch.in + step->inputs);
    scratch.stride = (ptrdiff_t *)(void *)(scratch.expanded + step->inputs);
    scratch.buffer = (char **)(void *)(scratch.stride + step->inputs);
    memory += state_bytes(step->inputs);
    for (size_t o = 0; o <= step->inputs; o++) {
        const struct bl_operand *operand = &step->operand[o];
        const enum lie lie = how_it_lies(step, operand, job->outer, job->split);

        scratch.buffer[o] = NULL;
        if (lie == SCATTERED || (o == 0 && lie == ONE_AXIS)) {
            scratch.buffer[o] = memory;
            memory += round_up((size_t)job->unit_cost * operand->bytes);
        }
        if (o == 0)
            continue;
        scratch.expanded[o - 1] = NULL;
        scratch.stride[o - 1] = lie == ONE_VALUE ? 0
                                : lie == ONE_AXIS
                                    ? (ptrdiff_t)operand->stride[step->rank - 1]
                                    : 1;
    }
    return scratch;
}

/* The block that unit `unit` is: its outer indexes, the piece of the split axis, the
 * elements there. */
struct place {
    int64_t
        index[BL_MAX_RANK]; /* of axes [0, outer], the last the first index of the piece */
    int64_t n_split;        /* indexes of the split axis */
    int64_t first;          /* the block's first element, counted row-major */
};

static void locate(const struct bl_cpu_job *job, int64_t unit, struct place *place)
{
    const struct bl_pointwise *step = &job->step->as.pointwise;
    const int64_t start = unit % job->pieces * job->split;
    const int64_t split_dim = job->outer < step->rank ? step->dim[job->outer] : 1;
    int64_t rest = unit / job->pieces;

    place->first = (rest * split_dim + start) * job->inner;
    place->n_split = split_dim - start < job->split ? split_dim - start : job->split;
    if (job->outer < step->rank)
        place->index[job->outer] = start;
    for (int axis = job->outer - 1; axis >= 0; axis--) {
        place->index[axis] = rest % step->dim[axis];
        rest /= step->dim[axis];
    }
}

static char *data_at(const struct bl_cpu_job *job, const struct bl_operand *operand,
                     const struct place *place)
{
    const int axes = job->step->as.pointwise.rank;
    int64_t offset = 0;

    for (int axis = 0; axis <= job->outer && axis < axes; axis++)
        offset += place->index[axis] * operand->stride[axis];
    return operand->data + offset * (int64_t)operand->bytes;
}

/* Run one block.  Returns -1, or the first element of the block without a result. */
static int64_t run_block(const struct bl_cpu_job *job, const struct place *place,
                         struct scratch *scratch)
{
    const struct bl_pointwise *step = &job->step->as.pointwise;
    const bl_row_fn kernel = job->kernels->row[step->op][step->dtype];
    const size_t n = (size_t)(place->n_split * job->inner);
    struct bl_row row = {.n = n,
                         .in = scratch->in,
                         .stride = scratch->stride,
                         .inputs = step->inputs,
                         .second = step->second};
    int64_t dim[BL_MAX_RANK];
    const int block_rank = step->rank - job->outer;

    for (int i = 0; i < block_rank; i++)
        dim[i] = i == 0 ? place->n_split : step->dim[job->outer + i];
    for (size_t i = 0; i < step->inputs; i++) {
        const struct bl_operand *operand = &step->operand[i + 1];
        const char *source = data_at(job, operand, place);
        char *buffer = scratch->buffer[i + 1];

        scratch->in[i] = buffer != NULL ? buffer : source;
        if (buffer == NULL || scratch->expanded[i] == source)
            continue;
        bl_block_gather(&(struct bl_block){block_rank, dim, operand->stride + job->outer,
                                           operand->bytes},
                        buffer, source);
        /* A shorter last piece starts elsewhere than a full one, unless the operand does
         * not move along the axis; then a full block must not take a short one's buffer for
         * its own. */
        scratch->expanded[i] = place->n_split == job->split ? source : NULL;
    }
    const struct bl_operand *out = &step->operand[0];
    char *target = data_at(job, out, place);

    row.out = scratch->buffer[0] != NULL ? scratch->buffer[0] : target;
    const size_t done = kernel(&row);

    if (scratch->buffer[0] != NULL)
        bl_block_scatter(
            &(struct bl_block){block_rank, dim, out->stride + job->outer, out->bytes},
            target, scratch->buffer[0]);
    return done == n ? -1 : (int64_t)done;
}

int64_t bl_cpu_run_pointwise(const struct bl_cpu_job *job, int64_t first, int64_t end,
                             void *memory)
{
    struct scratch scratch = set_up(job, memory);
    struct place place;

    for (int64_t unit = first; unit < end; unit++) {
        locate(job, unit, &place);
        const int64_t failed = run_block(job, &place, &scratch);

        if (failed >= 0)
            return place.first + failed;
    }
    return -1;
}
