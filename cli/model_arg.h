/*
 * model_arg.h - what a command line says about a model: NAME=..., shapes, dims
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CLI_MODEL_ARG_H
#define BL_CLI_MODEL_ARG_H

#include <stdbool.h>

#include "broadloom/broadloom.h"

/* Arguments of an option that may be repeated, in their order. */
struct bl_repeated {
    const char **items; /* [count] */
    size_t count;
};

/* Room for as many as a command line has words.  False after a message. */
bool bl_repeated_start(struct bl_repeated *repeated, int words);
void bl_repeated_add(struct bl_repeated *repeated, const char *item);
void bl_repeated_free(struct bl_repeated *repeated);

enum bl_side { BL_SIDE_INPUT, BL_SIDE_OUTPUT };

/*
 * The input or output that NAME of "NAME=VALUE" is, by its number; a name may have '=' in it.
 * False after a message, which lists what the model has.
 */
bool bl_model_named(const bl_model *model, enum bl_side side, const char *option,
                    const char *argument, size_t *number, const char **value);

/*
 * Set the types that --shape NAME=DIMS gives.
 *
 * @param types  [inputs]; those that are not given are left alone.
 */
bool bl_model_shapes(const bl_model *model, const struct bl_repeated *shapes,
                     bl_tensor_type *types);

/* Check that every SYMBOL of --dim SYMBOL=N is in the model.  False after a message. */
bool bl_model_check_dims(const bl_model *model, const struct bl_repeated *dims);

/*
 * Set the type of an input from what the model says of it.  A symbol is what --dim says, or
 * else what it is in the inputs whose types are set (not BL_UNDEFINED), or else 1.
 *
 * Errors: BL_ERR_ARGUMENT where the model says no element type, or no rank.
 */
bl_status bl_model_complete(const bl_model *model, const struct bl_repeated *dims,
                            bl_tensor_type *types, size_t input, bl_error *err);

/* Print ": x float32[N,3], y float32[]" into `buffer`: all inputs or outputs, as many as fit. */
char *bl_model_list(const bl_model *model, enum bl_side side, char *buffer, size_t size);

/* "float32[N,3]" as the model says it; "?" for what it leaves open. */
char *bl_value_info_text(const bl_value_info *info, char *buffer, size_t size);

#endif
