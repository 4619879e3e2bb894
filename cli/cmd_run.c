/*
 * cmd_run.c - broadloom run: a model on tensors
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "broadloom/broadloom.h"
#include "cli/args.h"
#include "cli/backend_arg.h"
#include "cli/cli.h"
#include "cli/message.h"
#include "cli/print_array.h"
#include "cli/quoted.h"
#include "cli/run_files.h"
#include "cli/tool_context.h"

enum {
    INPUT,
    OUTPUT,
    OUTPUT_DIR,
    RANDOM,
    SHAPE,
    DIM,
    BACKEND,
    PROFILE,
    NO_FUSE,
    THREADS,
    REPEAT,
    FORMAT,
    FULL,
    MAX_BYTES,
    MAX_ELEMENTS,
    MAX_WORK
};

static const struct bl_option options[] = {
    [INPUT] = {"input", 'i', "NAME=INPUT", "an input: a file or a literal, as in apply"},
    [OUTPUT] = {"output", 'o', "NAME=FILE", "write an output to FILE, .npy or .pb"},
    [OUTPUT_DIR] = {"output-dir", 'd', "DIR",
                    "write all other outputs to DIR/NAME.npy, or NAME.pb for\n"
                    "types that NumPy lacks"},
    [RANDOM] = {"random", 'r', "SEED",
                "fill the inputs that are not given: floats in [-1,1), integers\n"
                "0 to 10"},
    [SHAPE] = {"shape", 's', "NAME=DIMS", "the shape of an input that --random fills"},
    [DIM] = {"dim", 0, "SYMBOL=N", "what an open dim of the model is there (default: 1)"},
    [BACKEND] = {"backend", 'b', "NAME", "cpu (default), vulkan or vulkan:N (a GPU)"},
    [PROFILE] = {"profile", 'p', NULL, "say how long each step took, by its own clock"},
    [NO_FUSE] = {"no-fuse", 0, NULL, "run node by node; the results are the same bits"},
    [THREADS] = {"threads", 't', "N", "threads to use; 0: one a processor (default: 1)"},
    [REPEAT] = {"repeat", 'n', "N", "run N times, and say how long a run takes"},
    [FORMAT] = {"format", 'f', "FORMAT", "pretty (default), or json"},
    [FULL] = {"full", 0, NULL, "show all elements; else, of over 1000, 3 at each edge"},
    [MAX_BYTES] = BL_OPTION_MAX_BYTES,
    [MAX_ELEMENTS] = BL_OPTION_MAX_ELEMENTS,
    [MAX_WORK] = BL_OPTION_MAX_WORK,
};

static const char *const format_names[] = {"pretty", "json", NULL};
enum { PRETTY, JSON };

#define MOST_RUNS 1000000000

struct request {
    const char *model;
    struct bl_run_inputs inputs;
    struct bl_run_outputs outputs;
    int64_t threads;
    bl_limits limits;
    int64_t runs;
    const char *backend;
    bool profile;
    bool no_fuse;
    bool timed; /* --repeat */
    bool full;
    int format;
};

/* Seconds of the runs. */
struct times {
    double first, best, mean;
};

static bool read_option(const struct bl_command *self, int option, const char *value,
                        struct request *request)
{
    int64_t seed;

    switch (option) {
    case INPUT:
        bl_repeated_add(&request->inputs.given, value);
        return true;
    case OUTPUT:
        bl_repeated_add(&request->outputs.given, value);
        return true;
    case OUTPUT_DIR:
        request->outputs.folder = value;
        return true;
    case RANDOM:
        if (!bl_args_integer(self, option, value, 0, INT64_MAX, &seed))
            return false;
        request->inputs.random = true;
        request->inputs.seed = (uint64_t)seed;
        return true;
    case SHAPE:
        bl_repeated_add(&request->inputs.shapes, value);
        return true;
    case DIM:
        bl_repeated_add(&request->inputs.dims, value);
        return true;
    case BACKEND:
        request->backend = value;
        return bl_backend_check(self, value, false);
    case PROFILE:
        request->profile = true;
        return true;
    case NO_FUSE:
        request->no_fuse = true;
        return true;
    case THREADS:
        return bl_args_integer(self, option, value, 0, INT_MAX, &request->threads);
    case REPEAT:
        request->timed = true;
        return bl_args_integer(self, option, value, 1, MOST_RUNS, &request->runs);
    case FORMAT:
        return bl_args_choice(self, option, value, format_names, &request->format);
    case MAX_BYTES:
    case MAX_ELEMENTS:
    case MAX_WORK:
        return bl_limit_read(self, option, value, &request->limits);
    default:
        request->full = true;
        return true;
    }
}

