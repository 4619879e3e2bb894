/*
 * cmd_shape.c - broadloom shape: what shapes broadcast to, drawn axis by axis
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "broadloom/broadloom.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/dims.h"
#include "cli/json_out.h"
#include "cli/message.h"
#include "cli/shape_grid.h"

enum { ONTO, AXIS, FORMAT };

static const struct bl_option options[] = {
    [ONTO] = {"onto", 0, NULL, "unidirectional: the other shapes onto the last one"},
    [AXIS] = {"axis", 0, "N",
              "as in opsets 1 to 6: the second shape into the first, from axis N on;\n"
              "a negative N counts from the end"},
    [FORMAT] = {"format", 'f', "FORMAT", "pretty (default) or json"},
};

static const char *const format_names[] = {"pretty", "json", NULL};
enum { PRETTY, JSON };

struct request {
    enum bl_grid_rule rule;
    int64_t axis;
    int format;
};

static bool read_option(const struct bl_command *self, int option, const char *value,
                        struct request *request)
{
    if (option == FORMAT)
        return bl_args_choice(self, option, value, format_names, &request->format);
    if (request->rule != BL_GRID_MULTIDIRECTIONAL) {
        bl_message_usage(self, "--onto and --axis do not go together, nor twice");
        return false;
    }
    if (option == ONTO) {
        request->rule = BL_GRID_ONTO;
        return true;
    }
    request->rule = BL_GRID_LEGACY;
    return bl_args_integer(self, option, value, INT64_MIN, INT64_MAX, &request->axis);
}

/* False after a message. */
static bool read_shapes(char *const *texts, size_t count, bl_shape *shapes)
{
    for (size_t i = 0; i < count; i++) {
        bl_error err;
        size_t at;

        if (bl_dims_parse(texts[i], &shapes[i], &at, &err) != BL_OK) {
            bl_message("shape '%.80s': %s", texts[i], err.message);
            bl_message_position(texts[i], at);
            return false;
        }
    }
    return true;
}

/* ---- The answer ------------------------------------------------------------------- */

static bl_status broadcast(const struct request *request, const bl_shape *shapes,
                           size_t count, bl_shape *result, bl_error *err)
{
    bl_status status = BL_OK;

    if (request->rule == BL_GRID_LEGACY) {
        *result = shapes[0];
        return bl_shape_broadcast_legacy(&shapes[0], &shapes[1], &request->axis, err);
    }
    if (request->rule == BL_GRID_ONTO) {
        *result = shapes[count - 1];
        for (size_t i = 0; i + 1 < count && status == BL_OK; i++)
            status = bl_shape_broadcast_onto(&shapes[i], result, err);
        return status;
    }
    const bl_shape **list = calloc(count, sizeof(const bl_shape *));

    if (list == NULL)
        return bl_error_fill(err, BL_ERR_MEMORY, "out of memory for %zu shapes", count);
    for (size_t i = 0; i < count; i++)
        list[i] = &shapes[i];
    status = bl_shape_broadcast(list, count, result, err);
    free(list);
    return status;
}

static json_t *json_of_shape(const bl_shape *shape)
{
    json_t *list = json_array();

    for (int i = 0; i < shape->rank; i++)
        json_array_append_new(list, json_integer(shape->dim[i]));
    return list;
}

static enum bl_exit print_json(const struct bl_grid *grid, const bl_shape *result,
                               const char *message)
{
    json_t *shapes = json_array();
    json_t *axes = json_array();

    for (size_t i = 0; i < grid->count; i++)
        json_array_append_new(shapes, json_of_shape(&grid->shapes[i]));
    for (int column = 0; result == NULL && column < grid->columns; column++)
        if (!bl_grid_column_fits(grid, column))
            json_array_append_new(axes, json_integer(column - grid->first));
    return bl_json_print(json_pack("{s:s, s:o, s:b, s:o?, s:o, s:s?}", "rule",
                                   bl_grid_rule_name(grid->rule), "shapes", shapes, "fits",
                                   result != NULL, "result",
                                   result != NULL ? json_of_shape(result) : NULL,
                                   "misfit_axes", axes, "message", message));
}

static enum bl_exit answer(const struct request *request, const bl_shape *shapes,
                           size_t count)
{
    bl_shape result;
    bl_error err;
    struct bl_grid grid = {.rule = request->rule, .shapes = shapes, .count = count};
    const bl_status status = broadcast(request, shapes, count, &result, &err);
    const bool fits = status == BL_OK;
    enum bl_exit exit = fits ? BL_EXIT_OK : BL_EXIT_FAILED;

    /* An axis that puts the second shape outside of the first is an attribute's error. */
    if (!fits && status != BL_ERR_SHAPE && status != BL_ERR_ATTRIBUTE) {
        bl_message("%s", err.message);
        return BL_EXIT_USAGE;
    }
    bl_grid_place(&grid, request->axis);
    if (request->format == JSON) {
        if (print_json(&grid, fits ? &result : NULL, fits ? NULL : err.message) !=
            BL_EXIT_OK)
            exit = BL_EXIT_USAGE;
        return exit;
    }
    bl_grid_print(stdout, &grid, fits ? &result : NULL);
    if (!fits)
        printf("%s\n", err.message);
    return exit;
}

static enum bl_exit run(const struct bl_command *self, int argc, char **argv)
{
    struct request request = {.rule = BL_GRID_MULTIDIRECTIONAL};
    struct bl_args args;
    const char *value;
    int option;

    bl_args_start(&args, self, argc, argv);
    while ((option = bl_args_next(&args, &value)) >= 0)
        if (!read_option(self, option, value, &request))
            return BL_EXIT_USAGE;
    if (option == BL_ARGS_EXIT)
        return args.exit;
    const int first = bl_args_operands(&args);
    const size_t count = (size_t)(argc - first);

    if (count == 0)
        return bl_message_usage(self, "a shape is missing");
    if (request.rule == BL_GRID_ONTO && count < 2)
        return bl_message_usage(self, "--onto needs two shapes or more");
    if (request.rule == BL_GRID_LEGACY && count != 2)
        return bl_message_usage(self, "--axis needs two shapes, not %zu", count);
    bl_shape *shapes = calloc(count, sizeof *shapes);
    enum bl_exit exit = BL_EXIT_USAGE;

    if (shapes == NULL)
        bl_message("out of memory for %zu shapes", count);
    else if (read_shapes(argv + first, count, shapes))
        exit = answer(&request, shapes, count);
    free(shapes);
    return exit;
}

const struct bl_command bl_command_shape = {
    .name = "shape",
    .summary = "show what shapes broadcast to, axis by axis",
    .operands = "[OPTION]... SHAPE...",
    .description =
        "Draw the shapes one below the other, aligned as broadcasting aligns them, and\n"
        "what they broadcast to.  An axis that does not fit is marked with ^.\n"
        "\n"
        "A SHAPE is written 2,3 or 2x3 or [2,3]; [] is a scalar.\n"
        "Exits with 0 if the shapes fit, 1 if they do not, 2 if one is no shape.\n",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = "  broadloom shape 2,3,4 3,1 4\n"
                "  broadloom shape --onto 3,1 2,3,4\n"
                "  broadloom shape --axis 1 2,3,4,5 3,4\n",
    .run = run,
};
