/*
 * graph_test.c - the builder of graphs: names, order, operators, and memory
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io_support.h"

#include <time.h>

#include "graph/build.h"
#include "graph/names.h"

static bl_error err;

/* ---- A few words for a graph ------------------------------------------------------- */

static struct bl_builder *start(void)
{
    struct bl_builder *builder = bl_builder_new(&bl_allocator_default, 8, &err);

    assert_non_null(builder);
    return builder;
}

static bl_tensor *scalar(void)
{
    bl_tensor *tensor =
        bl_tensor_make_zero(&bl_allocator_default, BL_FLOAT32, BL_SCALAR, &err);

    assert_non_null(tensor);
    return tensor;
}

static bl_status input(struct bl_builder *builder, const char *name)
{
    const bl_value_info info = {.name = name, .dtype = BL_FLOAT32, .rank = -1};

    return bl_builder_input(builder, &info, &err);
}

static bl_status output(struct bl_builder *builder, const char *name)
{
    const bl_value_info info = {.name = name, .rank = -1};

    return bl_builder_output(builder, &info, &err);
}

/* A node with up to four inputs; NULL: no more. */
static bl_status node(struct bl_builder *builder, const char *op, const char *const *inputs,
                      const char *out)
{
    struct bl_raw_node raw = {
        .name = "", .domain = "", .op_type = op, .opset = 13, .inputs = inputs};

    while (raw.input_count < 4 && inputs[raw.input_count] != NULL)
        raw.input_count++;
    raw.outputs = &out;
    raw.output_count = 1;
    return bl_builder_node(builder, &raw, &err);
}

#define INPUTS(...) ((const char *const[5]){__VA_ARGS__})

/* ---- Graphs ----------------------------------------------------------------------------- */

static void builds_a_graph(void **state)
{
    struct bl_builder *builder = start();

    (void)state;
    assert_ok(bl_builder_initializer(builder, "c", scalar(), &err), &err);
    assert_ok(input(builder, "x"), &err);
    assert_ok(node(builder, "Add", INPUTS("x", "c"), "t"), &err);
    assert_ok(node(builder, "Mul", INPUTS("t", "t"), "y"), &err);
    assert_ok(output(builder, "y"), &err);
    assert_ok(output(builder, "t"), &err);
    const struct bl_graph *graph = bl_builder_finish(builder, &err);

    bl_builder_free(builder);
    assert_non_null(graph);
    assert_int_equal(graph->value_count, 4);
    assert_int_equal(graph->node_count, 2);
    assert_int_equal(graph->input_count, 1);
    assert_int_equal(graph->output_count, 2);
    const struct bl_graph_node *mul = &graph->nodes[1];
    const struct bl_graph_value *t = &graph->values[mul->inputs[0]];

    assert_string_equal(mul->node.op->name, "Mul");
    assert_int_equal(mul->node.op->since, 13);
    assert_string_equal(mul->node.name, "y");
    assert_int_equal(mul->inputs[0], mul->inputs[1]);
    assert_string_equal(t->info.name, "t");
    assert_int_equal(t->producer, 0);
    assert_true(t->is_output && !t->is_input);
    const struct bl_graph_value *c = &graph->values[graph->nodes[0].inputs[1]];

    assert_non_null(c->constant);
    assert_int_equal(c->info.dtype, BL_FLOAT32);
    assert_int_equal(c->info.rank, 0);
    assert_int_equal(c->producer, -1);
    assert_false(c->is_input);
    bl_graph_free(graph);
    bl_graph_free(NULL);
}

static void an_input_may_be_an_output(void **state)
{
    struct bl_builder *builder = start();

    (void)state;
    assert_ok(input(builder, "x"), &err);
    assert_ok(output(builder, "x"), &err);
    const struct bl_graph *graph = bl_builder_finish(builder, &err);

    bl_builder_free(builder);
    assert_non_null(graph);
    assert_int_equal(graph->node_count, 0);
    assert_int_equal(graph->inputs[0], graph->outputs[0]);
    bl_graph_free(graph);
}

