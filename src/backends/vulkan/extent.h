/*
 * extent.h - what memory a step's operands take
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_BACKENDS_VULKAN_EXTENT_H
#define BL_BACKENDS_VULKAN_EXTENT_H

#include "plan/step.h"

/* From the first byte of an operand's elements to the last. */
struct bl_vk_extent {
    char *data;   /* the element at index 0; NULL: the step has no such operand */
    char *first;  /* the lowest byte; that of data, or before it */
    size_t bytes; /* 0: no element */
    bool written;
};

/* The operands in the order of bl_shader_arguments' addresses. */
size_t bl_vk_operand_count(const struct bl_step *step);
struct bl_vk_extent bl_vk_extent_of(const struct bl_step *step, size_t operand);

#endif
