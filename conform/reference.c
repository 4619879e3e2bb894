/*
 * reference.c - a whole operator: check the call, broadcast, element after element
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Reads what a version allows from the public bl_op, and works out the rest from the text
 * of ONNX again, so that it disagrees with the library wherever one of the two is wrong.
 */
#include "conform/reference.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "conform/reference_parts.h"
#include "conform/value.h"
#include "tensor/dtype.h"

static const bl_shape *shape_of(const struct bl_reference_call *call, size_t i)
{
    return bl_tensor_shape(call->inputs[i]);
}

bl_status bl_reference_refuse_shape(const struct bl_reference_call *call, size_t i,
                                    const char *why)
{
    return bl_fail(call->err, BL_ERR_SHAPE, "%s-%d: input %zu: %s", call->node->op->name,
                   call->node->op->since, i, why);
}

/* ---- Attributes ---------------------------------------------------------- */

const bl_attribute *bl_reference_attribute(const bl_node *node, const char *name)
{
    for (size_t i = 0; i < node->attribute_count; i++)
        if (strcmp(node->attributes[i].name, name) == 0)
            return &node->attributes[i];
    return NULL;
}

int64_t bl_reference_int(const bl_node *node, const char *name, int64_t otherwise)
{
    const bl_attribute *found = bl_reference_attribute(node, name);

    return found != NULL ? found->value.i : otherwise;
}

static float float_attribute(const bl_node *node, const char *name, float otherwise)
{
    const bl_attribute *found = bl_reference_attribute(node, name);

    return found != NULL ? found->value.f : otherwise;
}

static bl_status check_attributes(const struct bl_reference_call *call)
{
    const bl_op *op = call->node->op;

    for (size_t i = 0; i < call->node->attribute_count; i++) {
        const bl_attribute *given = &call->node->attributes[i];
        bool known = false;

        for (size_t j = 0; j < op->attribute_count; j++)
            known |= strcmp(op->attributes[j].name, given->name) == 0 &&
                     op->attributes[j].type == given->type;
        if (!known || bl_reference_attribute(call->node, given->name) != given)
            return bl_fail(
                call->err, BL_ERR_ATTRIBUTE,
                "%s-%d: attribute '%s' is unknown, of another type, or given twice",
                op->name, op->since, given->name);
    }
    return BL_OK;
}

/* ---- Arity and types ----------------------------------------------------- */

static const bl_formal *formal(const bl_op *op, size_t i)
{
    return &op->inputs[i < op->input_count ? i : op->input_count - 1];
}

/* The type of input i has to be allowed, and that of the earlier inputs of its type
 * variable. */
static bl_status check_type(const struct bl_reference_call *call, size_t i)
{
    const bl_op *op = call->node->op;
    const bl_dtype dtype = bl_tensor_dtype(call->inputs[i]);

    if (!(formal(op, i)->dtypes >> dtype & 1))
        return bl_fail(call->err, BL_ERR_TYPE, "%s-%d: input %zu may not be %s", op->name,
                       op->since, i, bl_dtype_name(dtype));
    for (size_t j = 0; j < i; j++)
        if (call->inputs[j] != NULL &&
            strcmp(formal(op, i)->type_variable, formal(op, j)->type_variable) == 0 &&
            bl_tensor_dtype(call->inputs[j]) != dtype)
            return bl_fail(call->err, BL_ERR_TYPE,
                           "%s-%d: inputs %zu and %zu are %s and %s", op->name, op->since,
                           j, i, bl_dtype_name(bl_tensor_dtype(call->inputs[j])),
                           bl_dtype_name(dtype));
    return BL_OK;
}

static bl_status check_inputs(const struct bl_reference_call *call)
{
    const bl_op *op = call->node->op;

    if (call->count < op->min_inputs || call->count > op->max_inputs)
        return bl_fail(call->err, BL_ERR_ARITY, "%s-%d does not take %zu inputs", op->name,
                       op->since, call->count);
    for (size_t i = 0; i < call->count; i++) {
        if (call->inputs[i] != NULL)
            BL_TRY(check_type(call, i));
        else if (!formal(op, i)->optional)
            return bl_fail(call->err, BL_ERR_ARITY, "%s-%d: input %zu is absent", op->name,
                           op->since, i);
    }
    return BL_OK;
}

