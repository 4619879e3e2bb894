/*
 * model_inputs.h - inputs for a model that nobody knows
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_FUZZ_MODEL_INPUTS_H
#define BL_FUZZ_MODEL_INPUTS_H

#include "fuzz/fuzz.h"

/* Types and shapes for all inputs, as the model says them and small where it leaves them open: to be
 * freed with free.  NULL if they would have more than `most` elements together. */
bl_tensor_type *fuzz_input_types(const bl_model *model, int64_t most);

/*
 * How many bytes the steps of a run would move, and its arena take; -1 if it cannot run, or more than
 * `most`, where a value's size is not known before.  Checks what bl_model_explain promises.
 */
int64_t fuzz_explained_bytes(bl_context *context, const bl_model *model,
                             const bl_tensor_type *types, int64_t most);

#endif
