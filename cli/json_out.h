/*
 * json_out.h - write a JSON value on standard output
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CLI_JSON_OUT_H
#define BL_CLI_JSON_OUT_H

#include <jansson.h>

#include "cli/cli.h"

/* Print `value` on one line, and give it up.  NULL is what jansson makes
 * when memory is out: that is reported.  BL_EXIT_OK or BL_EXIT_USAGE. */
enum bl_exit bl_json_print(json_t *value);

/* The same to a stream; false, and nothing is printed, where memory ran out when it was made or for printing it. */
bool bl_json_put(FILE *out, json_t *value);

#endif
