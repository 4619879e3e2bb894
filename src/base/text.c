/*
 * text.c - build a line of text in a fixed buffer
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>

struct bl_text bl_text_in(char *buffer, size_t size)
{
    buffer[0] = '\0';
    return (struct bl_text){.at = buffer, .size = size};
}

void bl_text_put(struct bl_text *text, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    const int length =
        vsnprintf(text->at + text->length, text->size - text->length, format, args);
    va_end(args);
    if (length > 0)
        text->length += (size_t)length;
    if (text->length >= text->size)
        text->length = text->size - 1;
}
