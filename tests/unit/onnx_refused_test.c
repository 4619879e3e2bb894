/*
 * onnx_refused_test.c - models as ONNX files: what is refused, and how that is said
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "onnx_open.h"

/* ---- Opsets and attributes ------------------------------------------------------- */

static void refuses_opsets(void **state)
{
    static const struct {
        int64_t first, second;
        bl_status status;
        const char *message;
    } bad[] = {
        {0, 0, BL_ERR_OPERATOR, "node 'y': no opset of ai.onnx is imported"},
        {9999, 0, BL_ERR_OPERATOR,
         "opset 9999 of ai.onnx is newer than 28, the newest that is known"},
        {-1, 0, BL_ERR_OPERATOR, "opset -1 of ai.onnx is none"},
        {13, 14, BL_ERR_FORMAT, "two opsets of ai.onnx are imported, 13 and 14"},
    };

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(bad); i++) {
        struct bytes graph = add_constant_graph();
        struct bytes model = model_bytes(8, bad[i].first, &graph);

        if (bad[i].second != 0)
            put_import(&model, "ai.onnx", bad[i].second);
        refused(&model, bad[i].status, bad[i].message);
    }
    struct bytes graph = add_constant_graph();
    struct bytes model = model_bytes(8, 0, &graph);

    put_import(&model, "", 0);
    refused(&model, BL_ERR_OPERATOR, "opset 0 of ai.onnx is none");
}

static void refuses_attributes(void **state)
{
    static const struct {
        const char *name;
        int type;
        bl_status status;
        const char *message;
    } bad[] = {
        {"then_branch", 5, BL_ERR_UNSUPPORTED,
         "node 'y' (Constant): attribute 'then_branch' is a subgraph, which is not"},
        {"g", 10, BL_ERR_UNSUPPORTED, "a list of subgraphs"},
        {"sparse_value", 11, BL_ERR_UNSUPPORTED,
         "attribute 'sparse_value' is a sparse tensor, which is not supported"},
        {"ts", 9, BL_ERR_UNSUPPORTED, "a list of tensors"},
        {"ty", 13, BL_ERR_UNSUPPORTED, "attribute 'ty' is a type"},
        {"a", 15, BL_ERR_FORMAT, "attribute 'a' has type 15, which is none"},
        {"a", -1, BL_ERR_FORMAT, "attribute 'a' has type -1, which is none"},
        {"a", 0, BL_ERR_FORMAT, "attribute 'a' has neither type nor value"},
        {"", 1, BL_ERR_FORMAT, "node 'y' (Constant): an attribute has no name"},
        {"axis", 2, BL_ERR_ATTRIBUTE, "Constant-13 (node 'y') has no attribute 'axis'"},
        {"value_int", 1, BL_ERR_ATTRIBUTE, "attribute 'value_int' is FLOAT"},
    };

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(bad); i++) {
        struct bytes attribute = attribute_bytes(bad[i].name, bad[i].type);
        struct bytes model = constant_model(&attribute);

        refused(&model, bad[i].status, bad[i].message);
    }
    struct bytes attribute = attribute_bytes("value_int", BL_ATTRIBUTE_INT);

    put_text(&attribute, BL_ATTRIBUTE_FIELD_REF_NAME, "n");
    struct bytes model = constant_model(&attribute);

    refused(&model, BL_ERR_ATTRIBUTE,
            "refers to 'n' of a function, but the node is in none");
}

/* However deep the graphs inside are: they are not looked at. */
static void refuses_deep_subgraphs(void **state)
{
    struct bytes inner = {0};

    (void)state;
    for (int depth = 0; depth < 300; depth++) {
        struct bytes node = node_bytes("If", "x", "y");
        struct bytes attribute = attribute_bytes("else_branch", 5);

        put_body(&attribute, BL_ATTRIBUTE_FIELD_G, &inner);
        put_body(&node, BL_NODE_ATTRIBUTE, &attribute);
        put_body(&inner, BL_GRAPH_NODE, &node);
    }
    graph_refused(&inner, BL_ERR_UNSUPPORTED,
                  "node 'y' (If): attribute 'else_branch' is a subgraph");
}

/* ---- What is refused ---------------------------------------------------------------- */

