/*
 * pointwise.c - run a pointwise program block by block, strip by strip
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "backends/cpu/cpu.h"
#include "backends/cpu/slots.h"

/* Run an instruction on the next n elements.  Returns the number of those with a result. */
static size_t run_call(struct bl_cpu_call *call, size_t n)
{
    call->row.n = n;
    const size_t done = call->run(&call->row);

    for (size_t a = 0; a < call->row.inputs; a++)
        call->in[a] = (const char *)call->in[a] + (ptrdiff_t)n * call->step[a];
    call->row.out = (char *)call->row.out + (ptrdiff_t)n * call->out_step;
    return done;
}

/* ---- Streams --------------------------------------------------------------------------------- */

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

/* Write a strip's results, elements [at, at + n) of the block, past the caches; fetch what the
 * next strip reads. */
static void stream_strip(const struct bl_cpu_job *job, const struct bl_cpu_slots *slots,
                         size_t at, size_t n)
{
    size_t fetches = slots->fetches;

    for (size_t s = 0; s < slots->count; s++) {
        const struct bl_cpu_slot *slot = &slots->slot[s];

        if (slot->streamed == NULL)
            continue;
        for (size_t f = 0; f < fetches; f++)
            slots->fetch[f] =
                (struct bl_fetch){slots->ahead[f]->at + (at + n) * slots->ahead[f]->bytes,
                                  (size_t)BL_LINE / slot->bytes * slots->ahead[f]->bytes};
        const struct bl_stream stream = {.to = slot->streamed + at * slot->bytes,
                                         .from = slot->strip,
                                         .bytes = n * slot->bytes,
                                         .fetch = slots->fetch,
                                         .fetch_count = fetches};

        job->kernels->movers.stream(&stream);
        fetches = 0; /* once will do */
    }
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

/* Run the program on a block that was entered.  Returns the number of elements with a result; all
 * of them where the work is cancelled. */
static size_t run_block(const struct bl_cpu_job *job, size_t n, struct bl_cpu_slots *slots)
{
    const size_t instructions = job->step->as.pointwise.instruction_count;
    size_t strip = first_strip(job, slots);

    for (size_t at = 0; at < n; at += strip, strip = (size_t)job->strip) {
        if (strip > n - at)
            strip = n - at;
        for (size_t i = 0; i < instructions; i++) {
            const size_t done = run_call(&slots->call[i], strip);

            if (done < strip)
                return at + done;
        }
        if (job->streams)
            stream_strip(job, slots, at, strip);
        if (bl_guard_stops(job->guard))
            break;
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
        if (bl_guard_stops(job->guard))
            break;
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
