/*
 * onnx_write.c - the graph of a case as an ONNX model
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shares no code with src/io, whose reader it feeds.  Source of the field numbers: ONNX
 * onnx.proto; of the encoding: protobuf.dev, "Encoding".
 */
#include "conform/onnx_write.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "conform/heap.h"
#include "conform/value.h"
#include "tensor/dtype.h"

/* The newest version of the format that is known to hold all of our types. */
#define IR_VERSION 13

enum field {
    ATTRIBUTE_NAME = 1,
    ATTRIBUTE_F = 2,
    ATTRIBUTE_I = 3,
    ATTRIBUTE_S = 4,
    ATTRIBUTE_FLOATS = 7,
    ATTRIBUTE_INTS = 8,
    ATTRIBUTE_STRINGS = 9,
    ATTRIBUTE_TYPE = 20,
    GRAPH_NODE = 1,
    GRAPH_NAME = 2,
    GRAPH_INITIALIZER = 5,
    GRAPH_INPUT = 11,
    GRAPH_OUTPUT = 12,
    MODEL_IR_VERSION = 1,
    MODEL_GRAPH = 7,
    MODEL_OPSET_IMPORT = 8,
    NODE_INPUT = 1,
    NODE_OUTPUT = 2,
    NODE_OP_TYPE = 4,
    NODE_ATTRIBUTE = 5,
    OPSET_VERSION = 2,
    SHAPE_DIM = 1,
    SHAPE_DIM_VALUE = 1,
    TENSOR_DIMS = 1,
    TENSOR_DATA_TYPE = 2,
    TENSOR_STRING_DATA = 6,
    TENSOR_NAME = 8,
    TENSOR_RAW_DATA = 9,
    TYPE_TENSOR = 1,
    TYPE_TENSOR_ELEM_TYPE = 1,
    TYPE_TENSOR_SHAPE = 2,
    VALUE_NAME = 1,
    VALUE_TYPE = 2,
};

enum wire { WIRE_VARINT = 0, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

/* ---- A message, which grows ---------------------------------------------- */

struct message {
    unsigned char *bytes;
    size_t size;
    size_t room;
    bool failed; /* there was no memory; it holds nothing then */
};

static void drop(struct message *to)
{
    free(to->bytes);
    *to = (struct message){.failed = true};
}

static void put_byte(struct message *to, unsigned value)
{
    if (to->size == to->room && !to->failed) {
        const size_t room = 2 * to->room + 64;
        unsigned char *bytes = bl_heap_grow(to->bytes, room);

        if (bytes == NULL) {
            drop(to);
        } else {
            to->bytes = bytes;
            to->room = room;
        }
    }
    if (!to->failed)
        to->bytes[to->size++] = (unsigned char)value;
}

static void put_varint(struct message *to, uint64_t value)
{
    for (; value > 0x7F; value >>= 7)
        put_byte(to, 0x80 | (unsigned)(value & 0x7F));
    put_byte(to, (unsigned)value);
}

static void put_tag(struct message *to, enum field field, enum wire wire)
{
    put_varint(to, (uint64_t)field << 3 | wire);
}

static void put_number(struct message *to, enum field field, int64_t value)
{
    put_tag(to, field, WIRE_VARINT);
    put_varint(to, (uint64_t)value);
}

/* The bytes of a number, lowest first. */
static void put_fixed(struct message *to, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++, value >>= 8)
        put_byte(to, (unsigned)(value & 0xFF));
}

static void put_float(struct message *to, enum field field, float value)
{
    put_tag(to, field, WIRE_FIXED32);
    put_fixed(to, bl_value_raw(BL_FLOAT32, &value), sizeof value);
}

static void put_bytes(struct message *to, enum field field, const void *bytes, size_t size)
{
    put_tag(to, field, WIRE_BYTES);
    put_varint(to, size);
    for (size_t i = 0; i < size; i++)
        put_byte(to, ((const unsigned char *)bytes)[i]);
}

static void put_text(struct message *to, enum field field, const char *text)
{
    put_bytes(to, field, text, strlen(text));
}

