/*
 * message.h - what the tool says on standard error, and when it may use colour
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CLI_MESSAGE_H
#define BL_CLI_MESSAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "broadloom/broadloom.h"
#include "cli/cli.h"

#if defined(__GNUC__)
#define BL_CLI_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define BL_CLI_PRINTF(text, first)
#endif

/* Say "broadloom: ..." on standard error, as one line: control characters come out escaped.
 */
void bl_message(const char *format, ...) BL_CLI_PRINTF(1, 2);

/* Show `text` and a caret under its byte `at`; of a long text, the part around it. */
void bl_message_position(const char *text, size_t at);

/* Report wrong usage of a command (NULL: of the tool) with a hint at --help. BL_EXIT_USAGE.
 */
enum bl_exit bl_message_usage(const struct bl_command *command, const char *format, ...)
    BL_CLI_PRINTF(2, 3);

/* Fill *err, if there is one, and return `status`. */
bl_status bl_error_fill(bl_error *err, bl_status status, const char *format, ...)
    BL_CLI_PRINTF(3, 4);

/* Whether to use colour: a terminal, and neither NO_COLOR nor TERM=dumb. */
bool bl_has_color(FILE *stream);

/* ANSI sequences, or "" where there is no colour. */
struct bl_style {
    const char *bold;
    const char *red;
    const char *green;
    const char *yellow;
    const char *plain;
};

struct bl_style bl_style_of(FILE *stream);

#endif
