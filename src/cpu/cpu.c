/*
 * cpu.c - which kernel tiers this processor and its operating system support
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cpu/cpu.h"

#include <stdbool.h>
#include <stddef.h>

#include "broadloom/broadloom.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>

/* Bits of CPUID leaf 1, ECX, and of leaf 7, EBX.  Source: Intel SDM volume 2, CPUID. */
#define LEAF1_FMA (1u << 12)
#define LEAF1_OSXSAVE (1u << 27)
#define LEAF1_AVX (1u << 28)
#define LEAF1_F16C (1u << 29)
#define LEAF7_AVX2 (1u << 5)
#define LEAF7_AVX512F (1u << 16)
#define LEAF7_AVX512DQ (1u << 17)
#define LEAF7_AVX512BW (1u << 30)
#define LEAF7_AVX512VL (1u << 31)
/* Register state that the operating system saves, XCR0: SSE and AVX; masks and upper ZMM.
 */
#define XCR0_AVX 0x06u
#define XCR0_AVX512 0xE6u

static bool has_all(uint32_t word, uint32_t bits)
{
    return (word & bits) == bits;
}

/* The instruction's bytes stand for its name, so that no compiler flag is needed. */
static uint32_t saved_state(void)
{
    uint32_t low, high;

    __asm__ volatile(".byte 0x0f, 0x01, 0xd0" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

uint32_t bl_cpu_tiers(void)
{
    uint32_t tiers = 1u << BL_TIER_BASELINE;
    uint32_t eax, ebx, ecx, edx, leaf1;

    if (!__get_cpuid(1, &eax, &ebx, &leaf1, &edx) || !(leaf1 & LEAF1_OSXSAVE))
        return tiers;
    if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx))
        return tiers;
    const uint32_t state = saved_state();

    if (!has_all(leaf1, LEAF1_AVX | LEAF1_F16C | LEAF1_FMA) || !has_all(ebx, LEAF7_AVX2) ||
        !has_all(state, XCR0_AVX))
        return tiers;
    tiers |= 1u << BL_TIER_AVX2;
    if (has_all(ebx, LEAF7_AVX512F | LEAF7_AVX512BW | LEAF7_AVX512DQ | LEAF7_AVX512VL) &&
        has_all(state, XCR0_AVX512))
        tiers |= 1u << BL_TIER_AVX512;
    return tiers;
}

#else

uint32_t bl_cpu_tiers(void)
{
    return 1u << BL_TIER_BASELINE;
}

#endif

const char *bl_tier_name(enum bl_isa tier)
{
    static const char *const names[BL_TIER_COUNT] = {
        [BL_TIER_BASELINE] = "baseline",
        [BL_TIER_AVX2] = "avx2",
        [BL_TIER_AVX512] = "avx512",
    };

    return (unsigned)tier < BL_TIER_COUNT ? names[tier] : NULL;
}

const char *bl_cpu_isa(void)
{
    const uint32_t tiers = bl_cpu_tiers();
    int best = BL_TIER_COUNT - 1;

    while (best > 0 && !(tiers >> best & 1))
        best--;
    return bl_tier_name((enum bl_isa)best);
}
