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

const char *bl_attribute_type_name(bl_attribute_type type)
{
    switch (type) {
    case BL_ATTRIBUTE_FLOAT:
        return "FLOAT";
    case BL_ATTRIBUTE_INT:
        return "INT";
    case BL_ATTRIBUTE_STRING:
        return "STRING";
    case BL_ATTRIBUTE_TENSOR:
        return "TENSOR";
    case BL_ATTRIBUTE_FLOATS:
        return "FLOATS";
    case BL_ATTRIBUTE_INTS:
        return "INTS";
    case BL_ATTRIBUTE_STRINGS:
        return "STRINGS";
    case BL_ATTRIBUTE_SPARSE_TENSOR:
        return "SPARSE_TENSOR";
    }
    return "of an unknown type";
}

const bl_attribute_spec *bl_op_attribute(const bl_op *op, const char *name)
{
    for (size_t i = 0; i < op->attribute_count; i++)
        if (strcmp(op->attributes[i].name, name) == 0)
            return &op->attributes[i];
    return NULL;
}

const bl_attribute *bl_node_attribute(const bl_node *node, const char *name)
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

        if (bl_schema_of(other)->id == schema->id && bl_op_attribute(other, name) != NULL)
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

/* False where the value is a pointer that should lead somewhere, and does not. */
static bool has_content(const bl_attribute *attribute)
{
    switch (attribute->type) {
    case BL_ATTRIBUTE_STRING:
        return attribute->value.s.data != NULL || attribute->value.s.size == 0;
    case BL_ATTRIBUTE_TENSOR:
        return attribute->value.tensor != NULL;
    case BL_ATTRIBUTE_FLOATS:
        return attribute->value.floats != NULL || attribute->count == 0;
    case BL_ATTRIBUTE_INTS:
        return attribute->value.ints != NULL || attribute->count == 0;
    case BL_ATTRIBUTE_STRINGS:
        return attribute->value.strings != NULL || attribute->count == 0;
    default:
        return true;
    }
}

static bl_status check_attribute(const bl_node *node, size_t i, bl_error *err)
{
    const bl_attribute *attribute = &node->attributes[i];
    const bl_attribute_spec *spec = bl_op_attribute(node->op, attribute->name);
    char subject[BL_NODE_TEXT];

    bl_node_text(node, subject);
    if (spec == NULL)
        return unknown_attribute(node, attribute->name, err);
    if (spec->type == BL_ATTRIBUTE_SPARSE_TENSOR)
        return bl_fail(err, BL_ERR_UNSUPPORTED,
                       "%s: attribute '%s': sparse tensors are not supported", subject,
                       spec->name);
    if (attribute->type != spec->type)
        return bl_fail(err, BL_ERR_ATTRIBUTE, "%s: attribute '%s' is %s, but has to be %s",
                       subject, spec->name, bl_attribute_type_name(attribute->type),
                       bl_attribute_type_name(spec->type));
    if (bl_node_attribute(node, attribute->name) != attribute)
        return bl_fail(err, BL_ERR_ATTRIBUTE, "%s: attribute '%s' is given twice", subject,
                       spec->name);
    if (!has_content(attribute))
        return bl_fail(err, BL_ERR_ARGUMENT, "%s: the value of attribute '%s' is NULL",
                       subject, spec->name);
    return BL_OK;
}

float bl_node_float(const bl_node *node, const char *name)
{
    const bl_attribute *attribute = bl_node_attribute(node, name);
    const bl_attribute_spec *spec = bl_op_attribute(node->op, name);

    if (attribute != NULL)
        return attribute->value.f;
    return spec != NULL ? spec->default_float : 0.0F;
}

int64_t bl_node_int(const bl_node *node, const char *name)
{
    const bl_attribute *attribute = bl_node_attribute(node, name);
    const bl_attribute_spec *spec = bl_op_attribute(node->op, name);

    if (attribute != NULL)
        return attribute->value.i;
    return spec != NULL ? spec->default_int : 0;
}

bl_status bl_node_check_attributes(const bl_node *node, bl_error *err)
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

        if (spec->required && bl_node_attribute(node, spec->name) == NULL)
            return bl_fail(err, BL_ERR_ATTRIBUTE,
                           "%s: the required attribute '%s' is missing", subject,
                           spec->name);
    }
    return BL_OK;
}
