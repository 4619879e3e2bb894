/*
 * slots.c - where the values of a pointwise program are, for the thread that runs it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "backends/cpu/slots.h"

#include <string.h>

#include "backends/cpu/block.h"
#include "base/mem.h"

/* Operands that are fetched ahead at most.  Large tensors begin at like addresses, so that the next
 * strips of all of them, and the results', meet in the same sets of the caches, which have eight
 * places each: of more operands, what is fetched early is gone before it is read. */
#define MOST_FETCHED 7

/* ---- Memory ---------------------------------------------------------------------------------- */

/* The places that an operand takes over all blocks. */
static int64_t count_positions(const struct bl_cpu_job *job,
                               const struct bl_operand *operand)
{
    const struct bl_pointwise *step = &job->step->as.pointwise;
    int64_t count = 1;

    for (int axis = 0; axis < job->outer; axis++)
        if (operand->stride[axis] != 0) {
            if (count > BL_CPU_KEPT_BYTES) /* more than can be kept; and no overflow */
                return count;
            count *= step->dim[axis];
        }
    if (job->outer < step->rank && operand->stride[job->outer] != 0 &&
        count <= BL_CPU_KEPT_BYTES)
        count *= job->pieces;
    return count;
}

static int64_t position_of(const struct bl_cpu_job *job, const struct bl_operand *operand,
                           const struct bl_cpu_place *place)
{
    const struct bl_pointwise *step = &job->step->as.pointwise;
    int64_t position = 0;

    for (int axis = 0; axis < job->outer; axis++)
        if (operand->stride[axis] != 0)
            position = position * step->dim[axis] + place->index[axis];
    if (job->outer < step->rank && operand->stride[job->outer] != 0)
        position = position * job->pieces + place->piece;
    return position;
}

/* Takes parts of a block of memory one after the other; from NULL it only counts. */
struct layout {
    char *memory;
    size_t bytes;
};

static void *take(struct layout *layout, size_t bytes)
{
    char *taken = layout->memory != NULL ? layout->memory + layout->bytes : NULL;

    layout->bytes += bl_mem_round(bytes);
    return taken;
}

/* Room for blocks of an expanded operand.  `*budget`: bytes that may yet be spent to keep more
 * than one. */
static void take_buffer(const struct bl_cpu_job *job, const struct bl_operand *operand,
                        struct layout *layout, struct bl_cpu_slot *slot, int64_t *budget)
{
    slot->kept_bytes = bl_mem_round((size_t)job->unit_cost * operand->bytes);
    slot->kept = 1;
    if (!operand->written) {
        const int64_t positions = count_positions(job, operand);

        if (positions <= *budget / (int64_t)slot->kept_bytes) {
            slot->kept = positions;
            *budget -= positions * (int64_t)slot->kept_bytes;
        }
    }
    slot->buffer = take(layout, (size_t)slot->kept * slot->kept_bytes);
    slot->holds = take(layout, (size_t)slot->kept * sizeof *slot->holds);
    if (slot->holds != NULL)
        memset(slot->holds, 0, (size_t)slot->kept * sizeof *slot->holds);
}

/* True if a result takes the place of an operand, whose lines are in the cache by then. */
static bool is_in_place(const struct bl_pointwise *step, const struct bl_operand *result)
{
    for (size_t o = 0; o < step->operand_count; o++)
        if (!step->operand[o].written && step->operand[o].data == result->data)
            return true;
    return false;
}

/* The memory does not depend on where the operands' data are: a job is prepared once, and run with
 * others. */
static struct bl_cpu_slot operand_slot(const struct bl_cpu_job *job,
                                       const struct bl_operand *operand,
                                       struct layout *layout, int64_t *budget)
{
    const struct bl_pointwise *step = &job->step->as.pointwise;
    const enum bl_lie lie = bl_cpu_lie(job, operand);
    struct bl_cpu_slot slot = {.stride = 1, .bytes = operand->bytes};

    if (bl_cpu_needs_buffer(operand, lie)) {
        take_buffer(job, operand, layout, &slot, budget);
    } else if (bl_cpu_streams(job, operand)) {
        char *strip = take(layout, (size_t)job->strip * operand->bytes);

        if (!is_in_place(step, operand)) {
            slot.strip = strip;
            return slot;
        }
    } else {
        slot.stride = bl_cpu_stride(job, operand);
        slot.ahead = job->streams && !operand->written && slot.stride == 1;
    }
    slot.step = slot.stride * (ptrdiff_t)operand->bytes;
    return slot;
}