/* ---- Pointwise operators ------------------------------------------------- */

/* The element of an input that output element `index` (row-major) reads. */
static const void *operand(const bl_tensor *input, int first, const bl_shape *out,
                           int64_t index)
{
    const bl_shape *shape = bl_tensor_shape(input);
    const int64_t *stride = bl_tensor_strides(input);
    int64_t offset = 0;

    if (first < 0)
        return bl_tensor_data(input);
    for (int axis = out->rank - 1; axis >= first; axis--) {
        const int own = axis - first;

        if (own < shape->rank && shape->dim[own] != 1)
            offset += index % out->dim[axis] * stride[own];
        index /= out->dim[axis];
    }
    return (const unsigned char *)bl_tensor_data(input) +
           offset * (int64_t)bl_dtype_size(bl_tensor_dtype(input));
}

/* Results that are strings are copies of an input's: borrowed in `element`, kept in the
 * tensor. */
static bl_status store(bl_tensor *out, int64_t index, const void *element, bl_error *err)
{
    const size_t size = bl_dtype_size(bl_tensor_dtype(out));
    bl_string string;

    if (bl_tensor_dtype(out) == BL_STRING) {
        memcpy(&string, element, sizeof string);
        return bl_tensor_set_string(out, index, string.data, string.size, err);
    }
    memcpy((unsigned char *)bl_tensor_mutable_data(out) + (size_t)index * size, element,
           size);
    return BL_OK;
}

static bl_status no_result(const struct bl_reference_call *call, const bl_shape *shape,
                           int64_t index)
{
    int64_t at[BL_MAX_RANK];
    char buffer[256];
    struct bl_text text = bl_text_in(buffer, sizeof buffer);

    for (int axis = shape->rank - 1; axis >= 0; axis--) {
        at[axis] = index % shape->dim[axis];
        index /= shape->dim[axis];
    }
    for (int axis = 0; axis < shape->rank; axis++)
        bl_text_put(&text, axis ? ",%lld" : "%lld", (long long)at[axis]);
    return bl_fail(
        call->err, BL_ERR_ARITHMETIC,
        "%s-%d: no result at output index [%s]: an integer divided by zero, or 0 to a "
        "negative power",
        call->node->op->name, call->node->op->since, buffer);
}

/* One row of bookkeeping an input. */
struct operands {
    int *first;
    bl_dtype *dtypes;
    const void **in;
};

static bl_status fill(const struct bl_reference_call *call, bl_reference_fn fn,
                      const struct operands *operands, const bl_shape *shape,
                      bl_tensor *out)
{
    union { /* aligned for, and as large as, any element */
        double numbers[2];
        bl_string string;
    } element;
    const struct bl_reference_operands one = {operands->dtypes, operands->in, call->count,
                                              &element};
    const int64_t count = bl_tensor_count(out);

    for (int64_t index = 0; index < count; index++) {
        for (size_t i = 0; i < call->count; i++)
            operands->in[i] = operand(call->inputs[i], operands->first[i], shape, index);
        if (!fn(&one))
            return no_result(call, shape, index);
        BL_TRY(store(out, index, &element, call->err));
    }
    return BL_OK;
}

/* The output's type: that of the first input whose type variable it has, or the only one
 * allowed. */
static bl_dtype output_type(const struct bl_reference_call *call)
{
    const bl_formal *output = &call->node->op->outputs[0];

    for (size_t i = 0; i < call->count; i++)
        if (strcmp(formal(call->node->op, i)->type_variable, output->type_variable) == 0)
            return bl_tensor_dtype(call->inputs[i]);
    return BL_BOOL;
}

