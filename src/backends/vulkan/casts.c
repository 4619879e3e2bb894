/*
 * casts.c - Cast, CastLike and BitCast as GLSL
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A conversion goes by way of what both types have in common: the bits of a float32 or float64
 * that hold every value of the first, or the bits of an integer.
 */
#include "backends/vulkan/print.h"

uint32_t bl_cast_needs(const struct bl_instruction *instruction)
{
    (void)instruction;
    return 0;
}

void bl_print_cast(const struct bl_printer *printer,
                   const struct bl_instruction *instruction, unsigned lane)
{
    (void)printer;
    (void)instruction;
    (void)lane;
}
