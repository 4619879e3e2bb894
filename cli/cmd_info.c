/*
 * cmd_info.c - broadloom info: the version, the machine, what is known
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "broadloom/broadloom.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/info_devices.h"
#include "cli/json_out.h"
#include "cli/op_types.h"
#include "cli/message.h"

enum { FORMAT };

static const struct bl_option options[] = {
    [FORMAT] = {"format", 'f', "FORMAT", "pretty (default) or json"},
};

static const char *const format_names[] = {"pretty", "json", NULL};
enum { PRETTY, JSON };

static const char *compiler(void)
{
#if defined(__clang__)
    return __VERSION__; /* says "Clang" itself */
#elif defined(__GNUC__)
    return "GCC " __VERSION__;
#else
    return "unknown";
#endif
}

/* What the tool was built for, and what vectors the kernels of the baseline use there. */
static const char *machine(void)
{
#if defined(__x86_64__)
    return "x86-64; the baseline uses SSE2";
#elif defined(__SSE2__)
    return "x86, 32 bits; the baseline uses SSE2";
#elif defined(__aarch64__)
    return "aarch64; the baseline uses NEON";
#elif defined(__s390x__)
    return "s390x, big-endian; the baseline uses no vectors";
#else
    return "another; the baseline uses what the compiler may assume";
#endif
}

struct counts {
    size_t operators;
    size_t versions;
    size_t triples; /* operator, version, element type */
};

static struct counts count_all(void)
{
    struct counts counts = {0, bl_op_count(), 0};
    const char *last = "";

    for (size_t i = 0; i < bl_op_count(); i++) {
        const bl_op *op = bl_op_at(i);

        counts.operators += strcmp(op->name, last) != 0;
        counts.triples += bl_op_type_count(op);
        last = op->name;
    }
    return counts;
}

static enum bl_exit print_pretty(const bl_context *context, const struct counts *counts)
{
    char *devices = bl_devices_text();
    const char *limit = getenv("BL_ISA");

    if (devices == NULL) {
        bl_message("out of memory for a list of devices");
        return BL_EXIT_USAGE;
    }
    printf("version    %s\n", bl_version());
    printf("compiler   %s\n", compiler());
    printf("machine    %s\n", machine());
    printf("processor  %s (the best kernels it can run)\n", bl_cpu_isa());
    printf("kernels    %s%s%s%s\n", bl_context_isa(context),
           limit != NULL ? " (BL_ISA=" : "", limit != NULL ? limit : "",
           limit != NULL ? ")" : "");
    printf("threads    up to %d\n", bl_context_threads(context));
    printf("operators  %zu, in %zu versions, %zu with their element types\n",
           counts->operators, counts->versions, counts->triples);
    printf("opsets     ai.onnx 1 to %d\n", BL_OPSET_MAX);
    fputs(devices, stdout);
    free(devices);
    return BL_EXIT_OK;
}

static enum bl_exit print_json(const bl_context *context, const struct counts *counts)
{
    const char *limit = getenv("BL_ISA");
    char why[BL_ERROR_BYTES];
    json_t *devices = bl_devices_json(why, sizeof why);

    /* BL_ISA may hold bytes that are no UTF-8; json_string then gives NULL, and the key
     * goes. */
    return bl_json_print(json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:o?, s:i, s:I, s:I, s:I, s:{s:[i, i]}, s:o, s:s}",
        "version", bl_version(), "compiler", compiler(), "machine", machine(), "processor",
        bl_cpu_isa(), "kernels", bl_context_isa(context), "BL_ISA",
        limit != NULL ? json_string(limit) : NULL, "threads", bl_context_threads(context),
        "operators", (json_int_t)counts->operators, "versions",
        (json_int_t)counts->versions, "triples", (json_int_t)counts->triples, "opsets",
        "ai.onnx", 1, BL_OPSET_MAX, "devices", devices, "no_devices", why));
}

static enum bl_exit run(const struct bl_command *self, int argc, char **argv)
{
    bl_context_options with = BL_CONTEXT_DEFAULTS;
    const struct counts counts = count_all();
    struct bl_args args;
    const char *value;
    int option;
    int format = PRETTY;
    bl_error err;
    enum bl_exit exit = BL_EXIT_OK;

    bl_args_start(&args, self, argc, argv);
    while ((option = bl_args_next(&args, &value)) >= 0)
        if (!bl_args_choice(self, option, value, format_names, &format))
            return BL_EXIT_USAGE;
    if (option == BL_ARGS_EXIT)
        return args.exit;
    if (bl_args_operands(&args) < argc)
        return bl_message_usage(self, "info takes no argument, got '%s'",
                                argv[bl_args_operands(&args)]);
    with.threads = 0; /* one a processor: the most that is worth while */
    bl_context *context = bl_context_new(&with, &err);

    if (context == NULL) {
        bl_message("%s", err.message);
        return BL_EXIT_USAGE;
    }
    if (format == JSON)
        exit = print_json(context, &counts);
    else
        exit = print_pretty(context, &counts);
    bl_context_free(context);
    return exit;
}

const struct bl_command bl_command_info = {
    .name = "info",
    .summary = "show the version, this machine's kernels and GPUs, what is known",
    .operands = "[OPTION]...",
    .description =
        "Show the version, the compiler, the processor's instruction set, the kernels\n"
        "in use (the environment variable BL_ISA limits them), the operators known,\n"
        "and the GPUs that Vulkan finds, with what each cannot do.\n",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = "  broadloom info\n"
                "  BL_ISA=baseline broadloom info --format json\n",
    .run = run,
};
