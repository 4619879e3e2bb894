/*
 * shape_grid.c - draw how shapes meet
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Whether shapes fit is the library's word.  What is worked out here is where the dims
 * stand, and which column to mark when the library said no.
 */
#include "cli/shape_grid.h"

#include <string.h>

#include "cli/message.h"

/* What a row has in a column that it does not reach. */
#define ABSENT (-1)

/* "shape " and 20 digits are the longest. */
#define CELL_TEXT 32

/* Two shapes side by side, where one is placed behind the other's end. */
#define COLUMNS_MAX (2 * BL_MAX_RANK + 1)

const char *bl_grid_rule_name(enum bl_grid_rule rule)
{
    return rule == BL_GRID_ONTO     ? "unidirectional"
           : rule == BL_GRID_LEGACY ? "legacy"
                                    : "multidirectional";
}

/* ---- Where the dims stand ----------------------------------------------------------- */

/* A shape of one element fits anywhere: it is drawn like a scalar. */
static bool has_one_element(const bl_shape *shape)
{
    for (int i = 0; i < shape->rank; i++)
        if (shape->dim[i] != 1)
            return false;
    return true;
}

static void place_legacy(struct bl_grid *grid, int64_t axis)
{
    const int rank = grid->shapes[0].rank;
    const bl_shape *second = &grid->shapes[1];

    if (axis < 0 && axis >= -rank)
        axis += rank;
    if (has_one_element(second))
        axis = rank - second->rank;
    else if (axis < 0) /* there is no such axis: show it beside the first shape */
        axis = -second->rank;
    else if (axis > rank)
        axis = rank;
    grid->first = axis < 0 ? (int)-axis : 0;
    grid->second_at = grid->first + (int)axis;
    grid->columns = grid->first + rank;
    if (grid->second_at + second->rank > grid->columns)
        grid->columns = grid->second_at + second->rank;
}

void bl_grid_place(struct bl_grid *grid, int64_t axis)
{
    if (grid->rule == BL_GRID_LEGACY) {
        place_legacy(grid, axis);
        return;
    }
    grid->columns = 0;
    for (size_t i = 0; i < grid->count; i++)
        if (grid->shapes[i].rank > grid->columns)
            grid->columns = grid->shapes[i].rank;
    grid->first =
        grid->rule == BL_GRID_ONTO ? grid->columns - grid->shapes[grid->count - 1].rank : 0;
}

static int64_t cell(const struct bl_grid *grid, size_t row, int column)
{
    const bl_shape *shape = &grid->shapes[row];
    int axis = column - (grid->columns - shape->rank);

    if (grid->rule == BL_GRID_LEGACY)
        axis = column - (row == 0 ? grid->first : grid->second_at);
    return axis >= 0 && axis < shape->rank ? shape->dim[axis] : ABSENT;
}

/* What the other dims of a column have to be, or 1. */
static int64_t target(const struct bl_grid *grid, int column)
{
    int64_t found = 1;

    if (grid->rule == BL_GRID_ONTO)
        return cell(grid, grid->count - 1, column);
    if (grid->rule == BL_GRID_LEGACY)
        return cell(grid, 0, column);
    for (size_t row = 0; row < grid->count && found == 1; row++) {
        const int64_t dim = cell(grid, row, column);

        found = dim == ABSENT ? 1 : dim;
    }
    return found;
}

bool bl_grid_column_fits(const struct bl_grid *grid, int column)
{
    const int64_t wanted = target(grid, column);

    for (size_t row = 0; row < grid->count; row++) {
        const int64_t dim = cell(grid, row, column);

        if (dim != ABSENT && dim != wanted && (dim != 1 || wanted == ABSENT))
            return false;
    }
    return true;
}

/* ---- Drawing ------------------------------------------------------------------------- */

static const char *cell_text(int64_t dim, char *text)
{
    text[0] = '\0';
    if (dim != ABSENT)
        snprintf(text, CELL_TEXT, "%lld", (long long)dim);
    return text;
}

