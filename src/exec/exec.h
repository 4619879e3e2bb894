/*
 * exec.h - run a step: choose the backend, split the work over threads
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_EXEC_EXEC_H
#define BL_EXEC_EXEC_H

#include "backends/cpu/cpu.h"
#include "backends/cpu/host.h"
#include "base/pool.h"
#include "plan/step.h"

/* What steps are run with.  One run at a time. */
struct bl_exec {
    bl_allocator allocator;
    struct bl_cpu_backend cpu;
    struct bl_pool *pool;
    char *scratch; /* the threads' memory, kept from run to run */
    size_t scratch_bytes;
};

/* A step that is ready to run, again and again. */
struct bl_exec_job {
    struct bl_cpu_job cpu;
    int parts;     /* one for each thread that works on it */
    size_t stride; /* bytes of scratch for each */
};

/* Set up the backend with the kernel tiers in the mask, and start the threads. */
bl_status bl_exec_init(struct bl_exec *exec, const bl_allocator *allocator, uint32_t tiers,
                       int threads, bl_error *err);

/* The name of the best kernel tier in use. */
const char *bl_exec_tier(const struct bl_exec *exec);

void bl_exec_close(struct bl_exec *exec);

/* The name of an operator in the step that there is no kernel for; NULL if there is none. */
const char *bl_exec_missing(const struct bl_exec *exec, const struct bl_step *step);

/* Make a step ready.  It must outlive the job; the operands' data may be set anew before each run,
 * if they stay aligned or not.  Errors: BL_ERR_UNSUPPORTED. */
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

#endif
