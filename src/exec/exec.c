/*
 * exec.c - run a step: choose the backend, split the work over threads
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "exec/exec.h"

#include <stdatomic.h>

#include "base/checked.h"
#include "base/guard.h"
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
    exec->cpu.guard = bl_guard_of(allocator);
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

/*
 * A job split over threads.  Each takes the next few units when it is done with its last: one that
 * wakes late, or that shares its core, does fewer.
 */
struct split {
    const struct bl_exec_job *job;
    char *scratch;          /* [parts][job's stride] */
    int64_t chunk;          /* units that are taken at once */
    _Atomic int64_t next;   /* the first unit that no one has taken */
    _Atomic int64_t failed; /* the first element known to have no result; INT64_MAX: none */
};

static void note_failure(struct split *split, int64_t failed)
{
    int64_t first = atomic_load(&split->failed);

    while (failed < first && !atomic_compare_exchange_weak(&split->failed, &first, failed))
        continue;
}

static void run_part(void *argument, int i)
{
    struct split *split = argument;
    const struct bl_exec_job *job = split->job;
    char *scratch = split->scratch + (size_t)i * job->stride;
    const struct bl_fpenv saved = bl_fpenv_enter();

    for (;;) {
        const int64_t first = atomic_fetch_add(&split->next, split->chunk);
        const int64_t left = job->cpu.units - first;

        /* Units are in row-major order: what comes after a failure does not count. */
        if (left <= 0 || atomic_load(&split->failed) != INT64_MAX ||
            bl_guard_stops(job->cpu.guard))
            break;
        const int64_t count = left < split->chunk ? left : split->chunk;
        const int64_t failed = bl_cpu_run(&job->cpu, first, first + count, scratch);

        if (failed >= 0)
            note_failure(split, failed);
    }
    bl_fpenv_leave(saved);
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
    job->stride = bl_mem_round(job->cpu.scratch_bytes);
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
    const int64_t units = job->cpu.units;
    const int64_t most = (int64_t)job->parts * job->cpu.chunks;

    size_t scratch = job->stride;

    /* The check divides, which a small call would notice. */
    if (job->parts > 1 && !bl_size_mul((size_t)job->parts, job->stride, &scratch))
        return bl_fail(err, BL_ERR_LIMIT, "too many inputs for %d threads", job->parts);
    BL_TRY(grow_scratch(exec, scratch, err));
    if (job->parts == 1) {
        *failed = bl_cpu_run(&job->cpu, 0, units, exec->scratch);
        return *failed < 0 ? bl_guard_check(exec->cpu.guard, err) : BL_ERR_ARITHMETIC;
    }
    struct split split = {
        .job = job, .scratch = exec->scratch, .chunk = (units - 1) / most + 1};

    atomic_init(&split.next, 0);
    atomic_init(&split.failed, INT64_MAX);
    bl_pool_run(exec->pool, job->parts, run_part, &split);
    *failed = atomic_load(&split.failed);
    if (*failed != INT64_MAX)
        return BL_ERR_ARITHMETIC;
    *failed = -1;
    return bl_guard_check(exec->cpu.guard, err);
}

bl_status bl_exec_run(struct bl_exec *exec, const struct bl_step *step, int64_t *failed,
                      bl_error *err)
{
    struct bl_exec_job job;

    BL_TRY(bl_exec_prepare(exec, step, &job, err));
    return bl_exec_run_job(exec, &job, failed, err);
}