static void refuses_structures(void **state)
{
    struct bytes graph = {0}, part;

    (void)state;
    add_node(&graph, "Mul", "t x", "y");
    add_node(&graph, "Add", "x x", "t");
    add_inputs(&graph, "x", 3);
    graph_refused(&graph, BL_ERR_FORMAT,
                  "node 'y' takes 't', which node 't' puts out only");
    add_node(&graph, "Add", "x ghost", "y");
    add_inputs(&graph, "x", 3);
    graph_refused(&graph, BL_ERR_FORMAT, "node 'y': nothing produces its input 'ghost'");
    add_node(&graph, "Frobnicate", "x", "y");
    graph_refused(&graph, BL_ERR_OPERATOR, "node 'y': unknown operator 'Frobnicate'");
    add_node(&graph, "", "x", "y");
    graph_refused(&graph, BL_ERR_FORMAT, "node 'y' has no operator");
    add_inputs(&graph, "x", 3);
    add_node(&graph, "Neg", "x", "x");
    graph_refused(&graph, BL_ERR_FORMAT, "node 'x' puts out 'x', which is already there");
    add_initializer(&graph, "c", BL_SHAPE(1), (const float[]){1});
    add_initializer(&graph, "c", BL_SHAPE(1), (const float[]){1});
    graph_refused(&graph, BL_ERR_FORMAT, "there are two initializers 'c'");
    add_outputs(&graph, "y", 3);
    graph_refused(&graph, BL_ERR_FORMAT, "nothing produces the output 'y'");
    put_text(&graph, BL_GRAPH_SPARSE_INITIALIZER, "");
    graph_refused(&graph, BL_ERR_UNSUPPORTED, "a sparse initializer");
    part = value_bytes("a\nb", BL_INT8, BL_SCALAR);
    put_body(&graph, BL_GRAPH_INPUT, &part);
    graph_refused(&graph, BL_ERR_FORMAT, "a control character (10) in a name");
    part = value_bytes("q", (bl_dtype)27, BL_SCALAR);
    put_body(&graph, BL_GRAPH_INPUT, &part);
    graph_refused(&graph, BL_ERR_FORMAT, "input 'q' has elem_type 27, which is none");
    part = tensor_bytes("w", BL_FLOAT32, BL_SHAPE(2), "zzzz", 4);
    put_body(&graph, BL_GRAPH_INITIALIZER, &part);
    graph_refused(&graph, BL_ERR_FORMAT, "initializer 'w': x: byte 15: data size mismatch");
    part = external_bytes("w", 2, "w.bin", NULL, NULL);
    put_body(&graph, BL_GRAPH_INITIALIZER, &part);
    graph_refused(&graph, BL_ERR_UNSUPPORTED, "the elements are in another file");
}

static void refuses_defaults_that_differ(void **state)
{
    struct bytes graph = add_constant_graph(), value;

    (void)state;
    value = value_bytes("c", BL_FLOAT64, BL_SHAPE(3));
    put_body(&graph, BL_GRAPH_INPUT, &value);
    graph_refused(&graph, BL_ERR_TYPE,
                  "input 'c' is float64, but its initializer is float32");
    graph = add_constant_graph();
    value = value_bytes("c", BL_FLOAT32, BL_SHAPE(3, 1));
    put_body(&graph, BL_GRAPH_INPUT, &value);
    graph_refused(&graph, BL_ERR_SHAPE,
                  "input 'c' has rank 2, but its initializer has rank 1");
    graph = add_constant_graph();
    value = value_bytes("c", BL_FLOAT32, BL_SHAPE(4));
    put_body(&graph, BL_GRAPH_INPUT, &value);
    graph_refused(&graph, BL_ERR_SHAPE, "axis 0 of input 'c' is 4, but its initializer's");
}

static void refuses_other_types(void **state)
{
    static const struct {
        unsigned field;
        const char *message;
    } bad[] = {
        {BL_TYPE_SEQUENCE, "input 'x' is of type sequence; only tensors are supported"},
        {BL_TYPE_MAP, "type map"},
        {BL_TYPE_OPTIONAL, "type optional value"},
        {BL_TYPE_SPARSE_TENSOR, "type sparse tensor"},
        {BL_TYPE_OPAQUE, "type opaque value"},
    };

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(bad); i++) {
        struct bytes graph = {0}, value = {0}, type = {0};

        put_text(&type, bad[i].field, "");
        put_text(&value, BL_VALUE_INFO_NAME, "x");
        put_body(&value, BL_VALUE_INFO_TYPE, &type);
        put_body(&graph, BL_GRAPH_INPUT, &value);
        graph_refused(&graph, BL_ERR_UNSUPPORTED, bad[i].message);
    }
}

static void refuses_other_files(void **state)
{
    struct bytes model = {0}, graph = {0};

    (void)state;
    refused(&model, BL_ERR_FORMAT, "x: byte 0: not an ONNX model: there is no ir_version");
    model = model_bytes(8, 13, NULL);
    refused(&model, BL_ERR_FORMAT, "not an ONNX model: there is no graph");
    model = model_bytes(14, 13, &graph);
    refused(&model, BL_ERR_UNSUPPORTED, "x: IR version 14 is not supported (3 to 13 are)");
    model = model_bytes(2, 13, &graph);
    refused(&model, BL_ERR_UNSUPPORTED, "IR version 2 is not supported");
    put_text(&model, BL_MODEL_IR_VERSION, "8");
    refused(&model, BL_ERR_FORMAT, "field 1 has wire type 2 instead of 0");
    put_number(&model, BL_MODEL_GRAPH, 8);
    refused(&model, BL_ERR_FORMAT, "field 7 has wire type 0 instead of 2");
    put_number(&graph, BL_GRAPH_NODE, 8);
    graph_refused(&graph, BL_ERR_FORMAT, "field 1 has wire type 0 instead of 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_opsets),
        cmocka_unit_test(refuses_attributes),
        cmocka_unit_test(refuses_deep_subgraphs),
        cmocka_unit_test(refuses_structures),
        cmocka_unit_test(refuses_defaults_that_differ),
        cmocka_unit_test(refuses_other_types),
        cmocka_unit_test(refuses_other_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
