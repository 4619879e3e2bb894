/*
 * main.c - the broadloom tool: sees that its output arrived
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "cli/tool.h"
#include "cli/tool_context.h"
#include "conform/heap.h"

/* A file opened while 0, 1 or 2 is closed would take that number, and get what is meant for
 * the stream.  Fill the gap with something that refuses the stream's direction. */
static void fill_standard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)!open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

/* A result that did not arrive is no success: a full disk, a closed pipe. */
static enum bl_exit close_output(enum bl_exit exit)
{
    const bool failed = ferror(stdout) != 0;

    errno = 0;
    if ((fclose(stdout) == 0 && !failed) || exit == BL_EXIT_USAGE)
        return exit; /* with 2 a message was given already */
    /* errno of a write that failed earlier is gone by now */
    if (errno != 0)
        bl_message("cannot write to standard output: %s", strerror(errno));
    else
        bl_message("cannot write to standard output");
    return BL_EXIT_USAGE;
}

int main(int argc, char **argv)
{
    fill_standard_streams();
    /* A closed pipe is then a failed write, reported like others. */
    signal(SIGPIPE, SIG_IGN);
#ifdef SIGXFSZ
    signal(SIGXFSZ, SIG_IGN); /* and so is one beyond the limit of a file's size */
#endif
    json_set_alloc_funcs(bl_heap_get, free);
    const enum bl_exit exit = bl_tool_run(argc, argv);

    bl_tool_end_if_interrupted();
    return close_output(exit);
}
