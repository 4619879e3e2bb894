/*
 * literal.h - a tensor written as an argument: float32[2,3]=1,2,3,4,5,6
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *   literal = type "[" dims "]" "=" values
 *   values  = "" | value {"," value}      as many as the shape has elements, or one for all
 *   value   = number | NaN | Infinity | -Infinity | true | false | "(" re "," im ")" |
 * string string  = text without a comma | '"' text with JSON's escapes '"'
 *
 * Spaces around each part are allowed and mean nothing.
 */
#ifndef BL_CLI_LITERAL_H
#define BL_CLI_LITERAL_H

#include <stdbool.h>

#include "broadloom/broadloom.h"

/* Whether an argument is a literal rather than a path: it has "=" after a "]", and no "/"
 * before the "[", so that ./a[1]=2.npy is a path. */
bool bl_literal_is(const char *text);

/* The tensor that a literal stands for; on failure NULL, and *at is the offset of what is
 * wrong. */
bl_tensor *bl_literal_parse(bl_context *context, const char *text, size_t *at,
                            bl_error *err);

#endif
