/*
 * tiers.c - says that a processor with AVX2 has AVX-512, too, whose kernels are emulated
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The linker's option --wrap=bl_cpu_tiers turns calls of that function into calls of this one.
 */
#include "cpu/cpu.h"

uint32_t __real_bl_cpu_tiers(void);
uint32_t __wrap_bl_cpu_tiers(void);

uint32_t __wrap_bl_cpu_tiers(void)
{
    const uint32_t have = __real_bl_cpu_tiers();

    return have | (have >> BL_TIER_AVX2 & 1) << BL_TIER_AVX512;
}
