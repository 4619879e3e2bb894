/*
 * message.c - messages on standard error, carets under a fault, colour
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/message.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/tool_context.h"

#define MESSAGE_BYTES (2 * BL_ERROR_BYTES)

bool bl_has_color(FILE *stream)
{
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");

    if (no_color != NULL && no_color[0] != '\0')
        return false;
    if (term == NULL || strcmp(term, "dumb") == 0)
        return false;
    return isatty(fileno(stream)) == 1;
}

struct bl_style bl_style_of(FILE *stream)
{
    if (!bl_has_color(stream))
        return (struct bl_style){"", "", "", "", ""};
    return (struct bl_style){"\033[1m", "\033[31m", "\033[32m", "\033[33m", "\033[0m"};
}

/* An argument may hold anything, and ends up in messages: keep it from moving the cursor.
 */
static void put_visible(FILE *out, const char *text)
{
    for (const char *p = text; *p != '\0'; p++) {
        const unsigned char c = (unsigned char)*p;

        if (c == '\n')
            fputs("\\n", out);
        else if (c < 0x20 || c == 0x7F)
            fprintf(out, "\\x%02x", c);
        else
            putc(c, out);
    }
}

static void say(const char *format, va_list args)
{
    if (bl_tool_interrupted()) /* which is said at the end, and is the cause of this */
        return;
    const struct bl_style style = bl_style_of(stderr);
    char message[MESSAGE_BYTES];
    const int length = vsnprintf(message, sizeof message, format, args);

    fprintf(stderr, "%s%sbroadloom:%s ", style.bold, style.red, style.plain);
    put_visible(stderr, message);
    fputs(length >= (int)sizeof message ? "...\n" : "\n", stderr);
}

void bl_message(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(format, args);
    va_end(args);
}

enum bl_exit bl_message_usage(const struct bl_command *command, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(format, args);
    va_end(args);
    fprintf(stderr, "Try 'broadloom %s%s--help'.\n", command != NULL ? command->name : "",
            command != NULL ? " " : "");
    return BL_EXIT_USAGE;
}

bl_status bl_error_fill(bl_error *err, bl_status status, const char *format, ...)
{
    va_list args;

    if (err == NULL)
        return status;
    err->status = status;
    va_start(args, format);
    const int length = vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    if (length >= (int)sizeof err->message)
        memcpy(err->message + sizeof err->message - 4, "...", 4);
    return status;
}

/* ---- The caret ------------------------------------------------------------ */

/* Bytes shown on either side of the fault; together they fit a line of 80. */
#define SHOWN_BEFORE 48
#define SHOWN_AFTER 24

/* True inside a UTF-8 character: no column of its own, and no place to cut. */
static bool continues(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

void bl_message_position(const char *text, size_t at)
{
    const struct bl_style style = bl_style_of(stderr);
    const size_t length = strlen(text);
    size_t from = at > SHOWN_BEFORE ? at - SHOWN_BEFORE : 0;
    size_t to = length - at > SHOWN_AFTER ? at + SHOWN_AFTER : length;
    size_t columns = from > 0 ? 3 : 0;

    if (bl_tool_interrupted())
        return;
    while (from > 0 && continues(text[from]))
        from--;
    while (to < length && continues(text[to]))
        to++;
    fprintf(stderr, "  %s", from > 0 ? "..." : "");
    for (size_t i = from; i < to; i++) {
        const unsigned char c = (unsigned char)text[i];

        putc(c < 0x20 || c == 0x7F ? '?' : c, stderr);
        columns += i < at && !continues(text[i]);
    }
    fprintf(stderr, "%s\n  %*s%s%s^%s\n", to < length ? "..." : "", (int)columns, "",
            style.bold, style.red, style.plain);
}
