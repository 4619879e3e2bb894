/*
 * inspect_view.c - count what is in a model, look up what is known of it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/inspect_view.h"

#include <stdlib.h>
#include <string.h>

#include "cli/dims.h"

/* ---- Counting --------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    const struct bl_op_use *x = a;
    const struct bl_op_use *y = b;
    const int domain = strcmp(x->domain, y->domain);
    const int name = strcmp(x->op_type, y->op_type);

    return domain != 0 ? domain
           : name != 0 ? name
                       : (x->since > y->since) - (x->since < y->since);
}

static int by_count(const void *a, const void *b)
{
    const struct bl_op_use *x = a;
    const struct bl_op_use *y = b;

    return x->count != y->count ? (x->count < y->count) - (x->count > y->count)
                                : by_name(a, b);
}

static bool count_uses(struct bl_inspection *inspection)
{
    const size_t count = bl_model_node_count(inspection->model);
    struct bl_op_use *uses = calloc(count + 1, sizeof *uses);
    size_t kept = 0;
    bl_node_info node;

    if (uses == NULL)
        return false;
    for (size_t n = 0; n < count && bl_model_node(inspection->model, n, &node); n++)
        uses[n] = (struct bl_op_use){node.domain, node.op_type,
                                     node.op != NULL ? node.op->since : 0, 1};
    qsort(uses, count, sizeof *uses, by_name);
    for (size_t n = 0; n < count; n++) {
        if (kept > 0 && by_name(&uses[kept - 1], &uses[n]) == 0)
            uses[kept - 1].count++;
        else
            uses[kept++] = uses[n];
    }
    qsort(uses, kept, sizeof *uses, by_count);
    inspection->uses = uses;
    inspection->use_count = kept;
    return true;
}

bool bl_inspection_fill(struct bl_inspection *inspection)
{
    const size_t values = bl_model_value_count(inspection->model);
    const size_t nodes = bl_model_node_count(inspection->model);

    for (size_t v = 0; v < values; v++) {
        const bl_tensor *tensor = bl_model_initializer(inspection->model, v);

        if (tensor == NULL)
            continue;
        inspection->initializer_count++;
        inspection->initializer_bytes += (double)bl_tensor_count(tensor) *
                                         (double)bl_dtype_size(bl_tensor_dtype(tensor));
    }
    for (size_t n = 0; n < nodes; n++)
        inspection->problem_count += bl_inspection_problem(inspection, n) != NULL;
    return count_uses(inspection);
}

void bl_inspection_free(struct bl_inspection *inspection)
{
    free(inspection->uses);
}

const struct bl_ports bl_ports_in = {bl_model_input, bl_model_input_value};
const struct bl_ports bl_ports_out = {bl_model_output, bl_model_output_value};

/* ---- Looking up -------------------------------------------------------------------------- */

const bl_problem *bl_inspection_problem(const struct bl_inspection *inspection, size_t n)
{
    bl_node_info node;

    if (inspection->explanation != NULL)
        return inspection->explanation->problems[n];
    return bl_model_node(inspection->model, n, &node) ? node.problem : NULL;
}

const bl_tensor_type *bl_inspection_type(const struct bl_inspection *inspection,
                                         int32_t value)
{
    if (inspection->explanation == NULL || value < 0 ||
        inspection->explanation->values[value].dtype == BL_UNDEFINED)
        return NULL;
    return &inspection->explanation->values[value];
}

static int64_t value_bytes(const struct bl_inspection *inspection, int32_t value)
{
    const bl_tensor_type *type = bl_inspection_type(inspection, value);
    int64_t count;

    if (type == NULL || bl_shape_count(&type->shape, &count, NULL) != BL_OK)
        return 0;
    return count * (int64_t)bl_dtype_size(type->dtype);
}

int64_t bl_inspection_bytes_apart(const struct bl_inspection *inspection,
                                  const bl_step_info *step)
{
    int64_t bytes = 0;

    for (size_t i = 0; i < step->node_count; i++) {
        bl_node_info node;

        if (!bl_model_node(inspection->model, (size_t)step->nodes[i], &node))
            continue;
        for (size_t k = 0; k < node.input_count; k++)
            bytes += value_bytes(inspection, node.inputs[k]);
        for (size_t k = 0; k < node.output_count; k++)
            bytes += value_bytes(inspection, node.outputs[k]);
    }
    return bytes;
}

/* ---- Text ----------------------------------------------------------------------------------- */

char *bl_type_text(const bl_tensor_type *type, char *buffer, size_t size)
{
    char dims[BL_DIMS_TEXT];

    snprintf(buffer, size, "%s%s", bl_dtype_name(type->dtype),
             bl_dims_text(&type->shape, dims));
    return buffer;
}

char *bl_bytes_text(double bytes, char *buffer, size_t size)
{
    static const char *const units[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
    size_t unit = 0;

    if (bytes < 10000) {
        snprintf(buffer, size, "%.0f bytes", bytes);
        return buffer;
    }
    for (bytes /= 1000; bytes >= 999.5 && unit < 5; unit++)
        bytes /= 1000;
    snprintf(buffer, size, "%.3g %s", bytes, units[unit]);
    return buffer;
}
