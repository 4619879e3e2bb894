/*
 * model_inputs.c - inputs for a model that nobody knows
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fuzz/model_inputs.h"

#include <stdlib.h>
#include <string.h>

/* A dim that the model leaves open: one number for each symbol, 1 to 3. */
static int64_t open_dim(const char *symbol)
{
    return symbol != NULL ? 1 + (unsigned char)symbol[0] % 3 : 2;
}

static void complete(const bl_value_info *info, bl_tensor_type *type)
{
    type->dtype = info->dtype != BL_UNDEFINED ? info->dtype : BL_FLOAT32;
    type->shape.rank = info->rank >= 0 ? info->rank : 1;
    if (info->rank < 0)
        type->shape.dim[0] = 2;
    for (int axis = 0; axis < info->rank; axis++)
        type->shape.dim[axis] =
            info->dims[axis] >= 0
                ? info->dims[axis]
                : open_dim(info->dim_names != NULL ? info->dim_names[axis] : NULL);
}

bl_tensor_type *fuzz_input_types(const bl_model *model, int64_t most)
{
    const size_t count = bl_model_input_count(model);
    bl_tensor_type *types = calloc(count + 1, sizeof *types);

    for (size_t i = 0; types != NULL && i < count; i++) {
        const bl_value_info *info = bl_model_input(model, i);
        int64_t elements;

        if (info->has_default && i % 2 == 0)
            continue;
        complete(info, &types[i]);
        if (bl_shape_count(&types[i].shape, &elements, NULL) != BL_OK || elements > most) {
            free(types);
            return NULL;
        }
        most -= elements;
    }
    return types;
}

/* True if every value that a node puts out has a known type. */
static bool all_known(const bl_model *model, const bl_explanation *explanation)
{
    bl_node_info node;

    for (size_t n = 0; bl_model_node(model, n, &node); n++)
        for (size_t i = 0; i < node.output_count; i++)
            if (node.outputs[i] >= 0 &&
                explanation->values[node.outputs[i]].dtype == BL_UNDEFINED)
                return false;
    return true;
}

static int64_t bytes_of(const bl_model *model, const bl_explanation *explanation,
                        int64_t most)
{
    int64_t bytes = explanation->arena_bytes;

    if (!all_known(model, explanation))
        return most + 1;
    for (size_t s = 0; s < explanation->step_count; s++) {
        const bl_step_info *step = &explanation->steps[s];

        if (step->bytes_read < 0 || step->bytes_written < 0)
            fuzz_fail("step %zu moves %lld and %lld bytes", s, (long long)step->bytes_read,
                      (long long)step->bytes_written);
        if (bytes > most || step->bytes_read > most || step->bytes_written > most)
            return most + 1;
        bytes += step->bytes_read + step->bytes_written;
    }
    return bytes;
}

static void check_problems(const bl_model *model, const bl_explanation *explanation)
{
    size_t found = 0;

    for (size_t n = 0; n < bl_model_node_count(model); n++) {
        const bl_problem *problem = explanation->problems[n];

        if (problem == NULL)
            continue;
        found++;
        if (problem->status <= BL_OK || problem->message[0] == '\0' ||
            strchr(problem->message, '\n') != NULL)
            fuzz_fail("node %zu has a problem with status %d: %s", n, (int)problem->status,
                      problem->message);
    }
    if (found != explanation->problem_count)
        fuzz_fail("%zu problems, said to be %zu", found, explanation->problem_count);
}

int64_t fuzz_explained_bytes(bl_context *context, const bl_model *model,
                             const bl_tensor_type *types, int64_t most)
{
    bl_error err = {BL_OK, ""};
    bl_explanation *explanation = bl_model_explain(context, model, types, &err);

    if (explanation == NULL) {
        fuzz_check_error(&err);
        return -1;
    }
    check_problems(model, explanation);
    const int64_t bytes =
        explanation->problem_count > 0 ? -1 : bytes_of(model, explanation, most);

    bl_explanation_free(explanation);
    return bytes;
}
