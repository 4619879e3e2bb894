/*
 * conform.c - the conformance kit: find the cases, run them on a backend, report
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "conform/conform.h"

#include <fenv.h>
#include <fnmatch.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/status.h"
#include "conform/find.h"
#include "conform/heap.h"
#include "conform/onnx_folder.h"
#include "conform/path.h"
#include "conform/report.h"
#include "conform/runner.h"

const char *bl_conform_backend_name(size_t i)
{
    const struct bl_conform_backend *backend = bl_conform_backend_at(i);

    return backend != NULL ? backend->name : NULL;
}

/* A whole run. */
struct session {
    const struct bl_conform_options *options;
    struct bl_runner runner;
    bl_context *own_context; /* where the caller gave none */
    struct bl_found_list found;
    struct bl_conform_report *report;
    struct bl_conform_progress progress;
    bl_error *err;
};

/* ---- Results ------------------------------------------------------------- */

static double now(void)
{
    struct timespec time = {0, 0};

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bl_status give(struct session *session, const struct bl_conform_result *result)
{
    struct bl_conform_totals *totals = &session->progress.totals;

    totals->passed += result->outcome == BL_CONFORM_PASSED;
    totals->failed += result->outcome == BL_CONFORM_FAILED;
    totals->skipped += result->outcome == BL_CONFORM_SKIPPED;
    BL_TRY(bl_conform_report_add(session->report, result, session->err));
    if (session->options->progress != NULL) {
        struct bl_conform_progress now = session->progress;

        now.last_result = result; /* which lives no longer than this call */
        session->options->progress(session->options->user, &now);
    }
    return BL_OK;
}

/* A fixture that cannot be read fails in place of its cases. */
static bl_status give_unreadable(struct session *session, const char *file,
                                 const char *message)
{
    const struct bl_conform_result result = {file, "", BL_CONFORM_FAILED, message, 0};

    session->progress.files_done++;
    return give(session, &result);
}

/* ---- Cases --------------------------------------------------------------- */

/* A case that was cut short says nothing. */
static bl_status check_cancelled(const struct session *session)
{
    if (!bl_context_is_cancelled(session->runner.context))
        return BL_OK;
    return bl_fail(session->err, BL_ERR_CANCELLED, "cancelled");
}

/* The filter is a glob on the case's name alone or on "file:case". */
static bool is_wanted(const struct session *session, const char *file, const char *name)
{
    const char *filter = session->options->filter;
    const size_t length = strlen(file) + strlen(name) + 2;

    if (filter == NULL || fnmatch(filter, name, 0) == 0)
        return true;
    char *id = bl_heap_get(length);

    if (id == NULL)
        return false;
    snprintf(id, length, "%s:%s", file, name);
    const bool wanted = fnmatch(filter, id, 0) == 0;

    free(id);
    return wanted;
}

static bl_status run_case(struct session *session, const char *file,
                          const struct bl_fixture *fixture, size_t i, bool is_last)
{
    struct bl_conform_result result = {.file = file,
                                       .name = bl_fixture_case_name(fixture, i)};
    char message[BL_ERROR_BYTES];
    const double start = now();
    struct bl_fixture_case it;
    bl_error err;

    result.message = message;
    if (bl_fixture_case_read(fixture, i, &it, &err) == BL_OK) {
        result.outcome = bl_runner_run(&session->runner, &it, message);
        bl_fixture_case_free(&it);
        BL_TRY(check_cancelled(session));
    } else {
        bl_heap_note_status(err.status);
        result.outcome = BL_CONFORM_FAILED;
        result.message = err.message;
    }
    result.seconds = now() - start;
    session->progress.files_done += is_last;
    return give(session, &result);
}

/* The index of the next case from i on that the filter lets pass, or the count. */
static size_t next_wanted(const struct session *session, const char *file,
                          const struct bl_fixture *fixture, size_t i)
{
    const size_t count = bl_fixture_count(fixture);

    while (i < count && !is_wanted(session, file, bl_fixture_case_name(fixture, i)))
        i++;
    return i;
}

static bl_status run_fixture(struct session *session, const char *file)
{
    bl_error err;
    struct bl_fixture *fixture = bl_fixture_open(file, &err);
    bl_status status = BL_OK;

    if (fixture == NULL)
        return give_unreadable(session, file, err.message);
    const size_t count = bl_fixture_count(fixture);
    size_t i = next_wanted(session, file, fixture, 0);

    if (i == count)
        session->progress.files_done++;
    while (i < count && status == BL_OK) {
        const size_t next = next_wanted(session, file, fixture, i + 1);

        status = run_case(session, file, fixture, i, next == count);
        i = next;
    }
    bl_fixture_close(fixture);
    return status;
}

/* The test's name is its folder's. */
static bl_status run_onnx_test(struct session *session, const char *folder)
{
    struct bl_conform_result result = {.file = folder, .name = bl_path_last(folder)};
    char message[BL_ERROR_BYTES];
    const double start = now();

    session->progress.files_done++;
    if (!is_wanted(session, folder, result.name))
        return BL_OK;
    result.outcome = bl_onnx_folder_run(&session->runner, folder, message);
    BL_TRY(check_cancelled(session));
    result.message = message;
    result.seconds = now() - start;
    return give(session, &result);
}

static bl_status run_all(struct session *session)
{
    const struct bl_conform_totals *totals = &session->progress.totals;

    for (size_t i = 0; i < session->found.count; i++) {
        const struct bl_found *found = &session->found.items[i];

        BL_TRY(found->is_onnx_test ? run_onnx_test(session, found->path)
                                   : run_fixture(session, found->path));
    }
    if (totals->passed + totals->failed + totals->skipped == 0)
        return bl_fail(session->err, BL_ERR_ARGUMENT, "no case matches the filter '%s'",
                       session->options->filter);
    BL_TRY(bl_conform_report_end(session->report, session->err));
    if (bl_heap_ran_out())
        return bl_fail(session->err, BL_ERR_MEMORY,
                       "memory ran out, so that the cases say nothing");
    return BL_OK;
}

/* ---- The run ------------------------------------------------------------- */

static bl_status choose_backend(struct session *session)
{
    const struct bl_conform_options *options = session->options;
    const char *name =
        options->backend != NULL ? options->backend : bl_conform_backend_name(0);

    if ((size_t)options->format >= BL_CONFORM_FORMAT_COUNT)
        return bl_fail(session->err, BL_ERR_ARGUMENT, "unknown format %d",
                       (int)options->format);
    session->runner = (struct bl_runner){.backend = bl_conform_backend_find(name),
                                         .context = options->context,
                                         .honour_skips = options->honour_skips};
    if (session->runner.backend == NULL)
        return bl_fail(session->err, BL_ERR_ARGUMENT, "unknown backend '%s'", name);
    if (options->context != NULL)
        return BL_OK;
    bl_context_options with = BL_CONTEXT_DEFAULTS;

    with.allocator = &bl_heap_allocator;
    with.backend = session->runner.backend->is_device ? name : NULL;
    session->own_context = bl_context_new(&with, session->err);
    session->runner.context = session->own_context;
    return session->own_context != NULL ? BL_OK : session->err->status;
}

static bl_status prepare(struct session *session, const char *const *paths,
                         size_t path_count)
{
    BL_TRY(choose_backend(session));
    for (size_t i = 0; i < path_count; i++)
        BL_TRY(bl_find(paths[i], &session->found, session->err));
    if (session->found.count == 0)
        return bl_fail(session->err, BL_ERR_ARGUMENT, "there is no path to run");
    session->progress.files = session->found.count;
    session->report = bl_conform_report_new(session->options, session->err);
    return session->report != NULL ? BL_OK : session->err->status;
}

static bl_status run_paths(const struct bl_conform_options *options,
                           const char *const *paths, size_t path_count,
                           struct bl_conform_totals *totals, bl_error *err)
{
    bl_error local;
    struct session session = {.options = options, .err = err != NULL ? err : &local};
    bl_status status = prepare(&session, paths, path_count);

    if (status == BL_OK)
        status = run_all(&session);
    *totals = session.progress.totals;
    bl_conform_report_free(session.report);
    bl_found_list_free(&session.found);
    bl_context_free(session.own_context);
    return status;
}

bl_status bl_conform_run(const struct bl_conform_options *options, const char *const *paths,
                         size_t path_count, struct bl_conform_totals *totals, bl_error *err)
{
    fenv_t callers;

    /* Numbers in fixtures, the reference and tolerances round to nearest. */
    fegetenv(&callers);
    fesetenv(FE_DFL_ENV);
    const bl_status status = run_paths(options, paths, path_count, totals, err);

    fesetenv(&callers);
    return status;
}
