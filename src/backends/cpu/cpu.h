/*
 * cpu.h - the CPU backend: runs steps, in parts that can go to several threads
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A step is cut into units of work, numbered from 0.  Units are independent: any thread may
 * run any range of them, and the result is the same bits.
 */
#ifndef BL_BACKENDS_CPU_CPU_H
#define BL_BACKENDS_CPU_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/guard.h"
#include "cpu/cpu.h"
#include "kernels/kernel.h"
#include "plan/step.h"

/* The backend itself: the kernels of this processor. */
struct bl_cpu_backend {
    struct bl_kernels kernels;
    enum bl_isa tier;       /* the best of them */
    struct bl_guard *guard; /* what can stop a run; NULL: nothing */
};

/* Resolve the kernels of the tiers in the mask that the processor has, and that the
 * environment variable BL_ISA does not exclude.  Errors: BL_ERR_ARGUMENT, for a BL_ISA that
 * names no tier. */
bl_status bl_cpu_init(struct bl_cpu_backend *backend, uint32_t tiers, bl_error *err);

/* Arguments of an instruction that a job has room for. */
#define BL_CPU_FEW 4

/* How a step is cut, and what a thread needs to work on it. */
struct bl_cpu_job {
    const struct bl_kernels *kernels;
    struct bl_guard *guard;
    const struct bl_step *step;
    int64_t units;
    int64_t unit_cost; /* about how many elements (for Gemm: multiplications) a unit is */
    int chunks; /* a thread takes its units in so many turns; 1 where each turn costs */
    size_t scratch_bytes; /* for each thread, aligned to BL_ALIGNMENT */

    /* Pointwise: a unit is a block of the innermost axes.  (cut.c) */
    int outer;      /* axes [0, outer) are walked index by index */
    int64_t split;  /* indexes of axis `outer` in a block; the last block may have fewer */
    int64_t inner;  /* elements in one index of axis `outer` */
    int64_t pieces; /* blocks along axis `outer` */
    int64_t strip;  /* elements that all instructions run on before the next ones */
    bool streams;   /* results go past the caches: see bl_cpu_streams */

    /* One block, one instruction, no buffer: only a kernel is left to call.  (pointwise.c) */
    bool single;
    ptrdiff_t stride[BL_CPU_FEW]; /* of the instruction's arguments, in elements */
};

/* What is kept of a step's operands stays in a second-level cache of 512 KiB. */
#define BL_CPU_KEPT_BYTES (INT64_C(256) << 10)

/* The name of an operator in the step that the backend has no kernel for; NULL if there is none. */
const char *bl_cpu_missing(const struct bl_cpu_backend *backend,
                           const struct bl_step *step);

/* Cut a step.  The step must outlive the job; the operands' data may be set anew before each run,
 * if they stay aligned or not. */
void bl_cpu_prepare(struct bl_cpu_job *job, const struct bl_cpu_backend *backend,
                    const struct bl_step *step);

/*
 * Run units [first, end), in the floating-point environment of bl_fpenv_enter.  Where the guard's
 * work is cancelled it ends early, and leaves the results unspecified.
 *
 * Returns -1, or the first output element (counted row-major) without a result: an integer
 * divided by zero, or 0 to a negative power.  Elements from there on are then unspecified.
 */
int64_t bl_cpu_run(const struct bl_cpu_job *job, int64_t first, int64_t end, void *scratch);

/* How an operand lies within a block.  (cut.c) */
enum bl_lie {
    BL_LIE_ONE_VALUE, /* the same element throughout */
    BL_LIE_ONE_AXIS,  /* the block is one axis, with any stride */
    BL_LIE_DENSE,     /* row-major without gaps */
    BL_LIE_SCATTERED  /* none of these: it goes through a buffer */
};

enum bl_lie bl_cpu_lie(const struct bl_cpu_job *job, const struct bl_operand *operand);

/* The stride, in elements, by which a kernel reads an operand that needs no buffer. */
ptrdiff_t bl_cpu_stride(const struct bl_cpu_job *job, const struct bl_operand *operand);

/* True if elements of that size at `data` can be read by a kernel: raw data in a model's file lie
 * anywhere. */
bool bl_cpu_is_aligned(const void *data, size_t bytes);

/* True for an operand that the kernels cannot take as it lies. */
bool bl_cpu_needs_buffer(const struct bl_operand *operand, enum bl_lie lie);

/* True for a result that goes past the caches, strip by strip, unless it is made in place. */
bool bl_cpu_streams(const struct bl_cpu_job *job, const struct bl_operand *operand);

/* The two kinds of step.  (cut.c and pointwise.c, matmul.c)  Scratch for a product is bounded: less
 * than 1 MiB a thread. */
void bl_cpu_cut_pointwise(struct bl_cpu_job *job);
void bl_cpu_find_single(struct bl_cpu_job *job);
int64_t bl_cpu_run_pointwise(const struct bl_cpu_job *job, int64_t first, int64_t end,
                             void *memory);
void bl_cpu_prepare_matmul(struct bl_cpu_job *job);
void bl_cpu_run_matmul(const struct bl_cpu_job *job, int64_t first, int64_t end,
                       void *scratch);

#endif
