/*
 * onnx_bytes.c - put the bytes of ONNX models together, for tests
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "onnx_bytes.h"

#include "io/elements.h"
#include "io/wire.h"
#include "tensor/dtype.h"

void bytes_free(struct bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct bytes){0};
}

static void put(struct bytes *to, const void *data, size_t size)
{
    if (to->size + size > to->capacity) {
        to->capacity = 2 * (to->size + size);
        to->data = realloc(to->data, to->capacity);
        assert_non_null(to->data);
    }
    if (size > 0)
        memcpy(to->data + to->size, data, size);
    to->size += size;
}

/* Files have the lowest byte of a number first, whatever this machine has. */
static void put_little(struct bytes *to, const void *numbers, size_t size, size_t width)
{
    const unsigned char *bytes = numbers;

    if (bl_host_is_little() || width == 1)
        put(to, bytes, size);
    else
        for (size_t i = 0; i < size; i++)
            put(to, &bytes[i - i % width + (width - 1 - i % width)], 1);
}

static void put_tag(struct bytes *to, unsigned field, enum bl_wire_type type)
{
    unsigned char tag[BL_WIRE_VARINT_BYTES];

    put(to, tag, bl_wire_put_tag(tag, field, type));
}

void put_number(struct bytes *to, unsigned field, int64_t value)
{
    unsigned char number[BL_WIRE_VARINT_BYTES];

    put_tag(to, field, BL_WIRE_VARINT);
    put(to, number, bl_wire_put_varint(number, (uint64_t)value));
}

void put_float(struct bytes *to, unsigned field, float value)
{
    put_tag(to, field, BL_WIRE_FIXED32);
    put_little(to, &value, sizeof value, sizeof value);
}

void put_length(struct bytes *to, unsigned field, size_t size)
{
    unsigned char length[BL_WIRE_VARINT_BYTES];

    put_tag(to, field, BL_WIRE_BYTES);
    put(to, length, bl_wire_put_varint(length, size));
}

void put_data(struct bytes *to, unsigned field, const void *data, size_t size)
{
    put_length(to, field, size);
    put(to, data, size);
}

void put_text(struct bytes *to, unsigned field, const char *text)
{
    put_data(to, field, text, strlen(text));
}

void put_body(struct bytes *to, unsigned field, struct bytes *body)
{
    put_data(to, field, body->data, body->size);
    bytes_free(body);
}

/* The next word of a list of names, "" for "-"; false at the end. */
static bool next_name(const char **names, char *name)
{
    const size_t size = strcspn(*names, " ");

    if (size == 0)
        return false;
    assert_true(size < 100);
    memcpy(name, *names, size);
    name[size] = '\0';
    if (strcmp(name, "-") == 0)
        name[0] = '\0';
    *names += size + ((*names)[size] == ' ');
    return true;
}

void put_names(struct bytes *to, unsigned field, const char *names)
{
    char name[100];

    while (next_name(&names, name))
        put_text(to, field, name);
}

/* ---- Messages ------------------------------------------------------------------- */

static struct bytes typed_bytes(const char *name, bl_dtype dtype, const bl_shape *shape)
{
    struct bytes tensor = {0};

    for (int i = 0; i < shape->rank; i++)
        put_number(&tensor, BL_TENSOR_DIMS, shape->dim[i]);
    put_number(&tensor, BL_TENSOR_DATA_TYPE, dtype);
    put_text(&tensor, BL_TENSOR_NAME, name);
    return tensor;
}

struct bytes tensor_bytes(const char *name, bl_dtype dtype, const bl_shape *shape,
                          const void *raw, size_t size)
{
    struct bytes tensor = typed_bytes(name, dtype, shape);

    put_data(&tensor, BL_TENSOR_RAW_DATA, raw, size);
    return tensor;
}

struct bytes element_bytes(const char *name, bl_dtype dtype, const bl_shape *shape,
                           const void *elements, size_t size)
{
    const struct bl_dtype_info *info = bl_dtype_info(dtype);
    struct bytes tensor = typed_bytes(name, dtype, shape);

    put_length(&tensor, BL_TENSOR_RAW_DATA, size);
    put_little(&tensor, elements, size,
               info->kind == BL_KIND_COMPLEX ? info->bytes / 2 : info->bytes);
    return tensor;
}

static void put_entry(struct bytes *tensor, const char *key, const char *value)
{
    struct bytes entry = {0};

    if (value == NULL)
        return;
    put_text(&entry, 1, key);
    put_text(&entry, 2, value);
    put_body(tensor, BL_TENSOR_EXTERNAL_DATA, &entry);
}

