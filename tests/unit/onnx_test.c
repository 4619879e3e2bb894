/*
 * onnx_test.c - models as ONNX files: what is read
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "onnx_open.h"

/* ---- Graphs -------------------------------------------------------------------------- */

static void reads_a_model(void **state)
{
    struct bytes graph = add_constant_graph();
    struct bytes model = model_bytes(8, 14, &graph);
    struct opened opened = open_model(&model);
    const struct bl_graph_value *x = named(opened.graph, "x");
    const struct bl_graph_value *c = named(opened.graph, "c");

    (void)state;
    assert_string_equal(lines_of(opened.graph), "Add(x,c)->y ");
    assert_int_equal(opened.graph->nodes[0].node.op->since, 14);
    assert_int_equal(opened.graph->input_count, 1);
    assert_true(x->is_input && x->info.dtype == BL_FLOAT32 && x->info.rank == 1);
    assert_int_equal(x->info.dims[0], 3);
    assert_false(c->is_input);
    assert_memory_equal(c->constant->data, ((const float[]){10, 20, 30}), 12);
    assert_true(named(opened.graph, "y")->is_output);
    close_opened(&opened);
}

/* Open dims have a name or not; a dim below 0 is open too; no type or shape is none. */
static void reads_value_infos(void **state)
{
    struct bytes graph = {0}, value = {0}, type = {0}, tensor = {0}, shape = {0}, dim = {0};

    (void)state;
    put_text(&dim, BL_DIMENSION_PARAM, "batch");
    put_body(&shape, BL_SHAPE_DIM, &dim);
    put_body(&shape, BL_SHAPE_DIM, &dim);
    put_number(&dim, BL_DIMENSION_VALUE, -1);
    put_body(&shape, BL_SHAPE_DIM, &dim);
    put_text(&dim, BL_DIMENSION_PARAM, "n");
    put_number(&dim, BL_DIMENSION_VALUE, 7);
    put_body(&shape, BL_SHAPE_DIM, &dim);
    put_body(&tensor, BL_TENSOR_TYPE_SHAPE, &shape);
    put_number(&tensor, BL_TENSOR_TYPE_ELEM, BL_INT64);
    put_body(&type, BL_TYPE_TENSOR, &tensor);
    put_body(&value, BL_VALUE_INFO_TYPE, &type);
    put_text(&value, BL_VALUE_INFO_NAME, "a");
    put_body(&graph, BL_GRAPH_INPUT, &value);
    put_text(&value, BL_VALUE_INFO_NAME, "b");
    put_body(&graph, BL_GRAPH_INPUT, &value);
    value = value_bytes("s", BL_UINT8, BL_SCALAR);
    put_body(&graph, BL_GRAPH_INPUT, &value);
    struct bytes model = model_bytes(3, 1, &graph);
    struct opened opened = open_model(&model);
    const bl_value_info *a = &named(opened.graph, "a")->info;
    const bl_value_info *b = &named(opened.graph, "b")->info;

    assert_int_equal(a->dtype, BL_INT64);
    assert_int_equal(a->rank, 4);
    assert_true(a->dims[0] == -1 && a->dims[1] == -1 && a->dims[2] == -1 &&
                a->dims[3] == 7);
    assert_string_equal(a->dim_names[0], "batch");
    assert_null(a->dim_names[1]);
    assert_null(a->dim_names[3]);
    assert_int_equal(b->dtype, BL_UNDEFINED);
    assert_int_equal(b->rank, -1);
    assert_int_equal(named(opened.graph, "s")->info.rank, 0);
    close_opened(&opened);
}

/* Protocol buffers join what comes in pieces: repeated fields one after the other, the last
 * of the others wins, a oneof is what was set last. */
static void joins_pieces(void **state)
{
    struct bytes model = {0}, graph = {0}, type = {0}, tensor = {0}, value = {0};
    struct bytes import = {0}, node = {0};

    (void)state;
    put_number(&import, BL_OPSET_VERSION, 1);
    put_number(&import, BL_OPSET_VERSION, 14);
    put_body(&model, BL_MODEL_OPSET_IMPORT, &import);
    add_outputs(&graph, "y", 3);
    put_text(&node, BL_NODE_OP_TYPE, "Nothing");
    put_names(&node, BL_NODE_OUTPUT, "y");
    put_names(&node, BL_NODE_INPUT, "x");
    put_text(&node, BL_NODE_OP_TYPE, "Sum");
    put_names(&node, BL_NODE_INPUT, "x");
    put_number(&node, 999, 5);
    put_body(&graph, BL_GRAPH_NODE, &node);
    put_body(&model, BL_MODEL_GRAPH, &graph);
    put_number(&model, BL_MODEL_IR_VERSION, 99);
    put_number(&model, BL_MODEL_IR_VERSION, 8);
    /* a sequence at first, then a tensor, of a shape in two pieces */
    put_number(&tensor, BL_TENSOR_TYPE_ELEM, BL_INT8);
    put_body(&type, BL_TYPE_TENSOR, &tensor);
    put_text(&type, BL_TYPE_SEQUENCE, "");
    put_body(&value, BL_VALUE_INFO_TYPE, &type);
    put_text(&tensor, BL_TENSOR_TYPE_SHAPE, "\x0a\x02\x08\x02");
    put_body(&type, BL_TYPE_TENSOR, &tensor);
    put_body(&value, BL_VALUE_INFO_TYPE, &type);
    put_text(&tensor, BL_TENSOR_TYPE_SHAPE, "\x0a\x02\x08\x03");
    put_number(&tensor, BL_TENSOR_TYPE_ELEM, BL_FLOAT64);
    put_body(&type, BL_TYPE_TENSOR, &tensor);
    put_body(&value, BL_VALUE_INFO_TYPE, &type);
    put_text(&value, BL_VALUE_INFO_NAME, "x");
    put_body(&graph, BL_GRAPH_INPUT, &value);
    put_body(&model, BL_MODEL_GRAPH, &graph);
    struct opened opened = open_model(&model);
    const bl_value_info *x = &named(opened.graph, "x")->info;

    assert_string_equal(lines_of(opened.graph), "Sum(x,x)->y ");
    assert_int_equal(opened.graph->nodes[0].node.op->since, 13);
    assert_int_equal(x->dtype, BL_FLOAT64);
    assert_int_equal(x->rank, 2);
    assert_true(x->dims[0] == 2 && x->dims[1] == 3);
    close_opened(&opened);
}

