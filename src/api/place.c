/*
 * place.c - where the tensors of a call lie: on the host, or on the context's device
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "api/place.h"

#include "api/context.h"
#include "base/checked.h"
#include "base/mem.h"
#include "base/status.h"
#include "exec/device.h"
#include "ops/infer.h"

bool bl_place_any(const bl_tensor *const *tensors, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (tensors[i] != NULL && tensors[i]->device != NULL)
            return true;
    return false;
}

bl_status bl_place_check(const bl_context *context, const bl_tensor *const *tensors,
                         size_t count, const char *what, bl_error *err)
{
    for (size_t i = 0; i < count; i++) {
        const bl_tensor *tensor = tensors[i];

        if (tensor == NULL || tensor->device == NULL)
            continue;
        if (tensor->device != context->exec.device)
            return bl_fail(err, BL_ERR_ARGUMENT,
                           "%s %zu lies on the device of another context", what, i);
        if (tensor->mapped != NULL)
            return bl_fail(err, BL_ERR_ARGUMENT, "%s %zu is mapped: unmap it before a run",
                           what, i);
    }
    return BL_OK;
}

static bl_status check_attributes(const bl_node *node, bl_error *err)
{
    for (size_t i = 0; node->attributes != NULL && i < node->attribute_count; i++) {
        const bl_attribute *attribute = &node->attributes[i];

        if (attribute->type == BL_ATTRIBUTE_TENSOR && attribute->value.tensor != NULL &&
            attribute->value.tensor->device != NULL)
            return bl_fail(err, BL_ERR_ARGUMENT,
                           "attribute '%s' is a tensor on a device: download it first",
                           attribute->name != NULL ? attribute->name : "");
    }
    return BL_OK;
}

bl_status bl_place_check_call(const bl_context *context, const bl_node *node,
                              const bl_tensor *const *inputs, size_t input_count,
                              bl_tensor *const *outputs, size_t output_count, bl_error *err)
{
    BL_TRY(bl_place_check(context, inputs, input_count, "input", err));
    BL_TRY(bl_place_check(context, (const bl_tensor *const *)outputs, output_count,
                          "output", err));
    return node != NULL ? check_attributes(node, err) : BL_OK;
}

bool bl_place_for_host(const bl_node *node, const bl_tensor *const *inputs, size_t count,
                       const bl_tensor *output)
{
    const bl_tensor *first = count > 0 ? inputs[0] : NULL;

    for (size_t i = 0; i < count; i++)
        if (inputs[i] != NULL && inputs[i]->dtype == BL_STRING)
            return true;
    return output->dtype == BL_STRING ||
           bl_host_runs(node, first != NULL ? first->dtype : BL_UNDEFINED, output->dtype);
}

bl_status bl_host_inputs_make(struct bl_host_inputs *made, const bl_context *context,
                              const bl_op *op, const bl_tensor *const *inputs, size_t count,
                              bl_error *err)
{
    size_t bytes;

    *made = (struct bl_host_inputs){.allocator = context->allocator, .count = count};
    if (!bl_size_mul(count > 0 ? count : 1, 2 * sizeof(bl_tensor *), &bytes))
        return bl_fail(err, BL_ERR_LIMIT, "too many inputs: %zu", count);
    made->copies = bl_mem_alloc_zero(&made->allocator, bytes);
    if (made->copies == NULL)
        return bl_fail(err, BL_ERR_MEMORY, "out of memory for %zu inputs", count);
    made->inputs = (const bl_tensor **)(void *)(made->copies + count);
    for (size_t i = 0; i < count; i++) {
        made->inputs[i] = inputs[i];
        if (inputs[i] == NULL || inputs[i]->device == NULL ||
            (op != NULL && (bl_schema_of(op) == NULL || !bl_node_reads_value(op, i))))
            continue;
        made->copies[i] = bl_exec_to_host(&made->allocator, inputs[i], err);
        if (made->copies[i] == NULL) {
            bl_host_inputs_free(made);
            return err != NULL ? err->status : BL_ERR_MEMORY;
        }
        made->inputs[i] = made->copies[i];
    }
    return BL_OK;
}

void bl_host_inputs_free(struct bl_host_inputs *made)
{
    if (made->copies == NULL)
        return;
    for (size_t i = 0; i < made->count; i++)
        bl_tensor_free(made->copies[i]);
    bl_mem_free(&made->allocator, (void *)made->copies,
                (made->count > 0 ? made->count : 1) * 2 * sizeof(bl_tensor *));
    made->copies = NULL;
}
