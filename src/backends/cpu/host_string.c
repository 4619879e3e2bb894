/*
 * host_string.c - StringConcat, and Cast to and from strings
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Source: onnx docs/Operators.md, Cast: plain and scientific notation, INF, +INF, -INF and NaN
 * in any case.  Numbers become the shortest text that reads back as the same number.
 */
#define _GNU_SOURCE /* newlocale, uselocale: POSIX.1-2008 */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/half.h"
#include "base/mem.h"
#include "base/status.h"
#include "backends/cpu/host_parts.h"
#include "cpu/cpu.h"
#include "tensor/dtype.h"

/* Room for a number in text: up to 17 digits, 15 zeros, sign, point, exponent. */
#define NUMBER_TEXT 40
/* The longest number that is read: longer than any that is worth writing out. */
#define LONGEST_NUMBER 400

/* ---- Concat ------------------------------------------------------------------------------ */

/* The strides of an input on the axes of the output, 0 where it is broadcast. */
static void broadcast_strides(const bl_tensor *input, const bl_shape *space,
                              int64_t *stride)
{
    const int offset = space->rank - input->shape.rank;

    for (int axis = 0; axis < space->rank; axis++)
        stride[axis] = axis < offset || input->shape.dim[axis - offset] == 1
                           ? 0
                           : input->stride[axis - offset];
}

bl_status bl_host_string_concat(const bl_tensor *a, const bl_tensor *b, bl_tensor *output,
                                struct bl_guard *guard, bl_error *err)
{
    struct bl_walk walk = bl_walk_of(&output->shape, guard);
    int64_t a_stride[BL_MAX_RANK], b_stride[BL_MAX_RANK];
    bl_string *out = output->data;

    broadcast_strides(a, &output->shape, a_stride);
    broadcast_strides(b, &output->shape, b_stride);
    for (; walk.left > 0; bl_walk_next(&walk), out++) {
        const bl_string *x = (const bl_string *)a->data + bl_walk_offset(&walk, a_stride);
        const bl_string *y = (const bl_string *)b->data + bl_walk_offset(&walk, b_stride);
        size_t size;

        if (!bl_size_add(x->size, y->size, &size))
            return bl_fail(err, BL_ERR_LIMIT, "a string would be longer than memory");
        if (size == 0)
            continue;
        char *joined = bl_mem_alloc(&output->allocator, size);

        if (joined == NULL)
            return bl_fail(err, BL_ERR_MEMORY, "out of memory for a string of %zu bytes",
                           size);
        if (x->size > 0)
            memcpy(joined, x->data, x->size);
        if (y->size > 0)
            memcpy(joined + x->size, y->data, y->size);
        *out = (bl_string){joined, size};
    }
    return BL_OK;
}

/* ---- Numbers to text ------------------------------------------------------------------------ */

/* True if the text reads back as the same float64, or float32 if `narrow`. */
static bool reads_back(const char *text, double value, bool narrow)
{
    return narrow ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value;
}

/* Turn "-1.5e+03" into "-1500": a whole number whose digits are fewer than its places. */
static void put_whole(char *text, int exponent)
{
    const size_t sign = text[0] == '-';
    size_t places = sign;

    for (const char *digit = text + sign; *digit != 'e'; digit++)
        if (*digit != '.')
            text[places++] = *digit;
    while (places < sign + (size_t)exponent + 1)
        text[places++] = '0';
    text[places] = '\0';
}

/* The shortest digits that read back as the same number; in full from 0.0001 to below 10^16. */
static void put_float(double value, bool narrow, char *text)
{
    int digits = 0;

    if (isnan(value)) {
        memcpy(text, "NaN", sizeof "NaN");
        return;
    }
    if (isinf(value)) {
        snprintf(text, NUMBER_TEXT, "%s", value > 0 ? "INF" : "-INF");
        return;
    }
    do
        snprintf(text, NUMBER_TEXT, "%.*e", digits++, value);
    while (digits < 18 && !reads_back(text, value, narrow));
    const int exponent = (int)strtol(strchr(text, 'e') + 1, NULL, 10);
    const int decimals = digits - 1 - exponent;

    if (exponent < -4 || exponent >= 16)
        return;
    if (decimals >= 0)
        snprintf(text, NUMBER_TEXT, "%.*f", decimals, value);
    else
        put_whole(text, exponent);
}

