/*
 * args.h - reading a command's options, and its help, from its table
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CLI_ARGS_H
#define BL_CLI_ARGS_H

#include <getopt.h>
#include <stdint.h>

#include "cli/cli.h"

#define BL_OPTIONS_MAX 16

/* What bl_args_next returns when it returns no option's index. */
enum { BL_ARGS_END = -1, BL_ARGS_EXIT = -2 };

struct bl_args {
    const struct bl_command *command;
    int argc;
    char **argv;
    struct option long_options[BL_OPTIONS_MAX + 2]; /* --help and the end */
    char letters[2 * BL_OPTIONS_MAX + 3];
    enum bl_exit exit;
};

/* Begin with argv[1]; argv[0] is the command's name. */
void bl_args_start(struct bl_args *args, const struct bl_command *command, int argc,
                   char **argv);

/*
 * The next option: its index in command->options, with its argument in *value.
 *
 * BL_ARGS_END after the last: the operands are in argv from bl_args_operands on.
 * BL_ARGS_EXIT: help was shown or wrong usage reported; exit with args->exit.
 */
int bl_args_next(struct bl_args *args, const char **value);

/* Where the operands start in args->argv. */
int bl_args_operands(const struct bl_args *args);

/* Read an integer argument of an option.  False after a message. */
bool bl_args_integer(const struct bl_command *command, int option, const char *text,
                     int64_t min, int64_t max, int64_t *out);

/* Read an argument that is one of `names`, ended by NULL, as its index.  False after
 * a message. */
bool bl_args_choice(const struct bl_command *command, int option, const char *text,
                    const char *const *names, int *out);

/* Print a command's help on standard output. */
void bl_args_help(const struct bl_command *command);

#endif
