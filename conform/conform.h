/*
 * conform.h - the conformance kit: find the cases, run them on a backend, report
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CONFORM_CONFORM_H
#define BL_CONFORM_CONFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "broadloom/broadloom.h"

/* ---- What came of a case ------------------------------------------------- */

enum bl_conform_outcome { BL_CONFORM_PASSED, BL_CONFORM_FAILED, BL_CONFORM_SKIPPED };

/** "passed", "failed" or "skipped". */
const char *bl_conform_outcome_name(enum bl_conform_outcome outcome);

/** The result of one case.  The texts live until the callback that got them returns. */
struct bl_conform_result {
    const char *file; /* the fixture file, or the folder of an ONNX test */
    const char *name; /* of the case; "" where a whole file could not be read */
    enum bl_conform_outcome outcome;
    const char *message; /* why it failed or was skipped, one line; "" if it passed */
    double seconds;
};

struct bl_conform_totals {
    size_t passed;
    size_t failed;
    size_t skipped;
};

/** How far a run has come. */
struct bl_conform_progress {
    size_t files_done; /* of the fixture files and ONNX test folders that were found */
    size_t files;
    struct bl_conform_totals totals;             /* so far */
    const struct bl_conform_result *last_result; /* never NULL */
};

/* ---- Choices ------------------------------------------------------------- */

enum bl_conform_format {
    BL_CONFORM_PRETTY, /* for people: failures, skips by reason, the totals on the last line
                        */
    BL_CONFORM_TAP,    /* Test Anything Protocol 13 */
    BL_CONFORM_JUNIT,  /* XML as JUnit writes it, which CI systems read */
    BL_CONFORM_JSON,
    BL_CONFORM_FORMAT_COUNT
};

/** "pretty", "tap", "junit", "json"; NULL for a value that is none. */
const char *bl_conform_format_name(enum bl_conform_format format);

/** The format of that name, or BL_CONFORM_FORMAT_COUNT if there is none. */
enum bl_conform_format bl_conform_format_from_name(const char *name);

/** The name of the i-th backend ("cpu", "reference", "vulkan"); NULL past the end. */
const char *bl_conform_backend_name(size_t i);

/** Set what is wanted, zero the rest. */
struct bl_conform_options {
    const char *backend; /* NULL: "cpu"; "vulkan:1" is the second of several devices */
    bl_context *context; /* that the backend computes with; NULL: one is made for it */
    const char
        *filter; /* NULL, or a glob (fnmatch) on "file:case" or on the case's name alone */
    enum bl_conform_format format; /* of what is written to `out` */
    bool honour_skips;             /* leave out the cases with a skipGpu */
    bool verbose;                  /* pretty: a line for each case */
    bool colour;                   /* pretty: with ANSI colours */
    FILE *out;                     /* NULL: nothing is written */
    void (*progress)(
        void *user,
        const struct bl_conform_progress *now); /* after each case; may be NULL */
    void *user;
};

/* ---- Run ----------------------------------------------------------------- */

/**
 * Run the cases found at `paths`, each a fixture file, a folder of one ONNX test (it holds
 * model.onnx), or a folder that is searched for both, in sorted order.
 *
 * A file or a case that cannot be read counts as failed and the others still run.
 *
 * @param totals  what came of it; also set on failure, to what was reached.
 * @return        BL_OK where the run came to its end, whatever failed in it.
 * Errors: BL_ERR_ARGUMENT for an unknown backend, a path with nothing to run in it, a
 * filter that no case matches; BL_ERR_CANCELLED, where the context given is cancelled, with no end
 * to the report; BL_ERR_IO for a path that cannot be opened, or `out` that
 * cannot be written; BL_ERR_MEMORY, after the report, if memory ran out on the way.
 */
BL_NODISCARD bl_status bl_conform_run(const struct bl_conform_options *options,
                                      const char *const *paths, size_t path_count,
                                      struct bl_conform_totals *totals, bl_error *err);

#endif
