/*
 * inspect_test.c - looking into models: nodes, problems, steps and their bytes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "unit.h"

#include <stdbool.h>
#include <stdio.h>

#include "base/compiler.h"
#include "onnx_bytes.h"

#define MODEL_FILE "inspect_test.onnx"

/* Write the graph, which is emptied, as a model. */
static void write_model(struct bytes *graph)
{
    struct bytes model = model_bytes(8, 13, graph);
    FILE *file = fopen(MODEL_FILE, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(model.data, 1, model.size, file), model.size);
    assert_int_equal(fclose(file), 0);
    bytes_free(&model);
}

/* y = (x + x) * c, c of 3 elements; x is a row of 3. */
static void write_good(void)
{
    static const float elements[] = {1, 2, 3};
    struct bytes graph = {0};

    add_initializer(&graph, "c", BL_SHAPE(3), elements);
    add_inputs(&graph, "x", 3);
    add_node(&graph, "Add", "x x", "twice");
    add_node(&graph, "Mul", "twice c", "y");
    add_outputs(&graph, "y", 3);
    write_model(&graph);
}

/* Nodes 0 and 2 cannot run, node 1 can, node 3 hangs on node 0. */
static void write_broken(void)
{
    struct bytes graph = {0};

    add_inputs(&graph, "x", 3);
    add_node(&graph, "Nonsense", "x", "p");
    add_node(&graph, "Neg", "x", "y");
    add_node(&graph, "Add", "x", "q");
    add_node(&graph, "Abs", "p", "r");
    add_outputs(&graph, "y", 3);
    write_model(&graph);
}

static const bl_tensor_type row = {BL_FLOAT32, {1, {3}}};

/* ---- Models -------------------------------------------------------------------------- */

static void test_nodes_and_values(void **state)
{
    bl_error err;
    bl_node_info node;

    (void)state;
    write_good();
    bl_model *model = bl_model_open(NULL, MODEL_FILE, &err);

    assert_non_null(model);
    assert_int_equal(bl_model_ir_version(model), 8);
    assert_int_equal(bl_model_opset(model), 13);
    assert_int_equal(bl_model_node_count(model), 2);
    assert_int_equal(bl_model_value_count(model), 4);
    assert_int_equal(bl_model_node(model, 2, &node), 0);
    assert_int_equal(bl_model_node(model, 1, &node), 1);
    assert_string_equal(node.op_type, "Mul");
    assert_string_equal(node.domain, "");
    assert_string_equal(node.name, "y");
    assert_int_equal(node.op->since, 13);
    assert_null(node.problem);
    assert_int_equal(node.input_count, 2);
    const size_t c = (size_t)node.inputs[1];

    assert_string_equal(bl_model_value(model, c)->name, "c");
    assert_int_equal(bl_tensor_count(bl_model_initializer(model, c)), 3);
    assert_null(bl_model_initializer(model, (size_t)node.inputs[0]));
    assert_int_equal(node.outputs[0], bl_model_output_value(model, 0));
    assert_int_equal(bl_model_output_value(model, 1), -1);
    assert_string_equal(bl_model_value(model, (size_t)bl_model_input_value(model, 0))->name,
                        "x");
    assert_int_equal(bl_model_input_value(model, 1), -1);
    assert_null(bl_model_value(model, 4));
    assert_null(bl_model_initializer(model, 4));
    bl_model_free(model);
}

static void test_broken_nodes_are_kept(void **state)
{
    static const char *const messages[] = {"Nonsense", NULL, "2 inputs, not 1", NULL};
    bl_error err;
    bl_context *context = bl_context_new(NULL, &err);

    (void)state;
    write_broken();
    assert_null(bl_model_open(context, MODEL_FILE, &err));
    assert_int_equal(err.status, BL_ERR_OPERATOR);
    bl_model *model = bl_model_inspect(context, MODEL_FILE, &err);

    assert_non_null(model);
    for (size_t n = 0; n < 4; n++) {
        bl_node_info node;

        assert_int_equal(bl_model_node(model, n, &node), 1);
        assert_int_equal(node.problem != NULL, messages[n] != NULL);
        if (node.problem != NULL)
            assert_non_null(strstr(node.problem->message, messages[n]));
    }
    assert_null(bl_session_new(context, model, NULL, &err));
    assert_int_equal(err.status, BL_ERR_UNSUPPORTED);
    bl_explanation *explanation = bl_model_explain(context, model, &row, &err);

    assert_non_null(explanation);
    assert_int_equal(explanation->problem_count, 2);
    assert_int_equal(explanation->problems[0]->status, BL_ERR_OPERATOR);
    assert_int_equal(explanation->problems[2]->status, BL_ERR_ARITY);
    assert_null(explanation->problems[1]);
    assert_null(explanation->problems[3]);
    assert_int_equal(explanation->step_count, 0);
    bl_explanation_free(explanation);
    bl_model_free(model);
    bl_context_free(context);
}

