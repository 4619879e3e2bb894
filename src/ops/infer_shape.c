/*
 * infer_shape.c - the shape of a node's output: by form, and by broadcasting rule
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "base/status.h"
#include "ops/infer.h"
#include "ops/infer_parts.h"
#include "shape/broadcast.h"
#include "shape/shape.h"

/* Operators with names for each input have at most this many. */
#define MAX_NAMED 4

struct naming {
    char subject[BL_NODE_TEXT];
    const char *names[MAX_NAMED];
    struct bl_shape_owner owner;
};

static const struct bl_shape_owner *name_inputs(const bl_node *node, struct naming *naming)
{
    const bl_op *op = node->op;

    naming->owner.subject = bl_node_text(node, naming->subject);
    naming->owner.stem = "data_";
    naming->owner.names = op->inputs[0].variadic ? NULL : naming->names;
    for (size_t i = 0; i < op->input_count && i < MAX_NAMED; i++)
        naming->names[i] = op->inputs[i].name;
    return &naming->owner;
}

static bl_status infer_legacy(const bl_node *node, const struct bl_params *params,
                              const bl_tensor_type *inputs, bl_error *err)
{
    struct naming naming;
    const struct bl_shape_owner *owner = name_inputs(node, &naming);
    const bl_shape *a = &inputs[0].shape;
    const bl_shape *b = &inputs[1].shape;
    char a_text[BL_SHAPE_TEXT], b_text[BL_SHAPE_TEXT];
    int offset;

    if (params->broadcast)
        return bl_broadcast_legacy(owner, a, b, params->has_axis ? &params->axis : NULL,
                                   &offset, err);
    if (bl_shape_equal(a, b))
        return BL_OK;
    return bl_fail(
        err, BL_ERR_SHAPE,
        "%s: %s %s and %s %s differ, and attribute broadcast is not set (legacy rule: "
        "before opset 7, shapes are equal unless broadcast=1)",
        owner->subject, node->op->inputs[0].name, bl_shape_text(a, a_text),
        node->op->inputs[1].name, bl_shape_text(b, b_text));
}

/* ---- By broadcasting rule ---------------------------------------------------- */

/* The rules that fold over any number of shapes. */
static bl_status infer_many(const bl_node *node, const bl_tensor_type *inputs,
                            size_t input_count, bl_shape *out, bl_error *err)
{
    struct naming naming;
    const struct bl_shape_owner *owner = name_inputs(node, &naming);
    bl_shape met = inputs[0].shape;

    /* Pair by pair, so that no list of the shapes is needed; on failure over all of them,
     * for a message that names the two inputs that disagree. */
    for (size_t i = 1; i < input_count; i++) {
        const bl_shape *pair[] = {&met, &inputs[i].shape};
        const bl_status status = node->op->rule == BL_RULE_NONE
                                     ? bl_broadcast_none(owner, pair, 2, NULL)
                                     : bl_broadcast_multi(owner, pair, 2, &met, NULL);

        if (status == BL_OK)
            continue;
        for (size_t j = 0; j < i; j++) {
            struct bl_shape_owner two = *owner;
            char first[32], second[32];
            const char *names[] = {bl_input_name(node->op, j, first),
                                   bl_input_name(node->op, i, second)};
            bl_shape ignored;

            two.names = names;
            pair[0] = &inputs[j].shape;
            if ((node->op->rule == BL_RULE_NONE
                     ? bl_broadcast_none(&two, pair, 2, err)
                     : bl_broadcast_multi(&two, pair, 2, &ignored, err)) != BL_OK)
                break;
        }
        return status;
    }
    *out = met;
    return BL_OK;
}

bl_status bl_infer_broadcast(const struct bl_inference *call, bl_shape *out, bl_error *err)
{
    const bl_node *node = call->node;
    const bl_tensor_type *inputs = call->inputs;
    struct naming naming;
    const struct bl_shape_owner *owner = name_inputs(node, &naming);

    switch (node->op->rule) {
    case BL_RULE_UNIDIRECTIONAL:
        BL_TRY(bl_broadcast_uni(owner, 1, &inputs[1].shape, 0, &inputs[0].shape, err));
        break;
    case BL_RULE_LEGACY:
        BL_TRY(infer_legacy(node, call->params, inputs, err));
        break;
    case BL_RULE_CHANNEL:
        BL_TRY(bl_broadcast_channel(owner, &inputs[0].shape, &inputs[1].shape, err));
        break;
    case BL_RULE_NONE:
    case BL_RULE_MULTIDIRECTIONAL:
    default:
        return infer_many(node, inputs, call->input_count, out, err);
    }
    *out = inputs[0].shape;
    return BL_OK;
}

/* ---- By form ---------------------------------------------------------------------- */

/* The bounds from opset 11 on are scalars; a list of one element is taken for one. */
static bl_status infer_clip(const struct bl_inference *call, bl_shape *out, bl_error *err)
{
    char text[BL_SHAPE_TEXT];

    for (size_t i = 1; i < call->input_count; i++) {
        int64_t count;

        if (!bl_infer_has(call, i))
            continue;
        BL_TRY(bl_shape_count(&call->inputs[i].shape, &count, err));
        if (count != 1)
            return bl_fail(err, BL_ERR_SHAPE, "%s: %s %s has to be a scalar", call->subject,
                           call->node->op->inputs[i].name,
                           bl_shape_text(&call->inputs[i].shape, text));
    }
    *out = call->inputs[0].shape;
    return BL_OK;
}

bl_status bl_infer_shape(const struct bl_inference *call, bl_shape *out, bl_error *err)
{
    switch (bl_schema_of(call->node->op)->form) {
    case BL_FORM_CLIP:
        return infer_clip(call, out, err);
    case BL_FORM_CAST: /* CastLike's second input gives its type alone */
        *out = call->inputs[0].shape;
        return BL_OK;
    case BL_FORM_VIEW:
        return bl_infer_view(call, out, err);
    case BL_FORM_HOST:
        return bl_infer_host(call, out, err);
    case BL_FORM_GEMM:
        return bl_infer_gemm(call, out, err);
    case BL_FORM_MATMUL:
        return bl_infer_matmul(call, out, err);
    default:
        return bl_infer_broadcast(call, out, err);
    }
}

int bl_node_offset(const bl_node *node, const struct bl_params *params, size_t i,
                   const bl_shape *input, const bl_shape *output)
{
    const int right_aligned = output->rank - input->rank;

    if (i == 0)
        return right_aligned;
    if (node->op->rule == BL_RULE_CHANNEL && input->rank == 1 && output->rank >= 2)
        return 1;
    if (node->op->rule == BL_RULE_LEGACY && params->broadcast && params->has_axis) {
        const int64_t offset =
            params->axis < 0 ? params->axis + output->rank : params->axis;

        /* A single element fits anywhere, whatever axis says. */
        return offset >= 0 && offset <= right_aligned ? (int)offset : right_aligned;
    }
    return right_aligned;
}