struct bytes external_bytes(const char *name, int64_t count, const char *location,
                            const char *offset, const char *length)
{
    struct bytes tensor = {0};

    put_number(&tensor, BL_TENSOR_DIMS, count);
    put_number(&tensor, BL_TENSOR_DATA_TYPE, BL_FLOAT32);
    put_text(&tensor, BL_TENSOR_NAME, name);
    put_entry(&tensor, "location", location);
    put_entry(&tensor, "offset", offset);
    put_entry(&tensor, "length", length);
    put_entry(&tensor, "checksum", "0");
    put_number(&tensor, BL_TENSOR_DATA_LOCATION, 1);
    return tensor;
}

struct bytes value_bytes(const char *name, bl_dtype dtype, const bl_shape *shape)
{
    struct bytes value = {0}, type = {0}, tensor = {0}, dims = {0};

    for (int i = 0; i < shape->rank; i++) {
        struct bytes dim = {0};

        if (shape->dim[i] >= 0)
            put_number(&dim, BL_DIMENSION_VALUE, shape->dim[i]);
        put_body(&dims, BL_SHAPE_DIM, &dim);
    }
    put_number(&tensor, BL_TENSOR_TYPE_ELEM, dtype);
    put_body(&tensor, BL_TENSOR_TYPE_SHAPE, &dims);
    put_body(&type, BL_TYPE_TENSOR, &tensor);
    put_text(&value, BL_VALUE_INFO_NAME, name);
    put_body(&value, BL_VALUE_INFO_TYPE, &type);
    return value;
}

struct bytes attribute_bytes(const char *name, int type)
{
    struct bytes attribute = {0};

    put_text(&attribute, BL_ATTRIBUTE_FIELD_NAME, name);
    if (type != 0)
        put_number(&attribute, BL_ATTRIBUTE_FIELD_TYPE, type);
    return attribute;
}

struct bytes node_bytes(const char *op, const char *inputs, const char *outputs)
{
    struct bytes node = {0};

    put_names(&node, BL_NODE_INPUT, inputs);
    put_names(&node, BL_NODE_OUTPUT, outputs);
    put_text(&node, BL_NODE_OP_TYPE, op);
    return node;
}

/* ---- Graphs and models ------------------------------------------------------------- */

void add_node(struct bytes *graph, const char *op, const char *inputs, const char *outputs)
{
    struct bytes node = node_bytes(op, inputs, outputs);

    put_body(graph, BL_GRAPH_NODE, &node);
}

void add_initializer(struct bytes *graph, const char *name, const bl_shape *shape,
                     const float *elements)
{
    int64_t count = 0;

    assert_int_equal(bl_shape_count(shape, &count, NULL), BL_OK);
    struct bytes tensor =
        element_bytes(name, BL_FLOAT32, shape, elements, (size_t)count * sizeof *elements);

    put_body(graph, BL_GRAPH_INITIALIZER, &tensor);
}

static void add_values(struct bytes *graph, unsigned field, const char *names, int64_t n)
{
    char name[100];

    while (next_name(&names, name)) {
        struct bytes value = value_bytes(name, BL_FLOAT32, BL_SHAPE(n));

        put_body(graph, field, &value);
    }
}

void add_inputs(struct bytes *graph, const char *names, int64_t n)
{
    add_values(graph, BL_GRAPH_INPUT, names, n);
}

void add_outputs(struct bytes *graph, const char *names, int64_t n)
{
    add_values(graph, BL_GRAPH_OUTPUT, names, n);
}

struct bytes model_bytes(int64_t ir, int64_t opset, struct bytes *graph)
{
    struct bytes model = {0}, import = {0};

    put_number(&model, BL_MODEL_IR_VERSION, ir);
    if (graph != NULL)
        put_body(&model, BL_MODEL_GRAPH, graph);
    put_number(&import, BL_OPSET_VERSION, opset);
    if (opset != 0)
        put_body(&model, BL_MODEL_OPSET_IMPORT, &import);
    bytes_free(&import);
    return model;
}

struct bytes add_constant_graph(void)
{
    struct bytes graph = {0};

    add_node(&graph, "Add", "x c", "y");
    add_initializer(&graph, "c", BL_SHAPE(3), (const float[]){10, 20, 30});
    add_inputs(&graph, "x", 3);
    add_outputs(&graph, "y", 3);
    return graph;
}
