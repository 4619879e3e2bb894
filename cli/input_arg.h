/*
 * input_arg.h - tensors as arguments: files, standard input, literals, none
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CLI_INPUT_ARG_H
#define BL_CLI_INPUT_ARG_H

#include <stdbool.h>

#include "broadloom/broadloom.h"

/* Tensors of which some are absent (NULL). */
struct bl_inputs {
    bl_tensor **tensors; /* [count] */
    size_t count;
};

/*
 * Read every argument: a path, "-" for standard input, a literal, "none" or "" for an
 * absent input.  False after a message.  Free the inputs in any case.
 */
bool bl_inputs_read(bl_context *context, char *const *arguments, size_t count,
                    struct bl_inputs *inputs);

/*
 * Read one argument that stands for a tensor.  NULL after a message, which calls it `label`.
 *
 * @param stdin_read  false at first, then kept from one call to the next.
 */
bl_tensor *bl_input_read(bl_context *context, const char *argument, const char *label,
                         bool *stdin_read);

void bl_inputs_free(struct bl_inputs *inputs);

#endif
