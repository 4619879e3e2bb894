/*
 * run_files.h - what `run` reads and writes: a model's inputs and outputs
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CLI_RUN_FILES_H
#define BL_CLI_RUN_FILES_H

#include <stdbool.h>

#include "cli/input_arg.h"
#include "cli/model_arg.h"

/* Where inputs come from. */
struct bl_run_inputs {
    struct bl_repeated given;  /* --input NAME=FILE */
    struct bl_repeated shapes; /* --shape NAME=DIMS */
    struct bl_repeated dims;   /* --dim SYMBOL=N */
    bool random;               /* fill those that are not given */
    uint64_t seed;
};

/* Read or make all inputs of the model, those with a default left out.  False after a
 * message.  Free the inputs in any case.  (run_inputs.c) */
bool bl_run_inputs_read(bl_context *context, const bl_model *model,
                        const struct bl_run_inputs *from, struct bl_inputs *inputs);

/* Where outputs go. */
struct bl_run_outputs {
    struct bl_repeated given; /* --output NAME=FILE */
    const char *folder;       /* --output-dir, or NULL */
    const char **paths;       /* [outputs]: the files, or NULL: printed */
    char **made;              /* [outputs]: those of paths that are names in the folder */
};

/* Find out where each output goes.  False after a message.  (run_outputs.c) */
bool bl_run_outputs_place(const bl_model *model, struct bl_run_outputs *outputs);

/* Name the files in the folder, now that the types are known, and write all files, together
 * or none.  False after a message. */
bool bl_run_outputs_write(const bl_model *model, struct bl_run_outputs *outputs,
                          bl_tensor *const *tensors);

void bl_run_outputs_free(const bl_model *model, struct bl_run_outputs *outputs);

#endif