static void test_a_file_that_is_no_model(void **state)
{
    FILE *file = fopen(MODEL_FILE, "wb");
    bl_error err;

    (void)state;
    assert_non_null(file);
    assert_true(fputs("nothing", file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_null(bl_model_inspect(NULL, MODEL_FILE, &err));
    assert_int_equal(err.status, BL_ERR_FORMAT);
    assert_null(bl_model_inspect(NULL, NULL, &err));
    assert_int_equal(err.status, BL_ERR_ARGUMENT);
}

/* ---- Explanations ------------------------------------------------------------------------ */

static void test_steps(void **state)
{
    bl_error err;
    bl_context *context = bl_context_new(NULL, &err);

    (void)state;
    write_good();
    bl_model *model = bl_model_open(context, MODEL_FILE, &err);
    bl_explanation *explanation = bl_model_explain(context, model, &row, &err);

    assert_non_null(explanation);
    assert_int_equal(explanation->problem_count, 0);
    assert_null(explanation->unfused);
    assert_int_equal(explanation->step_count, 1);
    const bl_step_info *step = &explanation->steps[0];

    assert_int_equal(step->work, BL_WORK_GROUP);
    assert_string_equal(bl_work_name(step->work), "group");
    assert_int_equal(step->node_count, 2);
    assert_int_equal(step->nodes[0], 0);
    assert_int_equal(step->nodes[1], 1);
    assert_int_equal(step->bytes_read, 24); /* x once, and c */
    assert_int_equal(step->bytes_written, 12);
    assert_int_equal(step->temporaries, 1);
    for (size_t v = 0; v < bl_model_value_count(model); v++) {
        assert_int_equal(explanation->values[v].dtype, BL_FLOAT32);
        assert_int_equal(explanation->values[v].shape.rank, 1);
        assert_int_equal(explanation->values[v].shape.dim[0], 3);
    }
    bl_explanation_free(explanation);
    bl_model_free(model);
    bl_context_free(context);
}

/* Nodes as "Mul a b t": the operator, its inputs, its output. */
static void add_nodes(struct bytes *graph, const char *const *nodes, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        char op[16], first[8], second[8], out[8];
        char inputs[32];

        assert_int_equal(sscanf(nodes[n], "%15s %7s %7s %7s", op, first, second, out), 4);
        (void)snprintf(inputs, sizeof inputs, "%s %s", first, second);
        add_node(graph, op, strcmp(second, "-") == 0 ? first : inputs, out);
    }
}

/* Products that one sum waits for are computed with it, and only then. */
static void test_groups_that_become_one(void **state)
{
    static const struct {
        const char *nodes[5];
        size_t node_count, step_count, nodes_of_last;
    } cases[] = {
        {{"Mul x x p", "Mul c c q", "Add p q y"}, 3, 1, 3},
        /* Read again later, p is written. */
        {{"Mul x x p", "Mul c c q", "Add p q r", "MatMul r p s", "Add r s y"}, 5, 3, 1},
        /* Read in between. */
        {{"Mul x x p", "MatMul p c q", "Mul c q r", "Add p r y"}, 4, 3, 2},
        /* As a view. */
        {{"Abs x - p", "Identity p - v", "Abs c - q", "Add v q y"}, 4, 2, 2},
    };
    bl_error err;
    bl_context *context = bl_context_new(NULL, &err);
    static const float elements[] = {1, 2, 3};

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(cases); i++) {
        struct bytes graph = {0};

        add_initializer(&graph, "k", BL_SHAPE(3), elements);
        add_inputs(&graph, "x", 3);
        add_inputs(&graph, "c", 3);
        add_nodes(&graph, cases[i].nodes, cases[i].node_count);
        add_outputs(&graph, "y", 3);
        write_model(&graph);
        bl_model *model = bl_model_open(context, MODEL_FILE, &err);
        const bl_tensor_type types[] = {row, row};
        bl_explanation *explanation = bl_model_explain(context, model, types, &err);

        assert_non_null(explanation);
        assert_int_equal(explanation->problem_count, 0);
        assert_int_equal(explanation->step_count, cases[i].step_count);
        assert_int_equal(explanation->steps[cases[i].step_count - 1].node_count,
                         cases[i].nodes_of_last);
        bl_explanation_free(explanation);
        bl_model_free(model);
    }
    bl_context_free(context);
}

