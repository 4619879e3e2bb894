/*
 * report_json.c - the report as JSON
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * {"backend", "passed", "failed", "skipped", "cases": [{"file", "name", "outcome",
 * "message", "seconds"}]}; "message" is there unless the case passed.
 */
#include <jansson.h>
#include <stdlib.h>

#include "base/status.h"
#include "conform/heap.h"
#include "conform/report_parts.h"

static json_t *case_json(const struct bl_conform_result *result)
{
    json_t *json = json_pack("{s:s, s:s, s:s}", "file", result->file, "name", result->name,
                             "outcome", bl_conform_outcome_name(result->outcome));

    if (result->outcome != BL_CONFORM_PASSED)
        json_object_set_new(json, "message", json_string(result->message));
    json_object_set_new(json, "seconds", json_real(result->seconds));
    return json;
}

static json_t *report_json(const struct bl_conform_report *report)
{
    const struct bl_conform_totals *totals = &report->totals;
    json_t *cases = json_array();

    for (size_t i = 0; i < report->count; i++)
        if (json_array_append_new(cases, case_json(&report->results[i])) != 0) {
            json_decref(cases);
            return NULL;
        }
    return json_pack("{s:s, s:I, s:I, s:I, s:o}", "backend", report->options.backend,
                     "passed", (json_int_t)totals->passed, "failed",
                     (json_int_t)totals->failed, "skipped", (json_int_t)totals->skipped,
                     "cases", cases);
}

static bl_status json_end(const struct bl_conform_report *report, bl_error *err)
{
    FILE *out = report->options.out;
    json_t *json = report_json(report);
    char *text = json_dumps(json, JSON_INDENT(2));

    json_decref(json);
    if (text == NULL || bl_heap_ran_out()) {
        free(text);
        return bl_fail(err, BL_ERR_MEMORY, "no memory for a report of %zu cases",
                       report->count);
    }
    /* A failure to write shows in ferror, which the caller asks. */
    fputs(text, out);
    fputc('\n', out);
    free(text);
    return BL_OK;
}

const struct bl_conform_writer bl_conform_writer_json = {NULL, json_end};
