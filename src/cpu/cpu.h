/*
 * cpu.h - what this processor can do, and the state of its floating-point unit
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CPU_CPU_H
#define BL_CPU_CPU_H

#include <stdint.h>
#if !defined(__SSE2__) && !defined(__aarch64__)
#include <fenv.h>
#endif

/* Kernel tiers, slowest first.  A tier's bit in a mask is 1 << tier; the baseline is always
 * set. */
enum bl_isa {
    BL_TIER_BASELINE, /* what the compiler may assume: SSE2, NEON, ... */
    BL_TIER_AVX2,     /* AVX2, F16C, FMA */
    BL_TIER_AVX512,   /* AVX-512 F, BW, DQ, VL */
    BL_TIER_COUNT
};

/* The tiers that the processor and the operating system support, as a mask. */
uint32_t bl_cpu_tiers(void);

/* "baseline", "avx2", "avx512". */
const char *bl_tier_name(enum bl_isa tier);

/* The floating-point control words of this thread, to be put back later. */
struct bl_fpenv {
#if defined(__SSE2__)
    uint32_t mxcsr;
    uint16_t x87, x87_flags;
#elif defined(__aarch64__)
    uint64_t control;
#else
    fenv_t whole;
#endif
};

/* Save the control word, and set what our results are defined for: round to nearest,
 * subnormals kept, nothing traps. */
struct bl_fpenv bl_fpenv_enter(void);

/* Put back the control word, and the exception flags with it. */
void bl_fpenv_leave(struct bl_fpenv saved);

/* The same where the C library turns numbers into text or back: on x86-64 it rounds as the control
 * word of the x87 says, which nothing else of ours looks at. */
struct bl_fpenv bl_fpenv_enter_text(void);
void bl_fpenv_leave_text(struct bl_fpenv saved);

#endif