static void copies_attributes(void **state)
{
    struct bl_builder *builder = start();
    char name[] = "alpha";
    const char *const inputs[] = {"x", "x"};
    const char *const outputs[] = {"y", ""};
    bl_attribute alpha = {.name = name, .type = BL_ATTRIBUTE_FLOAT, .value.f = 2.5F};
    const struct bl_raw_node raw = {.name = "g",
                                    .domain = "ai.onnx",
                                    .op_type = "Gemm",
                                    .opset = 11,
                                    .attributes = &alpha,
                                    .attribute_count = 1,
                                    .inputs = inputs,
                                    .input_count = 2,
                                    .outputs = outputs,
                                    .output_count = 2};

    (void)state;
    assert_ok(input(builder, "x"), &err);
    assert_ok(bl_builder_node(builder, &raw, &err), &err);
    memset(name, 'z', sizeof name - 1);
    alpha.value.f = 0;
    const struct bl_graph *graph = bl_builder_finish(builder, &err);

    bl_builder_free(builder);
    assert_non_null(graph);
    const bl_node *gemm = &graph->nodes[0].node;

    assert_int_equal(graph->nodes[0].output_count, 1);
    assert_int_equal(gemm->attribute_count, 1);
    assert_string_equal(gemm->attributes[0].name, "alpha");
    assert_true(gemm->attributes[0].value.f == 2.5F);
    bl_graph_free(graph);
}

/* ---- What is refused ------------------------------------------------------------------ */

static void refuses_ir_versions(void **state)
{
    (void)state;
    assert_null(bl_builder_new(&bl_allocator_default, 14, &err));
    assert_string_equal(err.message, "IR version 14 is not supported (3 to 13 are)");
    assert_null(bl_builder_new(&bl_allocator_default, 2, &err));
    assert_int_equal(err.status, BL_ERR_UNSUPPORTED);
}

static void refuses_names(void **state)
{
    struct bl_builder *builder = start();

    (void)state;
    assert_ok(bl_builder_initializer(builder, "c", scalar(), &err), &err);
    assert_fails(bl_builder_initializer(builder, "c", scalar(), &err), BL_ERR_FORMAT, &err,
                 "there are two initializers 'c'");
    assert_fails(bl_builder_initializer(builder, "", scalar(), &err), BL_ERR_FORMAT, &err,
                 "an initializer has no name");
    assert_ok(input(builder, "x"), &err);
    assert_fails(input(builder, "x"), BL_ERR_FORMAT, &err, "there are two inputs 'x'");
    assert_fails(input(builder, ""), BL_ERR_FORMAT, &err,
                 "an input of the graph has no name");
    assert_fails(node(builder, "Add", INPUTS("x", "c"), "x"), BL_ERR_FORMAT, &err,
                 "node 'x' puts out 'x', which is already there");
    bl_builder_free(builder);
    builder = start();
    assert_ok(input(builder, "x"), &err);
    assert_ok(node(builder, "Identity", INPUTS("x"), "y"), &err);
    assert_fails(node(builder, "Identity", INPUTS("x"), "y"), BL_ERR_FORMAT, &err,
                 "node 'y' puts out 'y', which is already there");
    assert_ok(output(builder, "x"), &err);
    assert_fails(output(builder, "x"), BL_ERR_FORMAT, &err, "there are two outputs 'x'");
    assert_fails(output(builder, ""), BL_ERR_FORMAT, &err,
                 "an output of the graph has no name");
    assert_fails(output(builder, "z"), BL_ERR_FORMAT, &err,
                 "nothing produces the output 'z' of the graph");
    bl_builder_free(builder);
}

static void refuses_operators(void **state)
{
    static const struct {
        const char *domain, *op;
        int64_t opset;
        size_t inputs;
        bl_status status;
        const char *message;
    } bad[] = {
        {"", "Frobnicate", 13, 1, BL_ERR_OPERATOR,
         "node 'n': unknown operator 'Frobnicate' in ai.onnx"},
        {"com.example", "Add", 13, 2, BL_ERR_OPERATOR,
         "node 'n': unknown domain 'com.example' of operator 'Add' (known: ai.onnx)"},
        {"", "Add", 0, 2, BL_ERR_OPERATOR,
         "node 'n': no opset of ai.onnx is imported, which operator 'Add' is of"},
        {"", "Where", 8, 3, BL_ERR_OPERATOR,
         "node 'n': Where exists from opset 9 on, not in opset 8"},
        {"", "Add", 13, 1, BL_ERR_ARITY, "Add-13 (node 'n') takes 2 inputs, not 1"},
        {"", "Gemm", 13, 1, BL_ERR_ARITY,
         "Gemm-13 (node 'n') takes at least 2 inputs, not 1"},
        {"", "Gemm", 13, 4, BL_ERR_ARITY,
         "Gemm-13 (node 'n') takes at most 3 inputs, not 4"},
    };
    static const char *const inputs[] = {"x", "x", "x", "x"};
    static const char *const outputs[] = {"y"};

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(bad); i++) {
        const struct bl_raw_node raw = {.name = "n",
                                        .domain = bad[i].domain,
                                        .op_type = bad[i].op,
                                        .opset = bad[i].opset,
                                        .inputs = inputs,
                                        .input_count = bad[i].inputs,
                                        .outputs = outputs,
                                        .output_count = 1};
        struct bl_builder *builder = start();

        assert_fails(bl_builder_node(builder, &raw, &err), bad[i].status, &err,
                     bad[i].message);
        bl_builder_free(builder);
    }
}

