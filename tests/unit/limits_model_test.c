/*
 * limits_model_test.c - limits that bind models: values, work, nodes, functions in functions
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "limited.h"

#include <stdio.h>

#include "onnx_bytes.h"

/* ---- Models ---------------------------------------------------------------------------------- */

static bl_model *open_bytes(bl_context *own, struct bytes *bytes)
{
    return bl_model_open_memory(own, bytes->data, bytes->size, NULL, &err);
}

static void add_shape(struct bytes *graph, const char *name, const int64_t *dims, int64_t n)
{
    struct bytes tensor =
        element_bytes(name, BL_INT64, BL_SHAPE(n), dims, (size_t)n * sizeof *dims);

    put_body(graph, BL_GRAPH_INITIALIZER, &tensor);
}

/* Run a model without inputs in both ways; each has to fail alike. */
static void run_refused(bl_context *own, struct bytes *graph, const char *text)
{
    struct bytes bytes = model_bytes(8, 13, graph);
    bl_model *model = open_bytes(own, &bytes);

    if (model == NULL)
        fail_msg("%s", err.message);
    for (int no_fuse = 0; no_fuse < 2; no_fuse++) {
        bl_session_options options = BL_SESSION_DEFAULTS;
        bl_tensor *out = NULL;

        options.no_fuse = no_fuse;
        bl_session *session = bl_session_new(own, model, &options, &err);

        assert_non_null(session);
        assert_int_equal(bl_session_run(session, NULL, &out, &err), BL_ERR_LIMIT);
        fails_with(BL_ERR_LIMIT, text);
        assert_null(out);
        bl_session_free(session);
    }
    bl_model_free(model);
    bytes_free(&bytes);
}

static void add_output(struct bytes *graph)
{
    struct bytes info = value_bytes("y", BL_UNDEFINED, BL_SCALAR);

    bytes_free(&info);
    put_text(&info, BL_VALUE_INFO_NAME, "y");
    put_body(graph, BL_GRAPH_OUTPUT, &info);
}

/* What is huge between two nodes is refused also where it would never lie in memory. */
static void test_models(void **state)
{
    static const int64_t huge[] = {INT64_C(1) << 30, INT64_C(1) << 30}, one[] = {1, 1};
    static const char *const nodes[][2] = {{"Expand", "c s"}, {"ConstantOfShape", "s"}};
    static const float three = 3, zero = 0, tiny = 1e-37F;
    struct counting counting;
    bl_context *own = limited(&(bl_limits){0}, &counting);

    (void)state;
    counting.largest = 0;
    for (int i = 0; i < 2; i++) {
        struct bytes graph = {0};

        add_node(&graph, nodes[i][0], nodes[i][1], "big");
        add_node(&graph, "Add", "big big", "unread");
        add_node(&graph, "Slice", "big zero one", "y");
        add_initializer(&graph, "c", BL_SCALAR, &three);
        add_shape(&graph, "s", huge, 2);
        add_shape(&graph, "zero", (int64_t[]){0, 0}, 2);
        add_shape(&graph, "one", one, 2);
        add_output(&graph);
        run_refused(own, &graph,
                    "max_tensor_elements is 1099511627776, but a tensor "
                    "float32[1073741824,1073741824]");
    }
    struct bytes range = {0};

    add_node(&range, "Range", "a b d", "y");
    add_initializer(&range, "a", BL_SCALAR, &zero);
    add_initializer(&range, "b", BL_SCALAR, &three);
    add_initializer(&range, "d", BL_SCALAR, &tiny);
    add_output(&range);
    run_refused(own, &range, "more elements than 63 bits can count");
    assert_true(counting.largest < 1 << 16);
    bl_context_free(own);
    assert_true(counting.live == 0);
}