static void reads_initializers_that_are_inputs(void **state)
{
    (void)state;
    for (int64_t ir = 3; ir <= 4; ir++) {
        struct bytes graph = add_constant_graph();

        add_inputs(&graph, "c", 3);
        struct bytes model = model_bytes(ir, 7, &graph);
        struct opened opened = open_model(&model);
        const struct bl_graph_value *c = named(opened.graph, "c");

        assert_non_null(c->constant);
        assert_int_equal(c->is_input, ir == 4);
        assert_int_equal(c->info.has_default, ir == 4);
        assert_int_equal(opened.graph->input_count, ir == 4 ? 2 : 1);
        assert_false(named(opened.graph, "x")->info.has_default);
        close_opened(&opened);
    }
}

static void reads_absent_inputs(void **state)
{
    struct bytes graph = {0};

    (void)state;
    add_inputs(&graph, "x hi", 3);
    add_node(&graph, "Clip", "x - hi", "y");
    add_node(&graph, "Clip", "y - -", "z");
    add_outputs(&graph, "z", 3);
    struct bytes model = model_bytes(8, 13, &graph);
    struct opened opened = open_model(&model);

    assert_string_equal(lines_of(opened.graph), "Clip(x,-,hi)->y Clip(y)->z ");
    close_opened(&opened);
}

static void reads_odd_names(void **state)
{
    struct bytes graph = {0}, node = node_bytes("Add", "in:0 a.b", "int");

    (void)state;
    put_text(&node, BL_NODE_NAME, "scope/add:1");
    put_body(&graph, BL_GRAPH_NODE, &node);
    add_node(&graph, "Mul", "int a_b", "\xC3\xA4/1");
    add_inputs(&graph, "in:0 a.b a_b", 1);
    add_outputs(&graph, "\xC3\xA4/1", 1);
    struct bytes model = model_bytes(8, 13, &graph);
    struct opened opened = open_model(&model);

    assert_string_equal(lines_of(opened.graph),
                        "Add(in:0,a.b)->int Mul(int,a_b)->\xC3\xA4/1 ");
    assert_string_equal(opened.graph->nodes[0].node.name, "scope/add:1");
    close_opened(&opened);
}

/* ---- Opsets --------------------------------------------------------------------------- */

static void finds_the_opset_of_ai_onnx(void **state)
{
    (void)state;
    for (int spelling = 0; spelling < 2; spelling++) {
        struct bytes graph = {0}, node = node_bytes("Add", "x x", "y");

        put_text(&node, BL_NODE_DOMAIN, spelling == 0 ? "ai.onnx" : "");
        put_body(&graph, BL_GRAPH_NODE, &node);
        add_inputs(&graph, "x", 3);
        struct bytes model = model_bytes(8, 0, &graph);

        put_import(&model, "com.example", 1);
        put_import(&model, spelling == 0 ? "" : "ai.onnx", 13);
        put_import(&model, "com.newer", 9999);
        struct opened opened = open_model(&model);

        assert_int_equal(opened.graph->nodes[0].node.op->since, 13);
        close_opened(&opened);
    }
}

/* ---- Attributes -------------------------------------------------------------------------- */

static const bl_attribute *first_attribute(const struct opened *opened)
{
    assert_int_equal(opened->graph->nodes[0].node.attribute_count, 1);
    return &opened->graph->nodes[0].node.attributes[0];
}

