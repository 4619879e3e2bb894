/*
 * cmd_inspect.c - broadloom inspect: what is in a model, and how it would run
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "broadloom/broadloom.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/inspect_view.h"
#include "cli/message.h"
#include "cli/model_arg.h"
#include "cli/stage.h"
#include "cli/tool_context.h"

enum { FORMAT, OUTPUT, SHAPE, DIM, MAX_BYTES, MAX_ELEMENTS, MAX_WORK };

static const struct bl_option options[] = {
    [FORMAT] = {"format", 'f', "FORMAT",
                "pretty (default), json, dot, or svg, which needs Graphviz"},
    [OUTPUT] = {"output", 'o', "FILE", "write to FILE, whole or not at all"},
    [SHAPE] = {"shape", 's', "NAME=DIMS", "the shape of an input"},
    [DIM] = {"dim", 0, "SYMBOL=N", "what an open dim of the model is (default: 1)"},
    [MAX_BYTES] = BL_OPTION_MAX_BYTES,
    [MAX_ELEMENTS] = BL_OPTION_MAX_ELEMENTS,
    [MAX_WORK] = BL_OPTION_MAX_WORK,
};

static const char *const format_names[] = {"pretty", "json", "dot", "svg", NULL};
enum { PRETTY, JSON, DOT, SVG };

struct request {
    const char *model;
    const char *output;
    int format;
    bl_limits limits;
    struct bl_repeated shapes;
    struct bl_repeated dims;
};

/* False: exit with *exit. */
static bool read_request(const struct bl_command *self, int argc, char **argv,
                         struct request *request, enum bl_exit *exit)
{
    struct bl_args args;
    const char *value;
    int option;

    *exit = BL_EXIT_USAGE;
    bl_args_start(&args, self, argc, argv);
    while ((option = bl_args_next(&args, &value)) >= 0) {
        if (option == SHAPE)
            bl_repeated_add(&request->shapes, value);
        else if (option == DIM)
            bl_repeated_add(&request->dims, value);
        else if (option == OUTPUT)
            request->output = value;
        else if (option == FORMAT
                     ? !bl_args_choice(self, option, value, format_names, &request->format)
                     : !bl_limit_read(self, option, value, &request->limits))
            return false;
    }
    if (option == BL_ARGS_EXIT) {
        *exit = args.exit;
        return false;
    }
    const int first = bl_args_operands(&args);

    if (argc - first != 1) {
        bl_message_usage(self,
                         first == argc ? "a model is missing" : "inspect takes one model");
        return false;
    }
    request->model = argv[first];
    return true;
}

/* ---- Output ------------------------------------------------------------------------------ */

/* False after a message. */
static bool print(FILE *out, const struct request *request,
                  const struct bl_inspection *inspection)
{
    const struct bl_style style = bl_style_of(out);
    bool done = false;

    switch (request->format) {
    case PRETTY:
        done = bl_inspect_pretty(out, inspection, &style);
        break;
    case JSON:
        done = bl_inspect_json(out, inspection);
        break;
    case DOT:
        done = bl_inspect_dot(out, inspection);
        break;
    default:
        return bl_inspect_svg(out, inspection);
    }
    if (!done)
        bl_message("out of memory for the output");
    return done;
}

struct picture {
    const struct request *request;
    const struct bl_inspection *inspection;
};

static bool print_file(const void *what, const char *path, int fd)
{
    const struct picture *picture = what;
    const int own = fd < 0 ? -1 : dup(fd);
    FILE *out = fd < 0 ? fopen(path, "w") : own >= 0 ? fdopen(own, "w") : NULL;

    if (out == NULL) {
        bl_message("cannot write %s: %s", path, strerror(errno));
        if (own >= 0)
            close(own);
        return false;
    }
    const bool printed = print(out, picture->request, picture->inspection);
    const bool failed = fflush(out) != 0 || ferror(out) != 0;
    const int reason = errno;

    if (fclose(out) == 0 && !failed)
        return printed;
    if (printed) /* else there was a message already */
        bl_message("cannot write %s: %s", path, strerror(failed ? reason : errno));
    return false;
}

