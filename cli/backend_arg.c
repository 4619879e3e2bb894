/*
 * backend_arg.c - what computes, as an argument; and how long its steps took
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/backend_arg.h"

#include <string.h>

#include "cli/message.h"
#include "cli/suggest.h"

bool bl_backend_is_reference(const char *name)
{
    return name != NULL && strcmp(name, "reference") == 0;
}

/* "vulkan:12" */
static bool is_numbered(const char *name)
{
    static const char prefix[] = "vulkan:";
    const char *number = name + sizeof prefix - 1;

    return strncmp(name, prefix, sizeof prefix - 1) == 0 && number[0] != '\0' &&
           strspn(number, "0123456789") == strlen(number);
}

bool bl_backend_check(const struct bl_command *command, const char *name,
                      bool has_reference)
{
    static const char *const known[] = {"cpu", "vulkan", "reference"};
    struct bl_suggestion near = {.wrong = name};

    for (size_t i = 0; i < (has_reference ? 3 : 2); i++) {
        if (strcmp(known[i], name) == 0)
            return true;
        bl_suggest(&near, known[i]);
    }
    if (is_numbered(name))
        return true;
    if (near.best != NULL)
        bl_message_usage(command, "unknown backend '%s' (did you mean %s?)", name,
                         near.best);
    else
        bl_message_usage(command, "unknown backend '%s' (known: cpu, vulkan, vulkan:N%s)",
                         name, has_reference ? ", reference" : "");
    return false;
}

void bl_profile_print(FILE *out, const bl_context *context)
{
    bl_timing timing;
    double all = 0;

    fprintf(out, "%12s %14s %9s  %s\n", "us", "bytes", "GB/s", "step");
    for (size_t i = 0; bl_context_timing(context, i, &timing); i++) {
        if (timing.seconds < 0) {
            fprintf(out, "%12s %14lld %9s  %s\n", "-", (long long)timing.bytes, "-",
                    timing.what);
            continue;
        }
        all += timing.seconds;
        fprintf(out, "%12.2f %14lld %9.2f  %s\n", timing.seconds * 1e6,
                (long long)timing.bytes,
                timing.seconds > 0 ? (double)timing.bytes / timing.seconds * 1e-9 : 0,
                timing.what);
    }
    fprintf(out, "%12.2f %14s %9s  all\n", all * 1e6, "", "");
}
