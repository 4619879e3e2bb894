/*
 * model_pair.c - a model run in both ways that a session has, which have to agree
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "conform/model_pair.h"

#include <stdlib.h>

#include "base/text.h"
#include "conform/compare.h"
#include "conform/heap.h"

bl_status bl_model_pair_open(struct bl_model_pair *out, bl_context *context,
                             const bl_model *model, bl_error *err)
{
    bl_session_options plain = BL_SESSION_DEFAULTS;

    plain.no_fuse = 1;
    *out = (struct bl_model_pair){.model = model};
    out->fused = bl_session_new(context, model, NULL, err);
    if (out->fused != NULL)
        out->plain = bl_session_new(context, model, &plain, err);
    if (out->plain != NULL)
        return BL_OK;
    bl_model_pair_close(out);
    return err->status;
}

void bl_model_pair_close(struct bl_model_pair *pair)
{
    bl_session_free(pair->fused);
    bl_session_free(pair->plain);
    *pair = (struct bl_model_pair){.model = NULL};
}

static void free_all(bl_tensor **tensors, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bl_tensor_free(tensors[i]);
        tensors[i] = NULL;
    }
}

/* True if both runs gave the same bits. */
static bool same_outputs(const bl_model *model, bl_tensor *const *fused,
                         bl_tensor *const *plain, struct bl_text *text)
{
    static const struct bl_compare_rule same = {
        .allow_nan = true, .exact = true, .max_ulp = -1};
    char why[BL_COMPARE_TEXT];

    for (size_t i = 0; i < bl_model_output_count(model); i++)
        if (!bl_compare(fused[i], plain[i], &same, why)) {
            bl_text_put(text, "fused differs from node by node: output %.80s: %s",
                        bl_model_output(model, i)->name, why);
            return false;
        }
    return true;
}

static bool run_plain(struct bl_model_pair *pair, const bl_tensor *const *inputs,
                      bl_tensor *const *fused, bl_status status, const bl_error *err,
                      struct bl_text *text)
{
    const size_t count = bl_model_output_count(pair->model);
    bl_tensor **plain = bl_heap_zero(count + 1, sizeof *plain);
    bl_error plain_err = {0};

    if (plain == NULL) {
        bl_text_put(text, "no memory for %zu outputs", count);
        return false;
    }
    const bl_status plain_status = bl_session_run(pair->plain, inputs, plain, &plain_err);
    bool same = (plain_status == BL_OK) == (status == BL_OK);

    if (!same)
        bl_text_put(text, "run %s, it fails, but not %s: %s",
                    status != BL_OK ? "fused" : "node by node",
                    status != BL_OK ? "node by node" : "fused",
                    status != BL_OK ? err->message : plain_err.message);
    else if (status == BL_OK)
        same = same_outputs(pair->model, fused, plain, text);
    free_all(plain, count);
    free(plain);
    return same;
}

bool bl_model_pair_run(struct bl_model_pair *pair, const bl_tensor *const *inputs,
                       bl_tensor **outputs, bl_status *status, bl_error *err, char *why)
{
    struct bl_text text = bl_text_in(why, BL_ERROR_BYTES);

    *status = bl_session_run(pair->fused, inputs, outputs, err);
    const bool same = run_plain(pair, inputs, outputs, *status, err, &text);

    if (!same)
        free_all(outputs, bl_model_output_count(pair->model));
    return same;
}
