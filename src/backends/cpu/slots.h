/*
 * slots.h - where the values of a pointwise program are, for the thread that runs it
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Within a block an operand is dense, one value, or a single strided axis, and goes to the
 * kernels as it lies; any other is expanded into a buffer first.  What was expanded is kept: as
 * many blocks of it as there are, if they fit, else the last.  So [4096,64,7,3] + [1,64,1,3] runs
 * as 4096 rows of 1344, with the second operand expanded once.
 */
#ifndef BL_BACKENDS_CPU_SLOTS_H
#define BL_BACKENDS_CPU_SLOTS_H

#include "backends/cpu/cpu.h"

/* A value as the kernels see it. */
struct bl_cpu_slot {
    char *at;         /* the block's first element; of a temporary, the strip's */
    ptrdiff_t stride; /* in elements */
    ptrdiff_t step;   /* bytes from one element to the next; 0 for what holds but a strip */
    unsigned bytes;   /* an element */
    bool ahead;       /* read from memory as it lies: worth fetching ahead */
    char *streamed; /* of a result that is made strip by strip: where the block's belongs */

    char *buffer; /* of an operand that needs one: the blocks that are kept */
    int64_t *
        holds; /* [kept]: which of its positions a kept block is, counted from 1; 0: none */
    int64_t kept;      /* blocks in the buffer */
    size_t kept_bytes; /* of one */
    char *strip;       /* of what is made strip by strip: its memory */
};

/* An instruction, ready to run on one strip after the other. */
struct bl_cpu_call {
    bl_row_fn run;
    struct bl_row row;
    const void **in;    /* [row.inputs]: this strip's */
    ptrdiff_t *step;    /* [row.inputs]: bytes from an element to the next in `in` */
    ptrdiff_t out_step; /* the same for row.out */
};

/* The memory of one thread. */
struct bl_cpu_slots {
    struct bl_cpu_slot *slot; /* [operands + temporaries] */
    size_t count;
    struct bl_cpu_call *call; /* [instructions] */
    struct bl_fetch
        *fetch; /* [fetches]: what the next strip reads, if that is fetched ahead */
    struct bl_cpu_slot **ahead; /* [fetches]: whose that is */
    size_t fetches;
    bool scatters; /* a result is buffered: bl_cpu_leave_block has to be called */
};

/* The block that a unit is: its outer indexes, and the elements there. */
struct bl_cpu_place {
    int64_t index[BL_MAX_RANK]; /* of axes [0, outer], the last the first of the piece */
    int64_t piece;              /* along axis `outer` */
    int64_t first;              /* the block's first element, counted row-major */
    int rank;                   /* of the block */
    int64_t dim[BL_MAX_RANK];   /* [rank] */
    size_t n;                   /* elements */
    bool whole;                 /* not a shorter last piece */
};

/* The bytes that bl_cpu_slots_init lays out. */
size_t bl_cpu_slots_bytes(const struct bl_cpu_job *job);

/* Lay out a thread's memory, and decide once how each value reaches the kernels. */
void bl_cpu_slots_init(const struct bl_cpu_job *job, struct bl_cpu_slots *slots,
                       char *memory);

void bl_cpu_locate(const struct bl_cpu_job *job, int64_t unit, struct bl_cpu_place *place);

/* Go on to the next unit, which divides no index. */
void bl_cpu_advance(const struct bl_cpu_job *job, struct bl_cpu_place *place);

/* Point each operand at the block; expand what has to be. */
void bl_cpu_enter_block(const struct bl_cpu_job *job, const struct bl_cpu_place *place,
                        struct bl_cpu_slots *slots);

/* Write buffered results to where they belong. */
void bl_cpu_leave_block(const struct bl_cpu_job *job, const struct bl_cpu_place *place,
                        const struct bl_cpu_slots *slots);

#endif
