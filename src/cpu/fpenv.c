/*
 * fpenv.c - the floating-point control words: save, set to what results are defined for, put back
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
static struct bl_fpenv enter_sse(void)
{
    const struct bl_fpenv saved = {.mxcsr = _mm_getcsr()};

    if ((saved.mxcsr & ~MXCSR_FLAGS) != MXCSR_DEFAULT)
        _mm_setcsr(MXCSR_DEFAULT);
    return saved;
}

static void leave_sse(struct bl_fpenv saved)
{
    if (_mm_getcsr() != saved.mxcsr)
        _mm_setcsr(saved.mxcsr);
}

/* The x87's control word: all exceptions masked, extended precision, round to nearest; and the flags in
 * its status word. */
#define X87_DEFAULT 0x037Fu
#define X87_FLAGS 0x3Fu

struct bl_fpenv bl_fpenv_enter_text(void)
{
    struct bl_fpenv saved = enter_sse();
    const uint16_t own = X87_DEFAULT;

    __asm__ volatile("fnstcw %0" : "=m"(saved.x87));
    __asm__ volatile("fnstsw %0" : "=m"(saved.x87_flags));
    if (saved.x87 != own)
        __asm__ volatile("fldcw %0" : : "m"(own));
    return saved;
}

/* The status word can be written with the whole environment alone. */
static void set_x87_flags(uint16_t flags)
{
    struct {
        uint32_t control, status, rest[5];
    } environment;

    __asm__ volatile("fnstenv %0" : "=m"(environment));
    environment.status = (environment.status & ~X87_FLAGS) | (flags & X87_FLAGS);
    __asm__ volatile("fldenv %0" : : "m"(environment));
}

void bl_fpenv_leave_text(struct bl_fpenv saved)
{
    uint16_t control, flags;

    __asm__ volatile("fnstsw %0" : "=m"(flags));
    if ((flags ^ saved.x87_flags) & X87_FLAGS)
        set_x87_flags(saved.x87_flags);
    __asm__ volatile("fnstcw %0" : "=m"(control));
    if (control != saved.x87)
        __asm__ volatile("fldcw %0" : : "m"(saved.x87));
    leave_sse(saved);
}

#if defined(__i386__)

/* There the C library computes with the x87. */
struct bl_fpenv bl_fpenv_enter(void)
{
    return bl_fpenv_enter_text();
}

void bl_fpenv_leave(struct bl_fpenv saved)
{
    bl_fpenv_leave_text(saved);
}

#else

struct bl_fpenv bl_fpenv_enter(void)
{
    return enter_sse();
}

void bl_fpenv_leave(struct bl_fpenv saved)
{
    leave_sse(saved);
}

#endif

#else

#if defined(__aarch64__)

/* FPCR holds modes and trap enables, FPSR the flags; both fit 32 bits and share the word. */
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

/* What C names: rounding mode, traps and flags.  It has no word for subnormals. */
struct bl_fpenv bl_fpenv_enter(void)
{
    struct bl_fpenv saved;

    fegetenv(&saved.whole);
    fesetenv(FE_DFL_ENV);
    return saved;
}

void bl_fpenv_leave(struct bl_fpenv saved)
{
    fesetenv(&saved.whole);
}

#endif

struct bl_fpenv bl_fpenv_enter_text(void)
{
    return bl_fpenv_enter();
}

void bl_fpenv_leave_text(struct bl_fpenv saved)
{
    bl_fpenv_leave(saved);
}

#endif
