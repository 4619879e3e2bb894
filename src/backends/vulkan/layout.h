/*
 * layout.h - how the operands of a pointwise step lie, and so how a shader reads them
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * An invocation takes a packet: a few elements side by side in row-major order, so many that each
 * dense operand's are a whole number of words, and 16 bytes where that can be.
 */
#ifndef BL_BACKENDS_VULKAN_LAYOUT_H
#define BL_BACKENDS_VULKAN_LAYOUT_H

#include "backends/vulkan/shader.h"

enum bl_place {
    BL_PLACE_ONE,   /* one element for all of the space: read once */
    BL_PLACE_DENSE, /* row-major without gaps: a packet lies side by side */
    BL_PLACE_ROW,   /* as dense along the last axis, which is a whole number of packets */
    BL_PLACE_STILL, /* one element for each index of the other axes; whole packets, too */
    BL_PLACE_LINE,  /* any stride along the last axis; whole packets, too */
    BL_PLACE_ANY    /* found element by element */
};

/* What the text depends on. */
struct bl_layout {
    unsigned lanes;   /* elements in a packet: 1 to BL_MOST_LANES, a power of two */
    bool wide;        /* indices of 64 bits */
    bool rows;        /* the last axis is a whole number of packets */
    bool coordinates; /* an operand's elements are found axis by axis */
};

#define BL_MOST_LANES 16

struct bl_layout bl_layout_of(const struct bl_pointwise *step,
                              const struct bl_shader_features *features);

enum bl_place bl_place_of(const struct bl_pointwise *step, const struct bl_layout *layout,
                          const struct bl_operand *operand);

/* True for the places where a packet is read in as few loads as can be. */
static inline bool bl_place_is_packed(enum bl_place place)
{
    return place == BL_PLACE_DENSE || place == BL_PLACE_ROW;
}

/* True for the places that are found by coordinates. */
static inline bool bl_place_has_offset(enum bl_place place)
{
    return place >= BL_PLACE_ROW;
}

/* Elements of the space; 0 where an axis is empty. */
int64_t bl_layout_count(const struct bl_pointwise *step);

/* The elements of an operand that lie before its index 0 (some strides are negative), and after. */
int64_t bl_layout_before(const struct bl_pointwise *step, const struct bl_operand *operand);
int64_t bl_layout_after(const struct bl_pointwise *step, const struct bl_operand *operand);

#endif
