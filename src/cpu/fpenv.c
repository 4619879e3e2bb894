/*
 * fpenv.c - the floating-point control word: save, set to what results are defined for, put
 * back
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cpu/cpu.h"

#if defined(__SSE2__)
#include <xmmintrin.h>

/* MXCSR: all exceptions masked, none pending, round to nearest, neither flush-to-zero nor
 * denormals-are-zero; the state in which a program starts. */
#define MXCSR_DEFAULT 0x1F80u

#define MXCSR_FLAGS 0x3Fu

/* Writing the register takes longer than reading it: it is written when it changes. */
struct bl_fpenv bl_fpenv_enter(void)
{
    const struct bl_fpenv saved = {_mm_getcsr()};

    if ((saved.control & ~(uint64_t)MXCSR_FLAGS) != MXCSR_DEFAULT)
        _mm_setcsr(MXCSR_DEFAULT);
    return saved;
}

void bl_fpenv_leave(struct bl_fpenv saved)
{
    if (_mm_getcsr() != (unsigned)saved.control)
        _mm_setcsr((unsigned)saved.control);
}

#elif defined(__aarch64__)

/* FPCR holds modes and trap enables, FPSR the flags; both fit 32 bits and share the word.
 */
struct bl_fpenv bl_fpenv_enter(void)
{
    uint64_t modes, flags;

    __asm__ volatile("mrs %0, fpcr" : "=r"(modes));
    __asm__ volatile("mrs %0, fpsr" : "=r"(flags));
    __asm__ volatile("msr fpcr, %0" : : "r"(UINT64_C(0)) : "memory");
    return (struct bl_fpenv){flags << 32 | (modes & UINT32_MAX)};
}

void bl_fpenv_leave(struct bl_fpenv saved)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(saved.control & UINT32_MAX) : "memory");
    __asm__ volatile("msr fpsr, %0" : : "r"(saved.control >> 32) : "memory");
}

#else
#include <fenv.h>

/* Where C names no way to keep subnormals or to mask traps, there is the rounding mode
 * alone. */
struct bl_fpenv bl_fpenv_enter(void)
{
    const uint64_t mode = (uint32_t)fegetround();
    const uint64_t flags = (uint32_t)fetestexcept(FE_ALL_EXCEPT);

    fesetround(FE_TONEAREST);
    return (struct bl_fpenv){flags << 32 | mode};
}

void bl_fpenv_leave(struct bl_fpenv saved)
{
    fesetround((int)(saved.control & UINT32_MAX));
    feclearexcept(FE_ALL_EXCEPT);
    feraiseexcept((int)(saved.control >> 32));
}

#endif
