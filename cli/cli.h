/*
 * cli.h - what a command of the tool is
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CLI_CLI_H
#define BL_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>

/* What the tool exits with. */
enum bl_exit {
    BL_EXIT_OK = 0,
    BL_EXIT_FAILED = 1, /* the answer is no: a case failed, shapes do not fit */
    BL_EXIT_USAGE = 2 /* the question could not be answered: usage, bad input, no output */
};

/* An option of a command; --help is there without being listed. */
struct bl_option {
    const char *name;
    char letter;          /* the short form, 0 if there is none */
    const char *argument; /* what the argument is called in the help; NULL: a flag */
    const char *help;     /* NULL: an option that the help does not show */
};

struct bl_command {
    const char *name;
    const char *summary;     /* one line, for `broadloom --help` */
    const char *operands;    /* as the usage line shows them */
    const char *description; /* of one or more lines, each ended */
    const struct bl_option *options;
    size_t option_count;
    const char *examples; /* of one or more lines, each ended */
    enum bl_exit (*run)(const struct bl_command *self, int argc, char **argv);
};

extern const struct bl_command bl_command_apply;
extern const struct bl_command bl_command_conform;
extern const struct bl_command bl_command_info;
extern const struct bl_command bl_command_inspect;
extern const struct bl_command bl_command_ops;
extern const struct bl_command bl_command_run;
extern const struct bl_command bl_command_shape;

#endif