static bool put_number(const bl_tensor *input, int64_t offset, char *text)
{
    const enum bl_kind kind = bl_dtype_info(input->dtype)->kind;

    if (input->dtype == BL_FLOAT64)
        put_float(bl_read_double(input, offset), false, text);
    else if (kind == BL_KIND_FLOAT && bl_dtype_size(input->dtype) > 1)
        put_float(bl_read_float(input, offset), true, text);
    else if (input->dtype == BL_UINT64)
        snprintf(text, NUMBER_TEXT, "%llu",
                 (unsigned long long)bl_read_int64(input, offset));
    else if (kind == BL_KIND_INT || kind == BL_KIND_UINT)
        snprintf(text, NUMBER_TEXT, "%lld", (long long)bl_read_int64(input, offset));
    else if (kind == BL_KIND_BOOL)
        snprintf(text, NUMBER_TEXT, "%d", bl_read_int64(input, offset) != 0);
    else
        return false;
    return true;
}

static bl_status cast_to_strings(const bl_node *node, const bl_tensor *input,
                                 bl_tensor *output, struct bl_guard *guard, bl_error *err)
{
    struct bl_walk walk = bl_walk_of(&output->shape, guard);
    char subject[BL_NODE_TEXT];

    for (int64_t i = 0; walk.left > 0; bl_walk_next(&walk), i++) {
        const int64_t offset = bl_walk_offset(&walk, input->stride);
        const bl_string *string = (const bl_string *)input->data + offset;
        char text[NUMBER_TEXT];

        if (input->dtype == BL_STRING) {
            BL_TRY(bl_tensor_set_string(output, i, string->data, string->size, err));
            continue;
        }
        if (!put_number(input, offset, text))
            return bl_fail(err, BL_ERR_UNSUPPORTED, "%s: %s to string is not defined",
                           bl_node_text(node, subject), bl_dtype_name(input->dtype));
        BL_TRY(bl_tensor_set_string(output, i, text, strlen(text), err));
    }
    return BL_OK;
}

/* ---- Text to numbers ---------------------------------------------------------------------------- */

/* True if all of the text is a number of C's decimal forms, or one of the words. */
static bool read_double(const char *text, double *value)
{
    char *end;

    /* strtod also takes hexadecimal numbers, "infinity", "nan(...)" and leading spaces. */
    if (strpbrk(text, "xX(yY \t\n\v\f\r") != NULL || text[0] == '\0')
        return false;
    *value = strtod(text, &end);
    return *end == '\0';
}

static void put_real(bl_tensor *output, int64_t i, const char *text, double value)
{
    if (output->dtype == BL_FLOAT64)
        ((double *)output->data)[i] = value;
    else if (output->dtype == BL_FLOAT32)
        ((float *)output->data)[i] = strtof(text, NULL); /* rounded once */
    else
        ((uint16_t *)output->data)[i] =
            output->dtype == BL_FLOAT16 ? bl_f64_to_f16(value) : bl_f64_to_bf16(value);
}

/* An integer: its digits as they are where they fit, else by way of a double, truncated and
 * saturated, as from any float. */
