/*
 * tool.c - finds the command that the arguments name, and runs it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/tool.h"

#include <stdio.h>
#include <string.h>

#include "broadloom/broadloom.h"
#include "cli/args.h"
#include "cli/message.h"
#include "cli/suggest.h"

static const struct bl_command *const commands[] = {
    &bl_command_apply, &bl_command_conform, &bl_command_info,  &bl_command_inspect,
    &bl_command_ops,   &bl_command_run,     &bl_command_shape,
};

#define COMMAND_COUNT (sizeof commands / sizeof commands[0])

static void print_help(void)
{
    const struct bl_style style = bl_style_of(stdout);

    printf(
        "%sUsage:%s broadloom COMMAND [ARGUMENT]...\n\n"
        "ONNX's element-wise operators and their broadcasting, exact.\n\n%sCommands:%s\n",
        style.bold, style.plain, style.bold, style.plain);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        printf("  %-9s %s\n", commands[i]->name, commands[i]->summary);
    printf("\n%sOptions:%s\n"
           "  -h, --help     show this help; 'broadloom help COMMAND' shows a command's\n"
           "      --version  show the version\n\n"
           "%sExit status:%s 0 yes, 1 no (a case failed, shapes do not fit), "
           "2 usage or bad input\n",
           style.bold, style.plain, style.bold, style.plain);
}

/* NULL after a message. */
static const struct bl_command *find_command(const char *name)
{
    struct bl_suggestion near = {.wrong = name};

    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
        bl_suggest(&near, commands[i]->name);
    }
    if (near.best != NULL)
        bl_message_usage(NULL, "unknown command '%s' (did you mean %s?)", name, near.best);
    else
        bl_message_usage(NULL, "unknown command '%s'", name);
    return NULL;
}

static enum bl_exit help(int argc, char **argv)
{
    if (argc == 0) {
        print_help();
        return BL_EXIT_OK;
    }
    if (argc > 1)
        return bl_message_usage(NULL, "help takes one command, not %d", argc);
    const struct bl_command *command = find_command(argv[0]);

    if (command == NULL)
        return BL_EXIT_USAGE;
    bl_args_help(command);
    return BL_EXIT_OK;
}

enum bl_exit bl_tool_run(int argc, char **argv)
{
    if (argc < 2)
        return bl_message_usage(NULL, "a command is missing");
    const char *name = argv[1];

    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0)
        return help(argc - 2, argv + 2);
    if (strcmp(name, "--version") == 0) {
        printf("broadloom %s\n", bl_version());
        return BL_EXIT_OK;
    }
    if (name[0] == '-' && name[1] != '\0')
        return bl_message_usage(NULL, "unknown option %s", name);
    const struct bl_command *command = find_command(name);

    return command != NULL ? command->run(command, argc - 1, argv + 1) : BL_EXIT_USAGE;
}
