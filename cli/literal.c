/*
 * literal.c - parse a tensor written as an argument
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/literal.h"

#include <stdlib.h>
#include <string.h>

#include "cli/dims.h"
#include "cli/memory.h"
#include "cli/quoted.h"
#include "cli/message.h"
#include "cli/suggest.h"
#include "conform/value.h"

/* What is known of a literal while it is read. */
struct reader {
    const char *p;        /* the next byte; after a failure, the one that is wrong */
    const char *shape_at; /* the first dim, or the "]" */
    bl_dtype dtype;
    bl_shape shape;
    int64_t elements;
    char *value; /* one value's text: as long as the literal, so that any fits */
    size_t value_size;
    bl_error *err;
};

bool bl_literal_is(const char *text)
{
    const size_t before = strcspn(text, "[/");
    const char *bracket = text[before] == '[' ? strchr(text + before, ']') : NULL;

    return bracket != NULL && strchr(bracket, '=') != NULL;
}

static void skip_spaces(struct reader *reader)
{
    reader->p += strspn(reader->p, " \t\n\r");
}

/* ---- Type and shape ---------------------------------------------------------- */

static bl_status unknown_type(const struct reader *reader, const char *name)
{
    struct bl_suggestion near = {.wrong = name};

    for (int dtype = 1; dtype < BL_DTYPE_COUNT; dtype++)
        bl_suggest(&near, bl_dtype_name((bl_dtype)dtype));
    if (near.best == NULL)
        return bl_error_fill(reader->err, BL_ERR_TYPE, "unknown element type '%s'", name);
    return bl_error_fill(reader->err, BL_ERR_TYPE,
                         "unknown element type '%s' (did you mean %s?)", name, near.best);
}

static bl_status read_type(struct reader *reader)
{
    char name[32];

    skip_spaces(reader);
    const size_t length = strcspn(reader->p, "[ \t");

    if (length == 0)
        return bl_error_fill(reader->err, BL_ERR_FORMAT, "the element type is missing");
    if (length >= sizeof name)
        return bl_error_fill(reader->err, BL_ERR_TYPE, "unknown element type");
    memcpy(name, reader->p, length);
    name[length] = '\0';
    reader->dtype = bl_dtype_from_name(name);
    if (reader->dtype == BL_UNDEFINED)
        return unknown_type(reader, name);
    reader->p += length;
    return BL_OK;
}

static bl_status expect(struct reader *reader, char c)
{
    skip_spaces(reader);
    if (*reader->p != c)
        return bl_error_fill(reader->err, BL_ERR_FORMAT, "'%c' is missing", c);
    reader->p++;
    return BL_OK;
}

static bl_status read_header(struct reader *reader)
{
    bl_status status = read_type(reader);

    if (status == BL_OK)
        status = expect(reader, '[');
    if (status != BL_OK)
        return status;
    reader->shape_at = reader->p;
    status = bl_dims_read(&reader->p, &reader->shape, reader->err);
    if (status == BL_OK)
        status = expect(reader, ']');
    if (status == BL_OK)
        status = expect(reader, '=');
    if (status != BL_OK)
        return status;
    status = bl_shape_count(&reader->shape, &reader->elements, reader->err);
    if (status != BL_OK)
        reader->p = reader->shape_at;
    return status;
}

/* ---- Values ------------------------------------------------------------------- */

static bl_status missing_value(const struct reader *reader)
{
    return bl_error_fill(reader->err, BL_ERR_FORMAT, "a value is missing%s",
                         reader->dtype == BL_STRING ? " (an empty string is written \"\")"
                                                    : "");
}

/* A value without quotes: up to the comma, or to the bracket's end for a complex number. */
static bl_status read_plain(struct reader *reader)
{
    const bool bracket = *reader->p == '(' && reader->dtype != BL_STRING;
    size_t length = strcspn(reader->p, bracket ? ")" : ",");
    size_t kept;

    if (bracket && reader->p[length] == '\0')
        return bl_error_fill(reader->err, BL_ERR_FORMAT, "the bracket is never closed");
    length += bracket;
    for (kept = length; kept > 0 && strchr(" \t\n\r", reader->p[kept - 1]) != NULL;)
        kept--;
    if (kept == 0)
        return missing_value(reader);
    memcpy(reader->value, reader->p, kept);
    reader->value_size = kept;
    reader->p += length;
    return BL_OK;
}

/* Read one value's text into reader->value, ended by a NUL, and move to the comma or the
 * end. */
static bl_status read_value(struct reader *reader)
{
    skip_spaces(reader);
    const bool quoted = reader->dtype == BL_STRING && *reader->p == '"';
    const bl_status status =
        quoted ? bl_quoted_read(&reader->p, reader->value, &reader->value_size, reader->err)
               : read_plain(reader);

    if (status != BL_OK)
        return status;
    reader->value[reader->value_size] = '\0';
    skip_spaces(reader);
    if (*reader->p != ',' && *reader->p != '\0')
        return bl_error_fill(reader->err, BL_ERR_FORMAT,
                             "',' is missing between two values");
    return BL_OK;
}

