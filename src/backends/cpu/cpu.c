/*
 * cpu.c - the CPU backend: which code runs which kind of step
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "backends/cpu/cpu.h"

void bl_cpu_prepare(struct bl_cpu_job *job, const struct bl_kernels *kernels,
                    const struct bl_step *step)
{
    *job = (struct bl_cpu_job){.kernels = kernels, .step = step};
    if (step->kind == BL_STEP_MATMUL)
        bl_cpu_prepare_matmul(job);
    else
        bl_cpu_prepare_pointwise(job);
}

int64_t bl_cpu_run(const struct bl_cpu_job *job, int64_t first, int64_t end, void *scratch)
{
    if (job->step->kind == BL_STEP_MATMUL) {
        bl_cpu_run_matmul(job, first, end, scratch);
        return -1;
    }
    return bl_cpu_run_pointwise(job, first, end, scratch);
}
