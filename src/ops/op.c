/*
 * op.c - the table of operator versions, made from ops.def, and look-up in it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "ops/op.h"

#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "ops/signatures.h"
#include "ops/types.h"

/* ---- The tables --------------------------------------------------------------- */

/* What all versions of an operator share, as constants that a static table may use. */
#define BL_OP(ID, op_name, op_form, ulp, text) \
    static const char name_##ID[] = op_name;   \
    static const char summary_##ID[] = text;   \
    enum { form_##ID = BL_FORM_##op_form, max_ulp_##ID = (ulp) };
#include "ops/ops.def"

#define BL_OP_VERSION(ID, since, signature, rule, attributes) \
    static const bl_attribute_spec attributes_##ID##_##since[] = {attributes END_OF_LIST};
#include "ops/ops.def"

static const struct bl_schema schemas[] = {
#define BL_OP_VERSION(ID, first, signature, broadcasting, specs)           \
    {.op = {.domain = "ai.onnx",                                           \
            .name = name_##ID,                                             \
            .since = (first),                                              \
            .summary = summary_##ID,                                       \
            .rule = BL_RULE_##broadcasting,                                \
            .max_ulp = max_ulp_##ID,                                       \
            signature,                                                     \
            .attribute_count = BL_COUNT_OF(attributes_##ID##_##first) - 1, \
            .attributes = attributes_##ID##_##first},                      \
     .id = BL_OP_##ID,                                                     \
     .form = (enum bl_form)form_##ID},
#include "ops/ops.def"
};

/* ---- Look-up -------------------------------------------------------------------- */

size_t bl_op_count(void)
{
    return BL_COUNT_OF(schemas);
}

const bl_op *bl_op_at(size_t i)
{
    return i < BL_COUNT_OF(schemas) ? &schemas[i].op : NULL;
}

const struct bl_schema *bl_schema_of(const bl_op *op)
{
    const uintptr_t at = (uintptr_t)op;
    const uintptr_t first = (uintptr_t)schemas;

    if (at < first || at >= first + sizeof schemas || (at - first) % sizeof *schemas != 0)
        return NULL;
    return (const struct bl_schema *)(const void *)op;
}

/* The row after `schema` if it is a later version of the same operator, else NULL. */
static const struct bl_schema *next_version(const struct bl_schema *schema)
{
    const struct bl_schema *next = schema + 1;

    return next < schemas + BL_COUNT_OF(schemas) && next->id == schema->id ? next : NULL;
}

int bl_op_until(const bl_op *op)
{
    const struct bl_schema *schema = bl_schema_of(op);

    if (schema == NULL)
        return 0;
    const struct bl_schema *next = next_version(schema);

    return next != NULL ? next->op.since - 1 : BL_OPSET_MAX;
}

static const struct bl_schema *first_version(const char *name)
{
    for (size_t i = 0; i < BL_COUNT_OF(schemas); i++)
        if (strcmp(schemas[i].op.name, name) == 0)
            return &schemas[i];
    return NULL;
}

static int equal_but_for_case(const char *a, const char *b)
{
    for (; *a != '\0' && *b != '\0'; a++, b++)
        if ((*a | 0x20) != (*b | 0x20))
            return 0;
    return *a == *b;
}

/* An operator whose name differs in case alone, for the message; NULL if there is none. */
static const char *similar_name(const char *name)
{
    for (size_t i = 0; i < BL_COUNT_OF(schemas); i++)
        if (equal_but_for_case(schemas[i].op.name, name))
            return schemas[i].op.name;
    return NULL;
}

static const bl_op *unknown_operator(const char *name, bl_error *err)
{
    const char *similar = similar_name(name);

    if (similar != NULL)
        bl_fail(err, BL_ERR_OPERATOR, "unknown operator '%s' (did you mean %s?)", name,
                similar);
    else
        bl_fail(err, BL_ERR_OPERATOR, "unknown operator '%s' in ai.onnx", name);
    return NULL;
}

const bl_op *bl_op_find(const char *domain, const char *name, int64_t opset, bl_error *err)
{
    if (name == NULL) {
        bl_fail(err, BL_ERR_ARGUMENT, "the operator name is NULL");
        return NULL;
    }
    if (domain != NULL && domain[0] != '\0' && strcmp(domain, "ai.onnx") != 0) {
        bl_fail(err, BL_ERR_OPERATOR,
                "unknown domain '%s' of operator '%s' (known: ai.onnx)", domain, name);
        return NULL;
    }
    if (opset < 0 || opset > BL_OPSET_MAX) {
        bl_fail(err, BL_ERR_OPERATOR, "%s: opset %lld is unknown (known: 1 to %d)", name,
                (long long)opset, BL_OPSET_MAX);
        return NULL;
    }
    const struct bl_schema *found = first_version(name);

    if (found == NULL)
        return unknown_operator(name, err);
    if (opset == BL_OPSET_LATEST)
        opset = BL_OPSET_MAX;
    if (found->op.since > opset) {
        bl_fail(err, BL_ERR_OPERATOR, "%s exists from opset %d on, not in opset %lld", name,
                found->op.since, (long long)opset);
        return NULL;
    }
    for (const struct bl_schema *next = found; next != NULL && next->op.since <= opset;
         next = next_version(next))
        found = next;
    return &found->op;
}

const char *bl_op_id_name(enum bl_op_id id)
{
    static const char *const names[] = {
#define BL_OP(ID, ...) [BL_OP_##ID] = name_##ID,
#include "ops/ops.def"
    };

    return names[id];
}

enum bl_form bl_op_id_form(enum bl_op_id id)
{
    static const unsigned char forms[] = {
#define BL_OP(ID, ...) [BL_OP_##ID] = form_##ID,
#include "ops/ops.def"
    };

    return (enum bl_form)forms[id];
}

bool bl_form_is_pointwise(enum bl_form form)
{
    return form <= BL_FORM_COPY;
}

const char *bl_rule_name(bl_rule rule)
{
    static const char *const names[BL_RULE_COUNT] = {
        [BL_RULE_NONE] = "none",
        [BL_RULE_MULTIDIRECTIONAL] = "multidirectional",
        [BL_RULE_UNIDIRECTIONAL] = "unidirectional",
        [BL_RULE_LEGACY] = "legacy",
        [BL_RULE_CHANNEL] = "channel",
        [BL_RULE_OWN] = "own",
    };

    return (unsigned)rule < BL_RULE_COUNT ? names[rule] : "unknown";
}
