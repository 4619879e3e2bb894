/*
 * infer.c - arity and types of a node, and the types of its outputs
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "ops/infer.h"

#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "ops/infer_parts.h"
#include "ops/types.h"
#include "tensor/dtype.h"
#include "tensor/tensor.h"

/* The formal that input i belongs to: the last one takes all that follow if it is variadic.
 */
static size_t formal_of(const bl_op *op, size_t i)
{
    return i < op->input_count ? i : op->input_count - 1;
}

const char *bl_input_name(const bl_op *op, size_t i, char *buffer)
{
    const bl_formal *formal = &op->inputs[formal_of(op, i)];

    const char *zero = strstr(formal->name, "_0");
    const int stem =
        (int)(zero != NULL ? zero - formal->name : (ptrdiff_t)strlen(formal->name));

    if (!formal->variadic)
        return formal->name;
    snprintf(buffer, 32, "%.*s_%zu", stem, formal->name, i);
    return buffer;
}

bool bl_node_reads_value(const bl_op *op, size_t input)
{
    switch (bl_schema_of(op)->id) {
    case BL_OP_CONSTANTOFSHAPE:
    case BL_OP_RANGE:
        return true;
    case BL_OP_EXPAND:
    case BL_OP_RESHAPE:
    case BL_OP_SLICE:
    case BL_OP_SQUEEZE:
    case BL_OP_UNSQUEEZE:
        /* Their versions with attributes have one input. */
        return input > 0;
    default:
        return false;
    }
}

/* ---- Arity -------------------------------------------------------------------- */

static bl_status check_arity(const bl_node *node, const bl_tensor_type *inputs,
                             size_t input_count, size_t output_count, bl_error *err)
{
    const bl_op *op = node->op;
    char subject[BL_NODE_TEXT];
    char name[32];

    bl_node_text(node, subject);
    if (input_count < op->min_inputs || input_count > op->max_inputs)
        return bl_fail(err, BL_ERR_ARITY, "%s takes %s%zu input%s, not %zu", subject,
                       op->min_inputs == op->max_inputs ? ""
                       : input_count < op->min_inputs   ? "at least "
                                                        : "at most ",
                       input_count < op->min_inputs ? op->min_inputs : op->max_inputs,
                       op->min_inputs == 1 && op->max_inputs == 1 ? "" : "s", input_count);
    if (output_count != op->output_count)
        return bl_fail(err, BL_ERR_ARITY, "%s has %zu output%s, not %zu", subject,
                       op->output_count, op->output_count == 1 ? "" : "s", output_count);
    for (size_t i = 0; i < input_count; i++)
        if (inputs[i].dtype == BL_UNDEFINED && !op->inputs[formal_of(op, i)].optional)
            return bl_fail(err, BL_ERR_ARITY, "%s: input %s is absent, but is not optional",
                           subject, bl_input_name(op, i, name));
    return BL_OK;
}

/* ---- Types ---------------------------------------------------------------------- */

/* The first version after this one that takes the type for the input; NULL if none does. */
static const bl_op *later_version_with(const bl_op *op, size_t formal, bl_dtype dtype)
{
    for (const bl_op *next = op; bl_op_until(next) < BL_OPSET_MAX;) {
        next = bl_op_find(next->domain, next->name, bl_op_until(next) + 1, NULL);
        if (formal < next->input_count && (next->inputs[formal].dtypes & BL_SET(dtype)))
            return next;
    }
    return NULL;
}

static bl_status type_not_allowed(const bl_node *node, size_t i, bl_dtype dtype,
                                  bl_error *err)
{
    const size_t formal = formal_of(node->op, i);
    const bl_op *later = later_version_with(node->op, formal, dtype);
    char subject[BL_NODE_TEXT];
    char allowed[512];
    char name[32];

    bl_node_text(node, subject);
    bl_dtype_set_text(node->op->inputs[formal].dtypes, allowed, sizeof allowed);
    if (later != NULL)
        return bl_fail(
            err, BL_ERR_TYPE,
            "%s does not take %s for input %s; %s does from opset %d on (here: %s)",
            subject, bl_dtype_name(dtype), bl_input_name(node->op, i, name), later->name,
            later->since, allowed);
    return bl_fail(err, BL_ERR_TYPE,
                   "%s does not take %s for input %s, in no version up to "
                   "opset %d (it takes %s)",
                   subject, bl_dtype_name(dtype), bl_input_name(node->op, i, name),
                   BL_OPSET_MAX, allowed);
}

/* The first present input whose formal has the type variable; input_count if there is none.
 */
static size_t first_of_variable(const bl_op *op, const char *variable,
                                const bl_tensor_type *inputs, size_t input_count)
{
    for (size_t i = 0; i < input_count; i++)
        if (inputs[i].dtype != BL_UNDEFINED &&
            strcmp(op->inputs[formal_of(op, i)].type_variable, variable) == 0)
            return i;
    return input_count;
}

static bl_status check_types(const bl_node *node, const bl_tensor_type *inputs,
                             size_t input_count, bl_error *err)
{
    const bl_op *op = node->op;
    char subject[BL_NODE_TEXT];
    char a[32], b[32];

    for (size_t i = 0; i < input_count; i++) {
        const bl_dtype dtype = inputs[i].dtype;
        const bl_formal *formal = &op->inputs[formal_of(op, i)];

        if (dtype == BL_UNDEFINED)
            continue;
        if (bl_dtype_info(dtype) == NULL)
            return bl_fail(err, BL_ERR_TYPE, "%s: input %s has type %d, which is none",
                           bl_node_text(node, subject), bl_input_name(op, i, a),
                           (int)dtype);
        if (!(formal->dtypes & BL_SET(dtype)))
            return type_not_allowed(node, i, dtype, err);
        const size_t first =
            first_of_variable(op, formal->type_variable, inputs, input_count);

        if (inputs[first].dtype != dtype)
            return bl_fail(
                err, BL_ERR_TYPE,
                "%s: input %s is %s, but input %s is %s; they have to be of one type",
                bl_node_text(node, subject), bl_input_name(op, first, a),
                bl_dtype_name(inputs[first].dtype), bl_input_name(op, i, b),
                bl_dtype_name(dtype));
    }
    return BL_OK;
}

