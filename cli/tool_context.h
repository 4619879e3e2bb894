/*
 * tool_context.h - a command's context: limited by its options, cancelled by Ctrl-C
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CLI_TOOL_CONTEXT_H
#define BL_CLI_TOOL_CONTEXT_H

#include "broadloom/broadloom.h"
#include "cli/cli.h"

/* Rows of a command's table of options. */
#define BL_OPTION_MAX_BYTES                                                      \
    {                                                                            \
        "max-bytes", 0, "N",                                                     \
            "memory to use at most, as 64K, 512M or 2G (default: the machine's)" \
    }
#define BL_OPTION_MAX_ELEMENTS                                 \
    {                                                          \
        "max-elements", 0, "N", "elements of a tensor at most" \
    }
#define BL_OPTION_MAX_WORK                                                                \
    {                                                                                     \
        "max-work", 0, "N", "elements that a run may read, and numbers multiply, at most" \
    }

/* Read the argument of one of these: a whole number, with K, M, G or T for powers of 1024, or
 * "unlimited".  False after a message. */
bool bl_limit_read(const struct bl_command *command, int option, const char *text,
                   bl_limits *limits);

/* Make the context of a command; SIGINT cancels it, once: the next one ends the process.  NULL after
 * a message.
 *
 * @param backend  NULL: the CPU, which "reference" needs too.
 * @param timed    note how long each step takes. */
bl_context *bl_tool_context_new(int64_t threads, const bl_limits *limits,
                                const char *backend, bool timed);

/* Free it; SIGINT ends the process again. */
void bl_tool_context_free(bl_context *context);

/* True if SIGINT came.  Messages are then held back. */
bool bl_tool_interrupted(void);

/* If SIGINT came, say so and end as by the signal: a shell sees 130, and stops its loop.  For where
 * nothing is left half done. */
void bl_tool_end_if_interrupted(void);

#endif
