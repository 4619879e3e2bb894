/*
 * json_text.c - read a JSON file, keeping numbers that the JSON library would lose
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "conform/json_text.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "conform/heap.h"

/* A fixture is text that people read; a gigabyte of it is a mistake. */
#define MAX_BYTES ((size_t)1 << 30)

/* The 19 digits of the largest integer that stays one. */
#define INT64_MAX_TEXT "9223372036854775807"
#define INT64_MIN_TEXT "9223372036854775808"
#define INT64_DIGITS (sizeof INT64_MAX_TEXT - 1)

/* ---- Rewriting ----------------------------------------------------------- */

/* Text that is read and written from left to right. */
struct rewrite {
    const char *at;
    const char *end;
    char *out;
};

static void copy(struct rewrite *text, size_t bytes)
{
    memcpy(text->out, text->at, bytes);
    text->at += bytes;
    text->out += bytes;
}

static void put(struct rewrite *text, const char *what)
{
    const size_t bytes = strlen(what);

    memcpy(text->out, what, bytes);
    text->out += bytes;
}

static void copy_string(struct rewrite *text)
{
    copy(text, 1);
    while (text->at < text->end && *text->at != '"')
        copy(text, *text->at == '\\' && text->end - text->at > 1 ? 2 : 1);
    if (text->at < text->end)
        copy(text, 1);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The number that starts here: its length, and whether it is an integer. */
static size_t number_length(const struct rewrite *text, bool *integer)
{
    const char *at = text->at + (*text->at == '-');

    while (at < text->end && is_digit(*at))
        at++;
    *integer = at == text->end || (*at != '.' && *at != 'e' && *at != 'E');
    while (at < text->end && (is_digit(*at) || *at == '.' || *at == 'e' || *at == 'E' ||
                              *at == '+' || *at == '-'))
        at++;
    return (size_t)(at - text->at);
}

static void copy_number(struct rewrite *text)
{
    const bool minus = *text->at == '-';
    bool integer;
    const size_t length = number_length(text, &integer);
    const size_t digits = length - minus;
    const char *first = text->at + minus;
    const char *limit = minus ? INT64_MIN_TEXT : INT64_MAX_TEXT;
    /* What is no JSON number, such as 007, is left for the parser to refuse. */
    const bool sound = integer && digits > 0 && (digits == 1 || *first != '0');

    if (sound && (digits > INT64_DIGITS ||
                  (digits == INT64_DIGITS && memcmp(first, limit, INT64_DIGITS) > 0))) {
        put(text, "\"" BL_JSON_MARK);
        copy(text, length);
        put(text, "\"");
        return;
    }
    copy(text, length);
    if (sound && minus && *first == '0')
        put(text, ".0");
}

/* `out` has room for twice the text: what grows most is -0, to -0.0. */
static size_t rewrite(const char *text, size_t size, char *out)
{
    struct rewrite state = {text, text + size, out};

    while (state.at < state.end) {
        if (*state.at == '"')
            copy_string(&state);
        else if (*state.at == '-' || is_digit(*state.at))
            copy_number(&state);
        else
            copy(&state, 1);
    }
    return (size_t)(state.out - out);
}

/* ---- Parsing ------------------------------------------------------------- */

json_t *bl_json_parse(const char *text, size_t size, const char *name, bl_error *err)
{
    json_error_t why;

    if (size > MAX_BYTES) {
        bl_fail(err, BL_ERR_LIMIT,
                "%s: %zu bytes are too many for a JSON file (at most %zu)", name, size,
                MAX_BYTES);
        return NULL;
    }
    char *rewritten = bl_heap_get(2 * size + 1);

    if (rewritten == NULL) {
        bl_fail(err, BL_ERR_MEMORY, "%s: no memory for %zu bytes of JSON", name, size);
        return NULL;
    }
    const size_t length = rewrite(text, size, rewritten);
    json_t *root =
        json_loadb(rewritten, length, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &why);

    if (root == NULL && json_error_code(&why) == json_error_out_of_memory)
        bl_fail(err, BL_ERR_MEMORY, "%s: no memory for the JSON in it", name);
    else if (root == NULL)
        bl_fail(err, BL_ERR_FORMAT, "%s:%d:%d: %s", name, why.line, why.column, why.text);
    free(rewritten);
    return root;
}

/* All bytes of a file, to be freed; NULL on failure. */
static char *read_all(FILE *file, size_t *size, const char *path, bl_error *err)
{
    size_t room = 1 << 16;
    char *bytes = bl_heap_get(room);

    *size = 0;
    while (bytes != NULL) {
        *size += fread(bytes + *size, 1, room - *size, file);
        if (*size < room)
            break;
        char *more = room < 2 * MAX_BYTES ? bl_heap_grow(bytes, 2 * room) : NULL;

        if (more == NULL)
            free(bytes);
        bytes = more;
        room *= 2;
    }
    if (bytes == NULL) {
        bl_fail(err, BL_ERR_MEMORY, "%s: no memory to read it (%zu bytes so far)", path,
                *size);
    } else if (ferror(file)) {
        bl_fail(err, BL_ERR_IO, "%s: cannot be read: %s", path,
                strerror(bl_heap_note(errno)));
        free(bytes);
        bytes = NULL;
    }
    return bytes;
}

json_t *bl_json_read(const char *path, bl_error *err)
{
    FILE *file = fopen(path, "rb");
    size_t size;
    json_t *root = NULL;

    if (file == NULL) {
        bl_fail(err, BL_ERR_IO, "%s: cannot be opened: %s", path,
                strerror(bl_heap_note(errno)));
        return NULL;
    }
    char *text = read_all(file, &size, path, err);

    if (text != NULL)
        root = bl_json_parse(text, size, path, err);
    free(text);
    fclose(file);
    return root;
}
