/*
 * json_out.c - JSON on standard output
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/json_out.h"

#include <stdlib.h>

#include "cli/message.h"
#include "conform/heap.h"

enum bl_exit bl_json_print(json_t *value)
{
    if (!bl_json_put(stdout, value)) {
        bl_message("out of memory for the JSON output");
        return BL_EXIT_USAGE;
    }
    return BL_EXIT_OK;
}

bool bl_json_put(FILE *out, json_t *value)
{
    char *text = json_dumps(value, 0);
    /* What could not be added to an array is not in it, and nobody knows but the heap. */
    const bool whole = text != NULL && !bl_heap_ran_out();

    /* A failed write sets the stream's error, which main reports. */
    if (whole) {
        fputs(text, out);
        putc('\n', out);
    }
    free(text);
    json_decref(value);
    return whole;
}
