/*
 * pointwise.c - run a pointwise program block by block
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Within a block an operand is dense, one value, or a single strided axis, and goes to the
 * kernels as it lies; any other is expanded into a buffer first, and that buffer is kept
 * while the outer indexes do not move the operand.  So [4096,64,7,3] + [1,64,1,3] runs as
 * 4096 rows of 1344, with the second operand expanded once.
 */
#include <string.h>

#include "backends/cpu/block.h"
#include "backends/cpu/cpu.h"
#include "base/mem.h"

/* A value as the kernels see it in this block. */
struct slot {
    char *at;
    ptrdiff_t stride;   /* in elements */
    char *buffer;       /* of an operand that needs one, and of a temporary; else NULL */
    const char *source; /* what an expanded operand's buffer holds the elements of */
};

/* The memory of one thread. */
struct scratch {
    struct slot *slot; /* [operands + temporaries] */
    const void **in;   /* [most arguments of an instruction] */
    ptrdiff_t *stride; /* [the same] */
};

static size_t round_up(size_t bytes)
{
    return (bytes + BL_ALIGNMENT - 1) / BL_ALIGNMENT * BL_ALIGNMENT;
}

static size_t most_args(const struct bl_pointwise *step)
{
    size_t most = 0;

    for (size_t i = 0; i < step->instruction_count; i++)
        if (step->instruction[i].arg_count > most)
            most = step->instruction[i].arg_count;
    return most;
}

static size_t state_bytes(const struct bl_pointwise *step)
{
    return round_up((step->operand_count + step->temp_count) * sizeof(struct slot) +
                    most_args(step) * (sizeof(void *) + sizeof(ptrdiff_t)));
}

size_t bl_cpu_pointwise_scratch(const struct bl_cpu_job *job)
{
    const struct bl_pointwise *step = &job->step->as.pointwise;
    const size_t n = (size_t)job->unit_cost;
    size_t bytes = state_bytes(step);

    for (size_t o = 0; o < step->operand_count; o++)
        if (bl_cpu_needs_buffer(&step->operand[o], bl_cpu_lie(job, &step->operand[o])))
            bytes += round_up(n * step->operand[o].bytes);
    for (size_t t = 0; t < step->temp_count; t++)
        bytes += round_up(n * step->temp_bytes[t]);
    return bytes;
}

/* Lay out a thread's memory, and decide once how each value reaches the kernels. */
static struct scratch set_up(const struct bl_cpu_job *job, char *memory)
{
    const struct bl_pointwise *step = &job->step->as.pointwise;
    const size_t slots = step->operand_count + step->temp_count;
    struct scratch scratch;

    scratch.slot = (struct slot *)(void *)memory;
    scratch.in = (const void **)(void *)(scratch.slot + slots);
    scratch.stride = (ptrdiff_t *)(void *)(scratch.in + most_args(step));
    memory += state_bytes(step);
    for (size_t o = 0; o < step->operand_count; o++) {
        const struct bl_operand *operand = &step->operand[o];
        const enum bl_lie lie = bl_cpu_lie(job, operand);

        scratch.slot[o] = (struct slot){.stride = 1};
        if (bl_cpu_needs_buffer(operand, lie)) {
            scratch.slot[o].buffer = memory;
            memory += round_up((size_t)job->unit_cost * operand->bytes);
        } else if (lie == BL_LIE_ONE_VALUE) {
            scratch.slot[o].stride = 0;
        } else if (lie == BL_LIE_ONE_AXIS) {
            scratch.slot[o].stride = (ptrdiff_t)operand->stride[step->rank - 1];
        }
    }
    for (size_t t = 0; t < step->temp_count; t++) {
        scratch.slot[step->operand_count + t] =
            (struct slot){.at = memory, .stride = 1, .buffer = memory};
        memory += round_up((size_t)job->unit_cost * step->temp_bytes[t]);
    }
    return scratch;
}

/* The block that a unit is: its outer indexes, and the elements there. */
struct place {
    int64_t index[BL_MAX_RANK]; /* of axes [0, outer], the last the first of the piece */
    int64_t first;              /* the block's first element, counted row-major */
    int rank;                   /* of the block */
    int64_t dim[BL_MAX_RANK];   /* [rank] */
    size_t n;                   /* elements */
    bool whole;                 /* not a shorter last piece */
};

