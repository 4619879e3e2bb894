/*
 * check.c - a node against its operator's schema, as far as no types are needed
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph/check.h"

#include <string.h>

#include "base/status.h"
#include "ops/infer.h"
#include "ops/node.h"

const bl_op *bl_raw_node_op(const struct bl_raw_node *raw, const char *name, bl_error *err)
{
    const bool ours = raw->domain[0] == '\0' || strcmp(raw->domain, "ai.onnx") == 0;

    if (ours && raw->opset == 0) {
        bl_fail(err, BL_ERR_OPERATOR,
                "node '%s': no opset of ai.onnx is imported, which operator '%s' is of",
                name, raw->op_type);
        return NULL;
    }
    const bl_op *op = bl_op_find(raw->domain, raw->op_type, ours ? raw->opset : 1, err);

    if (op == NULL && err != NULL)
        bl_fail_prefix(err, err->status, "node '%s': ", name);
    return op;
}

static const bl_formal *formal_of(const bl_formal *formals, size_t count, size_t i)
{
    return &formals[i < count ? i : count - 1];
}

static bl_status check_inputs(const struct bl_graph_node *node, const char *subject,
                              bl_error *err)
{
    const bl_op *op = node->node.op;
    char name[32];

    if (node->input_count < op->min_inputs || node->input_count > op->max_inputs) {
        const bool few = node->input_count < op->min_inputs;
        const size_t limit = few ? op->min_inputs : op->max_inputs;

        return bl_fail(err, BL_ERR_ARITY, "%s takes %s%zu input%s, not %zu", subject,
                       op->min_inputs == op->max_inputs ? ""
                       : few                            ? "at least "
                                                        : "at most ",
                       limit, limit == 1 ? "" : "s", node->input_count);
    }
    for (size_t i = 0; i < node->input_count; i++)
        if (node->inputs[i] == BL_NO_VALUE &&
            !formal_of(op->inputs, op->input_count, i)->optional)
            return bl_fail(err, BL_ERR_ARITY, "%s: input %s is absent, but is not optional",
                           subject, bl_input_name(op, i, name));
    return BL_OK;
}

static bl_status check_outputs(const struct bl_graph_node *node, const char *subject,
                               bl_error *err)
{
    const bl_op *op = node->node.op;
    const bool variadic =
        op->output_count > 0 && op->outputs[op->output_count - 1].variadic;

    if (node->output_count > op->output_count && !variadic)
        return bl_fail(err, BL_ERR_ARITY, "%s has %zu output%s, not %zu", subject,
                       op->output_count, op->output_count == 1 ? "" : "s",
                       node->output_count);
    for (size_t i = 0; i < op->output_count || i < node->output_count; i++) {
        const bl_formal *formal = formal_of(op->outputs, op->output_count, i);
        const bool absent = i >= node->output_count || node->outputs[i] == BL_NO_VALUE;

        if (absent && !formal->optional)
            return bl_fail(err, BL_ERR_ARITY, "%s: output %s has no name", subject,
                           formal->name);
    }
    return BL_OK;
}

bl_status bl_graph_node_check(const struct bl_graph_node *node, bl_error *err)
{
    struct bl_params params;
    char subject[BL_NODE_TEXT];

    bl_node_text(&node->node, subject);
    BL_TRY(check_inputs(node, subject, err));
    BL_TRY(check_outputs(node, subject, err));
    return bl_params_read(&node->node, &params, err);
}
