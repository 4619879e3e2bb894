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
    exec->allocator = *allocator;
    exec->scratch = NULL;
    exec->scratch_bytes = 0;
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
    bl_mem_free(&exec->allocator, exec->scratch, exec->scratch_bytes);
    exec->scratch = NULL;
}

/* A job split over threads: part i runs units [units * i / parts, units * (i + 1) / parts). */
struct split {
    const struct bl_exec_job *job;
    char *scratch;   /* [parts][job's stride] */
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
    const struct bl_exec_job *job = split->job;
    const int64_t units = job->cpu.units;

    split->failed[i] = bl_cpu_run(&job->cpu, start_of(units, job->parts, i),
                                  start_of(units, job->parts, i + 1),
                                  split->scratch + (size_t)i * job->stride);
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

bl_status bl_exec_prepare(const struct bl_exec *exec, const struct bl_step *step,
                          struct bl_exec_job *job, bl_error *err)
{
    const char *missing = bl_exec_missing(exec, step);

    if (missing != NULL)
        return bl_fail(err, BL_ERR_UNSUPPORTED, "the CPU backend has no kernel for %s",
                       missing);
    bl_cpu_prepare(&job->cpu, &exec->cpu, step);
    job->parts = count_parts(exec, &job->cpu);
    job->stride = (job->cpu.scratch_bytes + BL_ALIGNMENT - 1) / BL_ALIGNMENT * BL_ALIGNMENT;
    return BL_OK;
}

static bl_status grow_scratch(struct bl_exec *exec, size_t bytes, bl_error *err)
{
    if (bytes <= exec->scratch_bytes)
        return BL_OK;
    bl_mem_free(&exec->allocator, exec->scratch, exec->scratch_bytes);
    exec->scratch_bytes = 0;
    exec->scratch = bl_mem_alloc(&exec->allocator, bytes);
    if (exec->scratch == NULL)
        return bl_fail(err, BL_ERR_MEMORY, "out of memory for threads' buffers (%zu bytes)",
                       bytes);
    exec->scratch_bytes = bytes;
    return BL_OK;
}

bl_status bl_exec_run_job(struct bl_exec *exec, const struct bl_exec_job *job,
                          int64_t *failed, bl_error *err)
{
    const size_t parts = (size_t)job->parts;

    BL_TRY(grow_scratch(exec, parts * (job->stride + sizeof *failed), err));
    struct split split = {.job = job,
                          .scratch = exec->scratch,
                          .failed =
                              (int64_t *)(void *)(exec->scratch + parts * job->stride)};

    if (parts == 1) {
        *failed = bl_cpu_run(&job->cpu, 0, job->cpu.units, exec->scratch);
        return *failed < 0 ? BL_OK : BL_ERR_ARITHMETIC;
    }
    bl_pool_run(exec->pool, job->parts, run_part, &split);
    *failed = -1;
    /* The parts are in row-major order, and each stopped at its first failure. */
    for (size_t i = 0; i < parts && *failed < 0; i++)
        *failed = split.failed[i];
    return *failed < 0 ? BL_OK : BL_ERR_ARITHMETIC;
}

bl_status bl_exec_run(struct bl_exec *exec, const struct bl_step *step, int64_t *failed,
                      bl_error *err)
{
    struct bl_exec_job job;

    BL_TRY(bl_exec_prepare(exec, step, &job, err));
    return bl_exec_run_job(exec, &job, failed, err);
}
