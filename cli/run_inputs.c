/*
 * run_inputs.c - the inputs of a model, from files, literals or a seed
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <stdlib.h>

#include "cli/message.h"
#include "cli/random_tensor.h"
#include "cli/run_files.h"

/* Room for "input 'NAME'" in messages; a longer name is cut. */
#define LABEL_TEXT 160

/* Room for the list of inputs in a message. */
#define LIST_TEXT 1024

static bool read_given(bl_context *context, const bl_model *model,
                       const struct bl_run_inputs *from, struct bl_inputs *inputs)
{
    bool stdin_read = false;

    for (size_t i = 0; i < from->given.count; i++) {
        const char *argument;
        char label[LABEL_TEXT];
        size_t input;

        if (!bl_model_named(model, BL_SIDE_INPUT, "input", from->given.items[i], &input,
                            &argument))
            return false;
        snprintf(label, sizeof label, "input '%s'", bl_model_input(model, input)->name);
        if (inputs->tensors[input] != NULL) {
            bl_message("%s is given twice", label);
            return false;
        }
        inputs->tensors[input] = bl_input_read(context, argument, label, &stdin_read);
        if (inputs->tensors[input] == NULL)
            return false;
    }
    return true;
}

static bool fill(bl_context *context, const bl_model *model,
                 const struct bl_run_inputs *from, size_t input, bl_tensor_type *types,
                 struct bl_inputs *inputs)
{
    const bl_value_info *info = bl_model_input(model, input);
    char list[LIST_TEXT];
    bl_error err;

    if (!from->random) {
        bl_message("input '%s' is missing: give --input %s=FILE, or --random SEED; the "
                   "model's inputs are: %s",
                   info->name, info->name,
                   bl_model_list(model, BL_SIDE_INPUT, list, sizeof list));
        return false;
    }
    if (types[input].dtype == BL_UNDEFINED &&
        bl_model_complete(model, &from->dims, types, input, &err) != BL_OK) {
        bl_message("%s", err.message);
        return false;
    }
    inputs->tensors[input] =
        bl_random_tensor(context, &types[input], from->seed, input, &err);
    if (inputs->tensors[input] == NULL)
        bl_message("input '%s': %s", info->name, err.message);
    return inputs->tensors[input] != NULL;
}

static bool read_all(bl_context *context, const bl_model *model,
                     const struct bl_run_inputs *from, bl_tensor_type *types,
                     struct bl_inputs *inputs)
{
    if (!bl_model_check_dims(model, &from->dims) ||
        !bl_model_shapes(model, &from->shapes, types) ||
        !read_given(context, model, from, inputs))
        return false;
    for (size_t i = 0; i < inputs->count; i++) {
        const bl_tensor *tensor = inputs->tensors[i];

        if (tensor != NULL && types[i].dtype != BL_UNDEFINED) {
            bl_message("input '%s' has both --input and --shape",
                       bl_model_input(model, i)->name);
            return false;
        }
        if (tensor != NULL)
            types[i] = (bl_tensor_type){bl_tensor_dtype(tensor), *bl_tensor_shape(tensor)};
    }
    for (size_t i = 0; i < inputs->count; i++)
        if (inputs->tensors[i] == NULL &&
            (!bl_model_input(model, i)->has_default || types[i].dtype != BL_UNDEFINED) &&
            !fill(context, model, from, i, types, inputs))
            return false;
    return true;
}

bool bl_run_inputs_read(bl_context *context, const bl_model *model,
                        const struct bl_run_inputs *from, struct bl_inputs *inputs)
{
    const size_t count = bl_model_input_count(model);
    bl_tensor_type *types = calloc(count + 1, sizeof *types);
    bool done = false;

    *inputs = (struct bl_inputs){.tensors = calloc(count + 1, sizeof *inputs->tensors)};
    if (types == NULL || inputs->tensors == NULL) {
        bl_message("out of memory for %zu inputs", count);
    } else {
        inputs->count = count;
        done = read_all(context, model, from, types, inputs);
    }
    free(types);
    return done;
}
