/*
 * value_text.c - single elements as text, and text as elements
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "conform/value.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "tensor/dtype.h"

/* 17 digits tell any two doubles apart. */
#define MAX_DIGITS 17

/* Whole numbers below this are written in full, without an exponent. */
#define WHOLE_END 1e15

/* The widest element that is a number: complex128. */
#define ELEMENT_BYTES 16

/* ---- Writing ------------------------------------------------------------- */

static void put_float(struct bl_text *text, bl_dtype dtype, const void *element)
{
    const double value = bl_value_to_double(dtype, element);
    unsigned char back[sizeof(double)];
    char digits[32];

    if (isnan(value)) {
        bl_text_put(text, "NaN");
        return;
    }
    if (isinf(value)) {
        bl_text_put(text, value < 0 ? "-Infinity" : "Infinity");
        return;
    }
    if (value == trunc(value) && fabs(value) < WHOLE_END) {
        bl_text_put(text, "%.0f", value);
        return;
    }
    for (int precision = 1; precision <= MAX_DIGITS; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        bl_value_from_double(dtype, strtod(digits, NULL), back);
        if (bl_value_to_double(dtype, back) == value)
            break;
    }
    bl_text_put(text, "%s", digits);
}

static void put_integer(struct bl_text *text, bl_dtype dtype, const void *element)
{
    const uint64_t bits = bl_value_to_bits(dtype, element);

    if (bl_dtype_info(dtype)->kind == BL_KIND_INT && bits >> 63)
        bl_text_put(text, "-%" PRIu64, 0 - bits);
    else
        bl_text_put(text, "%" PRIu64, bits);
}

static void put_string(struct bl_text *text, const void *element)
{
    bl_string string;

    memcpy(&string, element, sizeof string);
    bl_text_put(text, "\"");
    for (size_t i = 0; i < string.size; i++) {
        const unsigned char c = (unsigned char)string.data[i];

        if (c == '"' || c == '\\')
            bl_text_put(text, "\\%c", c);
        else if (c < 0x20 || c == 0x7F)
            bl_text_put(text, "\\x%02x", c);
        else
            bl_text_put(text, "%c", c);
    }
    bl_text_put(text, "\"");
}

static void put_complex(struct bl_text *text, bl_dtype dtype, const void *element)
{
    const bl_dtype part = bl_value_part(dtype);

    bl_text_put(text, "(");
    put_float(text, part, element);
    bl_text_put(text, ",");
    put_float(text, part, (const unsigned char *)element + bl_dtype_size(part));
    bl_text_put(text, ")");
}

char *bl_value_text(bl_dtype dtype, const void *element, char *buffer, size_t size)
{
    const struct bl_dtype_info *info = bl_dtype_info(dtype);
    struct bl_text text = bl_text_in(buffer, size);

    if (info == NULL) {
        bl_text_put(&text, "?");
        return buffer;
    }
    switch (info->kind) {
    case BL_KIND_FLOAT:
        put_float(&text, dtype, element);
        break;
    case BL_KIND_INT:
    case BL_KIND_UINT:
        put_integer(&text, dtype, element);
        break;
    case BL_KIND_BOOL:
        bl_text_put(&text, bl_value_to_bits(dtype, element) ? "true" : "false");
        break;
    case BL_KIND_COMPLEX:
        put_complex(&text, dtype, element);
        break;
    case BL_KIND_STRING:
        put_string(&text, element);
        break;
    }
    return buffer;
}

/* ---- Reading ------------------------------------------------------------- */

