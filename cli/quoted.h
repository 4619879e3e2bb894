/*
 * quoted.h - strings between quotes, with JSON's escapes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CLI_QUOTED_H
#define BL_CLI_QUOTED_H

#include <stddef.h>
#include <stdio.h>

#include "broadloom/broadloom.h"

/*
 * Decode the string whose opening quote is at *at into `buffer`, which is never longer than
 * its text.  *at moves behind the closing quote, or to the byte that is wrong.
 */
bl_status bl_quoted_read(const char **at, char *buffer, size_t *size, bl_error *err);

/* Write a string with quotes and escapes.  Bytes that are no UTF-8 come out as U+FFFD: JSON
 * has no way to say them. */
void bl_quoted_write(FILE *out, const char *data, size_t size);

/* Write text without quotes, and a backslash before each character that is in `escaped`;
 * bytes that are no UTF-8 come out as U+FFFD here too. */
void bl_utf8_write(FILE *out, const char *text, const char *escaped);

#endif