/* False: exit with *exit. */
static bool read_request(const struct bl_command *self, int argc, char **argv,
                         struct request *request, enum bl_exit *exit)
{
    struct bl_args args;
    const char *value;
    int option;

    *exit = BL_EXIT_USAGE;
    bl_args_start(&args, self, argc, argv);
    while ((option = bl_args_next(&args, &value)) >= 0)
        if (!read_option(self, option, value, request))
            return false;
    if (option == BL_ARGS_EXIT) {
        *exit = args.exit;
        return false;
    }
    const int first = bl_args_operands(&args);

    if (argc - first != 1) {
        bl_message_usage(self, first == argc ? "a model is missing"
                                             : "run takes one model; inputs are given with "
                                               "--input NAME=FILE");
        return false;
    }
    if (!request->inputs.random &&
        (request->inputs.shapes.count > 0 || request->inputs.dims.count > 0)) {
        bl_message_usage(self, "--shape and --dim are for inputs that --random fills");
        return false;
    }
    if (request->outputs.folder != NULL && request->outputs.folder[0] == '\0') {
        bl_message_usage(self, "--output-dir is empty");
        return false;
    }
    request->model = argv[first];
    return true;
}

/* ---- Output ---------------------------------------------------------------------------- */

static void print_json(const bl_model *model, const struct request *request,
                       bl_tensor *const *tensors, const struct times *times)
{
    fputs("{\"outputs\": [", stdout);
    for (size_t i = 0; i < bl_model_output_count(model); i++) {
        const char *name = bl_model_output(model, i)->name;
        const char *path = request->outputs.paths[i];

        fputs(i > 0 ? ", {\"name\": " : "{\"name\": ", stdout);
        bl_quoted_write(stdout, name, strlen(name));
        if (path != NULL) {
            fputs(", \"file\": ", stdout);
            bl_quoted_write(stdout, path, strlen(path));
        } else {
            fputs(", \"value\": ", stdout);
            bl_array_put_json(stdout, tensors[i]);
        }
        putchar('}');
    }
    putchar(']');
    if (request->timed)
        printf(", \"runs\": %lld, \"seconds\": {\"first\": %.9f, \"best\": %.9f, \"mean\": "
               "%.9f}",
               (long long)request->runs, times->first, times->best, times->mean);
    fputs("}\n", stdout);
}

static void print_pretty(const bl_model *model, const struct request *request,
                         bl_tensor *const *tensors, const struct times *times)
{
    for (size_t i = 0; i < bl_model_output_count(model); i++) {
        if (request->outputs.paths[i] != NULL)
            continue;
        bl_utf8_write(stdout, bl_model_output(model, i)->name, "");
        fputs(": ", stdout);
        bl_array_print(stdout, tensors[i], request->full);
    }
    if (request->timed)
        printf("%lld runs: first %.3f ms, best %.3f ms, mean %.3f ms\n",
               (long long)request->runs, times->first * 1e3, times->best * 1e3,
               times->mean * 1e3);
}

/* ---- Running ----------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec time = {0, 0};

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void free_outputs(const bl_model *model, bl_tensor **tensors)
{
    for (size_t i = 0; i < bl_model_output_count(model); i++) {
        bl_tensor_free(tensors[i]);
        tensors[i] = NULL;
    }
}

/* Run as often as asked, and keep the last run's outputs.  False after a message. */
static bool run_session(bl_context *context, bl_session *session, const bl_model *model,
                        const struct request *request, const struct bl_inputs *inputs,
                        bl_tensor **tensors, struct times *times)
{
    const bool is_terminal = isatty(STDERR_FILENO) == 1;
    const double start = now();
    double shown = start;

    for (int64_t i = 0; i < request->runs; i++) {
        const double before = now();
        bl_error err;

        if (is_terminal && before - shown > 0.2) {
            shown = before;
            fprintf(stderr, "\r\033[K%lld/%lld runs", (long long)i,
                    (long long)request->runs);
        }
        free_outputs(model, tensors);
        bl_context_forget_timings(context);
        const double from = now();

        if (bl_session_run(session, (const bl_tensor *const *)inputs->tensors, tensors,
                           &err) != BL_OK) {
            bl_message("%s", err.message);
            return false;
        }
        const double took = now() - from;

        times->first = i == 0 ? took : times->first;
        times->best = i == 0 || took < times->best ? took : times->best;
        times->mean += took / (double)request->runs;
    }
    if (shown > start)
        fputs("\r\033[K", stderr);
    return true;
}

