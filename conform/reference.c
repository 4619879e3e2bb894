/*
 * reference.c - a whole operator: check the call, find what the operator does
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Reads what a version allows from the public bl_op, and works out the rest from the text
 * of ONNX again, so that it disagrees with the library wherever one of the two is wrong.
 */
#include "conform/reference.h"

#include <string.h>

#include "base/compiler.h"
#include "base/status.h"
#include "conform/heap.h"
#include "conform/reference_element.h"

/* ---- Shared by the operators --------------------------------------------- */

const bl_shape *bl_reference_shape(const struct bl_reference_call *call, size_t i)
{
    return bl_tensor_shape(call->inputs[i]);
}

bl_status bl_reference_refuse(const struct bl_reference_call *call, bl_status status,
                              const char *why)
{
    return bl_fail(call->err, status, "%s-%d: %s", call->node->op->name,
                   call->node->op->since, why);
}

bl_status bl_reference_refuse_shape(const struct bl_reference_call *call, size_t i,
                                    const char *why)
{
    return bl_fail(call->err, BL_ERR_SHAPE, "%s-%d: input %zu: %s", call->node->op->name,
                   call->node->op->since, i, why);
}

bl_status bl_reference_check_output(const struct bl_reference_call *call, bl_dtype dtype)
{
    if (dtype != BL_UNDEFINED && call->node->op->outputs[0].dtypes >> dtype & 1)
        return BL_OK;
    return bl_fail(call->err, BL_ERR_TYPE, "%s-%d: the output may not be %s",
                   call->node->op->name, call->node->op->since,
                   dtype != BL_UNDEFINED ? bl_dtype_name(dtype) : "of that type");
}

bl_status bl_reference_make(const struct bl_reference_call *call, bl_dtype dtype,
                            const bl_shape *shape, bl_tensor **out)
{
    *out = bl_heap_tensor(dtype, shape, call->err);
    return *out != NULL ? BL_OK : call->err->status;
}

bl_status bl_reference_store(bl_tensor *out, int64_t index, const void *element,
                             bl_error *err)
{
    const size_t size = bl_dtype_size(bl_tensor_dtype(out));
    bl_string string;

    if (bl_tensor_dtype(out) == BL_STRING) {
        memcpy(&string, element, sizeof string);
        return bl_heap_note_status(
            bl_tensor_set_string(out, index, string.data, string.size, err));
    }
    memcpy((unsigned char *)bl_tensor_mutable_data(out) + (size_t)index * size, element,
           size);
    return BL_OK;
}

/* These three operators' texts say so from version 11 on; the others say it, or leave it
 * open, from their first version on. */
static bool counts_back(const bl_op *op)
{
    return op->since >= 11 ||
           (strcmp(op->name, "Flatten") != 0 && strcmp(op->name, "Squeeze") != 0 &&
            strcmp(op->name, "Unsqueeze") != 0);
}

bl_status bl_reference_axis(const struct bl_reference_call *call, int64_t given, int rank,
                            int *axis)
{
    const bool may_count_back = counts_back(call->node->op);

    if (given >= rank || given < (may_count_back ? -rank : 0))
        return bl_fail(call->err, BL_ERR_SHAPE, "%s-%d: axis %lld of a rank of %d",
                       call->node->op->name, call->node->op->since, (long long)given, rank);
    *axis = (int)(given < 0 ? given + rank : given);
    return BL_OK;
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

float bl_reference_float(const bl_node *node, const char *name, float otherwise)
{
    const bl_attribute *found = bl_reference_attribute(node, name);

    return found != NULL ? found->value.f : otherwise;
}

bool bl_reference_is(const bl_node *node, const char *name, const char *text,
                     const char *otherwise)
{
    const bl_attribute *found = bl_reference_attribute(node, name);

    if (found == NULL)
        return strcmp(text, otherwise) == 0;
    return found->value.s.size == strlen(text) &&
           memcmp(found->value.s.data, text, strlen(text)) == 0;
}

/* Of a list input, or of a list attribute. */
bl_status bl_reference_read_list(const struct bl_reference_call *call, size_t i,
                                 const char *name, struct bl_reference_list *list)
{
    const bl_attribute *found =
        name != NULL ? bl_reference_attribute(call->node, name) : NULL;
    const bl_tensor *input = i < call->count ? call->inputs[i] : NULL;

    *list = (struct bl_reference_list){.given = input != NULL || found != NULL};
    if (input == NULL && found == NULL)
        return BL_OK;
    if (input != NULL && bl_tensor_shape(input)->rank > 1)
        return bl_reference_refuse_shape(call, i, "is no list");
    const uint64_t count =
        input != NULL ? (uint64_t)bl_tensor_count(input) : (uint64_t)found->count;

    if (count > BL_MAX_RANK)
        return bl_reference_refuse(call, BL_ERR_LIMIT, "a list longer than any rank");
    list->count = (int)count;
    for (int at = 0; at < list->count; at++)
        list->at[at] = input == NULL ? found->value.ints[at]
                                     : (int64_t)bl_value_to_bits(bl_tensor_dtype(input),
                                                                 bl_value_at(input, at));
    return BL_OK;
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
        if (given->type == BL_ATTRIBUTE_SPARSE_TENSOR)
            return bl_reference_refuse(call, BL_ERR_UNSUPPORTED, "a sparse tensor");
    }
    for (size_t j = 0; j < op->attribute_count; j++)
        if (op->attributes[j].required &&
            bl_reference_attribute(call->node, op->attributes[j].name) == NULL)
            return bl_fail(call->err, BL_ERR_ATTRIBUTE, "%s-%d: no attribute '%s'",
                           op->name, op->since, op->attributes[j].name);
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

/* ---- Which operator ------------------------------------------------------ */

/* NULL for an operator that is unknown here. */
static bl_reference_whole_fn whole_operator(const char *op)
{
    static const struct bl_reference_whole *const tables[] = {
        bl_reference_products,
        bl_reference_makers,
        bl_reference_views,
        bl_reference_moves,
    };

    for (size_t i = 0; i < BL_COUNT_OF(tables); i++)
        for (const struct bl_reference_whole *it = tables[i]; it->op != NULL; it++)
            if (strcmp(it->op, op) == 0)
                return it->fn;
    return bl_reference_find(op) != NULL ? bl_reference_pointwise : NULL;
}

bl_status bl_reference_apply(const bl_node *node, const bl_tensor *const *inputs,
                             size_t input_count, bl_tensor **outputs, size_t output_count,
                             bl_error *err)
{
    bl_error local;
    const struct bl_reference_call call = {node, inputs, input_count,
                                           err != NULL ? err : &local};
    const bl_reference_whole_fn fn = whole_operator(node->op->name);

    if (fn == NULL)
        return bl_fail(err, BL_ERR_UNSUPPORTED, "the reference does not know %s",
                       node->op->name);
    if (output_count != 1)
        return bl_fail(err, BL_ERR_ARITY, "%s-%d has 1 output, not %zu", node->op->name,
                       node->op->since, output_count);
    if (outputs[0] != NULL)
        return bl_fail(err, BL_ERR_UNSUPPORTED, "the reference makes its outputs itself");
    BL_TRY(check_inputs(&call));
    BL_TRY(check_attributes(&call));
    return fn(&call, &outputs[0]);
}
