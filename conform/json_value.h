/*
 * json_value.h - what JSON values are, and members of an object, checked
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CONFORM_JSON_VALUE_H
#define BL_CONFORM_JSON_VALUE_H

#include <jansson.h>
#include <stdbool.h>

#include "broadloom/broadloom.h"

/* The digits (with their minus) of an integer beyond int64 (see json_text.h), or NULL for
 * any other value. */
const char *bl_json_big_integer(const json_t *value);

/* "an object", "a string", ...: what a value is, for messages. */
const char *bl_json_kind(const json_t *value);

/* ---- Members, checked: all fail with BL_ERR_FORMAT, naming the key ------- */

/* BL_OK if all members of an object are in the list of keys, which ends in NULL.  `what`
 * names the object: "a tensor". */
bl_status bl_json_keys(json_t *object, const char *what, const char *const *keys,
                       bl_error *err);

/* BL_OK if `value`, member `key`, is of that type; NULL (no such member) is not. */
bl_status bl_json_expect(const json_t *value, json_type type, const char *key,
                         bl_error *err);

/* A string without U+0000 in it, so that it is a C string. */
bl_status bl_json_text(const json_t *value, const char *key, const char **text,
                       bl_error *err);

bl_status bl_json_number(const json_t *value, const char *key, double *number,
                         bl_error *err);
bl_status bl_json_bool(const json_t *value, const char *key, bool *truth, bl_error *err);

#endif
