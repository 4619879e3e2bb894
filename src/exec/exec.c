/*
 * exec.c - run a step: choose the backend, split the work over threads
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "exec/exec.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/guard.h"
#include "base/mem.h"
#include "base/status.h"

/* Work worth waking a thread for, in elements; waking one takes about as long as adding
 * these. */
#define PART_COST 65536

/* "vulkan" is device -1, "vulkan:3" is 3; false for anything else. */
static bool read_device(const char *backend, int *device)
{
    static const char prefix[] = "vulkan:";

    *device = -1;
    if (strcmp(backend, "vulkan") == 0)
        return true;
    if (strncmp(backend, prefix, sizeof prefix - 1) != 0)
        return false;
    const char *number = backend + sizeof prefix - 1;

    if (number[0] == '\0' || strspn(number, "0123456789") != strlen(number) ||
        strlen(number) > 4)
        return false;
    *device = 0;
    for (; *number != '\0'; number++)
        *device = 10 * *device + (*number - '0');
    return true;
}

static bl_status open_device(struct bl_exec *exec, const struct bl_exec_options *options,
                             bl_error *err)
{
    const char *cache = options->shader_cache;
    struct bl_vk_options with = {.cache = cache != NULL ? cache : getenv("BL_SHADER_CACHE"),
                                 .timed = options->timed};

    if (options->backend == NULL || strcmp(options->backend, "cpu") == 0)
        return BL_OK;
    if (!read_device(options->backend, &with.device))
        return bl_fail(err, BL_ERR_ARGUMENT,
                       "backend '%.40s' is none of: cpu, vulkan, vulkan:N",
                       options->backend);
    return bl_vk_open(&exec->allocator, &with, &exec->device, err);
}

