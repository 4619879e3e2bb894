/*
 * quoted.c - read and write strings between quotes
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Source: RFC 8259, section 7; UTF-8 as in RFC 3629.
 */
#include "cli/quoted.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "cli/message.h"

/* ---- Reading ---------------------------------------------------------------- */

static const char escape_letters[] = "\"\\/bfnrt";
static const char escape_values[] = "\"\\/\b\f\n\r\t";

static size_t put_utf8(char *out, uint32_t c)
{
    /* The leading byte's mark, and how many bytes follow it. */
    const size_t more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const unsigned char mark[] = {0, 0xC0, 0xE0, 0xF0};

    for (size_t i = more; i > 0; i--) {
        out[i] = (char)(0x80 | (c & 0x3F));
        c >>= 6;
    }
    out[0] = (char)(mark[more] | c);
    return more + 1;
}

/* Four hexadecimal digits at p. */
static bool read_hex4(const char *p, uint32_t *out)
{
    static const char digits[] = "0123456789abcdef";

    *out = 0;
    for (int i = 0; i < 4; i++) {
        const char lower = (char)(p[i] >= 'A' && p[i] <= 'F' ? p[i] + 32 : p[i]);
        const char *digit = p[i] != '\0' ? strchr(digits, lower) : NULL;

        if (digit == NULL)
            return false;
        *out = *out * 16 + (uint32_t)(digit - digits);
    }
    return true;
}

/* The character of the \u escape (or pair of them) whose digits start at *p; moves behind
 * it. */
static bool read_unicode(const char **p, uint32_t *out)
{
    uint32_t low;

    if (!read_hex4(*p, out))
        return false;
    *p += 4;
    if (*out < 0xD800 || *out > 0xDFFF)
        return true;
    if (*out > 0xDBFF || (*p)[0] != '\\' || (*p)[1] != 'u' || !read_hex4(*p + 2, &low) ||
        low < 0xDC00 || low > 0xDFFF)
        return false;
    *p += 6;
    *out = 0x10000 + ((*out - 0xD800) << 10) + (low - 0xDC00);
    return true;
}

/* Decode the escape at *at, a backslash, to `out`. */
static bl_status read_escape(const char **at, char *out, size_t *size, bl_error *err)
{
    const char letter = (*at)[1];
    const char *known = letter != '\0' ? strchr(escape_letters, letter) : NULL;

    if (letter == 'u') {
        const char *p = *at + 2;
        uint32_t c;

        if (!read_unicode(&p, &c))
            return bl_error_fill(
                err, BL_ERR_FORMAT,
                "\\u needs four hexadecimal digits, a high surrogate the low "
                "one after it");
        *size += put_utf8(out, c);
        *at = p;
        return BL_OK;
    }
    if (known == NULL)
        return bl_error_fill(
            err, BL_ERR_FORMAT,
            "unknown escape (known: \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX)");
    *out = escape_values[known - escape_letters];
    *size += 1;
    *at += 2;
    return BL_OK;
}

bl_status bl_quoted_read(const char **at, char *buffer, size_t *size, bl_error *err)
{
    const char *start = *at;

    *size = 0;
    ++*at;
    while (**at != '"') {
        if (**at == '\0') {
            *at = start;
            return bl_error_fill(err, BL_ERR_FORMAT, "the quote is never closed");
        }
        if (**at == '\\') {
            const bl_status status = read_escape(at, buffer + *size, size, err);

            if (status != BL_OK)
                return status;
        } else {
            buffer[(*size)++] = *(*at)++;
        }
    }
    ++*at;
    return BL_OK;
}

/* ---- Writing ---------------------------------------------------------------- */

/* Bytes of the UTF-8 character at the start of `size` bytes; 0 if there is none. */
static size_t utf8_length(const unsigned char *p, size_t size)
{
    const size_t length = p[0] < 0x80   ? 1
                          : p[0] < 0xC2 ? 0
                          : p[0] < 0xE0 ? 2
                          : p[0] < 0xF0 ? 3
                          : p[0] < 0xF5 ? 4
                                        : 0;

    if (length > size)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((p[i] & 0xC0) != 0x80)
            return 0;
    /* No longer form than needed, no surrogates, nothing beyond U+10FFFF. */
    if ((p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xED && p[1] > 0x9F) ||
        (p[0] == 0xF0 && p[1] < 0x90) || (p[0] == 0xF4 && p[1] > 0x8F))
        return 0;
    return length;
}

static void write_ascii(FILE *out, unsigned char c)
{
    const char *known = c != '\0' && c != '/' ? strchr(escape_values, c) : NULL;

    if (known != NULL)
        fprintf(out, "\\%c", escape_letters[known - escape_values]);
    else if (c < 0x20 || c == 0x7F)
        fprintf(out, "\\u%04x", c);
    else
        putc(c, out);
}

void bl_quoted_write(FILE *out, const char *data, size_t size)
{
    const unsigned char *p = (const unsigned char *)data;

    putc('"', out);
    for (size_t i = 0; i < size;) {
        const size_t length = utf8_length(p + i, size - i);

        if (length == 0)
            fputs("\\ufffd", out);
        else if (length == 1)
            write_ascii(out, p[i]);
        else
            fwrite(p + i, 1, length, out);
        i += length > 0 ? length : 1;
    }
    putc('"', out);
}

void bl_utf8_write(FILE *out, const char *text, const char *escaped)
{
    const unsigned char *p = (const unsigned char *)text;
    const size_t size = strlen(text);

    for (size_t i = 0; i < size;) {
        const size_t length = utf8_length(p + i, size - i);

        if (strchr(escaped, p[i]) != NULL)
            putc('\\', out);
        if (length == 0)
            fputs("\xEF\xBF\xBD", out);
        else
            fwrite(p + i, 1, length, out);
        i += length > 0 ? length : 1;
    }
}
