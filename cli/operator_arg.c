/*
 * operator_arg.c - find an operator by its text, read an attribute
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/operator_arg.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "cli/suggest.h"
#include "conform/value.h"

/* ---- Operators -------------------------------------------------------------- */

/* NULL if the name is known, or nothing is like it. */
static const char *similar_operator(const char *name)
{
    struct bl_suggestion near = {.wrong = name};

    for (size_t i = 0; i < bl_op_count(); i++) {
        if (strcmp(bl_op_at(i)->name, name) == 0)
            return NULL;
        bl_suggest(&near, bl_op_at(i)->name);
    }
    return near.best;
}

const bl_op *bl_operator_find(const char *text, int64_t opset, bl_error *err)
{
    const char *dot = strrchr(text, '.');
    const char *name = dot != NULL ? dot + 1 : text;
    char domain[128] = "";

    if (dot != NULL) {
        const size_t length = (size_t)(dot - text);

        if (length == 0 || length >= sizeof domain) {
            bl_error_fill(err, BL_ERR_OPERATOR, "'%.80s' is no operator: domain, dot, name",
                          text);
            return NULL;
        }
        memcpy(domain, text, length);
        domain[length] = '\0';
    }
    const char *similar = similar_operator(name);

    if (similar != NULL && (dot == NULL || strcmp(domain, "ai.onnx") == 0)) {
        bl_error_fill(err, BL_ERR_OPERATOR, "unknown operator '%s' (did you mean %s?)",
                      name, similar);
        return NULL;
    }
    return bl_op_find(domain, name, opset, err);
}

/* ---- Attributes --------------------------------------------------------------- */

static bool is_list(bl_attribute_type type)
{
    return type >= BL_ATTRIBUTE_FLOATS && type <= BL_ATTRIBUTE_STRINGS;
}

/* The type of a list's items; ONNX numbers the lists as the single ones, plus 5. */
static bl_attribute_type item_type(bl_attribute_type type)
{
    return is_list(type) ? (bl_attribute_type)(type - 5) : type;
}

static bl_attribute_type list_type(bl_attribute_type item)
{
    return (bl_attribute_type)(item + 5);
}

static bool is_integer(const char *text)
{
    const char *digits = text + (*text == '-');

    return *digits != '\0' && digits[strspn(digits, "0123456789")] == '\0';
}

static bl_attribute_type type_of_item(const char *text)
{
    float ignored;

    if (is_integer(text))
        return BL_ATTRIBUTE_INT;
    return bl_value_parse(BL_FLOAT32, text, &ignored, NULL) == BL_OK ? BL_ATTRIBUTE_FLOAT
                                                                     : BL_ATTRIBUTE_STRING;
}

/* Make of "[1,2]" in *text items that end in a NUL, one behind the other from *text on. */
static bl_status split_list(char **text, size_t *count, bl_error *err)
{
    const size_t length = strlen(*text);

    *count = 0;
    if (length < 2 || (*text)[0] != '[' || (*text)[length - 1] != ']')
        return bl_error_fill(err, BL_ERR_ATTRIBUTE, "a list is written [1,2,...]");
    (*text)[length - 1] = '\0';
    ++*text;
    if ((*text)[strspn(*text, " ")] == '\0')
        return BL_OK;
    for (char *p = *text; p != NULL; ++*count) {
        p = strchr(p, ',');
        if (p != NULL)
            *p++ = '\0';
    }
    return BL_OK;
}

/* FLOAT only if all items are numbers and one is no integer; STRING if any is no number. */
static bl_attribute_type type_of_items(const char *items, size_t count)
{
    bl_attribute_type type = BL_ATTRIBUTE_INT;

    for (size_t i = 0; i < count; i++, items += strlen(items) + 1) {
        const bl_attribute_type found = type_of_item(items);

        if (found == BL_ATTRIBUTE_STRING)
            return BL_ATTRIBUTE_STRING;
        if (found == BL_ATTRIBUTE_FLOAT)
            type = BL_ATTRIBUTE_FLOAT;
    }
    return type;
}

