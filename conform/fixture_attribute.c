/*
 * fixture_attribute.c - a node's attributes from JSON
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * An integral number is INT, one with a fraction or an exponent FLOAT, a string STRING, an
 * array INTS, FLOATS or STRINGS; {"type", "value"} says which where that is not enough.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/status.h"
#include "conform/fixture_parts.h"
#include "conform/heap.h"
#include "conform/json_value.h"

/* ---- Types --------------------------------------------------------------- */

static const struct {
    const char *name;
    bl_attribute_type type;
} type_names[] = {
    {"int", BL_ATTRIBUTE_INT},       {"float", BL_ATTRIBUTE_FLOAT},
    {"string", BL_ATTRIBUTE_STRING}, {"ints", BL_ATTRIBUTE_INTS},
    {"floats", BL_ATTRIBUTE_FLOATS}, {"strings", BL_ATTRIBUTE_STRINGS},
};

/* The type of a single value; a list's type is that of its values, and FLOAT if one of them
 * is. */
static bl_status guess_type(const json_t *json, bl_attribute_type *out, bl_error *err)
{
    if (json_is_integer(json) || bl_json_big_integer(json) != NULL)
        *out = BL_ATTRIBUTE_INT;
    else if (json_is_real(json))
        *out = BL_ATTRIBUTE_FLOAT;
    else if (json_is_string(json))
        *out = BL_ATTRIBUTE_STRING;
    else
        return bl_fail(err, BL_ERR_FORMAT, "%s is no value of an attribute",
                       bl_json_kind(json));
    return BL_OK;
}

static bl_attribute_type list_of(bl_attribute_type single)
{
    return single == BL_ATTRIBUTE_INT     ? BL_ATTRIBUTE_INTS
           : single == BL_ATTRIBUTE_FLOAT ? BL_ATTRIBUTE_FLOATS
                                          : BL_ATTRIBUTE_STRINGS;
}

static bl_status guess_list_type(const json_t *json, bl_attribute_type *out, bl_error *err)
{
    const size_t count = json_array_size(json);
    bl_attribute_type type = BL_ATTRIBUTE_INT;

    if (count == 0)
        return bl_fail(err, BL_ERR_FORMAT, "an empty list needs {\"type\", \"value\"}");
    for (size_t i = 0; i < count; i++) {
        bl_attribute_type one;

        BL_TRY(guess_type(json_array_get(json, i), &one, err));
        if (i > 0 && (one == BL_ATTRIBUTE_STRING) != (type == BL_ATTRIBUTE_STRING))
            return bl_fail(err, BL_ERR_FORMAT, "the list mixes strings and numbers");
        if (one != BL_ATTRIBUTE_INT)
            type = one;
    }
    *out = list_of(type);
    return BL_OK;
}

/* The type of an attribute, and its value: in an object both are members. */
static bl_status find_type(json_t **json, bl_attribute_type *out, bl_error *err)
{
    static const char *const keys[] = {"type", "value", NULL};
    const char *name;

    if (json_is_array(*json))
        return guess_list_type(*json, out, err);
    if (!json_is_object(*json))
        return guess_type(*json, out, err);
    BL_TRY(bl_json_keys(*json, "an attribute", keys, err));
    BL_TRY(bl_json_text(json_object_get(*json, "type"), "type", &name, err));
    *json = json_object_get(*json, "value");
    if (*json == NULL)
        return bl_fail(err, BL_ERR_FORMAT, "key 'value' is missing");
    for (size_t i = 0; i < BL_COUNT_OF(type_names); i++)
        if (strcmp(type_names[i].name, name) == 0) {
            *out = type_names[i].type;
            return BL_OK;
        }
    return bl_fail(err, BL_ERR_FORMAT, "unknown type of attribute '%.40s'", name);
}

/* ---- Values -------------------------------------------------------------- */

static bl_status read_int(const json_t *json, int64_t *out, bl_error *err)
{
    BL_TRY(bl_json_expect(json, JSON_INTEGER, "value", err));
    *out = json_integer_value(json);
    return BL_OK;
}

