/*
 * json_out.c - JSON on standard output
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/json_out.h"

#include <stdio.h>

#include "cli/message.h"

enum bl_exit bl_json_print(json_t *value)
{
    if (value == NULL) {
        bl_message("out of memory for the JSON output");
        return BL_EXIT_USAGE;
    }
    /* A failed write sets the stream's error, which main reports. */
    json_dumpf(value, stdout, 0);
    putchar('\n');
    json_decref(value);
    return BL_EXIT_OK;
}
