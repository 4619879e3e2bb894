/*
 * onnx_node.c - NodeProto: a node of the graph, or a call of a function
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <string.h>

#include "io/onnx_reader.h"

/* No operator has anywhere near as many; a node's attributes are searched one by one. */
#define MOST_ATTRIBUTES 1024

static bl_status read_names(struct bl_onnx *reader, struct bl_wire message,
                            struct bl_onnx_node *node, bl_error *err)
{
    struct bl_raw_node *raw = &node->raw;
    struct bl_arena *arena = &reader->scratch;
    const char **inputs;
    const char **outputs;

    BL_TRY(bl_onnx_names(message, BL_NODE_INPUT, arena, &inputs, &raw->input_count, err));
    BL_TRY(
        bl_onnx_names(message, BL_NODE_OUTPUT, arena, &outputs, &raw->output_count, err));
    raw->inputs = inputs;
    raw->outputs = outputs;
    raw->name = raw->domain = raw->op_type = node->overload = "";
    while (message.at < message.end) {
        struct bl_wire_field field;

        BL_TRY(bl_wire_next(&message, &field, err));
        switch (field.number) {
        case BL_NODE_NAME:
            BL_TRY(bl_onnx_name(&field, arena, &raw->name, err));
            break;
        case BL_NODE_OP_TYPE:
            BL_TRY(bl_onnx_name(&field, arena, &raw->op_type, err));
            break;
        case BL_NODE_DOMAIN:
            BL_TRY(bl_onnx_name(&field, arena, &raw->domain, err));
            break;
        case BL_NODE_OVERLOAD:
            BL_TRY(bl_onnx_name(&field, arena, &node->overload, err));
            break;
        }
    }
    return BL_OK;
}

/* ---- Attributes --------------------------------------------------------------------- */

/* An attribute that refers to one of the function's gets its value, or is not given if that
 * one is not. */
static bl_status resolve(const struct bl_onnx_scope *scope, const struct bl_onnx_node *node,
                         const struct bl_wire_field *field, const char *reference,
                         bl_attribute *attribute, bool *given, bl_error *err)
{
    const char *name = attribute->name;
    const bl_attribute *value = bl_onnx_argument(scope, reference);

    *given = value != NULL;
    if (scope->function == NULL)
        return bl_fail_at(err, BL_ERR_ATTRIBUTE, field->body.source, field->offset,
                          "node '%s': attribute '%s' refers to '%s' of a function, but the "
                          "node is in none",
                          node->raw.name, name, reference);
    if (value == NULL)
        return BL_OK;
    if (value->type != attribute->type)
        return bl_fail_at(
            err, BL_ERR_ATTRIBUTE, field->body.source, field->offset,
            "node '%s': attribute '%s' refers to '%s' of function '%s', which "
            "is of another type",
            node->raw.name, name, reference, scope->function->name);
    *attribute = *value;
    attribute->name = name;
    return BL_OK;
}

static bl_status read_attributes(struct bl_onnx *reader, const struct bl_onnx_scope *scope,
                                 struct bl_wire message, struct bl_onnx_node *node,
                                 bl_error *err)
{
    struct bl_wire_field field;
    char owner[160];
    size_t count;

    BL_TRY(bl_onnx_count(message, BL_NODE_ATTRIBUTE, &count, err));
    if (count > MOST_ATTRIBUTES)
        return bl_fail_at(err, BL_ERR_LIMIT, reader->source, message.at,
                          "node '%s' has %zu attributes, more than %d", node->raw.name,
                          count, MOST_ATTRIBUTES);
    bl_attribute *attributes = bl_arena_alloc(&reader->scratch, count, sizeof *attributes);

    if (attributes == NULL)
        return bl_arena_fail(err);
    size_t left = count;

    node->raw.attributes = attributes;
    snprintf(owner, sizeof owner, "node '%.100s' (%.40s)", node->raw.name,
             node->raw.op_type);
    while (message.at < message.end) {
        const char *reference;
        bool given = true;

        BL_TRY(bl_wire_next(&message, &field, err));
        if (field.number != BL_NODE_ATTRIBUTE)
            continue;
        if (left-- == 0)
            return bl_fail_changed(err, reader->source, field.offset);
        BL_TRY(bl_onnx_read_attribute(reader, &reader->scratch, &field, owner, attributes,
                                      &reference, err));
        if (reference != NULL)
            BL_TRY(resolve(scope, node, &field, reference, attributes, &given, err));
        attributes += given;
    }
    node->raw.attribute_count = (size_t)(attributes - node->raw.attributes);
    return BL_OK;
}

