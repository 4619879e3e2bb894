/*
 * cmd_conform.c - broadloom conform: run the conformance cases of files and folders
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "broadloom/broadloom.h"
#include "cli/args.h"
#include "cli/backend_arg.h"
#include "cli/cli.h"
#include "cli/message.h"
#include "cli/tool_context.h"
#include "conform/conform.h"

enum { BACKEND, FILTER, FORMAT, HONOUR_SKIPS, VERBOSE, MAX_BYTES, MAX_ELEMENTS, MAX_WORK };

struct request {
    struct bl_conform_options with;
    bl_limits limits;
};

static const struct bl_option options[] = {
    [BACKEND] = {"backend", 'b', "NAME",
                 "cpu (default), vulkan or vulkan:N (a GPU), or reference:\n"
                 "slow, by the definition"},
    [FILTER] = {"filter", 'k', "GLOB",
                "only the cases whose name, or file:name, matches the glob"},
    [FORMAT] = {"format", 'f', "FORMAT", "pretty (default), tap, junit or json"},
    [HONOUR_SKIPS] = {"honour-skips", 0, NULL, "leave out the cases that have a skipGpu"},
    [VERBOSE] = {"verbose", 'v', NULL, "a line for every case"},
    [MAX_BYTES] = BL_OPTION_MAX_BYTES,
    [MAX_ELEMENTS] = BL_OPTION_MAX_ELEMENTS,
    [MAX_WORK] = BL_OPTION_MAX_WORK,
};

static bool read_option(const struct bl_command *self, int option, const char *value,
                        struct request *request)
{
    struct bl_conform_options *with = &request->with;
    const char *formats[BL_CONFORM_FORMAT_COUNT + 1] = {NULL};
    int format;

    switch (option) {
    case BACKEND:
        with->backend = value;
        return bl_backend_check(self, value, true);
    case FILTER:
        with->filter = value;
        return true;
    case FORMAT:
        for (int i = 0; i < BL_CONFORM_FORMAT_COUNT; i++)
            formats[i] = bl_conform_format_name((enum bl_conform_format)i);
        if (!bl_args_choice(self, option, value, formats, &format))
            return false;
        with->format = (enum bl_conform_format)format;
        return true;
    case HONOUR_SKIPS:
        with->honour_skips = true;
        return true;
    case MAX_BYTES:
    case MAX_ELEMENTS:
    case MAX_WORK:
        return bl_limit_read(self, option, value, &request->limits);
    default:
        with->verbose = true;
        return true;
    }
}

/* ---- Progress, on a terminal ------------------------------------------------------ */

/* Back to the line's start, and wipe it. */
static const char wipe[] = "\r\033[K";

struct progress {
    size_t files_shown;
    bool verbose;
};

static void show_progress(void *user, const struct bl_conform_progress *now)
{
    struct progress *progress = user;

    /* The case's own line, which may go to the same terminal, takes the place of the
     * progress.  Without one, draw once a file: a terminal is slower than the cases. */
    if (progress->verbose || now->last_result->outcome == BL_CONFORM_FAILED) {
        fputs(wipe, stderr);
        fflush(stdout);
    } else if (now->files_done == progress->files_shown) {
        return;
    }
    progress->files_shown = now->files_done;
    if (now->files_done == now->files) { /* what follows is the end of the report */
        fputs(wipe, stderr);
        return;
    }
    fprintf(stderr, "%s%zu/%zu files, %zu passed, %zu failed", wipe, now->files_done,
            now->files, now->totals.passed, now->totals.failed);
}

static bool wants_progress(const struct bl_conform_options *with)
{
    return isatty(STDERR_FILENO) == 1 &&
           (isatty(STDOUT_FILENO) == 0 || with->format == BL_CONFORM_PRETTY);
}

/* Run the cases, with progress where somebody is there to see it. */
static bl_status conform(struct bl_conform_options *with, const char *const *paths,
                         size_t count, struct bl_conform_totals *totals, bl_error *err)
{
    struct progress progress = {.verbose = with->verbose};

    if (!wants_progress(with))
        return bl_conform_run(with, paths, count, totals, err);
    /* Held back, so that show_progress can wipe its line before a case's line appears. */
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    with->progress = show_progress;
    with->user = &progress;
    const bl_status status = bl_conform_run(with, paths, count, totals, err);

    fputs(wipe, stderr);
    return status;
}

static enum bl_exit run(const struct bl_command *self, int argc, char **argv)
{
    struct request request = {.with = {.out = stdout, .colour = bl_has_color(stdout)}};
    struct bl_conform_totals totals = {0, 0, 0};
    struct bl_args args;
    const char *value;
    bl_error err;
    int option;

    bl_args_start(&args, self, argc, argv);
    while ((option = bl_args_next(&args, &value)) >= 0)
        if (!read_option(self, option, value, &request))
            return BL_EXIT_USAGE;
    if (option == BL_ARGS_EXIT)
        return args.exit;
    const int first = bl_args_operands(&args);

    if (first == argc)
        return bl_message_usage(self, "a file or a folder is missing");
    request.with.context =
        bl_tool_context_new(1, &request.limits, request.with.backend, false);
    if (request.with.context == NULL)
        return BL_EXIT_USAGE;
    const bl_status status = conform(&request.with, (const char *const *)argv + first,
                                     (size_t)(argc - first), &totals, &err);

    bl_tool_context_free(request.with.context);
    if (status != BL_OK) {
        bl_message("%s", err.message);
        return BL_EXIT_USAGE;
    }
    return totals.failed > 0 ? BL_EXIT_FAILED : BL_EXIT_OK;
}

const struct bl_command bl_command_conform = {
    .name = "conform",
    .summary = "run conformance cases: fixtures, and ONNX's own node tests",
    .operands = "[OPTION]... PATH...",
    .description =
        "Run the cases of each PATH on a backend, and report which results are right.\n"
        "\n"
        "A PATH is a JSON fixture, the folder of one ONNX test (model.onnx beside\n"
        "test_data_set_*), or a folder that is searched for both.\n"
        "Exits with 0 if all cases passed, 1 if one failed, 2 if they could not be run.\n",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = "  broadloom conform fixtures\n"
                "  broadloom conform --filter '*broadcast*' --verbose fixtures/add.json\n"
                "  broadloom conform --format junit fixtures > report.xml\n",
    .run = run,
};
