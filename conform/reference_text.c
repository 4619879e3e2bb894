/*
 * reference_text.c - Cast from numbers to strings and back, for one element
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * To a string: integers in decimal, bool as 1 and 0, floating types with the fewest digits
 * that read back as the same float32 (float64: as the same double), in full from 1e-4 up to
 * 1e16 and with an exponent outside ("1.5", "100000", "1e+20", "-0"), NaN, INF, -INF.
 * From a string: a decimal number, with or without exponent, or NaN, INF, +INF, -INF in any
 * case; then as from a floating type, but that 64-bit integers keep all their digits.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "conform/heap.h"
#include "conform/reference_element.h"

#define MAX_DIGITS 17 /* tell any two doubles apart */
#define FULL_BELOW 16 /* decimal exponents from -4 to this need no exponent in the text */

/* ---- To a string --------------------------------------------------------- */

/* A decimal number: 0.d1d2d3... * 10^(exponent + 1). */
struct decimal {
    char digits[MAX_DIGITS + 1];
    int count;
    int exponent;
};

static bool reads_back(bl_dtype dtype, const char *text, double value)
{
    return dtype == BL_FLOAT64 ? strtod(text, NULL) == value
                               : (double)strtof(text, NULL) == value;
}

/* `value` is positive and finite. */
static struct decimal shortest(bl_dtype dtype, double value)
{
    struct decimal out = {.count = 0};
    char text[40];

    for (int digits = 1; digits <= MAX_DIGITS; digits++) {
        snprintf(text, sizeof text, "%.*e", digits - 1, value);
        if (reads_back(dtype, text, value))
            break;
    }
    const char *e = strchr(text, 'e');

    for (const char *at = text; at < e; at++)
        if (*at != '.')
            out.digits[out.count++] = *at;
    while (out.count > 1 && out.digits[out.count - 1] == '0')
        out.count--;
    out.exponent = (int)strtol(e + 1, NULL, 10);
    return out;
}

static void put_digits(struct bl_text *text, const struct decimal *it, int from, int to)
{
    for (int i = from; i < to; i++)
        bl_text_put(text, "%c", i >= 0 && i < it->count ? it->digits[i] : '0');
}

static void put_number(struct bl_text *text, const struct decimal *it)
{
    const bool in_full = it->exponent >= -4 && it->exponent < FULL_BELOW;
    const int whole = in_full ? it->exponent + 1 : 1; /* digits before the point */

    if (whole > 0)
        put_digits(text, it, 0, whole);
    else
        bl_text_put(text, "0");
    if (it->count > whole) {
        bl_text_put(text, ".");
        put_digits(text, it, whole, it->count);
    }
    if (!in_full)
        bl_text_put(text, "e%+03d", it->exponent);
}

static void put_float(struct bl_text *text, bl_dtype dtype, double value)
{
    if (isnan(value)) {
        bl_text_put(text, "NaN");
        return;
    }
    if (signbit(value))
        bl_text_put(text, "-");
    if (isinf(value)) {
        bl_text_put(text, "INF");
    } else if (value == 0) {
        bl_text_put(text, "0");
    } else {
        const struct decimal it = shortest(dtype, fabs(value));

        put_number(text, &it);
    }
}

bool bl_reference_cast_to_text(const struct bl_reference_operands *x)
{
    const bl_dtype dtype = x->dtypes[0];
    char buffer[64];
    struct bl_text text = bl_text_in(buffer, sizeof buffer);

    if (is_float(dtype))
        put_float(&text, dtype, number(x, 0));
    else if (is_signed(dtype) && bits(x, 0) >> 63)
        bl_text_put(&text, "-%llu", (unsigned long long)(0 - bits(x, 0)));
    else
        bl_text_put(&text, "%llu", (unsigned long long)bits(x, 0));
    if (text.length > x->text_size)
        return false;
    memcpy(x->text, buffer, text.length);
    return give_text(x, text.length);
}

/* ---- From a string ------------------------------------------------------- */

static size_t digits_at(const char *text)
{
    return strspn(text, "0123456789");
}

/* True for a decimal number, all of the text: strtod takes more, such as " 0x1p3". */
static bool is_decimal(const char *text)
{
    const char *at = text + (*text == '+' || *text == '-');
    size_t digits = digits_at(at);

    at += digits;
    if (*at == '.') {
        const size_t fraction = digits_at(at + 1);

        at += 1 + fraction;
        digits += fraction;
    }
    if (digits > 0 && (*at == 'e' || *at == 'E')) {
        at += at[1] == '+' || at[1] == '-' ? 2 : 1;
        digits = digits_at(at);
        at += digits;
    }
    return digits > 0 && *at == '\0';
}

static bool is_word(const char *text, const char *upper)
{
    for (; *text != '\0' && *upper != '\0'; text++, upper++)
        if (*text != *upper && *text != *upper - 'A' + 'a')
            return false;
    return *text == *upper;
}

/* All digits of an integer, in 64 bits, saturated.  False for other texts and types. */
static bool give_long_integer(const struct bl_reference_operands *x, const char *text)
{
    const bool minus = *text == '-';
    const char *digits = text + (minus || *text == '+');
    const uint64_t limit = x->out_dtype == BL_UINT64 ? (minus ? 0 : UINT64_MAX)
                           : minus                   ? UINT64_C(1) << 63
                                                     : INT64_MAX;
    uint64_t magnitude = 0;

    if ((x->out_dtype != BL_INT64 && x->out_dtype != BL_UINT64) ||
        digits_at(digits) != strlen(digits))
        return false;
    for (const char *at = digits; *at != '\0'; at++) {
        const uint64_t digit = (uint64_t)(*at - '0');

        if (digit > limit || magnitude > (limit - digit) / 10)
            magnitude = limit;
        else
            magnitude = 10 * magnitude + digit;
    }
    bl_value_from_bits(x->out_dtype, minus ? 0 - magnitude : magnitude, x->out);
    return true;
}

static bool read_number(const struct bl_reference_operands *x, const char *text)
{
    const bool minus = *text == '-';
    const char *word = text + (minus || *text == '+');

    if (is_word(word, "NAN")) {
        bl_reference_cast_number(x, NAN);
    } else if (is_word(word, "INF")) {
        bl_reference_cast_number(x, minus ? -INFINITY : INFINITY);
    } else if (!is_decimal(text)) {
        return false;
    } else if (!give_long_integer(x, text)) {
        /* Rounded once: straight to float32, where that is the type. */
        bl_reference_cast_number(x, x->out_dtype == BL_FLOAT32 ? (double)strtof(text, NULL)
                                                               : strtod(text, NULL));
    }
    return true;
}

bool bl_reference_cast_from_text(const struct bl_reference_operands *x)
{
    const bl_string from = string(x, 0);

    if (x->out_dtype == BL_STRING)
        return give_copy(x, 0);
    char *text = bl_heap_get(from.size + 1);

    if (text == NULL)
        return false;
    if (from.size > 0)
        memcpy(text, from.data, from.size);
    text[from.size] = '\0';
    /* A byte of 0 would hide what follows. */
    const bool done = strlen(text) == from.size && read_number(x, text);

    free(text);
    return done;
}