/* ---- Nodes ------------------------------------------------------------------------------ */

/* The names of a function's inside, as they are in the graph. */
static bl_status rename_inside(struct bl_onnx *reader, struct bl_onnx_scope *scope,
                               struct bl_raw_node *raw, bl_error *err)
{
    const char **inputs =
        bl_arena_alloc(&reader->scratch, raw->input_count, sizeof *inputs);
    const char **outputs =
        bl_arena_alloc(&reader->scratch, raw->output_count, sizeof *outputs);
    const size_t size = strlen(scope->prefix) + strlen(raw->name) + 2;
    char *name = bl_arena_alloc(&reader->scratch, size, 1);

    if (inputs == NULL || outputs == NULL || name == NULL)
        return bl_arena_fail(err);
    snprintf(name, size, "%s/%s", scope->prefix, raw->name);
    for (size_t i = 0; i < raw->input_count; i++)
        BL_TRY(bl_onnx_value_name(reader, scope, raw->inputs[i], &inputs[i], err));
    for (size_t i = 0; i < raw->output_count; i++)
        BL_TRY(bl_onnx_value_name(reader, scope, raw->outputs[i], &outputs[i], err));
    raw->name = name;
    raw->inputs = inputs;
    raw->outputs = outputs;
    return BL_OK;
}

/* True for what is wrong with a node, and not with the file or this machine. */
static bool is_of_node(bl_status status)
{
    return status == BL_ERR_OPERATOR || status == BL_ERR_ARITY || status == BL_ERR_TYPE ||
           status == BL_ERR_SHAPE || status == BL_ERR_ATTRIBUTE ||
           status == BL_ERR_UNSUPPORTED || status == BL_ERR_ARGUMENT;
}

/* Add a node whose names are read. */
static bl_status add_named(struct bl_onnx *reader, struct bl_onnx_scope *scope,
                           const struct bl_wire_field *field, struct bl_onnx_node *node,
                           bl_error *err)
{
    const struct bl_onnx_function *function;

    BL_TRY(read_attributes(reader, scope, field->body, node, err));
    BL_TRY(bl_onnx_find_function(reader, node, &function, err));
    if (function != NULL)
        return bl_onnx_inline(reader, scope, function, node, err);
    return bl_onnx_at(reader, field->offset,
                      bl_builder_node(reader->builder, &node->raw, err), err);
}

bl_status bl_onnx_add_node(struct bl_onnx *reader, struct bl_onnx_scope *scope,
                           const struct bl_wire_field *field, bl_error *err)
{
    struct bl_onnx_node node = {.offset = field->offset};
    bl_error why;

    BL_TRY(bl_wire_expect(field, BL_WIRE_BYTES, err));
    BL_TRY(read_names(reader, field->body, &node, err));
    node.raw.name = bl_raw_node_name(&node.raw);
    node.raw.opset = scope->function != NULL ? scope->function->opset : reader->opset;
    if (scope->function != NULL)
        BL_TRY(rename_inside(reader, scope, &node.raw, err));
    if (node.raw.op_type[0] == '\0')
        return bl_fail_at(err, BL_ERR_FORMAT, reader->source, field->offset,
                          "node '%s' has no operator", node.raw.name);
    const bl_status status = add_named(reader, scope, field, &node, &why);

    if (status != BL_OK && reader->keeps_broken && is_of_node(status))
        return bl_onnx_at(reader, field->offset,
                          bl_builder_broken_node(reader->builder, &node.raw, &why, err),
                          err);
    if (status != BL_OK && err != NULL)
        *err = why;
    return status;
}