static enum bl_exit deliver(const struct request *request,
                            const struct bl_inspection *inspection)
{
    struct bl_stage stage;
    bool done = false;

    if (request->output == NULL) {
        done = print(stdout, request, inspection);
    } else {
        const struct picture picture = {request, inspection};

        done = bl_stage_start(&stage, 1) &&
               bl_stage_add(&stage, request->output, print_file, &picture) &&
               bl_stage_commit(&stage);
        bl_stage_end(&stage);
    }
    return !done                           ? BL_EXIT_USAGE
           : inspection->problem_count > 0 ? BL_EXIT_FAILED
                                           : BL_EXIT_OK;
}

/* ---- Looking ------------------------------------------------------------------------------- */

/* The inputs' types for which the model is explained.  BL_ERR_ARGUMENT where the model leaves
 * too much open. */
static bl_status complete_types(const bl_model *model, const struct request *request,
                                bl_tensor_type *types, bl_error *err)
{
    const bl_value_info *info;

    for (size_t i = 0; (info = bl_model_input(model, i)) != NULL; i++) {
        if (types[i].dtype != BL_UNDEFINED || info->has_default)
            continue;
        const bl_status status = bl_model_complete(model, &request->dims, types, i, err);

        if (status != BL_OK)
            return status;
    }
    return BL_OK;
}

static enum bl_exit inspect(bl_context *context, const bl_model *model,
                            const struct request *request, bl_tensor_type *types)
{
    struct bl_inspection inspection = {.path = request->model, .model = model};
    enum bl_exit exit = BL_EXIT_USAGE;
    bl_explanation *explanation = NULL;
    bl_error err;

    if (!bl_model_shapes(model, &request->shapes, types) ||
        !bl_model_check_dims(model, &request->dims))
        return BL_EXIT_USAGE;
    if (complete_types(model, request, types, &err) != BL_OK) {
        inspection.unexplained = err.message;
    } else {
        explanation = bl_model_explain(context, model, types, &err);
        if (explanation == NULL) {
            bl_message("%s", err.message);
            return BL_EXIT_USAGE;
        }
    }
    inspection.explanation = explanation;
    if (bl_inspection_fill(&inspection))
        exit = deliver(request, &inspection);
    else
        bl_message("out of memory for %zu nodes", bl_model_node_count(model));
    bl_inspection_free(&inspection);
    bl_explanation_free(explanation);
    return exit;
}

static enum bl_exit inspect_request(const struct request *request)
{
    enum bl_exit exit = BL_EXIT_USAGE;
    bl_tensor_type *types = NULL;
    bl_error err;
    bl_context *context = bl_tool_context_new(1, &request->limits, NULL, false);

    if (context == NULL)
        return exit;
    bl_model *model = bl_model_inspect(context, request->model, &err);

    if (model != NULL)
        types = calloc(bl_model_input_count(model) + 1, sizeof *types);
    if (model == NULL)
        bl_message("%s", err.message);
    else if (types == NULL)
        bl_message("out of memory for %zu inputs", bl_model_input_count(model));
    else
        exit = inspect(context, model, request, types);
    free(types);
    bl_model_free(model);
    bl_tool_context_free(context);
    return exit;
}

static enum bl_exit run(const struct bl_command *self, int argc, char **argv)
{
    struct request request = {.format = PRETTY};
    enum bl_exit exit = BL_EXIT_USAGE;

    if (bl_repeated_start(&request.shapes, argc) &&
        bl_repeated_start(&request.dims, argc) &&
        read_request(self, argc, argv, &request, &exit))
        exit = inspect_request(&request);
    bl_repeated_free(&request.shapes);
    bl_repeated_free(&request.dims);
    return exit;
}

const struct bl_command bl_command_inspect = {
    .name = "inspect",
    .summary = "show what is in an ONNX model, and how it would run",
    .operands = "MODEL [OPTION]...",
    .description = "Show a model's inputs, outputs and operators, every node that cannot "
                   "run and why,\n"
                   "and the steps of a run: which nodes are fused, and the bytes that each "
                   "step moves\n"
                   "for these shapes.  Nothing is run.\n"
                   "Exits with 1 if a node cannot run.\n",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples =
        "  broadloom inspect model.onnx\n"
        "  broadloom inspect model.onnx --dim batch=8 --format json\n"
        "  broadloom inspect model.onnx --shape x=64,1024 --format svg -o model.svg\n",
    .run = run,
};
