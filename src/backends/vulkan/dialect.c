/*
 * dialect.c - the words of GLSL
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "backends/vulkan/dialect.h"

static void put_variable(struct bl_text *text, const char *type, const char *name)
{
    bl_text_put(text, "%s %s", type, name);
}

static void put_constant(struct bl_text *text, const char *type, const char *name)
{
    bl_text_put(text, "const %s %s", type, name);
}

static void put_choice(struct bl_text *text, const char *condition, const char *yes,
                       const char *no)
{
    bl_text_put(text, "%s ? %s : %s", condition, yes, no);
}

const struct bl_dialect bl_dialect_glsl = {
    .word = "uint",
    .pair = "uvec2",
    .quad = "uvec4",
    .to_signed = "int",
    .variable = put_variable,
    .constant = put_constant,
    .choice = put_choice,
};

const char *bl_dialect_type(const struct bl_dialect *dialect, unsigned bytes)
{
    return bytes <= 4 ? dialect->word : bytes == 8 ? dialect->pair : dialect->quad;
}
