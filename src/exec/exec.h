/*
 * exec.h - run a step: choose the backend, split the work over threads
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_EXEC_EXEC_H
#define BL_EXEC_EXEC_H

#include "backends/cpu/cpu.h"
#include "backends/cpu/host.h"
#include "backends/vulkan/vulkan.h"
#include "base/pool.h"
#include "exec/times.h"
#include "plan/step.h"

/* What steps are run with.  One run at a time. */
struct bl_exec {
    bl_allocator allocator;
    struct bl_cpu_backend cpu;
    struct bl_pool *pool;
    char *scratch; /* the threads' memory, kept from run to run */
    size_t scratch_bytes;
    struct bl_vk *device; /* NULL: the CPU runs the steps */
    bool gathers; /* calls leave their steps, which write the device's memory only, to a
                             bl_exec_finish when this is false again: for measurements */
    struct bl_exec_times times;
};

struct bl_exec_options {
    uint32_t tiers; /* kernels that may be used */
    int threads;
    const char *backend; /* as in bl_context_options */
    const char *shader_cache;
    bool timed;
};

/* A step that is ready to run, again and again. */
struct bl_exec_job {
    const struct bl_step *step;
    bool on_device;
    struct bl_vk_job device;
    struct bl_cpu_job cpu;
    int parts;     /* one for each thread that works on it */
    size_t stride; /* bytes of scratch for each */
};

/* Set up the backends, and start the threads. */
bl_status bl_exec_init(struct bl_exec *exec, const bl_allocator *allocator,
                       const struct bl_exec_options *options, bl_error *err);

/* The name of the best kernel tier in use. */
const char *bl_exec_tier(const struct bl_exec *exec);

void bl_exec_close(struct bl_exec *exec);

/* BL_ERR_UNSUPPORTED, saying why, for a step that the backend cannot run. */
bl_status bl_exec_check(const struct bl_exec *exec, const struct bl_step *step,
                        bl_error *err);

/* Make a step ready.  It must outlive the job; the operands' data may be set anew before each run,
 * if they stay aligned or not.  Errors: as bl_exec_check; of a device's shader compiler. */
bl_status bl_exec_prepare(const struct bl_exec *exec, const struct bl_step *step,
                          struct bl_exec_job *job, bl_error *err);

/*
 * Run a step that is ready.  The calling thread's floating-point environment is set
 * (bl_fpenv_enter); the others set their own.
 *
 * @param failed  set to -1, or to the first output element (counted row-major) that has no
 * result; the status is then BL_ERR_ARITHMETIC, without a message: the caller knows the
 * operator.
 * Errors: BL_ERR_CANCELLED, and the results are unspecified; BL_ERR_MEMORY.
 */
bl_status bl_exec_run_job(struct bl_exec *exec, const struct bl_exec_job *job,
                          int64_t *failed, bl_error *err);

/* Both, for a step that is run once. */
bl_status bl_exec_run(struct bl_exec *exec, const struct bl_step *step, int64_t *failed,
                      bl_error *err);

/* The same by the CPU, whatever the backend: a step whose operands are the host's. */
bl_status bl_exec_run_on_host(struct bl_exec *exec, const struct bl_step *step,
                              int64_t *failed, bl_error *err);

/* Add a step to those that bl_exec_finish runs, in order; the CPU runs it at once.  Where an element
 * has no result, either says so, and what was added is forgotten. */
bl_status bl_exec_add_job(struct bl_exec *exec, const struct bl_exec_job *job,
                          int64_t *failed, bl_error *err);
bl_status bl_exec_finish(struct bl_exec *exec, int64_t *failed, bl_error *err);

/* Begin exec->times anew; so does a run that fails. */
void bl_exec_forget_times(struct bl_exec *exec);

#endif