/* A message in a message; `inner` is freed. */
static void put_message(struct message *to, enum field field, struct message *inner)
{
    if (inner->failed)
        drop(to);
    else
        put_bytes(to, field, inner->bytes, inner->size);
    drop(inner);
}

static void put_texts(struct message *to, enum field field, const char *const *texts,
                      size_t count)
{
    for (size_t i = 0; i < count; i++)
        put_text(to, field, texts[i]);
}

/* ---- Tensors ------------------------------------------------------------- */

/* Types of less than a byte lie packed, the first element in the low bits. */
static void put_packed(struct message *to, const bl_tensor *tensor, unsigned bits)
{
    const int64_t count = bl_tensor_count(tensor);
    const int64_t each = 8 / bits;
    const bl_dtype dtype = bl_tensor_dtype(tensor);

    for (int64_t i = 0; i < count; i += each) {
        unsigned byte = 0;

        for (int64_t k = 0; k < each && i + k < count; k++)
            byte |= (unsigned)(bl_value_raw(dtype, bl_value_at(tensor, i + k)) &
                               ((1U << bits) - 1))
                    << (unsigned)k * bits;
        put_byte(to, byte);
    }
}

/* The parts of an element: the numbers of a complex one, or all of it. */
static void put_raw(struct message *to, const bl_tensor *tensor)
{
    const bl_dtype dtype = bl_tensor_dtype(tensor);
    const bool complex = bl_dtype_info(dtype)->kind == BL_KIND_COMPLEX;
    const bl_dtype part = complex ? bl_value_part(dtype) : dtype;
    const size_t size = bl_dtype_size(part);
    const int64_t count = bl_tensor_count(tensor);

    for (int64_t i = 0; i < count; i++) {
        const unsigned char *element = bl_value_at(tensor, i);

        put_fixed(to, bl_value_raw(part, element), size);
        if (complex)
            put_fixed(to, bl_value_raw(part, element + size), size);
    }
}

static void put_strings(struct message *to, const bl_tensor *tensor)
{
    const int64_t count = bl_tensor_count(tensor);

    for (int64_t i = 0; i < count; i++) {
        const bl_string *string = bl_value_at(tensor, i);

        put_bytes(to, TENSOR_STRING_DATA, string->data, string->size);
    }
}

static struct message tensor_message(const char *name, const bl_tensor *tensor)
{
    const bl_shape *shape = bl_tensor_shape(tensor);
    const struct bl_dtype_info *info = bl_dtype_info(bl_tensor_dtype(tensor));
    struct message to = {0}, raw = {0};

    for (int axis = 0; axis < shape->rank; axis++)
        put_number(&to, TENSOR_DIMS, shape->dim[axis]);
    put_number(&to, TENSOR_DATA_TYPE, bl_tensor_dtype(tensor));
    put_text(&to, TENSOR_NAME, name);
    if (info->kind == BL_KIND_STRING) {
        put_strings(&to, tensor);
        return to;
    }
    if (info->bits < 8)
        put_packed(&raw, tensor, info->bits);
    else
        put_raw(&raw, tensor);
    put_message(&to, TENSOR_RAW_DATA, &raw);
    return to;
}

/* ---- Values and nodes ---------------------------------------------------- */

/* A ValueInfoProto; a tensor of BL_UNDEFINED is of unknown type and shape. */
static struct message value_message(const char *name, bl_dtype dtype, const bl_shape *shape)
{
    struct message to = {0}, type = {0}, tensor = {0}, dims = {0};

    put_text(&to, VALUE_NAME, name);
    if (dtype == BL_UNDEFINED)
        return to;
    for (int axis = 0; axis < shape->rank; axis++) {
        struct message dim = {0};

        put_number(&dim, SHAPE_DIM_VALUE, shape->dim[axis]);
        put_message(&dims, SHAPE_DIM, &dim);
    }
    put_number(&tensor, TYPE_TENSOR_ELEM_TYPE, dtype);
    put_message(&tensor, TYPE_TENSOR_SHAPE, &dims);
    put_message(&type, TYPE_TENSOR, &tensor);
    put_message(&to, VALUE_TYPE, &type);
    return to;
}

