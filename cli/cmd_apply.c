/*
 * cmd_apply.c - broadloom apply: one operator on tensors
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "broadloom/broadloom.h"
#include "cli/args.h"
#include "cli/backend_arg.h"
#include "cli/cli.h"
#include "cli/dims.h"
#include "cli/input_arg.h"
#include "cli/message.h"
#include "cli/operator_arg.h"
#include "cli/print_array.h"
#include "cli/stage.h"
#include "cli/tool_context.h"
#include "conform/reference.h"

enum {
    OUTPUT,
    OPSET,
    ATTR,
    BACKEND,
    PROFILE,
    THREADS,
    NAME,
    FORMAT,
    FULL,
    MAX_BYTES,
    MAX_ELEMENTS,
    MAX_WORK
};

static const struct bl_option options[] = {
    [OUTPUT] = {"output", 'o', "FILE",
                "write the result to FILE, .npy or .pb, whole or not at all"},
    [OPSET] = {"opset", 0, "N", "the operator's version in opset N (default: the newest)"},
    [ATTR] = {"attr", 'a', "NAME=VALUE",
              "an attribute: 2, 0.5, text or [1,2]; may be repeated"},
    [BACKEND] = {"backend", 'b', "NAME",
                 "cpu (default), vulkan or vulkan:N (a GPU), or reference:\n"
                 "slow, by the definition"},
    [PROFILE] = {"profile", 'p', NULL, "say how long each step took, by its own clock"},
    [THREADS] = {"threads", 't', "N", "threads to use; 0: one a processor (default: 1)"},
    [NAME] = {"name", 'n', "NODE", "the node's name, for messages"},
    [FORMAT] = {"format", 'f', "FORMAT",
                "pretty (default), or json: a tensor of a fixture"},
    [FULL] = {"full", 0, NULL, "show all elements; else, of over 1000, 3 at each edge"},
    [MAX_BYTES] = BL_OPTION_MAX_BYTES,
    [MAX_ELEMENTS] = BL_OPTION_MAX_ELEMENTS,
    [MAX_WORK] = BL_OPTION_MAX_WORK,
};

static const char *const format_names[] = {"pretty", "json", NULL};
enum { PRETTY, JSON };

struct request {
    const char *output;
    const char *name;
    int64_t opset;
    int64_t threads;
    bl_limits limits;
    const char *backend;
    bool profile;
    int format;
    bool full;
    const char **attributes; /* as given, [attribute_count] */
    size_t attribute_count;
    const char *op;
    char *const *inputs;
    size_t input_count;
};

static bool read_option(const struct bl_command *self, int option, const char *value,
                        struct request *request)
{
    switch (option) {
    case OUTPUT:
        request->output = value;
        return true;
    case OPSET:
        return bl_args_integer(self, option, value, 1, BL_OPSET_MAX, &request->opset);
    case ATTR:
        request->attributes[request->attribute_count++] = value;
        return true;
    case BACKEND:
        request->backend = value;
        return bl_backend_check(self, value, true);
    case PROFILE:
        request->profile = true;
        return true;
    case THREADS:
        return bl_args_integer(self, option, value, 0, INT_MAX, &request->threads);
    case NAME:
        request->name = value;
        return true;
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

    if (first == argc) {
        bl_message_usage(self, "an operator is missing");
        return false;
    }
    request->op = argv[first];
    request->inputs = argv + first + 1;
    request->input_count = (size_t)(argc - first - 1);
    return true;
}

/* ---- Computing ------------------------------------------------------------------ */

static enum bl_exit deliver(const struct request *request, const bl_tensor *result)
{
    struct bl_stage stage;

    if (request->output == NULL) {
        if (request->format == JSON)
            bl_array_print_json(stdout, result);
        else
            bl_array_print(stdout, result, request->full);
        return BL_EXIT_OK;
    }
    const bool done = bl_stage_start(&stage, 1) &&
                      bl_stage_tensor(&stage, request->output, result) &&
                      bl_stage_commit(&stage);