/* Take room for the instructions, and set all of them but where the values are. */
static void lay_out_calls(const struct bl_cpu_job *job, struct layout *layout,
                          struct bl_cpu_slots *slots)
{
    const struct bl_pointwise *step = &job->step->as.pointwise;

    slots->call = take(layout, step->instruction_count * sizeof *slots->call);
    for (size_t i = 0; i < step->instruction_count; i++) {
        const struct bl_instruction *from = &step->instruction[i];
        const void **in = take(layout, from->arg_count * sizeof *in);
        ptrdiff_t *stride = take(layout, 2 * from->arg_count * sizeof *stride);

        if (layout->memory == NULL)
            continue;
        slots->call[i] =
            (struct bl_cpu_call){.run = job->kernels->row[from->op][from->dtype],
                                 .row = {.in = in,
                                         .stride = stride,
                                         .inputs = from->arg_count,
                                         .second = from->second,
                                         .params = from->params},
                                 .in = in,
                                 .step = stride + from->arg_count,
                                 .out_step = slots->slot[from->result].step};
        for (size_t a = 0; a < from->arg_count; a++) {
            const bool is_there = from->args[a] != BL_NO_SLOT;

            in[a] = NULL;
            stride[a] = is_there ? slots->slot[from->args[a]].stride : 0;
            slots->call[i].step[a] = is_there ? slots->slot[from->args[a]].step : 0;
        }
    }
}

/* Lay out everything; without memory, count it. */
static size_t lay_out(const struct bl_cpu_job *job, struct bl_cpu_slots *slots,
                      char *memory)
{
    const struct bl_pointwise *step = &job->step->as.pointwise;
    int64_t budget = BL_CPU_KEPT_BYTES;
    struct layout layout = {memory, 0};

    slots->count = step->operand_count + step->temp_count;
    slots->scatters = false;
    slots->fetches = 0;
    slots->slot = take(&layout, slots->count * sizeof *slots->slot);
    slots->fetch = take(&layout, step->operand_count * sizeof *slots->fetch);
    slots->ahead = take(&layout, step->operand_count * sizeof *slots->ahead);
    for (size_t s = 0; s < slots->count; s++) {
        struct bl_cpu_slot slot;

        if (s < step->operand_count) {
            slot = operand_slot(job, &step->operand[s], &layout, &budget);
            slots->scatters |= step->operand[s].written && slot.kept_bytes > 0;
        } else {
            const unsigned bytes = step->temp_bytes[s - step->operand_count];

            slot = (struct bl_cpu_slot){.stride = 1, .bytes = bytes};
            slot.at = slot.strip = take(&layout, (size_t)job->strip * bytes);
        }
        if (memory == NULL)
            continue;
        slots->slot[s] = slot;
        if (slot.ahead)
            slots->ahead[slots->fetches++] = &slots->slot[s];
    }
    if (slots->fetches > MOST_FETCHED)
        slots->fetches = 0;
    lay_out_calls(job, &layout, slots);
    return layout.bytes;
}

size_t bl_cpu_slots_bytes(const struct bl_cpu_job *job)
{
    struct bl_cpu_slots slots;

    return lay_out(job, &slots, NULL);
}

