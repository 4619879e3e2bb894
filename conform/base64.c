/*
 * base64.c - bytes that a JSON text holds as base64 (RFC 4648, with padding)
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "conform/base64.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "conform/heap.h"

/* The six bits that a character stands for, or -1. */
static int digit(char c)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c == '\0' ? NULL : strchr(digits, c);

    return at == NULL ? -1 : (int)(at - digits);
}

bl_status bl_base64_decode(const char *text, size_t length, unsigned char **bytes,
                           size_t *size, bl_error *err)
{
    size_t digits = length;
    uint32_t held = 0; /* bits not yet given out */
    unsigned held_bits = 0;
    size_t count = 0;

    while (digits > 0 && length - digits < 2 && text[digits - 1] == '=')
        digits--;
    if (length % 4 != 0 || digits % 4 == 1)
        return bl_fail(err, BL_ERR_FORMAT,
                       "base64 text of %zu characters (not a multiple of 4)", length);
    unsigned char *out = bl_heap_get(length / 4 * 3 + 1);

    if (out == NULL)
        return bl_fail(err, BL_ERR_MEMORY, "no memory for %zu characters of base64",
                       length);
    for (size_t i = 0; i < digits; i++) {
        const int value = digit(text[i]);

        if (value < 0) {
            free(out);
            return bl_fail(err, BL_ERR_FORMAT,
                           "character %zu of the base64 text is none of its", i);
        }
        held = held << 6 | (uint32_t)value;
        held_bits += 6;
        if (held_bits >= 8) {
            held_bits -= 8;
            out[count++] = (unsigned char)(held >> held_bits);
            held &= (1U << held_bits) - 1;
        }
    }
    if (held != 0) {
        free(out);
        return bl_fail(err, BL_ERR_FORMAT,
                       "the base64 text ends in bits that belong to no byte");
    }
    *bytes = out;
    *size = count;
    return BL_OK;
}
