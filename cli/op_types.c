/*
 * op_types.c - the element types of an operator version
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/op_types.h"

#include <stdio.h>
#include <string.h>

uint64_t bl_op_types(const bl_op *op)
{
    for (size_t i = 0; i < op->input_count; i++)
        if (strcmp(op->inputs[i].type_variable, op->outputs[0].type_variable) == 0)
            return op->inputs[i].dtypes;
    /* Where the output's type is always the same, the input's is the interesting one. */
    const uint64_t outputs = op->outputs[0].dtypes;

    return (outputs & (outputs - 1)) != 0 ? outputs : op->inputs[0].dtypes;
}

unsigned bl_op_type_count(const bl_op *op)
{
    unsigned count = 0;

    for (uint64_t set = bl_op_types(op); set != 0; set &= set - 1)
        count++;
    return count;
}

char *bl_types_text(uint64_t set, const char *separator, char *buffer)
{
    size_t length = 0;

    buffer[0] = '\0';
    for (int dtype = 1; dtype < BL_DTYPE_COUNT; dtype++) {
        if (!(set >> dtype & 1))
            continue;
        length +=
            (size_t)snprintf(buffer + length, BL_TYPES_TEXT - length, "%s%s",
                             length > 0 ? separator : "", bl_dtype_name((bl_dtype)dtype));
        if (length >= BL_TYPES_TEXT)
            break;
    }
    return buffer;
}
