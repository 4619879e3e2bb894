/*
 * tool_context.c - a command's context: limited by its options, cancelled by Ctrl-C
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/tool_context.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/backend_arg.h"
#include "cli/message.h"
#include "conform/heap.h"

/* ---- Limits ---------------------------------------------------------------------------------- */

/* A whole number, and perhaps a letter; false for anything else. */
static bool read_amount(const char *text, int64_t *amount)
{
    static const char letters[] = "KMGT";
    char *end;

    if (strcmp(text, "unlimited") == 0) {
        *amount = BL_UNLIMITED;
        return true;
    }
    errno = 0;
    const long long number = strtoll(text, &end, 10);
    const char *letter = *end != '\0' ? strchr(letters, *end) : NULL;
    const int shift = letter != NULL ? 10 * (int)(letter - letters + 1) : 0;

    if (text[0] < '0' || text[0] > '9' || errno != 0 || number < 1 ||
        end[letter != NULL] != '\0' || number > INT64_MAX >> shift)
        return false;
    *amount = (int64_t)number << shift;
    return true;
}

bool bl_limit_read(const struct bl_command *command, int option, const char *text,
                   bl_limits *limits)
{
    const char *name = command->options[option].name;
    int64_t amount;

    if (!read_amount(text, &amount)) {
        bl_message_usage(
            command,
            "--%s '%s' is neither a whole number from 1 on, as 1000, 64K or 2G, "
            "nor 'unlimited'",
            name, text);
        return false;
    }
    if (strcmp(name, "max-bytes") == 0)
        limits->max_bytes = amount;
    else if (strcmp(name, "max-elements") == 0)
        limits->max_tensor_elements = amount;
    else
        limits->max_work = amount;
    return true;
}

/* ---- Interrupts ------------------------------------------------------------------------------ */

/* A handler has no argument: what it acts on is here. */
static _Atomic(bl_context *) running;
static volatile sig_atomic_t interrupted;

static void handle(int number)
{
    (void)number;
    interrupted = 1;
    bl_context_cancel(atomic_load(&running));
}

/* Block SIGINT in this thread, or let it through.  Threads that are made meanwhile never get it, so
 * that the handler cannot run beside bl_tool_context_free. */
static void block(int how)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigprocmask(how, &set, NULL);
}

bl_context *bl_tool_context_new(int64_t threads, const bl_limits *limits,
                                const char *backend, bool timed)
{
    bl_context_options with = BL_CONTEXT_DEFAULTS;
    struct sigaction before,
        action = {.sa_handler = handle, .sa_flags = SA_RESTART | (int)SA_RESETHAND};
    bl_error err;

    with.threads = (int)threads;
    with.allocator = &bl_heap_allocator; /* which remembers whether memory ran out */
    with.limits = *limits;
    with.backend = bl_backend_is_reference(backend) ? NULL : backend;
    with.timed = timed;
    block(SIG_BLOCK);
    bl_context *context = bl_context_new(&with, &err);

    if (context == NULL)
        bl_message("%s", err.message);
    atomic_store(&running, context);
    /* Who started us may want SIGINT to be ignored, as nohup and shells in the background do. */
    if (context != NULL && sigaction(SIGINT, NULL, &before) == 0 &&
        before.sa_handler != SIG_IGN)
        sigaction(SIGINT, &action, NULL);
    block(SIG_UNBLOCK);
    return context;
}

void bl_tool_context_free(bl_context *context)
{
    atomic_store(&running, NULL);
    bl_context_free(context);
}

bool bl_tool_interrupted(void)
{
    return interrupted != 0;
}

void bl_tool_end_if_interrupted(void)
{
    if (!interrupted)
        return;
    fputs("broadloom: interrupted\n", stderr);
    signal(SIGINT, SIG_DFL);
    raise(SIGINT);
}
