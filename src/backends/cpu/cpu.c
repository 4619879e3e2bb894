/*
 * cpu.c - the CPU backend: which kernels it has, which code runs which kind of step
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "backends/cpu/cpu.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"

/* The tiers that the environment allows: those up to the one that BL_ISA names. */
static bl_status tiers_of_environment(uint32_t *tiers, bl_error *err)
{
    const char *limit = getenv("BL_ISA");
    char names[64];
    struct bl_text text = bl_text_in(names, sizeof names);

    *tiers = BL_ISA_ALL;
    if (limit == NULL || limit[0] == '\0')
        return BL_OK;
    for (int tier = 0; tier < BL_TIER_COUNT; tier++) {
        if (strcmp(limit, bl_tier_name((enum bl_isa)tier)) == 0) {
            *tiers = (UINT32_C(2) << tier) - 1;
            return BL_OK;
        }
        bl_text_put(&text, "%s%s", tier > 0 ? ", " : "", bl_tier_name((enum bl_isa)tier));
    }
    return bl_fail(err, BL_ERR_ARGUMENT,
                   "environment variable BL_ISA is '%.40s', which is none of: %s", limit,
                   names);
}

bl_status bl_cpu_init(struct bl_cpu_backend *backend, uint32_t tiers, bl_error *err)
{
    uint32_t allowed;

    BL_TRY(tiers_of_environment(&allowed, err));
    tiers &= allowed & bl_cpu_tiers();
    tiers |= UINT32_C(1) << BL_TIER_BASELINE; /* which cannot be turned off */
    backend->guard = NULL;
    bl_kernels_resolve(&backend->kernels, tiers);
    for (int tier = 0; tier < BL_TIER_COUNT; tier++)
        if (tiers >> tier & 1)
            backend->tier = (enum bl_isa)tier;
    return BL_OK;
}

const char *bl_cpu_missing(const struct bl_cpu_backend *backend, const struct bl_step *step)
{
    if (step->kind == BL_STEP_MATMUL)
        return bl_accumulator(step->as.matmul.dtype) != BL_UNDEFINED ? NULL : "MatMul";
    for (size_t i = 0; i < step->as.pointwise.instruction_count; i++) {
        const struct bl_instruction *instruction = &step->as.pointwise.instruction[i];

        if (backend->kernels.row[instruction->op][instruction->dtype] == NULL)
            return bl_op_id_name(instruction->op);
    }
    return NULL;
}

void bl_cpu_prepare(struct bl_cpu_job *job, const struct bl_cpu_backend *backend,
                    const struct bl_step *step)
{
    *job = (struct bl_cpu_job){
        .kernels = &backend->kernels, .guard = backend->guard, .step = step, .chunks = 1};
    if (step->kind == BL_STEP_MATMUL)
        bl_cpu_prepare_matmul(job);
    else
        bl_cpu_cut_pointwise(job);
}

int64_t bl_cpu_run(const struct bl_cpu_job *job, int64_t first, int64_t end, void *scratch)
{
    if (job->step->kind != BL_STEP_MATMUL)
        return bl_cpu_run_pointwise(job, first, end, scratch);
    bl_cpu_run_matmul(job, first, end, scratch);
    return -1;
}
