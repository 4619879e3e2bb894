/*
 * report.c - the results of cases, collected for the formats to write
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "conform/report.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/status.h"
#include "conform/heap.h"
#include "conform/report_parts.h"

/* ---- Names --------------------------------------------------------------- */

static const struct {
    const char *name;
    const struct bl_conform_writer *writer;
} formats[] = {
    [BL_CONFORM_PRETTY] = {"pretty", &bl_conform_writer_pretty},
    [BL_CONFORM_TAP] = {"tap", &bl_conform_writer_tap},
    [BL_CONFORM_JUNIT] = {"junit", &bl_conform_writer_junit},
    [BL_CONFORM_JSON] = {"json", &bl_conform_writer_json},
};

const char *bl_conform_format_name(enum bl_conform_format format)
{
    return (size_t)format < BL_COUNT_OF(formats) ? formats[format].name : NULL;
}

enum bl_conform_format bl_conform_format_from_name(const char *name)
{
    int format = 0;

    while (format < BL_CONFORM_FORMAT_COUNT && strcmp(formats[format].name, name) != 0)
        format++;
    return (enum bl_conform_format)format;
}

const char *bl_conform_outcome_name(enum bl_conform_outcome outcome)
{
    return outcome == BL_CONFORM_PASSED   ? "passed"
           : outcome == BL_CONFORM_FAILED ? "failed"
                                          : "skipped";
}

/* ---- Clean text ---------------------------------------------------------- */

/*
 * The length of the UTF-8 character at `text`, and its code; 0 if there is none.
 * Source: Unicode, table 3-7: no overlong forms, no surrogates, nothing beyond U+10FFFF.
 */
static size_t character(const unsigned char *text, unsigned *code)
{
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char first = text[0];
    const size_t length = first < 0x80             ? 1
                          : (first & 0xE0) == 0xC0 ? 2
                          : (first & 0xF0) == 0xE0 ? 3
                          : (first & 0xF8) == 0xF0 ? 4
                                                   : 0;

    *code = length == 1 ? first : first & (0x7FU >> length);
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xC0) != 0x80)
            return 0;
        *code = *code << 6 | (text[i] & 0x3F);
    }
    if (length > 1 && (*code < least[length] || *code > 0x10FFFF || (*code >> 11) == 0x1B))
        return 0;
    return length;
}

/* Control characters would move a terminal's cursor, end a TAP line, and are no XML; U+FFFE
 * and U+FFFF are no XML either. */
static bool is_harmless(unsigned code)
{
    return code >= 0x20 && !(code >= 0x7F && code < 0xA0) && code != 0xFFFE &&
           code != 0xFFFF;
}

static char *clean_copy(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    char *copy = bl_heap_get(strlen(text) + 1);
    size_t length = 0;

    if (copy == NULL)
        return NULL;
    while (*at != '\0') {
        unsigned code;
        const size_t bytes = character(at, &code);

        if (bytes > 0 && is_harmless(code)) {
            memcpy(copy + length, at, bytes);
            length += bytes;
        } else {
            copy[length++] = '?';
        }
        at += bytes > 0 ? bytes : 1;
    }
    copy[length] = '\0';
    return copy;
}

/* ---- The report ---------------------------------------------------------- */

struct bl_conform_report *bl_conform_report_new(const struct bl_conform_options *options,
                                                bl_error *err)
{
    struct bl_conform_report *report = bl_heap_zero(1, sizeof *report);

    if (report == NULL) {
        bl_fail(err, BL_ERR_MEMORY, "no memory for a report");
        return NULL;
    }
    report->options = *options;
    if (report->options.backend == NULL)
        report->options.backend = bl_conform_backend_name(0);
    return report;
}

static bool grow(struct bl_conform_report *report)
{
    const size_t room = report->room ? 2 * report->room : 256;
    struct bl_conform_result *results =
        bl_heap_grow(report->results, room * sizeof *results);

    if (results == NULL)
        return false;
    report->results = results;
    report->room = room;
    return true;
}

/* The texts of a stored result are ours, though the struct says const for those who read
 * it. */
static void free_texts(const struct bl_conform_result *result)
{
    const char *const texts[] = {result->file, result->name, result->message};

    for (size_t i = 0; i < BL_COUNT_OF(texts); i++)
        free((void *)(uintptr_t)texts[i]);
}

bl_status bl_conform_report_add(struct bl_conform_report *report,
                                const struct bl_conform_result *result, bl_error *err)
{
    struct bl_conform_result copy = *result;

    copy.file = clean_copy(result->file);
    copy.name = clean_copy(result->name);
    copy.message = clean_copy(result->message);
    if (copy.file == NULL || copy.name == NULL || copy.message == NULL ||
        (report->count == report->room && !grow(report))) {
        free_texts(&copy);
        return bl_fail(err, BL_ERR_MEMORY, "no memory for the result of %s", result->name);
    }
    report->results[report->count++] = copy;
    report->totals.passed += copy.outcome == BL_CONFORM_PASSED;
    report->totals.failed += copy.outcome == BL_CONFORM_FAILED;
    report->totals.skipped += copy.outcome == BL_CONFORM_SKIPPED;
    if (report->options.out != NULL && formats[report->options.format].writer->add != NULL)
        formats[report->options.format].writer->add(report, &copy);
    return BL_OK;
}

bl_status bl_conform_report_end(struct bl_conform_report *report, bl_error *err)
{
    FILE *out = report->options.out;

    if (out == NULL)
        return BL_OK;
    BL_TRY(formats[report->options.format].writer->end(report, err));
    if (fflush(out) != 0 || ferror(out))
        return bl_fail(err, BL_ERR_IO, "the report cannot be written: %s",
                       strerror(bl_heap_note(errno)));
    return BL_OK;
}

void bl_conform_report_free(struct bl_conform_report *report)
{
    if (report == NULL)
        return;
    for (size_t i = 0; i < report->count; i++)
        free_texts(&report->results[i]);
    free(report->results);
    free(report);
}