/* The type of a Constant's or ConstantOfShape's output. */
static bl_dtype constant_type(const bl_attribute *value)
{
    if (value == NULL) /* ConstantOfShape's default */
        return BL_FLOAT32;
    switch (value->type) {
    case BL_ATTRIBUTE_TENSOR:
        return value->value.tensor->dtype;
    case BL_ATTRIBUTE_FLOAT:
    case BL_ATTRIBUTE_FLOATS:
        return BL_FLOAT32;
    case BL_ATTRIBUTE_INT:
    case BL_ATTRIBUTE_INTS:
        return BL_INT64;
    default:
        return BL_STRING;
    }
}

/* The output's type: that of the inputs with its type variable; or the only one it can
 * have; or what an attribute says. */
static bl_dtype output_type(const struct bl_inference *call)
{
    const bl_op *op = call->node->op;
    const bl_formal *output = &op->outputs[0];
    const size_t first =
        first_of_variable(op, output->type_variable, call->inputs, call->input_count);
    int only = 0;

    if (first < call->input_count)
        return call->inputs[first].dtype;
    switch (bl_schema_of(op)->id) {
    case BL_OP_CAST:
    case BL_OP_BITCAST:
        return call->params->to;
    case BL_OP_CONSTANT:
        return constant_type(&call->node->attributes[0]);
    case BL_OP_CONSTANTOFSHAPE:
        return constant_type(bl_node_attribute(call->node, "value"));
    default:
        while (!(output->dtypes >> only & 1))
            only++;
        return (bl_dtype)only;
    }
}

/* What types and attributes together forbid. */
static bl_status check_combination(const struct bl_inference *call, bl_error *err)
{
    const struct bl_params *params = call->params;
    const enum bl_op_id id = bl_schema_of(call->node->op)->id;

    if (id == BL_OP_BITCAST) {
        const unsigned from = bl_dtype_info(call->inputs[0].dtype)->bits;
        const unsigned to = bl_dtype_info(params->to)->bits;

        if (from != to)
            return bl_fail(err, BL_ERR_TYPE,
                           "%s: an element of %s has %u bits, one of %s has %u",
                           call->subject, bl_dtype_name(call->inputs[0].dtype), from,
                           bl_dtype_name(params->to), to);
    }
    return BL_OK;
}

/* ---- The whole ------------------------------------------------------------------- */

static bl_status check_node(const bl_node *node, bl_error *err)
{
    if (node == NULL)
        return bl_fail(err, BL_ERR_ARGUMENT, "the node is NULL");
    if (node->op == NULL)
        return bl_fail(err, BL_ERR_ARGUMENT, "the node's operator is NULL");
    if (bl_schema_of(node->op) == NULL)
        return bl_fail(err, BL_ERR_ARGUMENT,
                       "the node's operator did not come from bl_op_find or bl_op_at");
    return BL_OK;
}

/* All shapes are ones that a tensor can have. */
static bl_status check_shapes(const struct bl_inference *call, bl_error *err)
{
    for (size_t i = 0; i < call->input_count; i++) {
        int64_t count;
        char name[32];

        if (!bl_infer_has(call, i))
            continue;
        const bl_status status = bl_shape_count(&call->inputs[i].shape, &count, err);

        if (status != BL_OK)
            return bl_fail_prefix(err, status, "%s: input %s: ", call->subject,
                                  bl_input_name(call->node->op, i, name));
    }
    return BL_OK;
}

bl_status bl_node_infer(const bl_node *node, const bl_tensor_type *inputs,
                        const bl_tensor *const *values, size_t input_count,
                        bl_tensor_type *outputs, size_t output_count,
                        struct bl_params *params, bl_error *err)
{
    struct bl_inference call = {.node = node,
                                .params = params,
                                .inputs = inputs,
                                .values = values,
                                .input_count = input_count};
    bl_shape shape;
    int64_t count;

    BL_TRY(check_node(node, err));
    bl_node_text(node, call.subject);
    BL_TRY(check_arity(node, inputs, input_count, output_count, err));
    BL_TRY(check_types(node, inputs, input_count, err));
    BL_TRY(bl_params_read(node, params, err));
    BL_TRY(check_combination(&call, err));
    BL_TRY(check_shapes(&call, err));
    BL_TRY(bl_infer_shape(&call, &shape, err));
    const bl_status status = bl_shape_count(&shape, &count, err);

    if (status != BL_OK)
        return bl_fail_prefix(err, status, "%s: the result: ", call.subject);
    outputs[0].dtype = output_type(&call);
    outputs[0].shape = shape;
    if (count > INT64_MAX / (int64_t)bl_dtype_size(outputs[0].dtype))
        return bl_fail(
            err, BL_ERR_LIMIT,
            "%s: the result: %lld elements of %s have more bytes than 63 bits can "
            "count",
            call.subject, (long long)count, bl_dtype_name(outputs[0].dtype));
    if (bl_schema_of(node->op)->form == BL_FORM_CAST)
        params->to = outputs[0].dtype;
    return BL_OK;
}