/* Chains whose values are within the limits, and whose work is not. */
static void test_model_work(void **state)
{
    bl_context *own = limited(&(bl_limits){.max_work = 10000}, NULL);
    struct bytes graph = {0};
    char from[8] = "c", to[8];

    (void)state;
    for (int i = 0; i < 9; i++) {
        snprintf(to, sizeof to, i < 8 ? "v%d" : "y", i);
        if (i == 0) {
            add_node(&graph, "Expand", "c s", to);
        } else {
            char both[32];

            snprintf(both, sizeof both, "%s %s", from, from);
            add_node(&graph, "Add", both, to);
        }
        memcpy(from, to, sizeof from);
    }
    add_initializer(&graph, "c", BL_SCALAR, &(float){1});
    add_shape(&graph, "s", (int64_t[]){10, 70}, 2);
    add_output(&graph);
    run_refused(own, &graph,
                "Add-13 (node 'v7'): max_work is 10000, 9100 are spent, and the node takes "
                "1400 more");
    bl_context_free(own);
}

static void test_nodes(void **state)
{
    bl_context *own = limited(&(bl_limits){.max_nodes = 3}, NULL);
    struct bytes graph = {0};

    (void)state;
    add_node(&graph, "Abs", "x", "a");
    add_node(&graph, "Abs", "a", "b");
    add_node(&graph, "Abs", "b", "c");
    add_node(&graph, "Abs", "c", "y");
    add_inputs(&graph, "x", 3);
    add_outputs(&graph, "y", 3);
    struct bytes bytes = model_bytes(8, 13, &graph);

    assert_null(open_bytes(own, &bytes));
    fails_with(BL_ERR_LIMIT, "max_nodes is 3, and node 'y' is one more");
    bl_context_free(own);
    own = limited(&(bl_limits){.max_nodes = 4}, NULL);
    bl_model *model = open_bytes(own, &bytes);

    assert_non_null(model);
    bl_model_free(model);
    bl_context_free(own);
    bytes_free(&bytes);
}

/* An initializer whose bytes are there, and are too many. */
static void test_initializer(void **state)
{
    static const float elements[2000] = {0};
    bl_context *own = limited(&(bl_limits){.max_tensor_bytes = 7999}, NULL);
    struct bytes graph = {0};

    (void)state;
    add_node(&graph, "Abs", "w", "y");
    add_initializer(&graph, "w", BL_SHAPE(2000), elements);
    add_outputs(&graph, "y", 2000);
    struct bytes bytes = model_bytes(8, 13, &graph);

    assert_null(open_bytes(own, &bytes));
    fails_with(BL_ERR_LIMIT, "initializer 'w': ");
    bl_context_free(own);
    bytes_free(&bytes);
}

/* A function that calls the next, `deep` times. */
static struct bytes nest(int deep)
{
    struct bytes graph = {0}, node = node_bytes("F0", "x", "y");
    char name[16];

    put_text(&node, BL_NODE_DOMAIN, "my");
    put_body(&graph, BL_GRAPH_NODE, &node);
    add_inputs(&graph, "x", 3);
    add_outputs(&graph, "y", 3);
    struct bytes model = model_bytes(8, 13, &graph);

    for (int i = 0; i < deep; i++) {
        struct bytes function = {0}, import = {0};

        snprintf(name, sizeof name, "F%d", i + 1);
        node = node_bytes(i + 1 < deep ? name : "Abs", "a", "b");
        if (i + 1 < deep)
            put_text(&node, BL_NODE_DOMAIN, "my");
        put_number(&import, BL_OPSET_VERSION, 13);
        put_body(&function, BL_FUNCTION_OPSET_IMPORT, &import);
        snprintf(name, sizeof name, "F%d", i);
        put_text(&function, BL_FUNCTION_NAME, name);
        put_text(&function, BL_FUNCTION_DOMAIN, "my");
        put_names(&function, BL_FUNCTION_INPUT, "a");
        put_names(&function, BL_FUNCTION_OUTPUT, "b");
        put_body(&function, BL_FUNCTION_NODE, &node);
        put_body(&model, BL_MODEL_FUNCTIONS, &function);
    }
    return model;
}

