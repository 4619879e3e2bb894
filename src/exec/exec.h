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
    struct bl_cpu_backend cpu;
    struct bl_pool *pool;
};

/* Set up the backend with the kernel tiers in the mask, and start the threads. */
bl_status bl_exec_init(struct bl_exec *exec, const bl_allocator *allocator, uint32_t tiers,
                       int threads, bl_error *err);

/* The name of the best kernel tier in use. */
const char *bl_exec_tier(const struct bl_exec *exec);

void bl_exec_close(struct bl_exec *exec);

/* The name of an operator in the step that there is no kernel for; NULL if there is none. */
const char *bl_exec_missing(const struct bl_exec *exec, const struct bl_step *step);

/*
 * Run a step.
 *
 * @param failed  set to -1, or to the first output element (counted row-major) that has no
 * result; the status is then BL_ERR_ARITHMETIC, without a message: the caller knows the
 * operator.
 */
bl_status bl_exec_run(struct bl_exec *exec, const bl_allocator *allocator,
                      const struct bl_step *step, int64_t *failed, bl_error *err);

#endif
