/*
 * reference_element.c - find an operator's meaning for one element, and ask it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "conform/reference_element.h"

#include "base/compiler.h"

double bl_reference_step(bl_dtype dtype, double exact)
{
    return dtype == BL_FLOAT64 ? exact : (double)(float)exact;
}

const struct bl_reference_meaning *bl_reference_find(const char *op)
{
    static const struct bl_reference_meaning *const tables[] = {
        bl_reference_arithmetic,     bl_reference_logic, bl_reference_unary,
        bl_reference_transcendental, bl_reference_casts,
    };

    for (size_t i = 0; i < BL_COUNT_OF(tables); i++)
        for (const struct bl_reference_meaning *it = tables[i]; it->op != NULL; it++)
            if (strcmp(it->op, op) == 0)
                return it;
    return NULL;
}

bool bl_reference_call_meaning(const struct bl_reference_meaning *meaning,
                               const struct bl_reference_operands *x)
{
    if (x->inputs < meaning->inputs)
        return false;
    const struct bl_dtype_info *info = bl_dtype_info(x->dtypes[meaning->typed]);

    return info != NULL && meaning->kinds >> info->kind & 1 && meaning->fn(x);
}

bool bl_reference_element(const bl_node *node, const bl_dtype *dtypes,
                          const void *const *in, size_t inputs, bl_dtype out_dtype,
                          void *out)
{
    const struct bl_reference_meaning *meaning = bl_reference_find(node->op->name);
    const struct bl_reference_operands x = {node,      dtypes, in,   inputs,
                                            out_dtype, out,    NULL, 0};

    return meaning != NULL && bl_reference_call_meaning(meaning, &x);
}
