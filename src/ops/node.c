/*
 * node.c - a node's attributes, checked against its operator version
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "ops/node.h"

#include <string.h>

#include "base/status.h"
#include "base/text.h"

char *bl_node_text(const bl_node *node, char *buffer)
{
    struct bl_text text = bl_text_in(buffer, BL_NODE_TEXT);

    bl_text_put(&text, "%s-%d", node->op->name, node->op->since);
    if (node->name != NULL && node->name[0] != '\0')
        bl_text_put(&text, " (node '%.100s')", node->name);
    return buffer;
}

static const char *type_name(bl_attribute_type type)
{
    switch (type) {
    case BL_ATTRIBUTE_FLOAT:
        return "FLOAT";
    case BL_ATTRIBUTE_INT:
        return "INT";
    case BL_ATTRIBUTE_STRING:
        return "STRING";
    case BL_ATTRIBUTE_FLOATS:
        return "FLOATS";
    case BL_ATTRIBUTE_INTS:
        return "INTS";
    case BL_ATTRIBUTE_STRINGS:
        return "STRINGS";
    }
    return "of an unknown type";
}

static const bl_attribute_spec *find_spec(const bl_op *op, const char *name)
{
    for (size_t i = 0; i < op->attribute_count; i++)
        if (strcmp(op->attributes[i].name, name) == 0)
            return &op->attributes[i];
    return NULL;
}

static const bl_attribute *find_attribute(const bl_node *node, const char *name)
{
    for (size_t i = 0; i < node->attribute_count; i++)
        if (strcmp(node->attributes[i].name, name) == 0)
            return &node->attributes[i];
    return NULL;
}

/* The attribute is unknown: say which versions of the operator have it. */
static bl_status unknown_attribute(const bl_node *node, const char *name, bl_error *err)
{
    const struct bl_schema *schema = bl_schema_of(node->op);
    char subject[BL_NODE_TEXT];
    char buffer[128];
    struct bl_text versions = bl_text_in(buffer, sizeof buffer);

    bl_node_text(node, subject);
    for (size_t i = 0; i < bl_op_count(); i++) {
        const bl_op *other = bl_op_at(i);

        if (bl_schema_of(other)->id == schema->id && find_spec(other, name) != NULL)
            bl_text_put(&versions, "%s%s-%d", versions.length > 0 ? ", " : "", other->name,
                        other->since);
    }
    if (versions.length > 0)
        return bl_fail(err, BL_ERR_ATTRIBUTE,
                       "%s has no attribute '%s'; these versions do: %s", subject, name,
                       buffer);
    return bl_fail(err, BL_ERR_ATTRIBUTE, "%s has no attribute '%.100s', in no version",
                   subject, name);
}

static bl_status check_attribute(const bl_node *node, size_t i, bl_error *err)
{
    const bl_attribute *attribute = &node->attributes[i];
    const bl_attribute_spec *spec = find_spec(node->op, attribute->name);
    char subject[BL_NODE_TEXT];

    bl_node_text(node, subject);
    if (spec == NULL)
        return unknown_attribute(node, attribute->name, err);
    if (attribute->type != spec->type)
        return bl_fail(err, BL_ERR_ATTRIBUTE, "%s: attribute '%s' is %s, but has to be %s",
                       subject, spec->name, type_name(attribute->type),
                       type_name(spec->type));
    if (find_attribute(node, attribute->name) != attribute)
        return bl_fail(err, BL_ERR_ATTRIBUTE, "%s: attribute '%s' is given twice", subject,
                       spec->name);
    return BL_OK;
}

/* The value of a FLOAT or INT attribute: the node's, or the version's default, or 0. */
static float float_value(const bl_node *node, const char *name)
{
    const bl_attribute *attribute = find_attribute(node, name);
    const bl_attribute_spec *spec = find_spec(node->op, name);

    if (attribute != NULL)
        return attribute->value.f;
    return spec != NULL ? spec->default_float : 0.0F;
}

static int64_t int_value(const bl_node *node, const char *name)
{
    const bl_attribute *attribute = find_attribute(node, name);
    const bl_attribute_spec *spec = find_spec(node->op, name);

    if (attribute != NULL)
        return attribute->value.i;
    return spec != NULL ? spec->default_int : 0;
}

bl_status bl_params_read(const bl_node *node, struct bl_params *params, bl_error *err)
{
    char subject[BL_NODE_TEXT];

    bl_node_text(node, subject);
    if (node->attribute_count > 0 && node->attributes == NULL)
        return bl_fail(err, BL_ERR_ARGUMENT, "%s: the attributes are NULL", subject);
    for (size_t i = 0; i < node->attribute_count; i++)
        if (node->attributes[i].name == NULL)
            return bl_fail(err, BL_ERR_ARGUMENT, "%s: the name of attribute %zu is NULL",
                           subject, i);
    for (size_t i = 0; i < node->attribute_count; i++)
        BL_TRY(check_attribute(node, i, err));
    for (size_t i = 0; i < node->op->attribute_count; i++) {
        const bl_attribute_spec *spec = &node->op->attributes[i];

        if (spec->required && find_attribute(node, spec->name) == NULL)
            return bl_fail(err, BL_ERR_ATTRIBUTE,
                           "%s: the required attribute '%s' is missing", subject,
                           spec->name);
    }
    *params = (struct bl_params){
        .alpha = float_value(node, "alpha"),
        .beta = float_value(node, "beta"),
        .trans_a = int_value(node, "transA") != 0,
        .trans_b = int_value(node, "transB") != 0,
        .broadcast = int_value(node, "broadcast") != 0,
        .has_axis = find_attribute(node, "axis") != NULL,
        .axis = int_value(node, "axis"),
    };
    return BL_OK;
}
