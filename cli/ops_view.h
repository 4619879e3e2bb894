/*
 * ops_view.h - the table of operators in its output formats
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CLI_OPS_VIEW_H
#define BL_CLI_OPS_VIEW_H

#include "broadloom/broadloom.h"
#include "cli/cli.h"

/* All versions of one operator: bl_op_at(first) to bl_op_at(first + count - 1), oldest
 * first. */
struct bl_family {
    size_t first;
    size_t count;
};

/* The family that starts at `first`; count is 0 past the last. */
struct bl_family bl_family_at(size_t first);

/* The newest version, which speaks for the family in an overview. */
const bl_op *bl_family_newest(const struct bl_family *family);

/* Each prints one family, or, where `family` is NULL, all. */
void bl_ops_pretty(const struct bl_family *family);
void bl_ops_markdown(const struct bl_family *family);
enum bl_exit bl_ops_json(const struct bl_family *family);

/* ---- Parts that several formats show ---------------------------------------- */

/* A type variable of an operator version, and the types it stands for. */
struct bl_variable {
    const char *name;
    uint64_t dtypes;
};

/* More than any operator has inputs and outputs. */
#define BL_VARIABLES_MAX 16

/* The variables, in the order of inputs and outputs; how many. */
size_t bl_op_variables(const bl_op *op, struct bl_variable out[BL_VARIABLES_MAX]);

#define BL_PART_TEXT 128

/* "alpha FLOAT = 1" in `buffer` of BL_PART_TEXT bytes, which it returns. */
char *bl_attribute_spec_text(const bl_attribute_spec *spec, char *buffer);

/* "2", "2 to 3" or "1 or more" in `buffer` of BL_PART_TEXT bytes, which it returns. */
char *bl_input_range_text(const bl_op *op, char *buffer);

/* What a broadcasting rule means, in one line. */
const char *bl_rule_meaning(bl_rule rule);

#endif
