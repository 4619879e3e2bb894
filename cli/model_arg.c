/*
 * model_arg.c - what a command line says about a model
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/model_arg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/dims.h"
#include "cli/message.h"
#include "cli/suggest.h"

/* Room for a list of inputs in a message; a longer list is cut. */
#define LIST_TEXT 1024

/* A name in a message or a suggestion; a longer one is cut. */
#define NAME_TEXT 128

bool bl_repeated_start(struct bl_repeated *repeated, int words)
{
    repeated->count = 0;
    repeated->items = calloc((size_t)words + 1, sizeof *repeated->items);
    if (repeated->items == NULL)
        bl_message("out of memory for %d arguments", words);
    return repeated->items != NULL;
}

void bl_repeated_add(struct bl_repeated *repeated, const char *item)
{
    repeated->items[repeated->count++] = item;
}

void bl_repeated_free(struct bl_repeated *repeated)
{
    free(repeated->items);
}

/* ---- Text of what goes in and out --------------------------------------------------- */

/* Append to a text that is cut where the buffer ends. */
static void append(char *buffer, size_t size, const char *text)
{
    const size_t length = strlen(buffer);

    snprintf(buffer + length, size - length, "%s", text);
}

char *bl_value_info_text(const bl_value_info *info, char *buffer, size_t size)
{
    const char *dtype = bl_dtype_name(info->dtype);

    snprintf(buffer, size, "%s[", dtype != NULL ? dtype : "?");
    if (info->rank < 0)
        append(buffer, size, "...");
    for (int i = 0; i < info->rank; i++) {
        char dim[NAME_TEXT];

        if (info->dims[i] >= 0)
            snprintf(dim, sizeof dim, "%lld", (long long)info->dims[i]);
        else
            snprintf(dim, sizeof dim, "%s",
                     info->dim_names != NULL && info->dim_names[i] != NULL
                         ? info->dim_names[i]
                         : "?");
        append(buffer, size, i > 0 ? "," : "");
        append(buffer, size, dim);
    }
    append(buffer, size, "]");
    return buffer;
}

static const bl_value_info *info_of(const bl_model *model, enum bl_side side, size_t i)
{
    return side == BL_SIDE_INPUT ? bl_model_input(model, i) : bl_model_output(model, i);
}

char *bl_model_list(const bl_model *model, enum bl_side side, char *buffer, size_t size)
{
    const bl_value_info *info;

    buffer[0] = '\0';
    for (size_t i = 0; (info = info_of(model, side, i)) != NULL; i++) {
        char type[NAME_TEXT];

        append(buffer, size, i > 0 ? ", " : "");
        append(buffer, size, info->name);
        append(buffer, size, " ");
        append(buffer, size, bl_value_info_text(info, type, sizeof type));
    }
    if (buffer[0] == '\0')
        append(buffer, size, "none");
    else if (strlen(buffer) + 1 == size)
        memcpy(buffer + size - 4, "...", 4);
    return buffer;
}

/* ---- NAME=VALUE ---------------------------------------------------------------------- */

static const char *side_name(enum bl_side side)
{
    return side == BL_SIDE_INPUT ? "input" : "output";
}

static void unknown_name(const bl_model *model, enum bl_side side, const char *option,
                         const char *argument)
{
    char name[NAME_TEXT];
    char list[LIST_TEXT];
    struct bl_suggestion near = {.wrong = name};
    const bl_value_info *info;

    snprintf(name, sizeof name, "%.*s", (int)strcspn(argument, "="), argument);
    for (size_t i = 0; (info = info_of(model, side, i)) != NULL; i++)
        bl_suggest(&near, info->name);
    bl_message("--%s: the model has no %s '%s'%s%s%s; it has: %s", option, side_name(side),
               name, near.best != NULL ? " (did you mean " : "",
               near.best != NULL ? near.best : "", near.best != NULL ? "?)" : "",
               bl_model_list(model, side, list, sizeof list));
}

bool bl_model_named(const bl_model *model, enum bl_side side, const char *option,
                    const char *argument, size_t *number, const char **value)
{
    const bl_value_info *info;
    size_t longest = 0;

    for (size_t i = 0; (info = info_of(model, side, i)) != NULL; i++) {
        const size_t length = strlen(info->name);

        if (length < longest || strncmp(argument, info->name, length) != 0 ||
            argument[length] != '=')
            continue;
        longest = length;
        *number = i;
        *value = argument + length + 1;
    }
    if (longest > 0)
        return true;
    if (strchr(argument, '=') == NULL)
        bl_message("--%s '%s' is not NAME=VALUE", option, argument);
    else
        unknown_name(model, side, option, argument);
    return false;
}

/* ---- Shapes and dims -------------------------------------------------------------------- */