static const char *axis_text(const struct bl_grid *grid, int column, char *text)
{
    const int64_t axis = column - grid->first;

    return cell_text(axis >= 0 ? axis : ABSENT, text);
}

static void measure(const struct bl_grid *grid, int *widths)
{
    char text[CELL_TEXT];

    for (int column = 0; column < grid->columns; column++) {
        widths[column] = (int)strlen(axis_text(grid, column, text));
        for (size_t row = 0; row < grid->count; row++) {
            const int width = (int)strlen(cell_text(cell(grid, row, column), text));

            widths[column] = width > widths[column] ? width : widths[column];
        }
        if (widths[column] == 0)
            widths[column] = 1;
    }
}

/* The table under construction: cells are held back while they are empty, so that no line
 * ends in spaces. */
struct line {
    FILE *out;
    int pending;
};

static void start_line(struct line *line, const char *label)
{
    line->pending = 9 - fprintf(line->out, "%s", label);
}

static void put_cell(struct line *line, int width, const char *text, const char *on,
                     const char *off)
{
    line->pending += 2 + width - (int)strlen(text);
    if (text[0] == '\0')
        return;
    fprintf(line->out, "%*s%s%s%s", line->pending, "", on, text, off);
    line->pending = 0;
}

static const char *row_label(const struct bl_grid *grid, size_t row, char *text)
{
    if (grid->rule == BL_GRID_ONTO && row + 1 == grid->count)
        return "onto";
    snprintf(text, CELL_TEXT, "shape %zu", row);
    return text;
}

static void print_rows(FILE *out, const struct bl_grid *grid, const int *widths)
{
    struct line line = {.out = out};
    char text[CELL_TEXT];

    start_line(&line, "axis");
    for (int column = 0; column < grid->columns; column++)
        put_cell(&line, widths[column], axis_text(grid, column, text), "", "");
    putc('\n', out);
    for (size_t row = 0; row < grid->count; row++) {
        start_line(&line, row_label(grid, row, text));
        for (int column = 0; column < grid->columns; column++)
            put_cell(&line, widths[column], cell_text(cell(grid, row, column), text), "",
                     "");
        if (grid->shapes[row].rank == 0)
            put_cell(&line, 2, "[]", "", "");
        putc('\n', out);
    }
}

static void print_result(FILE *out, const struct bl_grid *grid, const bl_shape *result,
                         const int *widths)
{
    const struct bl_style style = bl_style_of(out);
    struct line line = {.out = out};
    char text[CELL_TEXT];

    start_line(&line, "result");
    for (int column = 0; column < grid->columns; column++) {
        const int axis = column - grid->first;
        const bool known = axis >= 0 && bl_grid_column_fits(grid, column);

        if (known)
            cell_text(result != NULL ? result->dim[axis] : target(grid, column), text);
        else
            snprintf(text, sizeof text, "?");
        put_cell(&line, widths[column], text, style.bold, style.plain);
    }
    if (grid->columns == 0)
        put_cell(&line, 2, "[]", style.bold, style.plain);
    putc('\n', out);
    if (result != NULL)
        return;
    start_line(&line, "");
    for (int column = 0; column < grid->columns; column++)
        put_cell(&line, widths[column], bl_grid_column_fits(grid, column) ? "" : "^",
                 style.red, style.plain);
    putc('\n', out);
}

void bl_grid_print(FILE *out, const struct bl_grid *grid, const bl_shape *result)
{
    int widths[COLUMNS_MAX];
    int total = 9;

    measure(grid, widths);
    for (int column = 0; column < grid->columns; column++)
        total += 2 + widths[column];
    print_rows(out, grid, widths);
    for (int i = 0; i < total; i++)
        putc('-', out);
    putc('\n', out);
    print_result(out, grid, result, widths);
}
