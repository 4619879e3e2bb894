/*
 * tool.h - the whole tool as a function, for its main and for those who try it in one process
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CLI_TOOL_H
#define BL_CLI_TOOL_H

#include "cli/cli.h"

/* Run `argv[1]` with the arguments behind it; argv[argc] is NULL.  Output may still be in stdout's buffer. */
enum bl_exit bl_tool_run(int argc, char **argv);

#endif
