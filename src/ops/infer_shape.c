/*
 * infer_shape.c - the shape of a node's output, by its version's broadcasting rule
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "base/status.h"
#include "ops/infer.h"
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

/* ---- Gemm ----------------------------------------------------------------------- */

static bl_status check_matrix(const bl_node *node, const char *name, const bl_shape *shape,
                              bl_error *err)
{
    char subject[BL_NODE_TEXT];
    char text[BL_SHAPE_TEXT];

    if (shape->rank == 2)
        return BL_OK;
    return bl_fail(err, BL_ERR_SHAPE, "%s: %s %s has rank %d, but has to be a matrix",
                   bl_node_text(node, subject), name, bl_shape_text(shape, text),
                   shape->rank);
}

static bl_status infer_gemm(const bl_node *node, const struct bl_params *params,
                            const bl_tensor_type *inputs, size_t input_count, bl_shape *out,
                            bl_error *err)
{
    const bl_shape *a = &inputs[0].shape;
    const bl_shape *b = &inputs[1].shape;
    const bl_shape *c = &inputs[input_count - 1].shape;
    const bool has_flag = node->op->since < 7; /* attribute broadcast, gone with opset 7 */
    char at[BL_SHAPE_TEXT], bt[BL_SHAPE_TEXT];
    char subject[BL_NODE_TEXT];

    bl_node_text(node, subject);
    BL_TRY(check_matrix(node, "A", a, err));
    BL_TRY(check_matrix(node, "B", b, err));
    const int64_t k = a->dim[params->trans_a ? 0 : 1];
    const int64_t b_k = b->dim[params->trans_b ? 1 : 0];

    if (k != b_k)
        return bl_fail(err, BL_ERR_SHAPE,
                       "%s: A %s%s and B %s%s do not multiply: %lld columns meet %lld rows",
                       subject, bl_shape_text(a, at), params->trans_a ? " transposed" : "",
                       bl_shape_text(b, bt), params->trans_b ? " transposed" : "",
                       (long long)k, (long long)b_k);
    *out = (bl_shape){
        .rank = 2,
        .dim = {a->dim[params->trans_a ? 1 : 0], b->dim[params->trans_b ? 0 : 1]}};
    if (input_count < 3 || inputs[2].dtype == BL_UNDEFINED)
        return BL_OK;
    if (has_flag && !params->broadcast && !bl_shape_equal(c, out))
        return bl_fail(
            err, BL_ERR_SHAPE,
            "%s: C %s is not the product's shape %s, and attribute broadcast is not "
            "set (before opset 7, C broadcasts only with broadcast=1)",
            subject, bl_shape_text(c, at), bl_shape_text(out, bt));
    const struct bl_shape_owner owner = {subject, (const char *const[]){"C", "the product"},
                                         NULL};

    return bl_broadcast_uni(&owner, 0, c, 1, out, err);
}

/* ---- By rule --------------------------------------------------------------------- */

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

bl_status bl_node_infer_shape(const bl_node *node, const struct bl_params *params,
                              const bl_tensor_type *inputs, size_t input_count,
                              bl_shape *out, bl_error *err)
{
    const struct bl_schema *schema = bl_schema_of(node->op);
    struct naming naming;
    const struct bl_shape_owner *owner = name_inputs(node, &naming);

    if (schema->form == BL_FORM_GEMM)
        return infer_gemm(node, params, inputs, input_count, out, err);
    switch (node->op->rule) {
    case BL_RULE_UNIDIRECTIONAL:
        BL_TRY(bl_broadcast_uni(owner, 1, &inputs[1].shape, 0, &inputs[0].shape, err));
        break;
    case BL_RULE_LEGACY:
        BL_TRY(infer_legacy(node, params, inputs, err));
        break;
    case BL_RULE_CHANNEL:
        BL_TRY(bl_broadcast_channel(owner, &inputs[0].shape, &inputs[1].shape, err));
        break;
    case BL_RULE_NONE:
    case BL_RULE_MULTIDIRECTIONAL:
    default:
        return infer_many(node, inputs, input_count, out, err);
    }
    *out = inputs[0].shape;
    return BL_OK;
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
