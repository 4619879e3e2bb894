/*
 * backend_arg.h - what computes, as an argument; and how long its steps took
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CLI_BACKEND_ARG_H
#define BL_CLI_BACKEND_ARG_H

#include <stdio.h>

#include "broadloom/broadloom.h"
#include "cli/cli.h"

/* False, after a message, for a name that is none of cpu, vulkan, vulkan:N and, where the command has
 * it, reference. */
bool bl_backend_check(const struct bl_command *command, const char *name,
                      bool has_reference);

/* True for "reference". */
bool bl_backend_is_reference(const char *name);

/* A table of the steps that the context has run. */
void bl_profile_print(FILE *out, const bl_context *context);

#endif