/* How many values there are; reader->p stays. */
static bl_status count_values(struct reader *reader, int64_t *count)
{
    const char *start = reader->p;

    *count = 0;
    skip_spaces(reader);
    if (*reader->p != '\0') {
        bool more;

        do {
            const bl_status status = read_value(reader);

            if (status != BL_OK)
                return status;
            ++*count;
            more = *reader->p == ',';
            reader->p += more;
        } while (more);
    }
    if (*count != reader->elements && *count != 1) {
        char text[BL_DIMS_TEXT];

        return bl_error_fill(
            reader->err, BL_ERR_SHAPE,
            "shape %s has %lld elements, but here are %lld values (one value "
            "would fill it)",
            bl_dims_text(&reader->shape, text), (long long)reader->elements,
            (long long)*count);
    }
    reader->p = start;
    return BL_OK;
}

/* Put the next value into element `index`; the type's bytes may be less than
 * reader->value's. */
static bl_status store_value(struct reader *reader, bl_tensor *tensor, int64_t index)
{
    skip_spaces(reader);
    const char *start = reader->p;
    bl_status status = read_value(reader);

    if (status != BL_OK)
        return status;
    reader->p += *reader->p == ',';
    if (reader->dtype == BL_STRING) {
        status = bl_tensor_set_string(tensor, index, reader->value, reader->value_size,
                                      reader->err);
    } else {
        char *data = bl_tensor_mutable_data(tensor);
        const size_t bytes = bl_dtype_size(reader->dtype);

        status = bl_value_parse(reader->dtype, reader->value, data + (size_t)index * bytes,
                                reader->err);
    }
    if (status != BL_OK)
        reader->p = start;
    return status;
}

/* Copy element 0 to all others, each time as many as are there already. */
static void fill(bl_tensor *tensor)
{
    const int64_t count = bl_tensor_count(tensor);
    const size_t bytes = bl_dtype_size(bl_tensor_dtype(tensor));
    char *data = bl_tensor_mutable_data(tensor);
    int64_t step;

    for (int64_t done = 1; done < count; done += step) {
        step = done < count - done ? done : count - done;
        memcpy(data + (size_t)done * bytes, data, (size_t)step * bytes);
    }
}

static bl_status fill_strings(const struct reader *reader, bl_tensor *tensor)
{
    for (int64_t i = 1; i < reader->elements; i++) {
        const bl_status status =
            bl_tensor_set_string(tensor, i, reader->value, reader->value_size, reader->err);

        if (status != BL_OK)
            return status;
    }
    return BL_OK;
}

static bl_status store_values(struct reader *reader, bl_tensor *tensor, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        const bl_status status = store_value(reader, tensor, i);

        if (status != BL_OK)
            return status;
    }
    if (count == reader->elements)
        return BL_OK;
    if (reader->dtype == BL_STRING)
        return fill_strings(reader, tensor);
    fill(tensor);
    return BL_OK;
}

/* One value for a shape without elements goes nowhere, but is still checked. */
static bl_status check_value(bl_context *context, struct reader *reader)
{
    bl_tensor *one = bl_tensor_new(context, reader->dtype, BL_SCALAR, reader->err);
    const bl_status status = one != NULL ? store_value(reader, one, 0) : BL_ERR_MEMORY;

    bl_tensor_free(one);
    return status;
}

static bl_tensor *new_tensor(bl_context *context, struct reader *reader)
{
    bl_tensor *tensor = NULL;

    if (bl_memory_check("the literal", reader->dtype, reader->elements, reader->err) ==
        BL_OK)
        tensor = bl_tensor_new(context, reader->dtype, &reader->shape, reader->err);
    if (tensor == NULL)
        reader->p = reader->shape_at;
    return tensor;
}

static bl_tensor *read_literal(bl_context *context, struct reader *reader)
{
    int64_t count;
    bl_tensor *tensor;

    if (read_header(reader) != BL_OK || count_values(reader, &count) != BL_OK)
        return NULL;
    if (reader->elements == 0 && count == 1) {
        if (check_value(context, reader) != BL_OK)
            return NULL;
        count = 0;
    }
    tensor = new_tensor(context, reader);
    if (tensor == NULL)
        return NULL;
    if (store_values(reader, tensor, count) != BL_OK) {
        bl_tensor_free(tensor);
        return NULL;
    }
    return tensor;
}

bl_tensor *bl_literal_parse(bl_context *context, const char *text, size_t *at,
                            bl_error *err)
{
    struct reader reader = {.p = text, .value = malloc(strlen(text) + 1), .err = err};
    bl_tensor *tensor = NULL;

    if (reader.value == NULL)
        bl_error_fill(err, BL_ERR_MEMORY, "out of memory for a literal of %zu bytes",
                      strlen(text));
    else
        tensor = read_literal(context, &reader);
    *at = (size_t)(reader.p - text);
    free(reader.value);
    return tensor;
}
