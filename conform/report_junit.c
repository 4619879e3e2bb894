/*
 * report_junit.c - the report as the XML that JUnit writes and CI systems read
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A suite for each file.  Texts are clean when they get here: valid UTF-8 without control
 * characters.
 */
#include <string.h>

#include "conform/report_parts.h"

static void put_xml(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            fputc(*text, out);
            break;
        }
    }
}

static void put_attribute(FILE *out, const char *name, const char *value)
{
    fprintf(out, " %s=\"", name);
    put_xml(out, value);
    fputc('"', out);
}

static void put_counts(FILE *out, const struct bl_conform_result *results, size_t count)
{
    size_t failed = 0, skipped = 0;
    double seconds = 0;

    for (size_t i = 0; i < count; i++) {
        failed += results[i].outcome == BL_CONFORM_FAILED;
        skipped += results[i].outcome == BL_CONFORM_SKIPPED;
        seconds += results[i].seconds;
    }
    fprintf(out,
            " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\" time=\"%.6f\">\n",
            count, failed, skipped, seconds);
}

static void put_case(FILE *out, const struct bl_conform_result *result)
{
    fputs("    <testcase", out);
    put_attribute(out, "classname", result->file);
    put_attribute(out, "name", result->name[0] != '\0' ? result->name : result->file);
    fprintf(out, " time=\"%.6f\"", result->seconds);
    if (result->outcome == BL_CONFORM_PASSED) {
        fputs("/>\n", out);
        return;
    }
    fprintf(out, ">\n      <%s",
            result->outcome == BL_CONFORM_FAILED ? "failure" : "skipped");
    put_attribute(out, "message", result->message);
    fputs("/>\n    </testcase>\n", out);
}

/* How many results from the i-th on are of its file. */
static size_t suite_length(const struct bl_conform_report *report, size_t i)
{
    const char *file = report->results[i].file;
    size_t end = i;

    while (end < report->count && strcmp(report->results[end].file, file) == 0)
        end++;
    return end - i;
}

static bl_status junit_end(const struct bl_conform_report *report, bl_error *err)
{
    FILE *out = report->options.out;
    size_t length;

    (void)err;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites", out);
    put_attribute(out, "name", report->options.backend);
    put_counts(out, report->results, report->count);
    for (size_t i = 0; i < report->count; i += length) {
        length = suite_length(report, i);
        fputs("  <testsuite", out);
        put_attribute(out, "name", report->results[i].file);
        put_counts(out, report->results + i, length);
        for (size_t j = i; j < i + length; j++)
            put_case(out, &report->results[j]);
        fputs("  </testsuite>\n", out);
    }
    fputs("</testsuites>\n", out);
    return BL_OK;
}

const struct bl_conform_writer bl_conform_writer_junit = {NULL, junit_end};