static void test_inputs_that_do_not_fit(void **state)
{
    static const struct {
        bl_tensor_type type;
        bl_status status;
        const char *message;
    } bad[] = {
        {{BL_UNDEFINED, {0, {0}}}, BL_ERR_ARITY, "input 'x' is missing"},
        {{BL_INT32, {1, {3}}}, BL_ERR_TYPE, "int32"},
        {{(bl_dtype)99, {1, {3}}}, BL_ERR_TYPE, "99"},
        {{BL_FLOAT32, {1, {4}}}, BL_ERR_SHAPE, "[4]"},
        {{BL_FLOAT32, {1, {-1}}}, BL_ERR_SHAPE, "input 'x'"},
        {{BL_FLOAT32, {99, {1}}}, BL_ERR_SHAPE, "input 'x'"},
        {{BL_FLOAT32, {1, {INT64_MAX}}}, BL_ERR_LIMIT, "bytes"},
    };
    bl_error err;
    bl_context *context = bl_context_new(NULL, &err);

    (void)state;
    write_good();
    bl_model *model = bl_model_open(context, MODEL_FILE, &err);

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_null(bl_model_explain(context, model, &bad[i].type, &err));
        assert_int_equal(err.status, bad[i].status);
        if (strstr(err.message, bad[i].message) == NULL)
            fail_msg("\"%s\" instead of \"%s\"", err.message, bad[i].message);
    }
    assert_null(bl_model_explain(context, model, NULL, &err));
    assert_null(bl_model_explain(NULL, model, &row, NULL));
    assert_string_equal(bl_work_name(BL_WORK_COUNT), "unknown");
    bl_explanation_free(NULL);
    bl_model_free(model);
    bl_context_free(context);
}

/* Every allocation fails once: an error, and nothing is left behind. */
static void explain_without_memory(long fail_at, bool *done)
{
    struct failing_allocator state = {.fail_at = fail_at};
    const bl_allocator allocator = {failing_alloc, failing_free, &state};
    bl_context_options with = BL_CONTEXT_DEFAULTS;
    bl_explanation *explanation = NULL;
    bl_model *model = NULL;
    bl_error err = {BL_OK, ""};

    with.allocator = &allocator;
    bl_context *context = bl_context_new(&with, &err);

    if (context != NULL)
        model = bl_model_inspect(context, MODEL_FILE, &err);
    if (model != NULL)
        explanation = bl_model_explain(context, model, &row, &err);
    *done = explanation != NULL;
    if (explanation == NULL)
        assert_int_equal(err.status, BL_ERR_MEMORY);
    bl_explanation_free(explanation);
    bl_model_free(model);
    bl_context_free(context);
    assert_int_equal(state.live, 0);
}

static void test_without_memory(void **state)
{
    void (*const writers[])(void) = {write_good, write_broken};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        bool done = false;
        long failures = 0;

        writers[i]();
        for (; !done && failures < 1000; failures++)
            explain_without_memory(failures, &done);
        assert_true(done);
        assert_true(failures > 5);
    }
}

static int clean_up(void **state)
{
    (void)state;
    remove(MODEL_FILE);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nodes_and_values),
        cmocka_unit_test(test_broken_nodes_are_kept),
        cmocka_unit_test(test_a_file_that_is_no_model),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_groups_that_become_one),
        cmocka_unit_test(test_inputs_that_do_not_fit),
        cmocka_unit_test(test_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, clean_up);
}