static bl_status read_float(const json_t *json, float *out, bl_error *err)
{
    static const struct {
        const char *word;
        float value;
    } words[] = {{"NaN", NAN}, {"Infinity", INFINITY}, {"-Infinity", -INFINITY}};
    double value;

    for (size_t i = 0; json_is_string(json) && i < BL_COUNT_OF(words); i++)
        if (strcmp(json_string_value(json), words[i].word) == 0) {
            *out = words[i].value;
            return BL_OK;
        }
    BL_TRY(bl_json_number(json, "value", &value, err));
    *out = (float)value;
    return BL_OK;
}

static bl_status read_string(const json_t *json, bl_string *out, bl_error *err)
{
    BL_TRY(bl_json_expect(json, JSON_STRING, "value", err));
    *out = (bl_string){json_string_value(json), json_string_length(json)};
    return BL_OK;
}

/* Fills a list that the attribute then owns. */
static bl_status read_list(const json_t *json, bl_attribute *out, bl_error *err)
{
    const size_t count = json_array_size(json);
    bl_status status = BL_OK;

    BL_TRY(bl_json_expect(json, JSON_ARRAY, "value", err));
    void *items = bl_heap_zero(count + 1, sizeof(bl_string)); /* the largest of the three */

    if (items == NULL)
        return bl_fail(err, BL_ERR_MEMORY, "no memory for a list of %zu", count);
    for (size_t i = 0; i < count && status == BL_OK; i++) {
        const json_t *one = json_array_get(json, i);

        if (out->type == BL_ATTRIBUTE_INTS)
            status = read_int(one, (int64_t *)items + i, err);
        else if (out->type == BL_ATTRIBUTE_FLOATS)
            status = read_float(one, (float *)items + i, err);
        else
            status = read_string(one, (bl_string *)items + i, err);
    }
    if (status != BL_OK) {
        free(items);
        return status;
    }
    out->count = count;
    if (out->type == BL_ATTRIBUTE_INTS)
        out->value.ints = items;
    else if (out->type == BL_ATTRIBUTE_FLOATS)
        out->value.floats = items;
    else
        out->value.strings = items;
    return BL_OK;
}

static bl_status read_attribute(json_t *json, bl_attribute *out, bl_error *err)
{
    bl_attribute_type type = BL_ATTRIBUTE_INT;

    BL_TRY(find_type(&json, &type, err));
    out->type = type;
    switch (type) {
    case BL_ATTRIBUTE_INT:
        return read_int(json, &out->value.i, err);
    case BL_ATTRIBUTE_FLOAT:
        return read_float(json, &out->value.f, err);
    case BL_ATTRIBUTE_STRING:
        return read_string(json, &out->value.s, err);
    default:
        return read_list(json, out, err);
    }
}

/* The list of an attribute that has one. */
static const void *list_in(const bl_attribute *attribute)
{
    switch (attribute->type) {
    case BL_ATTRIBUTE_INTS:
        return attribute->value.ints;
    case BL_ATTRIBUTE_FLOATS:
        return attribute->value.floats;
    case BL_ATTRIBUTE_STRINGS:
        return attribute->value.strings;
    default:
        return NULL;
    }
}

void bl_fixture_attributes_free(bl_attribute *attributes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        union {
            const void *read_only;
            void *memory;
        } list = {
            list_in(&attributes[i])}; /* bl_attribute has no list that may be written to */

        free(list.memory);
    }
    free(attributes);
}

bl_status bl_fixture_attributes_read(json_t *json, bl_attribute **out, size_t *count,
                                     bl_error *err)
{
    const char *name;
    json_t *value;
    size_t done = 0;

    BL_TRY(bl_json_expect(json, JSON_OBJECT, "attributes", err));
    bl_attribute *attributes = bl_heap_zero(json_object_size(json) + 1, sizeof *attributes);

    if (attributes == NULL)
        return bl_fail(err, BL_ERR_MEMORY, "no memory for the attributes");
    json_object_foreach(json, name, value)
    {
        attributes[done].name = name;
        const bl_status status = read_attribute(value, &attributes[done], err);

        if (status != BL_OK) {
            bl_fixture_attributes_free(attributes, done);
            return bl_fail_prefix(err, status, "attribute '%s': ", name);
        }
        done++;
    }
    *out = attributes;
    *count = done;
    return BL_OK;
}