static void refuses_arity_and_attributes(void **state)
{
    static const char *const names[] = {"x", "", "y"};
    const bl_attribute axis = {.name = "axis", .type = BL_ATTRIBUTE_INT};
    struct bl_raw_node raw = {.name = "n",
                              .domain = "",
                              .op_type = "Add",
                              .opset = 13,
                              .inputs = names,
                              .input_count = 2,
                              .outputs = names + 2,
                              .output_count = 1};
    struct bl_builder *builder = start();

    (void)state;
    assert_fails(bl_builder_node(builder, &raw, &err), BL_ERR_ARITY, &err,
                 "Add-13 (node 'n') takes 2 inputs, not 1");
    raw.op_type = "Where";
    raw.input_count = 3;
    assert_fails(bl_builder_node(builder, &raw, &err), BL_ERR_ARITY, &err,
                 "Where-9 (node 'n'): input X is absent, but is not optional");
    raw.op_type = "Identity";
    raw.input_count = 1;
    raw.output_count = 0;
    assert_fails(bl_builder_node(builder, &raw, &err), BL_ERR_ARITY, &err,
                 "Identity-13 (node 'n'): output output has no name");
    raw.outputs = names + 1;
    raw.output_count = 2;
    assert_fails(bl_builder_node(builder, &raw, &err), BL_ERR_ARITY, &err,
                 "Identity-13 (node 'n') has 1 output, not 2");
    raw.outputs = names + 2;
    raw.output_count = 1;
    raw.attributes = &axis;
    raw.attribute_count = 1;
    assert_fails(bl_builder_node(builder, &raw, &err), BL_ERR_ATTRIBUTE, &err,
                 "Identity-13 (node 'n') has no attribute 'axis'");
    bl_builder_free(builder);
}

static void refuses_order(void **state)
{
    static const struct {
        const char *nodes[3][3]; /* two inputs and the output */
        const char *message;
    } bad[] = {
        {{{"x", "ghost", "y"}}, "node 'y': nothing produces its input 'ghost'"},
        {{{"x", "y", "y"}}, "node 'y' takes its own output 'y'"},
        {{{"t", "x", "y"}, {"x", "x", "t"}},
         "the nodes are not in topological order: node 'y' takes 't', which node 't' puts "
         "out only after it"},
        {{{"x", "c", "a"}, {"a", "x", "b"}, {"b", "x", "c"}},
         "a cycle: node 'a' takes 'c' of node 'c', which depends on it"},
    };

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(bad); i++) {
        struct bl_builder *builder = start();

        assert_ok(input(builder, "x"), &err);
        for (size_t n = 0; n < 3 && bad[i].nodes[n][0] != NULL; n++)
            assert_ok(node(builder, "Add", INPUTS(bad[i].nodes[n][0], bad[i].nodes[n][1]),
                           bad[i].nodes[n][2]),
                      &err);
        assert_null(bl_builder_finish(builder, &err));
        assert_int_equal(err.status, BL_ERR_FORMAT);
        assert_string_equal(err.message, bad[i].message);
        bl_builder_free(builder);
    }
}

/* ---- Size and memory -------------------------------------------------------------------- */

