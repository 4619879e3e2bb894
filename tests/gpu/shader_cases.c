/*
 * shader_cases.c - which operators, attributes and types are tried as shaders
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "base/compiler.h"
#include "ops/types.h"
#include "shader_check.h"
#include "tensor/dtype.h"
#include "../check/variants.h"

/* ---- Operators and types ----------------------------------------------------------------------- */

static void try_variants(struct checker *checker, struct trial *trial)
{
    bool tried = false;

    for (size_t i = 0; i < check_variant_count; i++) {
        if (check_variants[i].op != trial->op)
            continue;
        trial->node.attributes = &check_variants[i].attribute;
        trial->node.attribute_count = 1;
        tried = true;
        if (bl_params_read(&trial->node, &trial->params, NULL) == BL_OK)
            try_trial(checker, trial);
    }
    trial->node.attribute_count = 0;
    if (!tried && bl_params_read(&trial->node, &trial->params, NULL) == BL_OK)
        try_trial(checker, trial);
}

static void try_inputs(struct checker *checker, struct trial *trial)
{
    static const size_t counts[] = {1, 2, 3, 5, MOST_INPUTS};
    const bool divides =
        trial->op == BL_OP_DIV || trial->op == BL_OP_MOD || trial->op == BL_OP_POW;

    if (bl_op_id_form(trial->op) == BL_FORM_VARIADIC) {
        for (size_t i = 0; i < BL_COUNT_OF(counts); i++) {
            trial->inputs = counts[i];
            try_variants(checker, trial);
        }
        return;
    }
    for (int may_fail = 0; may_fail <= (int)divides; may_fail++) {
        trial->may_fail = may_fail;
        try_variants(checker, trial);
    }
}

/* Cast to every type; Pow with every type of exponent. */
static void try_seconds(struct checker *checker, struct trial *trial)
{
    const enum bl_form form = bl_op_id_form(trial->op);
    const bl_op *op = trial->node.op;
    const uint64_t seconds = form == BL_FORM_CAST  ? op->outputs[0].dtypes
                             : form == BL_FORM_POW ? op->inputs[1].dtypes
                                                   : 0;

    if (seconds == 0) {
        try_inputs(checker, trial);
        return;
    }
    for (int d = 1; d < BL_DTYPE_COUNT; d++) {
        bl_attribute to[3] = {
            {.name = "to", .type = BL_ATTRIBUTE_INT, .value.i = d},
            {.name = "saturate", .type = BL_ATTRIBUTE_INT, .value.i = d % 2},
            {.name = "round_mode", .type = BL_ATTRIBUTE_STRING, .value.s = {"nearest", 7}}};

        if (!(seconds >> d & 1) || d == BL_STRING)
            continue;
        if (form == BL_FORM_POW) {
            trial->dtypes[1] = (bl_dtype)d;
            try_inputs(checker, trial);
            continue;
        }
        if (trial->op == BL_OP_BITCAST &&
            bl_dtype_info((bl_dtype)d)->bits != bl_dtype_info(trial->dtypes[0])->bits)
            continue;
        trial->result = (bl_dtype)d;
        trial->inputs = 1;
        trial->node.attributes = to;
        trial->node.attribute_count = trial->op == BL_OP_BITCAST ? 1 : d % 3 == 0 ? 3 : 2;
        if (bl_params_read(&trial->node, &trial->params, NULL) == BL_OK)
            try_trial(checker, trial);
    }
}

static void try_type(struct checker *checker, enum bl_op_id op, const bl_op *schema,
                     bl_dtype dtype)
{
    const enum bl_form form = bl_op_id_form(op);
    struct trial trial = {.node = {.op = schema}, .op = op, .max_ulp = schema->max_ulp};
    const bool to_bool = schema->outputs[0].dtypes == BL_SET_B;

    for (size_t j = 0; j < MOST_INPUTS; j++)
        trial.dtypes[j] = dtype;
    if (form == BL_FORM_SELECT)
        trial.dtypes[0] = BL_BOOL;
    trial.inputs = schema->input_count;
    trial.result = to_bool ? BL_BOOL : dtype;
    try_seconds(checker, &trial);
}

/* The newest version that allows the type, of the input that counts. */
static const bl_op *version_of(enum bl_op_id id, bl_dtype dtype)
{
    const size_t typed = bl_op_id_form(id) == BL_FORM_SELECT ? 1 : 0;
    const bl_op *newest = NULL;

    for (size_t i = 0; i < bl_op_count(); i++) {
        const bl_op *op = bl_op_at(i);

        if (strcmp(op->name, bl_op_id_name(id)) == 0 &&
            op->inputs[typed].dtypes >> dtype & 1)
            newest = op;
    }
    return newest;
}

void try_all(struct checker *checker, const char *only, const char *type)
{
    for (int op = 0; op < BL_OP_ID_COUNT; op++) {
        const enum bl_op_id id = (enum bl_op_id)op;

        if (!bl_form_is_pointwise(bl_op_id_form(id)) || id == BL_OP_CASTLIKE ||
            (only != NULL && strcmp(only, bl_op_id_name(id)) != 0))
            continue;
        for (int d = 1; d < BL_DTYPE_COUNT; d++) {
            const bl_op *schema = version_of(id, (bl_dtype)d);

            if (schema != NULL && d != BL_STRING &&
                (type == NULL || strcmp(type, bl_dtype_name((bl_dtype)d)) == 0))
                try_type(checker, id, schema, (bl_dtype)d);
        }
    }
}
