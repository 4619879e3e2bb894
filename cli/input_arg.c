/*
 * input_arg.c - read tensors that the command line names
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/input_arg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/literal.h"
#include "cli/message.h"

static bl_tensor *read_literal(bl_context *context, const char *text, const char *label)
{
    bl_error err;
    size_t at;
    bl_tensor *tensor = bl_literal_parse(context, text, &at, &err);

    if (tensor == NULL) {
        bl_message("%s: %s", label, err.message);
        bl_message_position(text, at);
    }
    return tensor;
}

static bl_tensor *read_file(bl_context *context, const char *path, const char *label)
{
    bl_error err;
    bl_tensor *tensor = bl_tensor_read(
        context, strcmp(path, "-") == 0 ? "/dev/stdin" : path, BL_FORMAT_AUTO, &err);

    if (tensor == NULL && strchr(path, '[') != NULL && strchr(path, '/') == NULL)
        bl_message("%s: %s (a literal is written type[dims]=values)", label, err.message);
    else if (tensor == NULL)
        bl_message("%s: %s", label, err.message);
    return tensor;
}

bl_tensor *bl_input_read(bl_context *context, const char *argument, const char *label,
                         bool *stdin_read)
{
    const bool is_stdin = strcmp(argument, "-") == 0;

    if (is_stdin && *stdin_read) {
        bl_message("%s: standard input can be one input only", label);
        return NULL;
    }
    *stdin_read |= is_stdin;
    return bl_literal_is(argument) ? read_literal(context, argument, label)
                                   : read_file(context, argument, label);
}

static bool is_absent(const char *argument)
{
    return argument[0] == '\0' || strcmp(argument, "none") == 0;
}

bool bl_inputs_read(bl_context *context, char *const *arguments, size_t count,
                    struct bl_inputs *inputs)
{
    bool stdin_read = false;
    char label[32];

    *inputs = (struct bl_inputs){.tensors = calloc(count + 1, sizeof *inputs->tensors)};
    if (inputs->tensors == NULL) {
        bl_message("out of memory for %zu inputs", count);
        return false;
    }
    inputs->count = count;
    for (size_t i = 0; i < count; i++) {
        const char *argument = arguments[i];

        if (is_absent(argument))
            continue;
        snprintf(label, sizeof label, "input %zu", i + 1);
        inputs->tensors[i] = bl_input_read(context, argument, label, &stdin_read);
        if (inputs->tensors[i] == NULL)
            return false;
    }
    return true;
}

void bl_inputs_free(struct bl_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++)
        bl_tensor_free(inputs->tensors[i]);
    free(inputs->tensors);
}
