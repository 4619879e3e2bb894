/*
 * json_value.c - what JSON values are, and members of an object, checked
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "conform/json_value.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "conform/json_text.h"

#define MARK_BYTES (sizeof BL_JSON_MARK - 1)

const char *bl_json_big_integer(const json_t *value)
{
    const char *text = json_string_value(value);

    if (text == NULL || strncmp(text, BL_JSON_MARK, MARK_BYTES) != 0)
        return NULL;
    text += MARK_BYTES;
    const char *digits = text + (*text == '-');

    return *digits != '\0' && strspn(digits, "0123456789") == strlen(digits) ? text : NULL;
}

const char *bl_json_kind(const json_t *value)
{
    if (bl_json_big_integer(value) != NULL)
        return "an integer beyond int64";
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
        return "an integer";
    case JSON_REAL:
        return "a number with a fraction or an exponent";
    case JSON_NULL:
        return "null";
    default:
        return "a boolean";
    }
}

bl_status bl_json_keys(json_t *object, const char *what, const char *const *keys,
                       bl_error *err)
{
    for (void *at = json_object_iter(object); at != NULL;
         at = json_object_iter_next(object, at)) {
        const char *key = json_object_iter_key(at);
        const char *const *known = keys;

        while (*known != NULL && strcmp(*known, key) != 0)
            known++;
        if (*known == NULL)
            return bl_fail(err, BL_ERR_FORMAT, "unknown key '%.80s' in %s", key, what);
    }
    return BL_OK;
}

static bl_status wrong_kind(const json_t *value, const char *key, const char *wanted,
                            bl_error *err)
{
    if (value == NULL)
        return bl_fail(err, BL_ERR_FORMAT, "key '%s' is missing", key);
    return bl_fail(err, BL_ERR_FORMAT, "key '%s' is %s, but has to be %s", key,
                   bl_json_kind(value), wanted);
}

static const char *type_text(json_type type)
{
    switch (type) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
        return "an integer that int64 holds";
    default:
        return "something else";
    }
}

bl_status bl_json_expect(const json_t *value, json_type type, const char *key,
                         bl_error *err)
{
    if (value == NULL || json_typeof(value) != type || bl_json_big_integer(value) != NULL)
        return wrong_kind(value, key, type_text(type), err);
    return BL_OK;
}

bl_status bl_json_text(const json_t *value, const char *key, const char **text,
                       bl_error *err)
{
    BL_TRY(bl_json_expect(value, JSON_STRING, key, err));
    if (strlen(json_string_value(value)) != json_string_length(value))
        return bl_fail(err, BL_ERR_FORMAT, "key '%s' holds the character U+0000", key);
    *text = json_string_value(value);
    return BL_OK;
}

bl_status bl_json_number(const json_t *value, const char *key, double *number,
                         bl_error *err)
{
    const char *digits = bl_json_big_integer(value);

    if (digits != NULL)
        *number = strtod(digits, NULL);
    else if (json_is_number(value))
        *number = json_number_value(value);
    else
        return wrong_kind(value, key, "a number", err);
    return BL_OK;
}

bl_status bl_json_bool(const json_t *value, const char *key, bool *truth, bl_error *err)
{
    if (!json_is_boolean(value))
        return wrong_kind(value, key, "true or false", err);
    *truth = json_is_true(value);
    return BL_OK;
}