static struct message attribute_message(const bl_attribute *attribute)
{
    struct message to = {0};

    put_text(&to, ATTRIBUTE_NAME, attribute->name);
    put_number(&to, ATTRIBUTE_TYPE, attribute->type);
    if (attribute->type == BL_ATTRIBUTE_FLOAT)
        put_float(&to, ATTRIBUTE_F, attribute->value.f);
    else if (attribute->type == BL_ATTRIBUTE_INT)
        put_number(&to, ATTRIBUTE_I, attribute->value.i);
    else if (attribute->type == BL_ATTRIBUTE_STRING)
        put_bytes(&to, ATTRIBUTE_S, attribute->value.s.data, attribute->value.s.size);
    for (size_t i = 0; i < attribute->count; i++) {
        if (attribute->type == BL_ATTRIBUTE_FLOATS)
            put_float(&to, ATTRIBUTE_FLOATS, attribute->value.floats[i]);
        else if (attribute->type == BL_ATTRIBUTE_INTS)
            put_number(&to, ATTRIBUTE_INTS, attribute->value.ints[i]);
        else if (attribute->type == BL_ATTRIBUTE_STRINGS)
            put_bytes(&to, ATTRIBUTE_STRINGS, attribute->value.strings[i].data,
                      attribute->value.strings[i].size);
    }
    return to;
}

static struct message node_message(const struct bl_fixture_node *node)
{
    struct message to = {0};

    put_texts(&to, NODE_INPUT, node->inputs, node->input_count);
    put_texts(&to, NODE_OUTPUT, node->outputs, node->output_count);
    put_text(&to, NODE_OP_TYPE, node->op);
    for (size_t i = 0; i < node->attribute_count; i++) {
        struct message attribute = attribute_message(&node->attributes[i]);

        put_message(&to, NODE_ATTRIBUTE, &attribute);
    }
    return to;
}

/* ---- The model ----------------------------------------------------------- */

static struct message graph_message(const struct bl_fixture_case *it)
{
    const struct bl_fixture_graph *graph = it->graph;
    struct message to = {0}, inner;

    for (size_t i = 0; i < graph->node_count; i++) {
        inner = node_message(&graph->nodes[i]);
        put_message(&to, GRAPH_NODE, &inner);
    }
    put_text(&to, GRAPH_NAME, it->name);
    for (size_t i = 0; i < graph->initializer_count; i++) {
        if (graph->initializers[i].data == NULL)
            continue;
        inner = tensor_message(graph->initializers[i].name, graph->initializers[i].data);
        put_message(&to, GRAPH_INITIALIZER, &inner);
    }
    for (size_t i = 0; i < it->input_count; i++) {
        if (it->inputs[i].dtype == BL_UNDEFINED)
            continue;
        inner =
            value_message(it->inputs[i].name, it->inputs[i].dtype, &it->inputs[i].shape);
        put_message(&to, GRAPH_INPUT, &inner);
    }
    for (size_t i = 0; i < graph->output_count; i++) {
        inner = value_message(graph->outputs[i], BL_UNDEFINED, NULL);
        put_message(&to, GRAPH_OUTPUT, &inner);
    }
    return to;
}

bl_status bl_onnx_write(const struct bl_fixture_case *it, unsigned char **bytes,
                        size_t *size, bl_error *err)
{
    const int64_t opset = it->opset == BL_OPSET_LATEST ? BL_OPSET_MAX : it->opset;
    struct message model = {0}, import = {0}, graph = graph_message(it);

    put_number(&model, MODEL_IR_VERSION, IR_VERSION);
    put_number(&import, OPSET_VERSION, opset);
    put_message(&model, MODEL_OPSET_IMPORT, &import);
    put_message(&model, MODEL_GRAPH, &graph);
    if (model.failed)
        return bl_fail(err, BL_ERR_MEMORY, "no memory for the bytes of a model");
    *bytes = model.bytes;
    *size = model.size;
    return BL_OK;
}
