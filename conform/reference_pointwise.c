/*
 * reference_pointwise.c - a whole pointwise operator: broadcast, element after element
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "base/checked.h"
#include "base/compiler.h"
#include "base/status.h"
#include "base/text.h"
#include "conform/heap.h"
#include "conform/reference_element.h"

/* ---- Bookkeeping --------------------------------------------------------- */

/* One row an input, and the text of a result. */
struct operands {
    int *first;
    bl_dtype *dtypes;
    const void **in;
    char *text;
    size_t text_size;
};

static bl_status no_memory(const struct bl_reference_call *call)
{
    return bl_reference_refuse(call, BL_ERR_MEMORY, "no memory");
}

static bl_status start(const struct bl_reference_call *call, struct operands *operands)
{
    operands->first = bl_heap_zero(call->count, sizeof *operands->first);
    operands->dtypes = bl_heap_zero(call->count, sizeof *operands->dtypes);
    operands->in = bl_heap_zero(call->count, sizeof *operands->in);
    if (operands->first == NULL || operands->dtypes == NULL || operands->in == NULL)
        return no_memory(call);
    for (size_t i = 0; i < call->count; i++)
        if (call->inputs[i] != NULL)
            operands->dtypes[i] = bl_tensor_dtype(call->inputs[i]);
    return BL_OK;
}

static void finish(struct operands *operands)
{
    free(operands->first);
    free(operands->dtypes);
    free(operands->in);
    free(operands->text);
}

/* Room for a new string: all the input strings together, or a number. */
static bl_status make_room(const struct bl_reference_call *call, struct operands *operands)
{
    /* CastLike's second input gives its type alone, and may have no elements. */
    const size_t read = strcmp(call->node->op->name, "CastLike") == 0 ? 1 : call->count;
    size_t needed = 64;

    for (size_t i = 0; i < read; i++) {
        bl_string string;

        if (operands->dtypes[i] != BL_STRING)
            continue;
        memcpy(&string, operands->in[i], sizeof string);
        if (!bl_size_add(needed, string.size, &needed))
            return no_memory(call);
    }
    if (needed <= operands->text_size)
        return BL_OK;
    char *grown = bl_heap_grow(operands->text, needed);

    if (grown == NULL)
        return no_memory(call);
    operands->text = grown;
    operands->text_size = needed;
    return BL_OK;
}

/* ---- Elements ------------------------------------------------------------ */

/* The element of input i that the output element at `at` reads. */
static const void *operand(const struct bl_reference_call *call,
                           const struct operands *operands, size_t i, const int64_t *at)
{
    const bl_tensor *input = call->inputs[i];

    if (input == NULL || operands->first[i] < 0)
        return input != NULL ? bl_tensor_data(input) : NULL;
    return bl_value_at(input,
                       bl_reference_index(bl_tensor_shape(input), at, operands->first[i]));
}

static bl_status no_result(const struct bl_reference_call *call, const int64_t *at,
                           int rank)
{
    const bool text = bl_tensor_dtype(call->inputs[0]) == BL_STRING;
    char buffer[256];
    struct bl_text where = bl_text_in(buffer, sizeof buffer);

    for (int axis = 0; axis < rank; axis++)
        bl_text_put(&where, axis ? ",%lld" : "%lld", (long long)at[axis]);
    return bl_fail(call->err, text ? BL_ERR_ARGUMENT : BL_ERR_ARITHMETIC,
                   "%s-%d: no result at output index [%s]: %s", call->node->op->name,
                   call->node->op->since, buffer,
                   text ? "the text is no number"
                        : "an integer divided by zero, or 0 to a negative power");
}

static bl_status fill(const struct bl_reference_call *call, struct operands *operands,
                      bl_tensor *out)
{
    const struct bl_reference_meaning *meaning = bl_reference_find(call->node->op->name);
    const bl_shape *shape = bl_tensor_shape(out);
    union { /* aligned for, and as large as, any element */
        double numbers[2];
        bl_string string;
    } element;

    for (int64_t index = 0; index < bl_tensor_count(out); index++) {
        int64_t at[BL_MAX_RANK];

        bl_reference_position(shape, index, at);
        for (size_t i = 0; i < call->count; i++)
            operands->in[i] = operand(call, operands, i, at);
        if (bl_tensor_dtype(out) == BL_STRING)
            BL_TRY(make_room(call, operands));
        const struct bl_reference_operands one = {
            call->node,           operands->dtypes, operands->in,   call->count,
            bl_tensor_dtype(out), &element,         operands->text, operands->text_size};

        if (!bl_reference_call_meaning(meaning, &one))
            return no_result(call, at, shape->rank);
        BL_TRY(bl_reference_store(out, index, &element, call->err));
    }
    return BL_OK;
}