void bl_cpu_slots_init(const struct bl_cpu_job *job, struct bl_cpu_slots *slots,
                       char *memory)
{
    lay_out(job, slots, memory);
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

/* What follows from the piece and from the block's first element. */
static void set_piece(const struct bl_cpu_job *job, int64_t piece,
                      struct bl_cpu_place *place)
{
    const struct bl_pointwise *step = &job->step->as.pointwise;
    const int64_t whole_dim = job->outer < step->rank ? step->dim[job->outer] : 1;
    const int64_t start = piece * job->split;
    const int64_t dim = whole_dim - start < job->split ? whole_dim - start : job->split;

    place->piece = piece;
    place->n = (size_t)(dim * job->inner);
    place->whole = dim == job->split;
    if (place->rank > 0) {
        place->dim[0] = dim;
        place->index[job->outer] = start;
    }
}

void bl_cpu_locate(const struct bl_cpu_job *job, int64_t unit, struct bl_cpu_place *place)
{
    const struct bl_pointwise *step = &job->step->as.pointwise;
    const int64_t whole_dim = job->outer < step->rank ? step->dim[job->outer] : 1;
    int64_t rest = unit / job->pieces;

    place->rank = step->rank - job->outer;
    for (int i = 1; i < place->rank; i++)
        place->dim[i] = step->dim[job->outer + i];
    set_piece(job, unit % job->pieces, place);
    place->first = (rest * whole_dim + place->piece * job->split) * job->inner;
    for (int axis = job->outer - 1; axis >= 0; axis--) {
        place->index[axis] = rest % step->dim[axis];
        rest /= step->dim[axis];
    }
}

void bl_cpu_advance(const struct bl_cpu_job *job, struct bl_cpu_place *place)
{
    const struct bl_pointwise *step = &job->step->as.pointwise;

    place->first += (int64_t)place->n;
    if (place->piece + 1 < job->pieces) {
        set_piece(job, place->piece + 1, place);
        return;
    }
    if (job->pieces > 1)
        set_piece(job, 0, place);
    for (int axis = job->outer - 1; axis >= 0; axis--) {
        if (++place->index[axis] < step->dim[axis])
            break;
        place->index[axis] = 0;
    }
}

static char *data_at(const struct bl_cpu_job *job, const struct bl_operand *operand,
                     const struct bl_cpu_place *place)
{
    const int rank = job->step->as.pointwise.rank;
    int64_t offset = 0;

    for (int axis = 0; axis <= job->outer && axis < rank; axis++)
        offset += place->index[axis] * operand->stride[axis];
    return operand->data + offset * (int64_t)operand->bytes;
}

static struct bl_block block_of(const struct bl_cpu_job *job,
                                const struct bl_operand *operand,
                                const struct bl_cpu_place *place)
{
    return (struct bl_block){place->rank, place->dim, operand->stride + job->outer,
                             operand->bytes, &job->kernels->movers};
}

/* Point the slot at its operand's block in the buffer, expanded now unless it is there. */
static void expand(const struct bl_cpu_job *job, const struct bl_operand *operand,
                   const struct bl_cpu_place *place, struct bl_cpu_slot *slot)
{
    const int64_t position = position_of(job, operand, place);
    const int64_t k = slot->kept > 1 ? position : 0;

    slot->at = slot->buffer + (size_t)k * slot->kept_bytes;
    if (slot->holds[k] == position + 1)
        return;
    const struct bl_block block = block_of(job, operand, place);

    bl_block_gather(&block, slot->at, data_at(job, operand, place));
    /* A whole block must not take what a shorter one has left for its own. */
    slot->holds[k] = place->whole ? position + 1 : 0;
}

void bl_cpu_enter_block(const struct bl_cpu_job *job, const struct bl_cpu_place *place,
                        struct bl_cpu_slots *slots)
{
    const struct bl_pointwise *step = &job->step->as.pointwise;

    for (size_t o = 0; o < step->operand_count; o++) {
        const struct bl_operand *operand = &step->operand[o];
        struct bl_cpu_slot *slot = &slots->slot[o];

        if (slot->strip != NULL) {
            slot->at = slot->strip;
            slot->streamed = data_at(job, operand, place);
        } else if (slot->buffer == NULL) {
            slot->at = data_at(job, operand, place);
        } else if (operand->written) {
            slot->at = slot->buffer;
        } else {
            expand(job, operand, place, slot);
        }
    }
    for (size_t i = 0; i < step->instruction_count; i++) {
        const struct bl_instruction *from = &step->instruction[i];
        struct bl_cpu_call *call = &slots->call[i];

        call->row.out = slots->slot[from->result].at;
        for (size_t a = 0; a < from->arg_count; a++)
            if (from->args[a] != BL_NO_SLOT)
                call->in[a] = slots->slot[from->args[a]].at;
    }
}

void bl_cpu_leave_block(const struct bl_cpu_job *job, const struct bl_cpu_place *place,
                        const struct bl_cpu_slots *slots)
{
    const struct bl_pointwise *step = &job->step->as.pointwise;

    for (size_t o = 0; o < step->operand_count; o++) {
        const struct bl_operand *operand = &step->operand[o];

        if (!operand->written || slots->slot[o].buffer == NULL)
            continue;
        const struct bl_block block = block_of(job, operand, place);

        bl_block_scatter(&block, data_at(job, operand, place), slots->slot[o].buffer);
    }
}