static void names_are_found(void **state)
{
    enum { COUNT = 50000 };
    struct bl_arena arena;
    struct bl_names names;
    int32_t number;
    char text[16];

    (void)state;
    bl_arena_init(&arena, &bl_allocator_default);
    bl_names_init(&names, &arena);
    assert_false(bl_names_find(&names, "0", &number));
    for (int32_t i = 0; i < COUNT; i++) {
        snprintf(text, sizeof text, "%d", (int)i);
        assert_false(bl_names_find(&names, text, &number));
        const char *copy = bl_arena_text(&arena, text, strlen(text));

        assert_ok(bl_names_add(&names, copy, i, &err), &err);
    }
    for (int32_t i = 0; i < COUNT; i++) {
        snprintf(text, sizeof text, "%d", (int)i);
        assert_true(bl_names_find(&names, text, &number));
        assert_int_equal(number, i);
    }
    bl_arena_free(&arena);
}

/* A chain of nodes, from the front or from the back; the latter is refused at its first. */
static void builds_long_chains(void **state)
{
    enum { COUNT = 100000 };

    (void)state;
    for (int backwards = 0; backwards < 2; backwards++) {
        struct bl_builder *builder = start();
        const clock_t began = clock();

        assert_ok(input(builder, "t0"), &err);
        for (int i = 0; i < COUNT; i++) {
            const int at = backwards ? COUNT - 1 - i : i;
            char in[16], out[16];

            snprintf(in, sizeof in, "t%d", at);
            snprintf(out, sizeof out, "t%d", at + 1);
            assert_ok(node(builder, "Add", INPUTS(in, in), out), &err);
        }
        assert_ok(output(builder, "t100000"), &err);
        const struct bl_graph *graph = bl_builder_finish(builder, &err);

        bl_builder_free(builder);
        assert_int_equal(graph == NULL, backwards);
        assert_true(graph == NULL || graph->node_count == COUNT);
        bl_graph_free(graph);
        /* Some 0.1 s; what grows with the square takes minutes. */
        assert_true((double)(clock() - began) / CLOCKS_PER_SEC < 20);
    }
}

static bl_status build_small(const bl_allocator *allocator, const struct bl_graph **graph)
{
    static const char *const inputs[] = {"x", "c"};
    static const char *const outputs[] = {"y"};
    static const int64_t consumed[] = {0, 0};
    const bl_attribute attribute = {.name = "consumed_inputs",
                                    .type = BL_ATTRIBUTE_INTS,
                                    .count = 2,
                                    .value.ints = consumed};
    const struct bl_raw_node raw = {.name = "n",
                                    .domain = "",
                                    .op_type = "Add",
                                    .opset = 1,
                                    .attributes = &attribute,
                                    .attribute_count = 1,
                                    .inputs = inputs,
                                    .input_count = 2,
                                    .outputs = outputs,
                                    .output_count = 1};
    struct bl_builder *builder = bl_builder_new(allocator, 3, &err);
    bl_status status = BL_ERR_MEMORY;

    *graph = NULL;
    if (builder == NULL)
        return err.status;
    if ((status = bl_builder_initializer(builder, "c", scalar(), &err)) == BL_OK &&
        (status = input(builder, "x")) == BL_OK &&
        (status = bl_builder_node(builder, &raw, &err)) == BL_OK &&
        (status = output(builder, "y")) == BL_OK &&
        (*graph = bl_builder_finish(builder, &err)) == NULL)
        status = err.status;
    bl_builder_free(builder);
    return status;
}

static void survives_lack_of_memory(void **state)
{
    const struct bl_graph *graph;
    struct failing_allocator memory;
    const bl_allocator allocator = counting_allocator(&memory, -1);

    (void)state;
    assert_ok(build_small(&allocator, &graph), &err);
    assert_int_equal(graph->nodes[0].node.attributes[0].value.ints[1], 0);
    bl_graph_free(graph);
    assert_int_equal(memory.live, 0);
    const long calls = memory.calls;

    assert_true(calls >= 3);
    for (long i = 0; i < calls; i++) {
        counting_allocator(&memory, i);
        assert_int_equal(build_small(&allocator, &graph), BL_ERR_MEMORY);
        assert_int_equal(memory.live, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(builds_a_graph),
        cmocka_unit_test(an_input_may_be_an_output),
        cmocka_unit_test(copies_attributes),
        cmocka_unit_test(refuses_ir_versions),
        cmocka_unit_test(refuses_names),
        cmocka_unit_test(refuses_operators),
        cmocka_unit_test(refuses_arity_and_attributes),
        cmocka_unit_test(refuses_order),
        cmocka_unit_test(names_are_found),
        cmocka_unit_test(builds_long_chains),
        cmocka_unit_test(survives_lack_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
