/*
 * report_parts.h - what the formats of the report share
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CONFORM_REPORT_PARTS_H
#define BL_CONFORM_REPORT_PARTS_H

#include "conform/report.h"

struct bl_conform_report {
    struct bl_conform_options options; /* backend is not NULL */
    struct bl_conform_result *results; /* with texts of their own */
    size_t count;
    size_t room;
    struct bl_conform_totals totals;
};

/* A format: what it writes after each case, and what at the end; either may be NULL. */
struct bl_conform_writer {
    void (*add)(const struct bl_conform_report *report,
                const struct bl_conform_result *result);
    bl_status (*end)(const struct bl_conform_report *report, bl_error *err);
};

extern const struct bl_conform_writer bl_conform_writer_pretty;
extern const struct bl_conform_writer bl_conform_writer_tap;
extern const struct bl_conform_writer bl_conform_writer_junit;
extern const struct bl_conform_writer bl_conform_writer_json;

#endif
