/*
 * ops_view.c - families of operator versions, and the parts of their descriptions
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/ops_view.h"

#include <stdio.h>
#include <string.h>

#include "cli/operator_arg.h"

struct bl_family bl_family_at(size_t first)
{
    struct bl_family family = {first, 0};

    while (first + family.count < bl_op_count() &&
           strcmp(bl_op_at(first + family.count)->name, bl_op_at(first)->name) == 0)
        family.count++;
    return family;
}

const bl_op *bl_family_newest(const struct bl_family *family)
{
    return bl_op_at(family->first + family->count - 1);
}

static void add_variable(const bl_formal *formal, struct bl_variable *out, size_t *count)
{
    /* "tensor(int64)" is no variable: it says it all. */
    if (strchr(formal->type_variable, '(') != NULL)
        return;
    for (size_t i = 0; i < *count; i++)
        if (strcmp(out[i].name, formal->type_variable) == 0)
            return;
    if (*count < BL_VARIABLES_MAX)
        out[(*count)++] = (struct bl_variable){formal->type_variable, formal->dtypes};
}

size_t bl_op_variables(const bl_op *op, struct bl_variable out[BL_VARIABLES_MAX])
{
    size_t count = 0;

    for (size_t i = 0; i < op->input_count; i++)
        add_variable(&op->inputs[i], out, &count);
    for (size_t i = 0; i < op->output_count; i++)
        add_variable(&op->outputs[i], out, &count);
    return count;
}

char *bl_attribute_spec_text(const bl_attribute_spec *spec, char *buffer)
{
    const int length = snprintf(buffer, BL_PART_TEXT, "%s %s", spec->name,
                                bl_attribute_type_name(spec->type));
    char *end = buffer + length;
    const size_t left = length < BL_PART_TEXT ? BL_PART_TEXT - (size_t)length : 0;

    if (left == 0)
        return buffer;
    if (spec->required)
        snprintf(end, left, ", required");
    else if (spec->has_default && spec->type == BL_ATTRIBUTE_FLOAT)
        snprintf(end, left, " = %g", (double)spec->default_float);
    else if (spec->has_default && spec->type == BL_ATTRIBUTE_STRING)
        snprintf(end, left, " = %s", spec->default_string);
    else if (spec->has_default)
        snprintf(end, left, " = %lld", (long long)spec->default_int);
    return buffer;
}

char *bl_input_range_text(const bl_op *op, char *buffer)
{
    if (op->max_inputs == SIZE_MAX)
        snprintf(buffer, BL_PART_TEXT, "%zu or more", op->min_inputs);
    else if (op->min_inputs == op->max_inputs)
        snprintf(buffer, BL_PART_TEXT, "%zu", op->min_inputs);
    else
        snprintf(buffer, BL_PART_TEXT, "%zu to %zu", op->min_inputs, op->max_inputs);
    return buffer;
}

const char *bl_rule_meaning(bl_rule rule)
{
    static const char *const meanings[BL_RULE_COUNT] = {
        [BL_RULE_NONE] = "all inputs have one shape",
        [BL_RULE_MULTIDIRECTIONAL] =
            "shapes are aligned at the last axis; on each axis the dims are equal, or 1",
        [BL_RULE_UNIDIRECTIONAL] =
            "as multidirectional, but the shape to broadcast to does not grow",
        [BL_RULE_LEGACY] =
            ("one shape; with `broadcast=1` the second input fits into the first, "
             "as its last axes, or from `axis` on"),
        [BL_RULE_CHANNEL] = "the slope has one element, or one for each channel (axis 1)",
        [BL_RULE_OWN] = "the operator's own: its inputs are not broadcast",
    };

    return (unsigned)rule < BL_RULE_COUNT ? meanings[rule] : "unknown";
}