static void reads_attributes(void **state)
{
    static const char *const names[] = {"value_float",  "value_int",  "value_string",
                                        "value_floats", "value_ints", "value_strings"};

    (void)state;
    for (int i = 0; i < 6; i++) {
        /* The last two of them say no type, as old writers do. */
        struct bytes attribute =
            attribute_bytes(names[i], i < 4 ? i % 3 + 1 + i / 3 * 5 : 0);

        put_float(&attribute, BL_ATTRIBUTE_FIELD_F, 1.5F);
        put_number(&attribute, BL_ATTRIBUTE_FIELD_I, -7);
        put_data(&attribute, BL_ATTRIBUTE_FIELD_S, "s\0\n", 3);
        put_float(&attribute, BL_ATTRIBUTE_FIELD_FLOATS, -2);
        put_data(&attribute, BL_ATTRIBUTE_FIELD_FLOATS, "\0\0\x80\x3F\0\0\0\x40", 8);
        put_text(&attribute, BL_ATTRIBUTE_FIELD_STRINGS, "ab");
        put_text(&attribute, BL_ATTRIBUTE_FIELD_STRINGS, "");
        put_number(&attribute, BL_ATTRIBUTE_FIELD_INTS, INT64_MIN);
        put_data(&attribute, BL_ATTRIBUTE_FIELD_INTS, "\x01\xAC\x02", 3);
        if (i == 5)
            put_text(&attribute, BL_ATTRIBUTE_FIELD_STRINGS, "c");
        struct bytes model = constant_model(&attribute);
        struct opened opened = open_model(&model);
        const bl_attribute *got = first_attribute(&opened);

        assert_string_equal(got->name, names[i]);
        if (i == 0)
            assert_true(got->value.f == 1.5F);
        else if (i == 1)
            assert_int_equal(got->value.i, -7);
        else if (i == 2)
            assert_true(got->value.s.size == 3 &&
                        memcmp(got->value.s.data, "s\0\n", 3) == 0);
        else
            assert_int_equal(got->count, 3);
        if (i == 3)
            assert_memory_equal(got->value.floats, ((const float[]){-2, 1, 2}), 12);
        else if (i == 4)
            assert_true(got->value.ints[0] == INT64_MIN && got->value.ints[1] == 1 &&
                        got->value.ints[2] == 300);
        else if (i == 5)
            assert_true(got->value.strings[0].size == 2 &&
                        got->value.strings[1].size == 0 &&
                        got->value.strings[2].data[0] == 'c');
        close_opened(&opened);
    }
}

/* Values that are 0 may be left out. */
static void reads_attributes_without_values(void **state)
{
    static const char *const names[] = {
        [BL_ATTRIBUTE_FLOAT] = "value_float",    [BL_ATTRIBUTE_INT] = "value_int",
        [BL_ATTRIBUTE_STRING] = "value_string",  [BL_ATTRIBUTE_TENSOR] = "value",
        [BL_ATTRIBUTE_FLOATS] = "value_floats",  [BL_ATTRIBUTE_INTS] = "value_ints",
        [BL_ATTRIBUTE_STRINGS] = "value_strings"};

    (void)state;
    for (int type = 1; type <= BL_ATTRIBUTE_STRINGS; type++) {
        if (names[type] == NULL)
            continue;
        struct bytes attribute = attribute_bytes(names[type], type);
        struct bytes model = constant_model(&attribute);

        if (type == BL_ATTRIBUTE_TENSOR) {
            refused(
                &model, BL_ERR_FORMAT,
                "node 'y' (Constant): attribute 'value' is a tensor, but there is none");
            continue;
        }
        struct opened opened = open_model(&model);
        const bl_attribute *got = first_attribute(&opened);

        assert_int_equal(got->count, 0);
        assert_true(type != BL_ATTRIBUTE_INT || got->value.i == 0);
        assert_true(type != BL_ATTRIBUTE_STRING || got->value.s.size == 0);
        close_opened(&opened);
    }
}

/* A tensor in one piece, and in two, which are one message. */
static void reads_tensor_attributes(void **state)
{
    (void)state;
    for (int pieces = 1; pieces <= 2; pieces++) {
        struct bytes attribute = attribute_bytes("value", BL_ATTRIBUTE_TENSOR);
        struct bytes tensor = tensor_bytes("t", BL_INT16, BL_SHAPE(2), "\x01\0\x02\0", 4);

        if (pieces == 2) {
            struct bytes first = {0};

            put_number(&first, BL_TENSOR_DIMS, 1);
            put_body(&attribute, BL_ATTRIBUTE_FIELD_T, &first);
        }
        put_body(&attribute, BL_ATTRIBUTE_FIELD_T, &tensor);
        struct bytes model = constant_model(&attribute);
        struct opened opened = open_model(&model);
        const bl_tensor *got = first_attribute(&opened)->value.tensor;

        assert_int_equal(got->shape.rank, pieces);
        assert_int_equal(got->count, 2);
        assert_memory_equal(got->data, ((const int16_t[]){1, 2}), 4);
        close_opened(&opened);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_a_model),
        cmocka_unit_test(reads_value_infos),
        cmocka_unit_test(joins_pieces),
        cmocka_unit_test(reads_initializers_that_are_inputs),
        cmocka_unit_test(reads_absent_inputs),
        cmocka_unit_test(reads_odd_names),
        cmocka_unit_test(finds_the_opset_of_ai_onnx),
        cmocka_unit_test(reads_attributes),
        cmocka_unit_test(reads_attributes_without_values),
        cmocka_unit_test(reads_tensor_attributes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
