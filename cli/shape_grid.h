/*
 * shape_grid.h - shapes in rows and columns, as broadcasting aligns them
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CLI_SHAPE_GRID_H
#define BL_CLI_SHAPE_GRID_H

#include <stdbool.h>
#include <stdio.h>

#include "broadloom/broadloom.h"

enum bl_grid_rule {
    BL_GRID_MULTIDIRECTIONAL,
    BL_GRID_ONTO,  /* all onto the last shape */
    BL_GRID_LEGACY /* the second shape into the first, at an axis */
};

/* Set rule, shapes and count; bl_grid_place sets the rest. */
struct bl_grid {
    enum bl_grid_rule rule;
    const bl_shape *shapes; /* [count], at least one; two where the rule is legacy */
    size_t count;
    int columns;
    int first; /* the column of axis 0 of the result; more where a shape reaches out to the
                  left */
    int second_at; /* legacy: the column of the second shape's first axis */
};

/* Place the shapes in columns.  `axis` counts for the legacy rule only. */
void bl_grid_place(struct bl_grid *grid, int64_t axis);

/* Whether the dims that stand in a column go together. */
bool bl_grid_column_fits(const struct bl_grid *grid, int column);

/* Draw it.  `result` is NULL where the shapes do not fit. */
void bl_grid_print(FILE *out, const struct bl_grid *grid, const bl_shape *result);

/* "multidirectional", "unidirectional", "legacy". */
const char *bl_grid_rule_name(enum bl_grid_rule rule);

#endif
