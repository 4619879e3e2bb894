/*
 * onnx_robust_test.c - ONNX files that are cut or damaged, and memory that runs out
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "onnx_open.h"

/* A model with some of everything. */
static struct bytes rich_model(void)
{
    struct bytes graph = add_constant_graph(), node, attribute, tensor, function = {0};
    struct bytes import = {0};

    add_node(&graph, "Relu", "y", "r");
    node = node_bytes("Constant", "", "k");
    attribute = attribute_bytes("value", BL_ATTRIBUTE_TENSOR);
    tensor = tensor_bytes("", BL_UINT4, BL_SHAPE(3), "\x21\x03", 2);
    put_body(&attribute, BL_ATTRIBUTE_FIELD_T, &tensor);
    put_body(&node, BL_NODE_ATTRIBUTE, &attribute);
    put_body(&graph, BL_GRAPH_NODE, &node);
    node = node_bytes("Squash", "r", "z");
    put_text(&node, BL_NODE_DOMAIN, "my");
    put_text(&node, BL_NODE_NAME, "call");
    attribute = attribute_bytes("slope", BL_ATTRIBUTE_FLOAT);
    put_float(&attribute, BL_ATTRIBUTE_FIELD_F, 0.5F);
    put_body(&node, BL_NODE_ATTRIBUTE, &attribute);
    put_body(&graph, BL_GRAPH_NODE, &node);
    add_outputs(&graph, "z", 3);
    struct bytes model = model_bytes(10, 21, &graph);

    put_import(&model, "my", 1);
    put_text(&function, BL_FUNCTION_NAME, "Squash");
    put_text(&function, BL_FUNCTION_DOMAIN, "my");
    put_names(&function, BL_FUNCTION_INPUT, "a");
    put_names(&function, BL_FUNCTION_OUTPUT, "b");
    put_names(&function, BL_FUNCTION_ATTRIBUTE, "slope");
    attribute = attribute_bytes("axes", BL_ATTRIBUTE_INTS);
    put_data(&attribute, BL_ATTRIBUTE_FIELD_INTS, "\x00\x01", 2);
    put_body(&function, BL_FUNCTION_ATTRIBUTE_PROTO, &attribute);
    node = node_bytes("LeakyRelu", "a", "t");
    attribute = attribute_bytes("alpha", BL_ATTRIBUTE_FLOAT);
    put_text(&attribute, BL_ATTRIBUTE_FIELD_REF_NAME, "slope");
    put_body(&node, BL_NODE_ATTRIBUTE, &attribute);
    put_body(&function, BL_FUNCTION_NODE, &node);
    node = node_bytes("Unsqueeze", "t", "b");
    attribute = attribute_bytes("axes", BL_ATTRIBUTE_INTS);
    put_text(&attribute, BL_ATTRIBUTE_FIELD_REF_NAME, "axes");
    put_body(&node, BL_NODE_ATTRIBUTE, &attribute);
    put_body(&function, BL_FUNCTION_NODE, &node);
    put_number(&import, BL_OPSET_VERSION, 11);
    put_body(&function, BL_FUNCTION_OPSET_IMPORT, &import);
    put_body(&model, BL_MODEL_FUNCTIONS, &function);
    return model;
}

static void reads_the_rich_model(void **state)
{
    struct bytes model = rich_model();
    struct opened opened = open_model(&model);

    (void)state;
    assert_string_equal(lines_of(opened.graph),
                        "Add(x,c)->y Relu(y)->r Constant()->k LeakyRelu(r)->call/t "
                        "Unsqueeze(call/t)->z ");
    close_opened(&opened);
}

static void refuses_what_is_cut(void **state)
{
    struct bytes model = rich_model();

    (void)state;
    for (size_t cut = 0; cut < model.size; cut++) {
        struct failing_allocator memory;
        const bl_allocator allocator = counting_allocator(&memory, -1);
        struct opened opened;

        open_source(&opened, model.data, cut, &allocator);
        /* Only where a field ends can a beginning be a model, but its functions are missing
         * then, and their call is unknown. */
        assert_null(opened.graph);
        close_opened(&opened);
        assert_int_equal(memory.live, 0);
    }
    bytes_free(&model);
}

static void survives_corruption(void **state)
{
    static const unsigned char flips[] = {0x01, 0x02, 0x04, 0x08, 0x10, 0x20,
                                          0x40, 0x80, 0xFF, 0x7F, 0x55};
    struct bytes model = rich_model();
    size_t read = 0;

    (void)state;
    for (size_t i = 0; i < model.size; i++)
        for (size_t f = 0; f < BL_COUNT_OF(flips); f++) {
            struct failing_allocator memory;
            const bl_allocator allocator = counting_allocator(&memory, -1);
            struct opened opened;

            model.data[i] ^= flips[f];
            open_source(&opened, model.data, model.size, &allocator);
            assert_null(strchr(err.message, '\n'));
            read += opened.graph != NULL;
            close_opened(&opened);
            assert_int_equal(memory.live, 0);
            model.data[i] ^= flips[f];
        }
    assert_true(read > 0);
    bytes_free(&model);
}

static void survives_lack_of_memory(void **state)
{
    struct bytes model = rich_model();
    struct failing_allocator memory;
    const bl_allocator allocator = counting_allocator(&memory, -1);
    struct opened opened;

    (void)state;
    open_source(&opened, model.data, model.size, &allocator);
    assert_non_null(opened.graph);
    close_opened(&opened);
    const long calls = memory.calls;

    assert_true(calls > 5);
    for (long i = 0; i < calls; i++) {
        counting_allocator(&memory, i);
        open_source(&opened, model.data, model.size, &allocator);
        assert_int_equal(err.status, BL_ERR_MEMORY);
        close_opened(&opened);
        assert_int_equal(memory.live, 0);
    }
    bytes_free(&model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_the_rich_model),
        cmocka_unit_test(refuses_what_is_cut),
        cmocka_unit_test(survives_corruption),
        cmocka_unit_test(survives_lack_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
