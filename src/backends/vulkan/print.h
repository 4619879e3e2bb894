/*
 * print.h - what the files that print a shader share
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_BACKENDS_VULKAN_PRINT_H
#define BL_BACKENDS_VULKAN_PRINT_H

#include "backends/vulkan/dialect.h"
#include "backends/vulkan/layout.h"
#include "backends/vulkan/library.h"

/* A pointwise shader while it is printed. */
struct bl_printer {
    const struct bl_pointwise *step;
    const struct bl_shader_features *features;
    struct bl_layout layout;
    const struct bl_dialect *dialect;
    struct bl_text *glsl;
};

/* Room for a variable's name. */
#define BL_NAME_SIZE 32

/* The variable that holds a slot's element of a lane, in `name`, which it returns. */
const char *bl_lane_name(const struct bl_printer *printer, bl_slot slot, unsigned lane,
                         char *name);

/* Version, extensions, the features as macros, execution modes, the size of a workgroup.  (head.c) */
void bl_print_head(const struct bl_shader_features *features, bool wide, unsigned group,
                   struct bl_text *glsl);

/* Invocations in a workgroup. */
unsigned bl_group_size(const struct bl_shader_features *features);

/* Read and write a packet of every operand.  (packets.c) */
void bl_print_ones(const struct bl_printer *printer);
void bl_print_loads(const struct bl_printer *printer);
void bl_print_stores(const struct bl_printer *printer);
void bl_print_places(const struct bl_printer *printer);

/* One instruction, for all lanes.  (expressions.c) */
void bl_print_instruction(const struct bl_printer *printer,
                          const struct bl_instruction *instruction);

/* Pow, of one lane.  (powers.c) */
void bl_print_pow(const struct bl_printer *printer,
                  const struct bl_instruction *instruction, unsigned lane);
uint32_t bl_pow_needs(const struct bl_instruction *instruction);

/* Cast, CastLike and BitCast, of one lane.  (casts.c) */
void bl_print_cast(const struct bl_printer *printer,
                   const struct bl_instruction *instruction, unsigned lane);
uint32_t bl_cast_needs(const struct bl_instruction *instruction);

/* The library that an instruction needs; 0 where it is none that can be printed. */
uint32_t bl_instruction_needs(const struct bl_instruction *instruction);

/* Whether elements of an instruction may have no result. */
bool bl_instruction_can_fail(const struct bl_instruction *instruction);

#endif