/* ---- The output's type --------------------------------------------------- */

/* The names that Cast's attribute has in version 1, TensorProto's. */
static bl_dtype type_named(const bl_string *name)
{
    for (int dtype = 1; dtype < BL_DTYPE_COUNT; dtype++) {
        const char *known = bl_dtype_info((bl_dtype)dtype)->onnx_name;
        size_t i = 0;

        while (i < name->size && known[i] != '\0' &&
               (known[i] >= 'a' && known[i] <= 'z' ? known[i] - 'a' + 'A' : known[i]) ==
                   name->data[i])
            i++;
        if (i == name->size && known[i] == '\0')
            return (bl_dtype)dtype;
    }
    return BL_UNDEFINED;
}

static bl_dtype type_from_attribute(const bl_node *node)
{
    const bl_attribute *to = bl_reference_attribute(node, "to");

    if (to->type == BL_ATTRIBUTE_STRING)
        return type_named(&to->value.s);
    return to->value.i > 0 && to->value.i < BL_DTYPE_COUNT ? (bl_dtype)to->value.i
                                                           : BL_UNDEFINED;
}

/* That of the first input whose type variable the output has; bool where there is none,
 * which is the only one allowed then; for Cast and BitCast what the attribute says. */
static bl_dtype output_type(const struct bl_reference_call *call)
{
    const bl_op *op = call->node->op;

    if (strcmp(op->name, "Cast") == 0 || strcmp(op->name, "BitCast") == 0)
        return type_from_attribute(call->node);
    for (size_t i = 0; i < call->count; i++) {
        const size_t formal = i < op->input_count ? i : op->input_count - 1;

        if (call->inputs[i] != NULL &&
            strcmp(op->inputs[formal].type_variable, op->outputs[0].type_variable) == 0)
            return bl_tensor_dtype(call->inputs[i]);
    }
    return BL_BOOL;
}

/* The words that a string attribute may be. */
static bl_status check_words(const struct bl_reference_call *call)
{
    static const struct {
        const char *name;
        const char *words[3];
    } known[] = {
        {"direction", {"LEFT", "RIGHT", "RIGHT"}},
        {"round_mode", {"up", "down", "nearest"}},
        {"approximate", {"none", "tanh", "tanh"}},
    };

    for (size_t i = 0; i < BL_COUNT_OF(known); i++) {
        bool good = false;

        for (size_t j = 0; j < BL_COUNT_OF(known[i].words); j++)
            good |= bl_reference_is(call->node, known[i].name, known[i].words[j],
                                    known[i].words[j]);
        if (!good)
            return bl_fail(call->err, BL_ERR_ATTRIBUTE, "%s-%d: no such %s",
                           call->node->op->name, call->node->op->since, known[i].name);
    }
    return BL_OK;
}

/* What holds for single operators, beyond the types that their tables allow. */
static bl_status check_special(const struct bl_reference_call *call, bl_dtype dtype)
{
    const char *op = call->node->op->name;
    const struct bl_dtype_info *from = bl_dtype_info(bl_tensor_dtype(call->inputs[0]));

    if (strcmp(op, "Mod") == 0 && bl_reference_int(call->node, "fmod", 0) >> 1 != 0)
        return bl_reference_refuse(call, BL_ERR_ATTRIBUTE, "fmod is neither 0 nor 1");
    if (strcmp(op, "BitCast") == 0 && from->bits != bl_dtype_info(dtype)->bits)
        return bl_reference_refuse(call, BL_ERR_TYPE, "the types are of different width");
    return check_words(call);
}

bl_status bl_reference_pointwise(const struct bl_reference_call *call, bl_tensor **out)
{
    struct operands operands = {NULL, NULL, NULL, NULL, 0};
    const bl_dtype dtype = output_type(call);
    bl_tensor *made = NULL;
    bl_shape shape;

    BL_TRY(bl_reference_check_output(call, dtype));
    BL_TRY(check_special(call, dtype));
    bl_status status = start(call, &operands);

    if (status == BL_OK)
        status = bl_reference_broadcast(call, &shape, operands.first);
    if (status == BL_OK)
        status = bl_reference_make(call, dtype, &shape, &made);
    if (status == BL_OK)
        status = fill(call, &operands, made);
    finish(&operands);
    if (status == BL_OK)
        *out = made;
    else
        bl_tensor_free(made);
    return status;
}