static int64_t read_integer(const char *text, double value, bl_dtype dtype)
{
    const struct bl_dtype_info *info = bl_dtype_info(dtype);
    const bool is_signed = info->kind == BL_KIND_INT;
    const double limit = ldexp(1.0, (int)info->bits - (is_signed ? 1 : 0));

    if (isnan(value))
        return 0;
    if (value >= limit)
        return is_signed ? (int64_t)(UINT64_MAX >> (65 - info->bits))
                         : (int64_t)(UINT64_MAX >> (64 - info->bits));
    if (value <= (is_signed ? -limit : 0.0))
        return is_signed ? -(int64_t)(UINT64_MAX >> (65 - info->bits)) - 1 : 0;
    if (text[strspn(text, "+-0123456789")] == '\0')
        return text[0] == '-' ? strtoll(text, NULL, 10) : (int64_t)strtoull(text, NULL, 10);
    return is_signed ? (int64_t)value : (int64_t)(uint64_t)value;
}

/* The low bits of an integer, as numbers of 4 and 2 bits are cast; signed ones sign-extended. */
static int64_t wrap_small(int64_t value, bl_dtype dtype)
{
    const struct bl_dtype_info *info = bl_dtype_info(dtype);
    const int64_t span = INT64_C(1) << info->bits;
    const int64_t low = value & (span - 1);

    return info->kind == BL_KIND_INT && low >= span / 2 ? low - span : low;
}

/* True if numbers of the type can be written as text: not the 8-bit and smaller floats. */
static bool has_text(bl_dtype dtype)
{
    return bl_dtype_info(dtype)->kind != BL_KIND_FLOAT || bl_dtype_size(dtype) > 1;
}

/* Copy a string's bytes to a buffer of LONGEST_NUMBER + 1; false if they cannot be a number. */
static bool copy_text(const bl_string *string, char *text)
{
    if (string->size > LONGEST_NUMBER || string->size == 0)
        return false;
    memcpy(text, string->data, string->size);
    text[string->size] = '\0';
    return strlen(text) == string->size;
}

static bl_status cast_from_strings(const bl_node *node, const bl_tensor *input,
                                   bl_tensor *output, struct bl_guard *guard, bl_error *err)
{
    struct bl_walk walk = bl_walk_of(&output->shape, guard);
    const enum bl_kind kind = bl_dtype_info(output->dtype)->kind;
    char subject[BL_NODE_TEXT];

    if (!has_text(output->dtype))
        return bl_fail(err, BL_ERR_UNSUPPORTED, "%s: string to %s is not defined",
                       bl_node_text(node, subject), bl_dtype_name(output->dtype));
    for (int64_t i = 0; walk.left > 0; bl_walk_next(&walk), i++) {
        const bl_string *string =
            (const bl_string *)input->data + bl_walk_offset(&walk, input->stride);
        char text[LONGEST_NUMBER + 1];
        double value;

        if (!copy_text(string, text) || !read_double(text, &value))
            return bl_fail(err, BL_ERR_ARGUMENT, "%s: \"%.*s\" is no number",
                           bl_node_text(node, subject),
                           (int)(string->size < 40 ? string->size : 40),
                           string->size > 0 ? string->data : "");
        if (kind == BL_KIND_FLOAT)
            put_real(output, i, text, value);
        else if (kind == BL_KIND_BOOL)
            bl_write_int64(output, i, value != 0.0);
        else if (bl_dtype_info(output->dtype)->bits < 8)
            bl_write_int64(output, i,
                           wrap_small(read_integer(text, value, BL_INT64), output->dtype));
        else
            bl_write_int64(output, i, read_integer(text, value, output->dtype));
    }
    return BL_OK;
}

bl_status bl_host_string_cast(const bl_node *node, const bl_tensor *input,
                              bl_tensor *output, struct bl_guard *guard, bl_error *err)
{
    /* The process may have set a locale with another decimal point. */
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);

    if (plain == (locale_t)0)
        return bl_fail(err, BL_ERR_MEMORY, "out of memory for a locale");
    const locale_t before = uselocale(plain);
    const struct bl_fpenv saved = bl_fpenv_enter_text();
    const bl_status status = output->dtype == BL_STRING
                                 ? cast_to_strings(node, input, output, guard, err)
                                 : cast_from_strings(node, input, output, guard, err);

    bl_fpenv_leave_text(saved);
    uselocale(before);
    freelocale(plain);
    return status;
}
