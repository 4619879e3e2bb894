/*
 * model_case.h - the model of a case with a graph or a model
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CONFORM_MODEL_CASE_H
#define BL_CONFORM_MODEL_CASE_H

#include "conform/fixture.h"
#include "conform/model_pair.h"

struct bl_model_case {
    unsigned char *bytes; /* of a graph's model */
    size_t size;
    struct bl_sandbox sandbox; /* of a model with files around it */
    bl_model *model;
    struct bl_model_pair pair;
};

/* Make what the model is opened from: a graph is written as a model, a model with files
 * around it is put with them into a temporary folder.  On failure nothing has to be
 * closed. */
bl_status bl_model_case_make(struct bl_model_case *out, const struct bl_fixture_case *it,
                             bl_error *err);

/* Open the model that was made, with its two sessions. */
bl_status bl_model_case_open(struct bl_model_case *model_case, bl_context *context,
                             const struct bl_fixture_case *it, bl_error *err);

void bl_model_case_close(struct bl_model_case *model_case);

/* The case's tensors in the order of the model's inputs, NULL where it has none, into
 * inputs[bl_model_input_count].  BL_ERR_ARGUMENT for a name that no input has. */
bl_status bl_model_case_inputs(const struct bl_model_case *model_case,
                               const struct bl_fixture_case *it, const bl_tensor **inputs,
                               bl_error *err);

#endif