static bl_status pointwise(const struct bl_reference_call *call, bl_reference_fn fn,
                           bl_tensor **out)
{
    struct operands operands = {
        .first = calloc(call->count, sizeof *operands.first),
        .dtypes = calloc(call->count, sizeof *operands.dtypes),
        .in = calloc(call->count, sizeof *operands.in),
    };
    bl_tensor *made = NULL;
    bl_error local;
    struct bl_reference_call inner = *call;
    bl_shape shape;
    bl_status status = BL_ERR_MEMORY;

    if (call->err == NULL)
        inner.err = &local;
    if (operands.first == NULL || operands.dtypes == NULL || operands.in == NULL) {
        bl_fail(inner.err, BL_ERR_MEMORY, "no memory for %zu operands", call->count);
        goto done;
    }
    for (size_t i = 0; i < call->count; i++)
        operands.dtypes[i] = bl_tensor_dtype(call->inputs[i]);
    status = bl_reference_broadcast(&inner, &shape, operands.first);
    if (status != BL_OK)
        goto done;
    made = bl_tensor_new(NULL, output_type(call), &shape, inner.err);
    status = made == NULL ? inner.err->status : fill(&inner, fn, &operands, &shape, made);
    if (status == BL_OK) {
        *out = made;
        made = NULL;
    }
done:
    bl_tensor_free(made);
    free(operands.first);
    free(operands.dtypes);
    free(operands.in);
    return status;
}

/* ---- Gemm ---------------------------------------------------------------- */

static bl_status gemm(const struct bl_reference_call *call, bl_tensor **out)
{
    const bl_node *node = call->node;
    const struct bl_reference_gemm job = {
        .alpha = float_attribute(node, "alpha", 1),
        .beta = float_attribute(node, "beta", 1),
        .trans_a = bl_reference_int(node, "transA", 0) != 0,
        .trans_b = bl_reference_int(node, "transB", 0) != 0,
        .a = call->inputs[0],
        .b = call->inputs[1],
        .c = call->count > 2 ? call->inputs[2] : NULL,
    };
    const bl_shape *a = shape_of(call, 0);
    const bl_shape *b = shape_of(call, 1);

    if (a->rank != 2 || b->rank != 2)
        return bl_reference_refuse_shape(call, a->rank != 2 ? 0 : 1, "is no matrix");
    if (a->dim[job.trans_a ? 0 : 1] != b->dim[job.trans_b ? 1 : 0])
        return bl_reference_refuse_shape(call, 1, "does not multiply with the first");
    if (job.c != NULL) {
        const bl_shape product = {
            .rank = 2, .dim = {a->dim[job.trans_a ? 1 : 0], b->dim[job.trans_b ? 0 : 1]}};
        const bool expand =
            node->op->since >= 7 || bl_reference_int(node, "broadcast", 0) != 0;

        if (!(expand ? bl_reference_fits(shape_of(call, 2), &product)
                     : bl_reference_same_shape(shape_of(call, 2), &product)))
            return bl_reference_refuse_shape(call, 2,
                                             "does not broadcast onto the product");
    }
    return bl_reference_gemm(&job, out, call->err);
}

bl_status bl_reference_apply(const bl_node *node, const bl_tensor *const *inputs,
                             size_t input_count, bl_tensor **outputs, size_t output_count,
                             bl_error *err)
{
    const struct bl_reference_call call = {node, inputs, input_count, err};
    const bl_reference_fn fn = bl_reference_find(node->op->name);
    const bool is_gemm = strcmp(node->op->name, "Gemm") == 0;

    if (fn == NULL && !is_gemm)
        return bl_fail(err, BL_ERR_UNSUPPORTED, "the reference does not know %s",
                       node->op->name);
    if (output_count != 1)
        return bl_fail(err, BL_ERR_ARITY, "%s-%d has 1 output, not %zu", node->op->name,
                       node->op->since, output_count);
    if (outputs[0] != NULL)
        return bl_fail(err, BL_ERR_UNSUPPORTED, "the reference makes its outputs itself");
    BL_TRY(check_inputs(&call));
    BL_TRY(check_attributes(&call));
    return is_gemm ? gemm(&call, &outputs[0]) : pointwise(&call, fn, &outputs[0]);
}
