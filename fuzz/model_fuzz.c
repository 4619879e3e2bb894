/*
 * model_fuzz.c - fuzz target: run whatever model loads, fused and node by node
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The mutator keeps the bytes a protobuf message, so that most of them get as far as running.  Models
 * that would move more than MOST_BYTES are not run, nor those whose steps nobody knows before.
 */
#include <stdlib.h>

#include "conform/model_pair.h"
#include "fuzz/model_inputs.h"
#include "fuzz/wire_mutator.h"
#include "operands.h"

/* Of the inputs together, and in bytes that the steps of a run move: some milliseconds. */
#define MOST_ELEMENTS 65536
#define MOST_BYTES (INT64_C(1) << 18)

/* For a run in both ways; one that needs more, or plans that fold more, gets no memory. */
#define MEMORY ((size_t)64 << 20)

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    return fuzz_mutate_wire(data, size, most, seed);
}

static void free_all(const bl_tensor **inputs, bl_tensor **outputs, const bl_model *model)
{
    for (size_t i = 0; inputs != NULL && i < bl_model_input_count(model); i++)
        bl_tensor_free((bl_tensor *)(uintptr_t)inputs[i]);
    for (size_t i = 0; outputs != NULL && i < bl_model_output_count(model); i++)
        bl_tensor_free(outputs[i]);
    free(inputs);
    free(outputs);
}

static void run_pair(struct fuzz_budget *budget, struct bl_model_pair *pair,
                     const bl_tensor *const *inputs, bl_tensor **outputs)
{
    char why[BL_ERROR_BYTES];
    bl_error err = {BL_OK, ""};
    bl_status status = BL_OK;

    /* Twice: the second run finds the plan of the first. */
    for (int run = 0; run < 2; run++) {
        const bool same = bl_model_pair_run(pair, inputs, outputs, &status, &err, why);

        if (budget->refused) /* one way may need more memory than the other */
            return;
        if (!same)
            fuzz_fail("%s", why);
        if (status != BL_OK) {
            fuzz_check_error(&err);
            return;
        }
        for (size_t i = 0; run == 0 && i < bl_model_output_count(pair->model); i++) {
            bl_tensor_free(outputs[i]);
            outputs[i] = NULL;
        }
    }
}

static void run_model(struct fuzz_budget *budget, bl_context *context,
                      const bl_model *model, const bl_tensor_type *types)
{
    const size_t count = bl_model_input_count(model);
    const bl_tensor **inputs = calloc(count + 1, sizeof *inputs);
    bl_tensor **outputs = calloc(bl_model_output_count(model) + 1, sizeof *outputs);
    struct bl_model_pair pair;
    bl_error err = {BL_OK, ""};
    uint64_t seed = 1;

    for (size_t i = 0; inputs != NULL && i < count; i++)
        if (types[i].dtype != BL_UNDEFINED)
            inputs[i] = random_tensor(types[i].dtype, &types[i].shape, ANY, &seed);
    if (inputs != NULL && outputs != NULL) {
        if (bl_model_pair_open(&pair, context, model, &err) != BL_OK)
            fuzz_check_error(&err);
        else
            run_pair(budget, &pair, inputs, outputs);
        bl_model_pair_close(&pair);
    }
    free_all(inputs, outputs, model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_budget budget = {.most = MEMORY};
    bl_context *context = fuzz_context(&budget, 1);
    bl_error err = {BL_OK, ""};
    bl_model *model = bl_model_open_memory(context, data, size, NULL, &err);

    if (model == NULL) {
        fuzz_check_error(&err);
    } else {
        bl_tensor_type *types = fuzz_input_types(model, MOST_ELEMENTS);

        if (types != NULL) {
            const int64_t bytes = fuzz_explained_bytes(context, model, types, MOST_BYTES);

            if (bytes >= 0 && bytes <= MOST_BYTES)
                run_model(&budget, context, model, types);
        }
        free(types);
        bl_model_free(model);
    }
    bl_context_free(context);
    fuzz_check_freed(&budget);
    return 0;
}
