/*
 * input_arg.c - read the input tensors of `apply`
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/input_arg.h"

#include <stdlib.h>
#include <string.h>

#include "cli/literal.h"
#include "cli/message.h"

static bl_tensor *read_literal(bl_context *context, const char *text, size_t number)
{
    bl_error err;
    size_t at;
    bl_tensor *tensor = bl_literal_parse(context, text, &at, &err);

    if (tensor == NULL) {
        bl_message("input %zu: %s", number, err.message);
        bl_message_position(text, at);
    }
    return tensor;
}

static bl_tensor *read_file(bl_context *context, const char *path, size_t number)
{
    bl_error err;
    bl_tensor *tensor = bl_tensor_read(
        context, strcmp(path, "-") == 0 ? "/dev/stdin" : path, BL_FORMAT_AUTO, &err);

    if (tensor == NULL && strchr(path, '[') != NULL && strchr(path, '/') == NULL)
        bl_message("input %zu: %s (a literal is written type[dims]=values)", number,
                   err.message);
    else if (tensor == NULL)
        bl_message("input %zu: %s", number, err.message);
    return tensor;
}

static bool is_absent(const char *argument)
{
    return argument[0] == '\0' || strcmp(argument, "none") == 0;
}

bool bl_inputs_read(bl_context *context, char *const *arguments, size_t count,
                    struct bl_inputs *inputs)
{
    bool stdin_read = false;

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
        if (strcmp(argument, "-") == 0 && stdin_read) {
            bl_message("input %zu: standard input can be one input only", i + 1);
            return false;
        }
        stdin_read |= strcmp(argument, "-") == 0;
        inputs->tensors[i] = bl_literal_is(argument)
                                 ? read_literal(context, argument, i + 1)
                                 : read_file(context, argument, i + 1);
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
