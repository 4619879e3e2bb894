/*
 * pointwise.c - run a pointwise program block by block, strip by strip
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "backends/cpu/cpu.h"
#include "backends/cpu/slots.h"

/* A part of a block: elements [at, at + n). */
struct strip {
    size_t at, n;
};

static char *slot_at(const struct bl_cpu_slot *slot, size_t element)
{
    return slot->at + (ptrdiff_t)element * slot->step;
}

/* Run one instruction.  Returns the number of elements with a result. */
static size_t run_instruction(const struct bl_cpu_job *job, struct strip strip,
                              const struct bl_instruction *instruction,
                              const struct bl_cpu_slots *slots)
{
    const struct bl_row row = {.n = strip.n,
                               .out = slot_at(&slots->slot[instruction->result], strip.at),
                               .in = slots->in,
                               .stride = slots->stride,
                               .inputs = instruction->arg_count,
                               .second = instruction->second,
                               .params = instruction->params};

    for (size_t a = 0; a < instruction->arg_count; a++) {
        const bl_slot arg = instruction->args[a];

        slots->in[a] = arg != BL_NO_SLOT ? slot_at(&slots->slot[arg], strip.at) : NULL;
        slots->stride[a] = arg != BL_NO_SLOT ? slots->slot[arg].stride : 0;
    }
    return job->kernels->row[instruction->op][instruction->dtype](&row);
}

/* What the next strip reads, for results of that size.  Returns how many operands that is. */
static size_t list_fetches(const struct bl_cpu_slots *slots, struct strip strip,
                           unsigned result_bytes)
{
    size_t count = 0;

    for (size_t s = 0; s < slots->count; s++) {
        const struct bl_cpu_slot *slot = &slots->slot[s];

        if (slot->ahead)
            slots->fetch[count++] =
                (struct bl_fetch){slot_at(slot, strip.at + strip.n),
                                  (size_t)BL_LINE / result_bytes * slot->bytes};
    }
    return count;
}

/* Write the strip's results past the caches, and fetch what the next strip reads. */
static void stream_strip(const struct bl_cpu_job *job, const struct bl_cpu_slots *slots,
                         struct strip strip)
{
    bool fetched = false;

    for (size_t s = 0; s < slots->count; s++) {
        const struct bl_cpu_slot *slot = &slots->slot[s];

        if (slot->streamed == NULL)
            continue;
        const struct bl_stream stream = {
            .to = slot->streamed + strip.at * slot->bytes,
            .from = slot->strip,
            .bytes = strip.n * slot->bytes,
            .fetch = slots->fetch,
            .fetch_count = fetched ? 0 : list_fetches(slots, strip, slot->bytes)};

        job->kernels->movers.stream(&stream);
        fetched = true;
    }
}

/* The elements before the first whole line of the first streamed result: strips of whole lines
 * come after them. */
static size_t first_strip(const struct bl_cpu_job *job, const struct bl_cpu_slots *slots)
{
    for (size_t s = 0; s < slots->count && job->streams; s++) {
        const struct bl_cpu_slot *slot = &slots->slot[s];

        if (slot->streamed == NULL)
            continue;
        const size_t skew = (0 - (uintptr_t)slot->streamed) % BL_LINE;

        if (skew != 0 && skew % slot->bytes == 0)
            return skew / slot->bytes;
        break;
    }
    return (size_t)job->strip;
}

/* Run the program on a block.  Returns the number of elements with a result. */
static size_t run_block(const struct bl_cpu_job *job, size_t n,
                        const struct bl_cpu_slots *slots)
{
    const struct bl_pointwise *step = &job->step->as.pointwise;
    struct strip strip = {0, first_strip(job, slots)};

    while (strip.at < n) {
        if (strip.n > n - strip.at)
            strip.n = n - strip.at;
        for (size_t i = 0; i < step->instruction_count; i++) {
            const size_t done = run_instruction(job, strip, &step->instruction[i], slots);

            if (done < strip.n)
                return strip.at + done;
        }
        if (job->streams)
            stream_strip(job, slots, strip);
        strip.at += strip.n;
        strip.n = (size_t)job->strip;
    }
    return n;
}

/* ---- A single kernel ------------------------------------------------------------------------- */

void bl_cpu_find_single(struct bl_cpu_job *job)
{
    const struct bl_pointwise *step = &job->step->as.pointwise;
    const struct bl_instruction *only = &step->instruction[0];

    /* A result that no one reads is no operand. */
    job->single = job->units == 1 && step->instruction_count == 1 && !job->streams &&
                  only->arg_count <= BL_CPU_FEW && only->result < step->operand_count;
    for (size_t o = 0; o < step->operand_count && job->single; o++)
        job->single =
            !bl_cpu_needs_buffer(&step->operand[o], bl_cpu_lie(job, &step->operand[o]));
    for (size_t a = 0; a < only->arg_count && job->single; a++)
        if (only->args[a] != BL_NO_SLOT)
            job->stride[a] = bl_cpu_stride(job, &step->operand[only->args[a]]);
}

/* Small calls are about all that they do not do. */
static int64_t run_single(const struct bl_cpu_job *job)
{
    const struct bl_pointwise *step = &job->step->as.pointwise;
    const struct bl_instruction *only = &step->instruction[0];
    const void *in[BL_CPU_FEW];
    const struct bl_row row = {.n = (size_t)job->unit_cost,
                               .out = step->operand[only->result].data,
                               .in = in,
                               .stride = job->stride,
                               .inputs = only->arg_count,
                               .second = only->second,
                               .params = only->params};

    for (size_t a = 0; a < only->arg_count; a++)
        in[a] = only->args[a] != BL_NO_SLOT ? step->operand[only->args[a]].data : NULL;
    const size_t done = job->kernels->row[only->op][only->dtype](&row);

    return done < row.n ? (int64_t)done : -1;
}

/* ---- All units ------------------------------------------------------------------------------- */

int64_t bl_cpu_run_pointwise(const struct bl_cpu_job *job, int64_t first, int64_t end,
                             void *memory)
{
    struct bl_cpu_slots slots;
    struct bl_cpu_place place;
    int64_t failed = -1;

    if (job->single)
        return run_single(job);
    bl_cpu_slots_init(job, &slots, memory);
    bl_cpu_locate(job, first, &place);
    for (int64_t unit = first; unit < end && failed < 0; unit++) {
        bl_cpu_enter_block(job, &place, &slots);
        const size_t done = run_block(job, place.n, &slots);

        if (done < place.n)
            failed = place.first + (int64_t)done;
        else if (slots.scatters)
            bl_cpu_leave_block(job, &place, &slots);
        bl_cpu_advance(job, &place);
    }
    if (job->streams)
        job->kernels->movers.fence();
    return failed;
}