static void locate(const struct bl_cpu_job *job, int64_t unit, struct place *place)
{
    const struct bl_pointwise *step = &job->step->as.pointwise;
    const int64_t start = unit % job->pieces * job->split;
    const int64_t whole_dim = job->outer < step->rank ? step->dim[job->outer] : 1;
    const int64_t dim = whole_dim - start < job->split ? whole_dim - start : job->split;
    int64_t rest = unit / job->pieces;

    place->first = (rest * whole_dim + start) * job->inner;
    place->rank = step->rank - job->outer;
    place->n = (size_t)(dim * job->inner);
    place->whole = dim == job->split;
    for (int i = 0; i < place->rank; i++)
        place->dim[i] = i == 0 ? dim : step->dim[job->outer + i];
    if (place->rank > 0)
        place->index[job->outer] = start;
    for (int axis = job->outer - 1; axis >= 0; axis--) {
        place->index[axis] = rest % step->dim[axis];
        rest /= step->dim[axis];
    }
}

static char *data_at(const struct bl_cpu_job *job, const struct bl_operand *operand,
                     const struct place *place)
{
    const int rank = job->step->as.pointwise.rank;
    int64_t offset = 0;

    for (int axis = 0; axis <= job->outer && axis < rank; axis++)
        offset += place->index[axis] * operand->stride[axis];
    return operand->data + offset * (int64_t)operand->bytes;
}

static struct bl_block block_of(const struct bl_cpu_job *job,
                                const struct bl_operand *operand, const struct place *place)
{
    return (struct bl_block){place->rank, place->dim, operand->stride + job->outer,
                             operand->bytes};
}

/* Point each operand at the block; expand what has to be. */
static void enter_block(const struct bl_cpu_job *job, const struct place *place,
                        struct scratch *scratch)
{
    const struct bl_pointwise *step = &job->step->as.pointwise;

    for (size_t o = 0; o < step->operand_count; o++) {
        const struct bl_operand *operand = &step->operand[o];
        struct slot *slot = &scratch->slot[o];
        char *data = data_at(job, operand, place);

        slot->at = slot->buffer != NULL ? slot->buffer : data;
        if (slot->buffer == NULL || operand->written || slot->source == data)
            continue;
        const struct bl_block block = block_of(job, operand, place);

        bl_block_gather(&block, slot->buffer, data);
        /* A whole block must not take what a shorter one has left for its own. */
        slot->source = place->whole ? data : NULL;
    }
}

/* Write buffered results to where they belong. */
static void leave_block(const struct bl_cpu_job *job, const struct place *place,
                        const struct scratch *scratch)
{
    const struct bl_pointwise *step = &job->step->as.pointwise;

    for (size_t o = 0; o < step->operand_count; o++) {
        const struct bl_operand *operand = &step->operand[o];

        if (!operand->written || scratch->slot[o].buffer == NULL)
            continue;
        const struct bl_block block = block_of(job, operand, place);

        bl_block_scatter(&block, data_at(job, operand, place), scratch->slot[o].buffer);
    }
}

/* Run one instruction.  Returns the number of elements with a result. */
static size_t run_instruction(const struct bl_cpu_job *job, size_t n,
                              const struct bl_instruction *instruction,
                              const struct scratch *scratch)
{
    const struct bl_row row = {.n = n,
                               .out = scratch->slot[instruction->result].at,
                               .in = scratch->in,
                               .stride = scratch->stride,
                               .inputs = instruction->arg_count,
                               .second = instruction->second,
                               .params = instruction->params};

    for (size_t a = 0; a < instruction->arg_count; a++) {
        const bl_slot arg = instruction->args[a];

        scratch->in[a] = arg != BL_NO_SLOT ? scratch->slot[arg].at : NULL;
        scratch->stride[a] = arg != BL_NO_SLOT ? scratch->slot[arg].stride : 0;
    }
    return job->kernels->row[instruction->op][instruction->dtype](&row);
}

int64_t bl_cpu_run_pointwise(const struct bl_cpu_job *job, int64_t first, int64_t end,
                             void *memory)
{
    const struct bl_pointwise *step = &job->step->as.pointwise;
    struct scratch scratch = set_up(job, memory);
    struct place place;

    for (int64_t unit = first; unit < end; unit++) {
        locate(job, unit, &place);
        enter_block(job, &place, &scratch);
        for (size_t i = 0; i < step->instruction_count; i++) {
            const size_t done =
                run_instruction(job, place.n, &step->instruction[i], &scratch);

            if (done < place.n)
                return place.first + (int64_t)done;
        }
        leave_block(job, &place, &scratch);
    }
    return -1;
}
