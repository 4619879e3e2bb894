/*
 * json_text.h - read a JSON file, keeping numbers that the JSON library would lose
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Jansson's integers end at INT64_MAX, and the sign of -0 is lost on it.  So the text is
 * changed before it is parsed, without moving a line: an integer beyond int64 becomes a
 * string with a mark in front, and -0 becomes -0.0.
 */
#ifndef BL_CONFORM_JSON_TEXT_H
#define BL_CONFORM_JSON_TEXT_H

#include <jansson.h>
#include <stddef.h>

#include "broadloom/broadloom.h"

/* Parse a file.  Duplicate keys are an error; strings may hold U+0000.  NULL: BL_ERR_IO,
 * BL_ERR_FORMAT (with the line and column), BL_ERR_LIMIT, BL_ERR_MEMORY; the message starts
 * with the path.  The root is an object or an array. */
json_t *bl_json_read(const char *path, bl_error *err);

/* The same for `size` bytes at `text`; `name` stands for them in messages. */
json_t *bl_json_parse(const char *text, size_t size, const char *name, bl_error *err);

/* In front of the digits of an integer that became a string: U+FDD0, a noncharacter, which
 * no text is to contain (Unicode, section 23.7). */
#define BL_JSON_MARK "\xEF\xB7\x90"

#endif
