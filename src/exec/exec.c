/*
 * exec.c - run a step: choose the backend, split the work over threads
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "exec/exec.h"

#include "base/mem.h"
#include "base/status.h"

/* Work worth waking a thread for, in elements; waking one takes about as long as adding
 * these. */
#define PART_COST 65536

bl_status bl_exec_init(struct bl_exec *exec, const bl_allocator *allocator, uint32_t tiers,
                       int threads, bl_error *err)
{
    BL_TRY(bl_cpu_init(&exec->cpu, tiers, err));
    return bl_pool_new(allocator, threads, &exec->pool, err);
}

const char *bl_exec_tier(const struct bl_exec *exec)
{
    return bl_tier_name(exec->cpu.tier);
}

void bl_exec_close(struct bl_exec *exec)
{
    bl_pool_free(exec->pool);
    exec->pool = NULL;
}

/* A step split over threads: part i runs units [units * i / parts, units * (i + 1) /
 * parts). */
struct split {
    const struct bl_cpu_job *job;
    int parts;
    char *scratch; /* [parts][scratch_stride] */
    size_t scratch_stride;
    int64_t *failed; /* [parts] */
};

/* units * i / parts without overflow: units may be any 63-bit number. */
static int64_t start_of(int64_t units, int parts, int i)
{
    return units / parts * i + units % parts * i / parts;
}

static void run_part(void *argument, int i)
{
    const struct split *split = argument;
    const int64_t units = split->job->units;

    split->failed[i] = bl_cpu_run(split->job, start_of(units, split->parts, i),
                                  start_of(units, split->parts, i + 1),
                                  split->scratch + (size_t)i * split->scratch_stride);
}

static int count_parts(const struct bl_exec *exec, const struct bl_cpu_job *job)
{
    const int threads = bl_pool_threads(exec->pool);
    const int64_t cost = job->unit_cost > 0 ? job->unit_cost : 1;
    const int64_t worth =
        job->units > INT64_MAX / cost ? threads : job->units * cost / PART_COST + 1;
    int64_t parts = worth < threads ? worth : threads;

    if (parts > job->units)
        parts = job->units;
    return (int)parts;
}

const char *bl_exec_missing(const struct bl_exec *exec, const struct bl_step *step)
{
    return bl_cpu_missing(&exec->cpu, step);
}

bl_status bl_exec_run(struct bl_exec *exec, const bl_allocator *allocator,
                      const struct bl_step *step, int64_t *failed, bl_error *err)
{
    struct bl_cpu_job job;

    const char *missing = bl_exec_missing(exec, step);

    if (missing != NULL)
        return bl_fail(err, BL_ERR_UNSUPPORTED, "the CPU backend has no kernel for %s",
                       missing);
    bl_cpu_prepare(&job, &exec->cpu, step);
    const int parts = count_parts(exec, &job);
    const size_t stride =
        (job.scratch_bytes + BL_ALIGNMENT - 1) / BL_ALIGNMENT * BL_ALIGNMENT;
    const size_t bytes = (size_t)parts * (stride + sizeof(int64_t));
    char *memory = bl_mem_alloc(allocator, bytes);

    if (memory == NULL)
        return bl_fail(err, BL_ERR_MEMORY,
                       "out of memory for %d threads' buffers (%zu bytes)", parts, bytes);
    struct split split = {.job = &job,
                          .parts = parts,
                          .scratch = memory,
                          .scratch_stride = stride,
                          .failed = (int64_t *)(void *)(memory + (size_t)parts * stride)};

    bl_pool_run(exec->pool, parts, run_part, &split);
    *failed = -1;
    /* The parts are in row-major order, and each stopped at its first failure. */
    for (int i = 0; i < parts && *failed < 0; i++)
        *failed = split.failed[i];
    bl_mem_free(allocator, memory, bytes);
    return *failed < 0 ? BL_OK : BL_ERR_ARITHMETIC;
}
