/*
 * dims.c - read and write the text of a shape
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/dims.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/message.h"

static const char *skip_spaces(const char *p)
{
    return p + strspn(p, " \t");
}

static bl_status read_dim(const char **at, int64_t *dim, bl_error *err)
{
    const char *start = *at;
    const char *p = start;
    int64_t value = 0;

    if (!isdigit((unsigned char)*p))
        return bl_error_fill(err, BL_ERR_FORMAT,
                             *p == '-' ? "a dim is not negative" : "a dim is missing");
    for (; isdigit((unsigned char)*p); p++) {
        const int digit = *p - '0';

        if (value > (INT64_MAX - digit) / 10)
            return bl_error_fill(err, BL_ERR_LIMIT, "the dim is beyond 63 bits");
        value = value * 10 + digit;
    }
    *dim = value;
    *at = p;
    return BL_OK;
}

bl_status bl_dims_read(const char **at, bl_shape *shape, bl_error *err)
{
    char separator = '\0';

    shape->rank = 0;
    *at = skip_spaces(*at);
    if (!isdigit((unsigned char)**at) && **at != '-')
        return BL_OK;
    for (;;) {
        if (shape->rank == BL_MAX_RANK)
            return bl_error_fill(err, BL_ERR_LIMIT, "the shape has more than %d dims",
                                 BL_MAX_RANK);
        const bl_status status = read_dim(at, &shape->dim[shape->rank], err);

        if (status != BL_OK)
            return status;
        shape->rank++;
        const char *next = skip_spaces(*at);

        if (*next != ',' && *next != 'x')
            return BL_OK;
        if (separator != '\0' && *next != separator) {
            *at = next;
            return bl_error_fill(err, BL_ERR_FORMAT,
                                 "the dims are parted by both ',' and 'x'");
        }
        separator = *next;
        *at = skip_spaces(next + 1);
    }
}

/* What bl_dims_parse does, with the place of a fault in *p. */
static bl_status parse(const char **p, bl_shape *shape, bl_error *err)
{
    *p = skip_spaces(*p);
    const bool bracket = **p == '[';

    *p += bracket;
    const bl_status status = bl_dims_read(p, shape, err);

    if (status != BL_OK)
        return status;
    *p = skip_spaces(*p);
    if (bracket && **p != ']')
        return bl_error_fill(err, BL_ERR_FORMAT,
                             shape->rank == 0 ? "a dim or ']' is missing"
                                              : "',' or ']' is missing");
    if (bracket)
        *p = skip_spaces(*p + 1);
    else if (shape->rank == 0)
        return bl_error_fill(err, BL_ERR_FORMAT,
                             **p == '\0' ? "empty; a scalar is written []"
                                         : "a dim is missing");
    if (**p != '\0')
        return bl_error_fill(err, BL_ERR_FORMAT, "unexpected text behind the shape");
    return BL_OK;
}

bl_status bl_dims_parse(const char *text, bl_shape *shape, size_t *at, bl_error *err)
{
    const char *p = text;
    const bl_status status = parse(&p, shape, err);

    *at = (size_t)(p - text);
    return status;
}

char *bl_dims_text(const bl_shape *shape, char *buffer)
{
    size_t length = 1;

    buffer[0] = '[';
    for (int i = 0; i < shape->rank; i++)
        length += (size_t)snprintf(buffer + length, BL_DIMS_TEXT - length,
                                   i > 0 ? ",%lld" : "%lld", (long long)shape->dim[i]);
    snprintf(buffer + length, BL_DIMS_TEXT - length, "]");
    return buffer;
}
