/*
 * report_text.c - the report as lines of text: pretty, and the Test Anything Protocol
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "conform/report_parts.h"

/* "file:case", or the file alone where no case of it could be read. */
static void put_id(FILE *out, const struct bl_conform_result *result)
{
    fprintf(out, result->name[0] != '\0' ? "%s:%s" : "%s", result->file, result->name);
}

static void put_totals(FILE *out, const struct bl_conform_totals *totals)
{
    fprintf(out, "%zu passed, %zu failed, %zu skipped\n", totals->passed, totals->failed,
            totals->skipped);
}

/* ---- Pretty -------------------------------------------------------------- */

/* SGR colours of ECMA-48. */
#define RED "\033[31m"
#define GREEN "\033[32m"
#define YELLOW "\033[33m"
#define PLAIN "\033[0m"

static void put_word(const struct bl_conform_report *report, const char *colour,
                     const char *word)
{
    const bool colourful = report->options.colour;

    fprintf(report->options.out, "%s%s%s ", colourful ? colour : "", word,
            colourful ? PLAIN : "");
}

static void pretty_add(const struct bl_conform_report *report,
                       const struct bl_conform_result *result)
{
    FILE *out = report->options.out;

    if (result->outcome != BL_CONFORM_FAILED && !report->options.verbose)
        return;
    if (result->outcome == BL_CONFORM_PASSED)
        put_word(report, GREEN, "PASS");
    else if (result->outcome == BL_CONFORM_SKIPPED)
        put_word(report, YELLOW, "SKIP");
    else
        put_word(report, RED, "FAIL");
    put_id(out, result);
    fputc('\n', out);
    if (result->message[0] != '\0')
        fprintf(out, "     %s\n", result->message);
}

/* True if results[i] is the first skipped one with its reason; *count is how many have it.
 */
static bool first_of_reason(const struct bl_conform_report *report, size_t i, size_t *count)
{
    const struct bl_conform_result *all = report->results;

    *count = 0;
    for (size_t j = 0; j < report->count; j++) {
        if (all[j].outcome != BL_CONFORM_SKIPPED ||
            strcmp(all[j].message, all[i].message) != 0)
            continue;
        if (j < i)
            return false;
        ++*count;
    }
    return true;
}

static bl_status pretty_end(const struct bl_conform_report *report, bl_error *err)
{
    FILE *out = report->options.out;
    size_t count;

    (void)err;
    for (size_t i = 0; i < report->count; i++)
        if (report->results[i].outcome == BL_CONFORM_SKIPPED &&
            first_of_reason(report, i, &count)) {
            put_word(report, YELLOW, "skipped");
            fprintf(out, "%zu: %s\n", count, report->results[i].message);
        }
    put_totals(out, &report->totals);
    return BL_OK;
}

const struct bl_conform_writer bl_conform_writer_pretty = {pretty_add, pretty_end};

/* ---- TAP 13 -------------------------------------------------------------- */

/* '#' starts a directive, '\' escapes it. */
static void put_tap_text(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '#' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
}

/* As a double-quoted scalar of YAML, which the diagnostics are. */
static void put_yaml_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void tap_add(const struct bl_conform_report *report,
                    const struct bl_conform_result *result)
{
    FILE *out = report->options.out;

    if (report->count == 1)
        fputs("TAP version 13\n", out);
    fprintf(out, "%s %zu - ", result->outcome == BL_CONFORM_FAILED ? "not ok" : "ok",
            report->count);
    put_tap_text(out, result->file);
    if (result->name[0] != '\0') {
        fputc(':', out);
        put_tap_text(out, result->name);
    }
    if (result->outcome == BL_CONFORM_SKIPPED) {
        fputs(" # SKIP ", out);
        put_tap_text(out, result->message);
    }
    fputc('\n', out);
    if (result->outcome == BL_CONFORM_FAILED) {
        fputs("  ---\n  message: ", out);
        put_yaml_text(out, result->message);
        fputs("\n  ...\n", out);
    }
}

static bl_status tap_end(const struct bl_conform_report *report, bl_error *err)
{
    FILE *out = report->options.out;

    (void)err;
    if (report->count == 0)
        fputs("TAP version 13\n", out);
    fprintf(out, "1..%zu\n# ", report->count);
    put_totals(out, &report->totals);
    return BL_OK;
}

const struct bl_conform_writer bl_conform_writer_tap = {tap_add, tap_end};
