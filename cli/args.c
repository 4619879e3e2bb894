/*
 * args.c - options of a command by getopt_long, driven by its table
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/args.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"

/* getopt_long's values for long options: beyond any letter. */
enum { HELP = 256, FIRST_OPTION };

/* The widest "-o, --output FILE" that has its help on the same line. */
#define HELP_COLUMN 26

void bl_args_start(struct bl_args *args, const struct bl_command *command, int argc,
                   char **argv)
{
    char *letter = args->letters;
    size_t i;

    *args = (struct bl_args){.command = command, .argc = argc, .argv = argv};
    *letter++ = ':'; /* a missing argument is told apart from an unknown option */
    *letter++ = 'h';
    for (i = 0; i < command->option_count && i < BL_OPTIONS_MAX; i++) {
        const struct bl_option *option = &command->options[i];

        args->long_options[i] = (struct option){
            option->name, option->argument != NULL ? required_argument : no_argument, NULL,
            FIRST_OPTION + (int)i};
        if (option->letter == '\0')
            continue;
        *letter++ = option->letter;
        if (option->argument != NULL)
            *letter++ = ':';
    }
    args->long_options[i] = (struct option){"help", no_argument, NULL, HELP};
    optind = 1;
    opterr = 0;
}

static int index_of_letter(const struct bl_command *command, int letter)
{
    for (size_t i = 0; i < command->option_count; i++)
        if (letter != 0 && command->options[i].letter == letter)
            return (int)i;
    return -1;
}

/* What getopt_long stumbled over: a letter in optopt, or a whole word just passed. */
static void report_bad_option(const struct bl_args *args, int found)
{
    const struct bl_command *command = args->command;
    const char *word = args->argv[optind > 0 ? optind - 1 : 0];
    const bool is_long = strncmp(word, "--", 2) == 0;
    const int length = (int)strcspn(word, "=");

    if (found == ':')
        bl_message_usage(command, "option %s needs an argument", word);
    else if (is_long && optopt >= HELP)
        bl_message_usage(command, "option %.*s takes no argument", length, word);
    else if (is_long)
        bl_message_usage(command, "%s: unknown or ambiguous option %.*s", command->name,
                         length, word);
    else
        bl_message_usage(command, "%s: unknown option -%c", command->name, optopt);
}

int bl_args_next(struct bl_args *args, const char **value)
{
    const int found =
        getopt_long(args->argc, args->argv, args->letters, args->long_options, NULL);

    *value = optarg;
    if (found == -1)
        return BL_ARGS_END;
    if (found == HELP || found == 'h') {
        bl_args_help(args->command);
        args->exit = BL_EXIT_OK;
        return BL_ARGS_EXIT;
    }
    if (found == '?' || found == ':') {
        report_bad_option(args, found);
        args->exit = BL_EXIT_USAGE;
        return BL_ARGS_EXIT;
    }
    return found >= FIRST_OPTION ? found - FIRST_OPTION
                                 : index_of_letter(args->command, found);
}

int bl_args_operands(const struct bl_args *args)
{
    return optind < args->argc ? optind : args->argc;
}

bool bl_args_integer(const struct bl_command *command, int option, const char *text,
                     int64_t min, int64_t max, int64_t *out)
{
    char *end;

    errno = 0;
    const long long value = strtoll(text, &end, 10);

    if (text[0] == '\0' || strchr(" \t\n\v\f\r", text[0]) != NULL || *end != '\0' ||
        errno == ERANGE || value < min || value > max) {
        bl_message_usage(command, "--%s '%s' is not a whole number from %lld to %lld",
                         command->options[option].name, text, (long long)min,
                         (long long)max);
        return false;
    }
    *out = value;
    return true;
}

bool bl_args_choice(const struct bl_command *command, int option, const char *text,
                    const char *const *names, int *out)
{
    char known[256] = "";

    for (int i = 0; names[i] != NULL; i++) {
        const size_t length = strlen(known);

        if (strcmp(names[i], text) == 0) {
            *out = i;
            return true;
        }
        snprintf(known + length, sizeof known - length, "%s%s", i > 0 ? ", " : "",
                 names[i]);
    }
    bl_message_usage(command, "--%s '%s' is unknown (known: %s)",
                     command->options[option].name, text, known);
    return false;
}

/* ---- Help ------------------------------------------------------------------ */

static void print_option(char letter, const char *name, const char *argument,
                         const char *help)
{
    char left[64];
    char short_form[8] = "    ";

    if (letter != '\0')
        snprintf(short_form, sizeof short_form, "-%c, ", letter);
    const int length =
        snprintf(left, sizeof left, "%s--%s%s%s", short_form, name,
                 argument != NULL ? " " : "", argument != NULL ? argument : "");

    if (length > HELP_COLUMN)
        printf("  %s\n  %*s  ", left, HELP_COLUMN, "");
    else
        printf("  %-*s  ", HELP_COLUMN, left);
    for (const char *p = help; *p != '\0'; p++) {
        putchar(*p);
        if (*p == '\n')
            printf("  %*s  ", HELP_COLUMN, "");
    }
    putchar('\n');
}

void bl_args_help(const struct bl_command *command)
{
    const struct bl_style style = bl_style_of(stdout);

    printf("%sUsage:%s broadloom %s %s\n\n%s\n%sOptions:%s\n", style.bold, style.plain,
           command->name, command->operands, command->description, style.bold, style.plain);
    for (size_t i = 0; i < command->option_count; i++) {
        const struct bl_option *option = &command->options[i];

        if (option->help != NULL)
            print_option(option->letter, option->name, option->argument, option->help);
    }
    print_option('h', "help", NULL, "show this help");
    printf("\n%sExamples:%s\n%s", style.bold, style.plain, command->examples);
}
