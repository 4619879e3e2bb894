/*
 * cmd_ops.c - broadloom ops: what operators there are
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <string.h>

#include "broadloom/broadloom.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/operator_arg.h"
#include "cli/ops_view.h"
#include "cli/message.h"

enum { FORMAT, NAMES };

static const struct bl_option options[] = {
    [FORMAT] = {"format", 'f', "FORMAT", "pretty (default), json or markdown"},
    [NAMES] = {"names", 0, NULL, NULL}, /* for the shell's completion */
};

static const char *const format_names[] = {"pretty", "json", "markdown", NULL};
enum { PRETTY, JSON, MARKDOWN };

static void print_names(void)
{
    struct bl_family family;

    for (size_t at = 0; (family = bl_family_at(at)).count > 0; at += family.count)
        printf("%s\n", bl_op_at(at)->name);
}

/* False after a message. */
static bool find_family(const char *text, struct bl_family *family)
{
    bl_error err;
    const bl_op *op = bl_operator_find(text, BL_OPSET_LATEST, &err);

    if (op == NULL) {
        bl_message("%s", err.message);
        return false;
    }
    for (size_t at = 0; (*family = bl_family_at(at)).count > 0; at += family->count)
        if (strcmp(bl_op_at(at)->name, op->name) == 0)
            return true;
    return false;
}

static enum bl_exit run(const struct bl_command *self, int argc, char **argv)
{
    struct bl_family family;
    struct bl_args args;
    const char *value;
    bool names = false;
    int option;
    int format = PRETTY;

    bl_args_start(&args, self, argc, argv);
    while ((option = bl_args_next(&args, &value)) >= 0) {
        if (option == NAMES)
            names = true;
        else if (!bl_args_choice(self, option, value, format_names, &format))
            return BL_EXIT_USAGE;
    }
    if (option == BL_ARGS_EXIT)
        return args.exit;
    const int first = bl_args_operands(&args);

    if (argc - first > 1)
        return bl_message_usage(self, "ops takes one operator, got '%s' too",
                                argv[first + 1]);
    if (argc > first && !find_family(argv[first], &family))
        return BL_EXIT_USAGE;
    const struct bl_family *shown = argc > first ? &family : NULL;

    if (names)
        print_names();
    else if (format == JSON)
        return bl_ops_json(shown);
    else if (format == MARKDOWN)
        bl_ops_markdown(shown);
    else
        bl_ops_pretty(shown);
    return BL_EXIT_OK;
}

const struct bl_command bl_command_ops = {
    .name = "ops",
    .summary = "list the operators, or tell all of one",
    .operands = "[OPTION]... [NAME]",
    .description =
        "List the operators with their versions, the number of element types, the\n"
        "broadcasting rule and how exact they are; or, with NAME, tell all of one: for "
        "each\n"
        "version its opsets, inputs, types, attributes and rule.\n",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = "  broadloom ops\n"
                "  broadloom ops Gemm\n"
                "  broadloom ops --format markdown > operators.md\n",
    .run = run,
};
