/*
 * report.h - results of cases, written for people or for machines
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CONFORM_REPORT_H
#define BL_CONFORM_REPORT_H

#include "conform/conform.h"

struct bl_conform_report;

/* A report in options->format on options->out, of what options->backend did.  NULL:
 * BL_ERR_MEMORY. */
struct bl_conform_report *bl_conform_report_new(const struct bl_conform_options *options,
                                                bl_error *err);

/* The next result, copied.  Texts that are no UTF-8, and control characters in them, get
 * '?' instead. */
bl_status bl_conform_report_add(struct bl_conform_report *report,
                                const struct bl_conform_result *result, bl_error *err);

/* Write what is left to write.  BL_ERR_IO where anything could not be written. */
bl_status bl_conform_report_end(struct bl_conform_report *report, bl_error *err);

void bl_conform_report_free(struct bl_conform_report *report);

#endif