bl_status bl_exec_init(struct bl_exec *exec, const bl_allocator *allocator,
                       const struct bl_exec_options *options, bl_error *err)
{
    exec->allocator = *allocator;
    exec->pool = NULL;
    exec->scratch = NULL;
    exec->scratch_bytes = 0;
    exec->device = NULL;
    exec->gathers = false;
    exec->times = (struct bl_exec_times){.wanted = options->timed};
    BL_TRY(bl_cpu_init(&exec->cpu, options->tiers, err));
    exec->cpu.guard = bl_guard_of(allocator);
    BL_TRY(open_device(exec, options, err));
    const bl_status status = bl_pool_new(allocator, options->threads, &exec->pool, err);

    if (status != BL_OK)
        bl_vk_let_go(exec->device);
    return status;
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
    bl_exec_times_close(&exec->times, &exec->allocator);
    bl_vk_let_go(exec->device);
    exec->device = NULL;
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

/* Strings lie on the host, and so what works with them runs there. */
static bool has_strings(const struct bl_step *step)
{
    if (step->kind == BL_STEP_MATMUL)
        return false;
    for (size_t i = 0; i < step->as.pointwise.instruction_count; i++) {
        const struct bl_instruction *instruction = &step->as.pointwise.instruction[i];

        if (instruction->dtype == BL_STRING || instruction->second == BL_STRING)
            return true;
    }
    return false;
}

static bl_status check_cpu(const struct bl_exec *exec, const struct bl_step *step,
                           bl_error *err)
{
    const char *missing = bl_cpu_missing(&exec->cpu, step);

    return missing == NULL ? BL_OK
                           : bl_fail(err, BL_ERR_UNSUPPORTED,
                                     "the CPU backend has no kernel for %s", missing);
}

bl_status bl_exec_check(const struct bl_exec *exec, const struct bl_step *step,
                        bl_error *err)
{
    return exec->device != NULL && !has_strings(step) ? bl_vk_check(exec->device, step, err)
                                                      : check_cpu(exec, step, err);
}

static bl_status prepare_cpu(const struct bl_exec *exec, const struct bl_step *step,
                             struct bl_exec_job *job, bl_error *err)
{
    BL_TRY(check_cpu(exec, step, err));
    bl_cpu_prepare(&job->cpu, &exec->cpu, step);
    job->parts = count_parts(exec, &job->cpu);
    job->stride = bl_mem_round(job->cpu.scratch_bytes);
    return BL_OK;
}

bl_status bl_exec_prepare(const struct bl_exec *exec, const struct bl_step *step,
                          struct bl_exec_job *job, bl_error *err)
{
    job->step = step;
    job->on_device = exec->device != NULL && !has_strings(step);
    return job->on_device ? bl_vk_prepare(exec->device, step, &job->device, err)
                          : prepare_cpu(exec, step, job, err);
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

static bl_status run_units(struct bl_exec *exec, const struct bl_exec_job *job,
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

/* On the CPU, timed where that is wanted. */
static bl_status run_cpu(struct bl_exec *exec, const struct bl_exec_job *job,
                         int64_t *failed, bl_error *err)
{
    if (BL_LIKELY(!exec->times.wanted))
        return run_units(exec, job, failed, err);
    const double before = bl_exec_now();
    const bl_status status = run_units(exec, job, failed, err);

    bl_exec_times_add(&exec->times, &exec->allocator, job->step, bl_exec_now() - before);
    return status;
}

bl_status bl_exec_add_job(struct bl_exec *exec, const struct bl_exec_job *job,
                          int64_t *failed, bl_error *err)
{
    if (!job->on_device) {
        BL_TRY(bl_exec_finish(exec, failed, err)); /* which it may have to wait for */
        return run_cpu(exec, job, failed, err);
    }
    *failed = -1;
    const bl_status status =
        bl_guard_stops(exec->cpu.guard)
            ? bl_guard_cancelled(err)
            : bl_vk_add(exec->device, &job->device, job->step, failed, err);

    if (status == BL_OK) {
        bl_exec_times_add(&exec->times, &exec->allocator, job->step, -1);
    } else {
        bl_vk_drop(exec->device);
        bl_exec_forget_times(exec);
    }
    return status;
}

void bl_exec_forget_times(struct bl_exec *exec)
{
    exec->times.count = 0;
    exec->times.on_device = 0;
    if (exec->device != NULL)
        bl_vk_forget_seconds(exec->device);
}

/* Steps of the device come in the order in which they were added. */
static void read_times(struct bl_exec *exec)
{
    struct bl_exec_times *times = &exec->times;

    for (size_t i = 0; i < times->count; i++)
        if (times->list[i].seconds < 0)
            times->list[i].seconds = bl_vk_seconds(exec->device, times->on_device++);
}

bl_status bl_exec_finish(struct bl_exec *exec, int64_t *failed, bl_error *err)
{
    *failed = -1;
    if (exec->device == NULL || exec->gathers)
        return BL_OK;
    const bl_status status = bl_vk_finish(exec->device, failed, err);

    if (status != BL_OK)
        bl_exec_forget_times(exec);
    else if (exec->times.wanted)
        read_times(exec);
    return status;
}

bl_status bl_exec_run_job(struct bl_exec *exec, const struct bl_exec_job *job,
                          int64_t *failed, bl_error *err)
{
    if (BL_LIKELY(!job->on_device))
        return run_cpu(exec, job, failed, err);
    BL_TRY(bl_exec_add_job(exec, job, failed, err));
    return bl_exec_finish(exec, failed, err);
}

bl_status bl_exec_run(struct bl_exec *exec, const struct bl_step *step, int64_t *failed,
                      bl_error *err)
{
    struct bl_exec_job job;

    BL_TRY(bl_exec_prepare(exec, step, &job, err));
    return bl_exec_run_job(exec, &job, failed, err);
}

bl_status bl_exec_run_on_host(struct bl_exec *exec, const struct bl_step *step,
                              int64_t *failed, bl_error *err)
{
    struct bl_exec_job job = {.step = step};

    BL_TRY(prepare_cpu(exec, step, &job, err));
    return run_cpu(exec, &job, failed, err);
}