    bl_stage_end(&stage);
    if (!done)
        return BL_EXIT_USAGE;
    if (isatty(STDERR_FILENO)) {
        char text[BL_DIMS_TEXT];

        fprintf(stderr, "wrote %s%s to %s\n", bl_dtype_name(bl_tensor_dtype(result)),
                bl_dims_text(bl_tensor_shape(result), text), request->output);
    }
    return BL_EXIT_OK;
}

static enum bl_exit compute(bl_context *context, const struct request *request,
                            const bl_node *node)
{
    struct bl_inputs inputs;
    bl_tensor *result = NULL;
    bl_error err;
    enum bl_exit exit = BL_EXIT_USAGE;

    if (bl_inputs_read(context, request->inputs, request->input_count, &inputs)) {
        const bl_tensor *const *tensors = (const bl_tensor *const *)inputs.tensors;
        const bl_status status =
            bl_backend_is_reference(request->backend)
                ? bl_reference_apply(node, tensors, inputs.count, &result, 1, &err)
                : bl_apply(context, node, tensors, inputs.count, &result, 1, &err);

        if (status == BL_OK && !bl_tool_interrupted())
            exit = deliver(request, result);
        if (status == BL_OK && request->profile)
            bl_profile_print(stderr, context);
        if (status != BL_OK)
            bl_message("%s", err.message);
    }
    bl_tensor_free(result);
    bl_inputs_free(&inputs);
    return exit;
}

/* Read the attributes into `args`, and into `list` as the node wants them,
 * [attribute_count] each. */
static bool read_attributes(const struct request *request, const bl_op *op,
                            struct bl_attribute_arg *args, bl_attribute *list)
{
    for (size_t i = 0; i < request->attribute_count; i++) {
        bl_error err;

        if (bl_attribute_parse(op, request->attributes[i], &args[i], &err) != BL_OK) {
            bl_message("%s", err.message);
            return false;
        }
        list[i] = args[i].attribute;
    }
    return true;
}

static enum bl_exit apply(bl_context *context, const struct request *request)
{
    bl_error err;
    const bl_op *op = bl_operator_find(request->op, request->opset, &err);
    enum bl_exit exit = BL_EXIT_USAGE;

    if (op == NULL) {
        bl_message("%s", err.message);
        return exit;
    }
    const size_t count = request->attribute_count;
    struct bl_attribute_arg *args = calloc(count + 1, sizeof *args);
    bl_attribute *list = calloc(count + 1, sizeof *list);

    if (args == NULL || list == NULL) {
        bl_message("out of memory for %zu attributes", count);
    } else if (read_attributes(request, op, args, list)) {
        const bl_node node = {op, request->name, list, count};

        exit = compute(context, request, &node);
    }
    for (size_t i = 0; args != NULL && i < count; i++)
        bl_attribute_free(&args[i]);
    free(args);
    free(list);
    return exit;
}

static enum bl_exit run(const struct bl_command *self, int argc, char **argv)
{
    struct request request = {.opset = BL_OPSET_LATEST, .threads = 1};
    enum bl_exit exit;

    /* No command line has more attributes than words. */
    request.attributes = calloc((size_t)argc, sizeof *request.attributes);
    if (request.attributes == NULL) {
        bl_message("out of memory for %d arguments", argc);
        return BL_EXIT_USAGE;
    }
    if (read_request(self, argc, argv, &request, &exit)) {
        bl_context *context = bl_tool_context_new(request.threads, &request.limits,
                                                  request.backend, request.profile);

        exit = context != NULL ? apply(context, &request) : BL_EXIT_USAGE;
        bl_tool_context_free(context);
    }
    free(request.attributes);
    return exit;
}

const struct bl_command bl_command_apply = {
    .name = "apply",
    .summary = "apply an operator to tensors",
    .operands = "OP [INPUT]... [OPTION]...",
    .description =
        "Apply operator OP (Add, or ai.onnx.Add) to the inputs, and print the result.\n"
        "\n"
        "An INPUT is one of\n"
        "  FILE                    a .npy, or an ONNX TensorProto (.pb); '-' is standard "
        "input\n"
        "  TYPE[DIMS]=V,V,...      the values row by row, or one for all elements;\n"
        "                          also NaN, Infinity, -Infinity, true, false, (re,im) "
        "for\n"
        "                          complex, text or \"text\" for string; TYPE[]=V is a "
        "scalar\n"
        "  none                    an optional input that is absent\n",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples =
        "  broadloom apply Add 'float32[2,3]=1,2,3,4,5,6' 'float32[3]=10,20,30'\n"
        "  broadloom apply Where 'bool[2]=true,false' 'string[]=yes' 'string[]=no'\n"
        "  broadloom apply Gemm a.npy b.npy c.npy --attr alpha=0.5 --attr transB=1 -o "
        "y.npy\n"
        "  broadloom apply Add a.npy b.npy --opset 6 --attr broadcast=1 --attr axis=1\n",
    .run = run,
};