static void test_depth(void **state)
{
    static const struct {
        int64_t limit;
        int deep, works;
    } cases[] = {{0, 32, 1},
                 {0, 33, 0},
                 {2, 2, 1},
                 {2, 3, 0},
                 {BL_UNLIMITED, 128, 1},
                 {BL_UNLIMITED, 129, 0}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bl_context *own = limited(&(bl_limits){.max_depth = cases[i].limit}, NULL);
        struct bytes bytes = nest(cases[i].deep);
        bl_model *model = open_bytes(own, &bytes);

        assert_int_equal(model != NULL, cases[i].works);
        if (model == NULL)
            fails_with(BL_ERR_LIMIT, ": max_depth is ");
        bl_model_free(model);
        bl_context_free(own);
        bytes_free(&bytes);
    }
}

/* ---- Time that grows with the model ---------------------------------------------------------- */

/* A model with so many inputs, each of a symbol of its own, and a Sum of them all, twice: what takes
 * the square of their number would take hours. */
static void test_many_inputs(void **state)
{
    enum { COUNT = 200000 };
    struct bytes graph = {0}, names = {0};
    static const bl_tensor *inputs[COUNT];
    bl_tensor *outputs[2] = {NULL, NULL};
    const float one = 1;

    (void)state;
    for (int i = 0; i < COUNT; i++) {
        char name[16];
        struct bytes info = {0}, type = {0}, tensor = {0}, shape = {0}, dim = {0};

        snprintf(name, sizeof name, "x%d", i);
        put_text(&names, BL_NODE_INPUT, name);
        put_text(&dim, BL_DIMENSION_PARAM, name);
        put_body(&shape, BL_SHAPE_DIM, &dim);
        put_number(&tensor, BL_TENSOR_TYPE_ELEM, BL_FLOAT32);
        put_body(&tensor, BL_TENSOR_TYPE_SHAPE, &shape);
        put_body(&type, BL_TYPE_TENSOR, &tensor);
        put_text(&info, BL_VALUE_INFO_NAME, name);
        put_body(&info, BL_VALUE_INFO_TYPE, &type);
        put_body(&graph, BL_GRAPH_INPUT, &info);
        inputs[i] = bl_tensor_borrow(NULL, BL_FLOAT32, BL_SHAPE(1), NULL, &one, &err);
    }
    for (int k = 0; k < 2; k++) {
        struct bytes node = node_bytes("Sum", "", k == 0 ? "y" : "z"), all = {0};

        all.data = malloc(names.size + node.size);
        assert_non_null(all.data);
        all.size = all.capacity = names.size + node.size;
        memcpy(all.data, node.data, node.size);
        memcpy(all.data + node.size, names.data, names.size);
        bytes_free(&node);
        put_body(&graph, BL_GRAPH_NODE, &all);
    }
    bytes_free(&names);
    add_outputs(&graph, "y z", 1);
    struct bytes bytes = model_bytes(8, 13, &graph);
    bl_model *model = open_bytes(context, &bytes);

    if (model == NULL)
        fail_msg("%s", err.message);
    bl_session *session = bl_session_new(context, model, NULL, &err);

    assert_ok(bl_session_run(session, inputs, outputs, &err), &err);
    for (int k = 0; k < 2; k++) {
        assert_true(*(const float *)bl_tensor_data(outputs[k]) == (float)COUNT);
        bl_tensor_free(outputs[k]);
    }
    bl_session_free(session);
    bl_model_free(model);
    bytes_free(&bytes);
    for (int i = 0; i < COUNT; i++)
        bl_tensor_free((bl_tensor *)(uintptr_t)inputs[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_models), cmocka_unit_test(test_model_work),
        cmocka_unit_test(test_nodes),  cmocka_unit_test(test_initializer),
        cmocka_unit_test(test_depth),  cmocka_unit_test(test_many_inputs),
    };

    return cmocka_run_group_tests(tests, make_contexts, free_contexts);
}