static bool equal_but_for_case(const char *a, const char *b)
{
    while (*a != '\0' && tolower((unsigned char)*a) == tolower((unsigned char)*b)) {
        a++;
        b++;
    }
    return *a == '\0' && *b == '\0';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *skip_digits(const char *at)
{
    while (is_digit(*at))
        at++;
    return at;
}

/* True for a decimal number, all of the text; strtod alone would also take "0x1p3", " 1"
 * and "1,5". */
static bool is_decimal(const char *text)
{
    const char *at = text + (*text == '-' || *text == '+');
    const char *whole = at;

    at = skip_digits(at);
    size_t digits = (size_t)(at - whole);
    if (*at == '.') {
        const char *fraction = at + 1;

        at = skip_digits(fraction);
        digits += (size_t)(at - fraction);
    }
    if (digits == 0)
        return false;
    if (*at == 'e' || *at == 'E') {
        at += at[1] == '-' || at[1] == '+' ? 2 : 1;
        if (!is_digit(*at))
            return false;
        at = skip_digits(at);
    }
    return *at == '\0';
}

static bool double_from_word(const char *text, double *value)
{
    const bool minus = *text == '-';
    const char *word = text + (minus || *text == '+');

    if (equal_but_for_case(word, "nan") && word == text)
        *value = NAN;
    else if (equal_but_for_case(word, "infinity") || equal_but_for_case(word, "inf"))
        *value = minus ? -INFINITY : INFINITY;
    else
        return false;
    return true;
}

static bl_status out_of_range(bl_dtype dtype, const char *text, bl_error *err)
{
    return bl_fail(err, BL_ERR_ARGUMENT, "%.80s is out of the range of %s", text,
                   bl_dtype_name(dtype));
}

static bl_status parse_float(bl_dtype dtype, const char *text, void *element, bl_error *err)
{
    double value;

    if (!double_from_word(text, &value)) {
        if (!is_decimal(text))
            return bl_fail(err, BL_ERR_ARGUMENT, "'%.80s' is no number for %s", text,
                           bl_dtype_name(dtype));
        value = strtod(text, NULL);
    }
    if (!bl_value_in_range(dtype, value))
        return out_of_range(dtype, text, err);
    bl_value_from_double(dtype, value, element);
    return BL_OK;
}

static bl_status parse_integer(bl_dtype dtype, const char *text, void *element,
                               bl_error *err)
{
    const bool minus = *text == '-';
    const char *digits = text + (minus || *text == '+');
    uint64_t magnitude = 0;

    if (!is_digit(*digits) || *skip_digits(digits) != '\0')
        return bl_fail(err, BL_ERR_ARGUMENT, "'%.80s' is no integer for %s", text,
                       bl_dtype_name(dtype));
    for (const char *at = digits; *at != '\0'; at++) {
        const unsigned digit = (unsigned)(*at - '0');

        if (magnitude > (UINT64_MAX - digit) / 10)
            return out_of_range(dtype, text, err);
        magnitude = 10 * magnitude + digit;
    }
    const uint64_t bits = minus ? 0 - magnitude : magnitude;

    /* In range if the element's bits, extended again, are the number, and so is its sign.
     */
    bl_value_from_bits(dtype, bits, element);
    const bool negative =
        bl_dtype_info(dtype)->kind == BL_KIND_INT && bl_value_to_bits(dtype, element) >> 63;
    if (bl_value_to_bits(dtype, element) != bits || negative != (minus && magnitude != 0))
        return out_of_range(dtype, text, err);
    return BL_OK;
}

static bl_status parse_bool(const char *text, void *element, bl_error *err)
{
    const bool yes = equal_but_for_case(text, "true") || strcmp(text, "1") == 0;
    const bool no = equal_but_for_case(text, "false") || strcmp(text, "0") == 0;

    if (!yes && !no)
        return bl_fail(err, BL_ERR_ARGUMENT, "'%.80s' is no bool (true, false, 1 or 0)",
                       text);
    bl_value_from_bits(BL_BOOL, yes, element);
    return BL_OK;
}

/* "(re,im)" or "[re,im]" */
static bl_status parse_complex(bl_dtype dtype, const char *text, void *element,
                               bl_error *err)
{
    const bl_dtype part = bl_value_part(dtype);
    const size_t length = strlen(text);
    const char *comma = strchr(text, ',');
    const bool round_pair = text[0] == '(' && length >= 2 && text[length - 1] == ')';
    const bool square_pair = text[0] == '[' && length >= 2 && text[length - 1] == ']';
    char re[400], im[400];

    if ((!round_pair && !square_pair) || comma == NULL)
        return bl_fail(err, BL_ERR_ARGUMENT, "'%.80s' is no complex number (re,im)", text);
    const size_t re_length = (size_t)(comma - text) - 1;
    const size_t im_length = length - re_length - 3;

    if (re_length >= sizeof re || im_length >= sizeof im)
        return bl_fail(err, BL_ERR_ARGUMENT, "'%.80s...' is too long for a number", text);
    memcpy(re, text + 1, re_length);
    re[re_length] = '\0';
    memcpy(im, comma + 1, im_length);
    im[im_length] = '\0';

    unsigned char both[ELEMENT_BYTES];

    BL_TRY(parse_float(part, re, both, err));
    BL_TRY(parse_float(part, im, both + bl_dtype_size(part), err));
    memcpy(element, both, bl_dtype_size(dtype));
    return BL_OK;
}

bl_status bl_value_parse(bl_dtype dtype, const char *text, void *element, bl_error *err)
{
    const struct bl_dtype_info *info = bl_dtype_info(dtype);

    if (info == NULL || text == NULL)
        return bl_fail(err, BL_ERR_ARGUMENT,
                       "no element type, or no text, to read an element");
    switch (info->kind) {
    case BL_KIND_FLOAT:
        return parse_float(dtype, text, element, err);
    case BL_KIND_BOOL:
        return parse_bool(text, element, err);
    case BL_KIND_COMPLEX:
        return parse_complex(dtype, text, element, err);
    case BL_KIND_STRING: {
        const bl_string string = {text, strlen(text)};

        memcpy(element, &string, sizeof string);
        return BL_OK;
    }
    default:
        return parse_integer(dtype, text, element, err);
    }
}