bool bl_model_shapes(const bl_model *model, const struct bl_repeated *shapes,
                     bl_tensor_type *types)
{
    for (size_t i = 0; i < shapes->count; i++) {
        const char *text;
        size_t input, at;
        bl_error err;

        if (!bl_model_named(model, BL_SIDE_INPUT, "shape", shapes->items[i], &input, &text))
            return false;
        if (bl_dims_parse(text, &types[input].shape, &at, &err) != BL_OK) {
            bl_message("--shape %s: %s", shapes->items[i], err.message);
            bl_message_position(text, at);
            return false;
        }
        types[input].dtype = bl_model_input(model, input)->dtype;
        if (types[input].dtype == BL_UNDEFINED) {
            bl_message("--shape: the model does not say the element type of input '%s'",
                       bl_model_input(model, input)->name);
            return false;
        }
    }
    return true;
}

/* The number that --dim gives a symbol. */
static bool find_dim(const struct bl_repeated *dims, const char *symbol, int64_t *number)
{
    const size_t length = strlen(symbol);

    for (size_t i = dims->count; i-- > 0;) /* the last one wins */
        if (strncmp(dims->items[i], symbol, length) == 0 && dims->items[i][length] == '=') {
            bl_shape shape;
            size_t at;

            if (bl_dims_parse(dims->items[i] + length + 1, &shape, &at, NULL) != BL_OK ||
                shape.rank != 1)
                return false;
            *number = shape.dim[0];
            return true;
        }
    return false;
}

/* True if SYMBOL of "SYMBOL=N" is a dim of an input; if not, all symbols are in the list. */
static bool is_symbol(const bl_model *model, const char *argument,
                      struct bl_suggestion *near, char *list, size_t size)
{
    const bl_value_info *info;

    for (size_t i = 0; (info = bl_model_input(model, i)) != NULL; i++)
        for (int axis = 0; axis < info->rank; axis++) {
            const char *symbol = info->dim_names != NULL ? info->dim_names[axis] : NULL;
            const size_t length = symbol != NULL ? strlen(symbol) : 0;

            if (symbol == NULL)
                continue;
            if (strncmp(argument, symbol, length) == 0 && argument[length] == '=')
                return true;
            bl_suggest(near, symbol);
            append(list, size, list[0] != '\0' ? ", " : "");
            append(list, size, symbol);
        }
    return false;
}

bool bl_model_check_dims(const bl_model *model, const struct bl_repeated *dims)
{
    for (size_t i = 0; i < dims->count; i++) {
        const char *argument = dims->items[i];
        char name[NAME_TEXT];
        char list[LIST_TEXT] = "";
        struct bl_suggestion near = {.wrong = name};
        int64_t number;

        snprintf(name, sizeof name, "%.*s", (int)strcspn(argument, "="), argument);
        if (strchr(argument, '=') == NULL) {
            bl_message("--dim '%s' is not SYMBOL=NUMBER", argument);
            return false;
        }
        if (!is_symbol(model, argument, &near, list, sizeof list)) {
            bl_message("--dim: no input of the model has a dim '%s'%s%s%s; there are: %s",
                       name, near.best != NULL ? " (did you mean " : "",
                       near.best != NULL ? near.best : "", near.best != NULL ? "?)" : "",
                       list[0] != '\0' ? list : "none");
            return false;
        }
        if (!find_dim(dims, name, &number)) {
            bl_message("--dim '%s': not a whole number from 0 on", argument);
            return false;
        }
    }
    return true;
}

/* What a symbol is in the inputs whose types are set; 1 if it is in none. */
static int64_t symbol_in_inputs(const bl_model *model, const bl_tensor_type *types,
                                const char *symbol)
{
    const bl_value_info *info;

    for (size_t i = 0; (info = bl_model_input(model, i)) != NULL; i++) {
        if (types[i].dtype == BL_UNDEFINED || info->dim_names == NULL)
            continue;
        for (int axis = 0; axis < info->rank && axis < types[i].shape.rank; axis++)
            if (info->dim_names[axis] != NULL && strcmp(info->dim_names[axis], symbol) == 0)
                return types[i].shape.dim[axis];
    }
    return 1;
}

bl_status bl_model_complete(const bl_model *model, const struct bl_repeated *dims,
                            bl_tensor_type *types, size_t input, bl_error *err)
{
    const bl_value_info *info = bl_model_input(model, input);
    bl_tensor_type type = {.dtype = info->dtype, .shape = {.rank = info->rank}};

    if (info->dtype == BL_UNDEFINED || info->rank < 0)
        return bl_error_fill(
            err, BL_ERR_ARGUMENT, "the model does not say the %s of input '%s'%s",
            info->dtype == BL_UNDEFINED ? "element type" : "shape", info->name,
            info->dtype == BL_UNDEFINED ? "" : " (--shape does)");
    for (int axis = 0; axis < info->rank; axis++) {
        const char *symbol = info->dim_names != NULL ? info->dim_names[axis] : NULL;

        type.shape.dim[axis] = info->dims[axis];
        if (info->dims[axis] >= 0)
            continue;
        type.shape.dim[axis] = 1;
        if (symbol != NULL && !find_dim(dims, symbol, &type.shape.dim[axis]))
            type.shape.dim[axis] = symbol_in_inputs(model, types, symbol);
    }
    types[input] = type;
    return BL_OK;
}