static enum bl_exit run_inputs(bl_context *context, const bl_model *model,
                               struct request *request, const struct bl_inputs *inputs)
{
    bl_session_options with = BL_SESSION_DEFAULTS;
    bl_tensor **tensors = calloc(bl_model_output_count(model) + 1, sizeof *tensors);
    struct times times = {0, 0, 0};
    enum bl_exit exit = BL_EXIT_USAGE;
    bl_error err;

    with.no_fuse = request->no_fuse;
    bl_session *session = bl_session_new(context, model, &with, &err);

    if (session == NULL || tensors == NULL) {
        bl_message("%s", session == NULL ? err.message : "out of memory for the outputs");
    } else if (run_session(context, session, model, request, inputs, tensors, &times) &&
               !bl_tool_interrupted() &&
               bl_run_outputs_write(model, &request->outputs, tensors)) {
        exit = BL_EXIT_OK;
        if (request->format == JSON)
            print_json(model, request, tensors, &times);
        else
            print_pretty(model, request, tensors, &times);
        if (request->profile)
            bl_profile_print(stderr, context);
    }
    if (tensors != NULL)
        free_outputs(model, tensors);
    free(tensors);
    bl_session_free(session);
    return exit;
}

static enum bl_exit run_model(bl_context *context, const bl_model *model,
                              struct request *request)
{
    struct bl_inputs inputs = {NULL, 0};
    enum bl_exit exit = BL_EXIT_USAGE;

    if (bl_run_outputs_place(model, &request->outputs) &&
        bl_run_inputs_read(context, model, &request->inputs, &inputs))
        exit = run_inputs(context, model, request, &inputs);
    bl_inputs_free(&inputs);
    bl_run_outputs_free(model, &request->outputs);
    return exit;
}

static enum bl_exit run_request(struct request *request)
{
    enum bl_exit exit = BL_EXIT_USAGE;
    bl_error err;
    bl_context *context = bl_tool_context_new(request->threads, &request->limits,
                                              request->backend, request->profile);

    if (context == NULL)
        return exit;
    bl_model *model = bl_model_open(context, request->model, &err);

    if (model == NULL)
        bl_message("%s", err.message);
    else
        exit = run_model(context, model, request);
    bl_model_free(model);
    bl_tool_context_free(context);
    return exit;
}

static enum bl_exit run(const struct bl_command *self, int argc, char **argv)
{
    struct request request = {.threads = 1, .runs = 1};
    enum bl_exit exit = BL_EXIT_USAGE;

    if (bl_repeated_start(&request.inputs.given, argc) &&
        bl_repeated_start(&request.inputs.shapes, argc) &&
        bl_repeated_start(&request.inputs.dims, argc) &&
        bl_repeated_start(&request.outputs.given, argc) &&
        read_request(self, argc, argv, &request, &exit))
        exit = run_request(&request);
    bl_repeated_free(&request.inputs.given);
    bl_repeated_free(&request.inputs.shapes);
    bl_repeated_free(&request.inputs.dims);
    bl_repeated_free(&request.outputs.given);
    return exit;
}

const struct bl_command bl_command_run = {
    .name = "run",
    .summary = "run an ONNX model",
    .operands = "MODEL [OPTION]...",
    .description =
        "Run an ONNX model, an .onnx file, and print its outputs.\n"
        "\n"
        "An INPUT is a file or a literal, as 'broadloom help apply' tells.  An input that\n"
        "the model has a default for may be left out.  Files are written together when\n"
        "the run is done; one that fails leaves none.\n",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = "  broadloom run gelu.onnx --input 'x=float32[1,3]=-1,0,1'\n"
                "  broadloom run model.onnx --input x=x.npy --output y=y.npy\n"
                "  broadloom run model.onnx --random 1 --dim batch=8 --output-dir results\n"
                "  broadloom run model.onnx --random 1 --shape x=64,1024 --repeat 100 "
                "--threads 0\n",
    .run = run,
};
