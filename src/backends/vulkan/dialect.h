/*
 * dialect.h - what shading languages write in different words
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Of a program most is calls of the library's functions, names, and numbers, which every such language
 * writes alike.  What is left of loads, instructions and stores goes through this table, so that
 * another language (WGSL, in browsers) is another table, beside functions of its own (glsl/) and its
 * own frame: how arguments come in, and what an invocation does (pointwise.c, head.c).
 */
#ifndef BL_BACKENDS_VULKAN_DIALECT_H
#define BL_BACKENDS_VULKAN_DIALECT_H

#include "base/text.h"

struct bl_dialect {
    /* The types of the bits of an element of up to 4, of 8 and of 16 bytes; as functions they put
     * words together. */
    const char *word, *pair, *quad;
    /* A signed word of an unsigned one, as a function. */
    const char *to_signed;
    /* The beginning of a variable's declaration, and of one that keeps its value: what follows is
     * ";" or " = VALUE;". */
    void (*variable)(struct bl_text *text, const char *type, const char *name);
    void (*constant)(struct bl_text *text, const char *type, const char *name);
    /* `yes` where a condition holds, else `no`; all three are expressions. */
    void (*choice)(struct bl_text *text, const char *condition, const char *yes,
                   const char *no);
};

extern const struct bl_dialect bl_dialect_glsl;

/* The type of the bits of an element, or of a part of a packet. */
const char *bl_dialect_type(const struct bl_dialect *dialect, unsigned bytes);

#endif
