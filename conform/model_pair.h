/*
 * model_pair.h - a model run in both ways that a session has, which have to agree
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CONFORM_MODEL_PAIR_H
#define BL_CONFORM_MODEL_PAIR_H

#include <stdbool.h>

#include "broadloom/broadloom.h"

/* A model with two sessions: one that fuses nodes, one that runs them one by one. */
struct bl_model_pair {
    const bl_model *model;
    bl_session *fused;
    bl_session *plain;
};

/* The model and the context have to outlive the pair. */
bl_status bl_model_pair_open(struct bl_model_pair *out, bl_context *context,
                             const bl_model *model, bl_error *err);

/* Also what is all zeros. */
void bl_model_pair_close(struct bl_model_pair *pair);

/*
 * Run the model both ways, as bl_session_run with outputs that are all NULL.
 *
 * False if the two differ: one fails and the other does not, or a result has other bits
 * (every NaN counts as the same); `why` (BL_ERROR_BYTES) says so, and no output is left.
 * True: *status and *err are what both came to; the outputs are those of the fused run.
 */
bool bl_model_pair_run(struct bl_model_pair *pair, const bl_tensor *const *inputs,
                       bl_tensor **outputs, bl_status *status, bl_error *err, char *why);

#endif
