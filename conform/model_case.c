/*
 * model_case.c - the model of a case with a graph or a model
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "conform/model_case.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "conform/onnx_write.h"

bl_status bl_model_case_make(struct bl_model_case *out, const struct bl_fixture_case *it,
                             bl_error *err)
{
    *out = (struct bl_model_case){.model = NULL};
    if (it->subject == BL_FIXTURE_GRAPH)
        return bl_onnx_write(it, &out->bytes, &out->size, err);
    return it->model->beside_count == 0
               ? BL_OK
               : bl_fixture_file_place(it->model, "model.onnx", &out->sandbox, err);
}

bl_status bl_model_case_open(struct bl_model_case *model_case, bl_context *context,
                             const struct bl_fixture_case *it, bl_error *err)
{
    const struct bl_sandbox *sandbox = &model_case->sandbox;

    if (sandbox->path != NULL)
        model_case->model = bl_model_open(context, sandbox->path, err);
    else if (model_case->bytes != NULL)
        model_case->model =
            bl_model_open_memory(context, model_case->bytes, model_case->size, NULL, err);
    else
        model_case->model =
            bl_model_open_memory(context, it->model->bytes, it->model->size, NULL, err);
    if (model_case->model == NULL)
        return err->status;
    return bl_model_pair_open(&model_case->pair, context, model_case->model, err);
}

void bl_model_case_close(struct bl_model_case *model_case)
{
    bl_model_pair_close(&model_case->pair);
    bl_model_free(model_case->model);
    bl_sandbox_close(&model_case->sandbox);
    free(model_case->bytes);
    *model_case = (struct bl_model_case){.model = NULL};
}

bl_status bl_model_case_inputs(const struct bl_model_case *model_case,
                               const struct bl_fixture_case *it, const bl_tensor **inputs,
                               bl_error *err)
{
    const size_t count = bl_model_input_count(model_case->model);

    for (size_t i = 0; i < count; i++)
        inputs[i] = NULL;
    for (size_t k = 0; k < it->input_count; k++) {
        size_t i = 0;

        while (i < count &&
               strcmp(bl_model_input(model_case->model, i)->name, it->inputs[k].name) != 0)
            i++;
        if (i < count)
            inputs[i] = it->inputs[k].data;
        else if (it->inputs[k].data != NULL)
            return bl_fail(err, BL_ERR_ARGUMENT, "the model has no input '%.80s'",
                           it->inputs[k].name);
    }
    return BL_OK;
}