/* Read one item to `out`, a float, int64_t or bl_string. */
static bl_status read_item(bl_attribute_type type, const char *text, void *out,
                           bl_error *err)
{
    if (type == BL_ATTRIBUTE_STRING) {
        *(bl_string *)out = (bl_string){text, strlen(text)};
        return BL_OK;
    }
    return bl_value_parse(type == BL_ATTRIBUTE_INT ? BL_INT64 : BL_FLOAT32, text, out, err);
}

static bl_status read_list(char *text, bl_attribute_type type, bool known,
                           struct bl_attribute_arg *out, bl_error *err)
{
    size_t count;
    const bl_status status = split_list(&text, &count, err);

    if (status != BL_OK)
        return status;
    if (!known)
        type = list_type(type_of_items(text, count));
    const bl_attribute_type item = item_type(type);
    const size_t bytes = item == BL_ATTRIBUTE_FLOAT ? sizeof(float)
                         : item == BL_ATTRIBUTE_INT ? sizeof(int64_t)
                                                    : sizeof(bl_string);
    char *items = calloc(count + 1, bytes);

    if (items == NULL)
        return bl_error_fill(err, BL_ERR_MEMORY, "out of memory for a list of %zu", count);
    out->items = items;
    out->attribute.type = type;
    out->attribute.count = count;
    /* The three list members of the union are pointers to the same place. */
    out->attribute.value.ints = out->items;
    if (item == BL_ATTRIBUTE_FLOAT)
        out->attribute.value.floats = out->items;
    else if (item == BL_ATTRIBUTE_STRING)
        out->attribute.value.strings = out->items;
    for (size_t i = 0; i < count; i++, text += strlen(text) + 1) {
        const bl_status read = read_item(item, text, items + i * bytes, err);

        if (read != BL_OK)
            return read;
    }
    return BL_OK;
}

static const bl_attribute_spec *spec_of(const bl_op *op, const char *name)
{
    for (size_t i = 0; i < op->attribute_count; i++)
        if (strcmp(op->attributes[i].name, name) == 0)
            return &op->attributes[i];
    return NULL;
}

static bl_status read_value(const bl_attribute_spec *spec, char *text,
                            struct bl_attribute_arg *out, bl_error *err)
{
    bl_attribute *attribute = &out->attribute;

    if (spec != NULL ? is_list(spec->type) : text[0] == '[')
        return read_list(text, spec != NULL ? spec->type : BL_ATTRIBUTE_INTS, spec != NULL,
                         out, err);
    attribute->type = spec != NULL ? spec->type : type_of_item(text);
    if (attribute->type == BL_ATTRIBUTE_TENSOR ||
        attribute->type == BL_ATTRIBUTE_SPARSE_TENSOR)
        return bl_error_fill(err, BL_ERR_UNSUPPORTED, "it cannot be given as text");
    if (attribute->type == BL_ATTRIBUTE_FLOAT)
        return read_item(attribute->type, text, &attribute->value.f, err);
    if (attribute->type == BL_ATTRIBUTE_INT)
        return read_item(attribute->type, text, &attribute->value.i, err);
    return read_item(attribute->type, text, &attribute->value.s, err);
}

bl_status bl_attribute_parse(const bl_op *op, const char *argument,
                             struct bl_attribute_arg *out, bl_error *err)
{
    const size_t length = strcspn(argument, "=");
    bl_error why;

    *out = (struct bl_attribute_arg){.text = strdup(argument)};
    if (out->text == NULL)
        return bl_error_fill(err, BL_ERR_MEMORY, "out of memory for an attribute");
    if (length == 0 || argument[length] != '=')
        return bl_error_fill(err, BL_ERR_ATTRIBUTE, "attribute '%s' is not name=value",
                             argument);
    out->text[length] = '\0';
    out->attribute.name = out->text;
    const bl_attribute_spec *spec = spec_of(op, out->text);
    const bl_status status = read_value(spec, out->text + length + 1, out, &why);

    if (status != BL_OK && spec != NULL)
        return bl_error_fill(err, status, "attribute %s of %s is %s: %s", out->text,
                             op->name, bl_attribute_type_name(spec->type), why.message);
    if (status != BL_OK)
        return bl_error_fill(err, status, "attribute %s: %s", out->text, why.message);
    return BL_OK;
}

void bl_attribute_free(struct bl_attribute_arg *arg)
{
    free(arg->items);
    free(arg->text);
}
