/*
 * model_pair_test.c - two runs of a model that differ are told apart
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "onnx_bytes.h"

#include <math.h>

#include "conform/model_pair.h"

static bl_error err;
static char why[BL_ERROR_BYTES];

/* A model y = op(x, c) of float32[3], c = 10 20 30, and a session that runs it. */
struct one {
    struct bytes bytes;
    bl_model *model;
    bl_session *session;
};

static struct one open_one(bl_context *context, const char *op)
{
    struct bytes graph = {0};
    struct one one;

    add_node(&graph, op, "x c", "y");
    add_inputs(&graph, "x", 3);
    add_initializer(&graph, "c", BL_SHAPE(3), (const float[]){10, 20, 30});
    add_outputs(&graph, "y", 3);
    one.bytes = model_bytes(8, 13, &graph);
    one.model = bl_model_open_memory(context, one.bytes.data, one.bytes.size, NULL, &err);
    if (one.model == NULL)
        fail_msg("%s", err.message);
    one.session = bl_session_new(context, one.model, NULL, &err);
    assert_non_null(one.session);
    return one;
}

static void close_one(struct one *one)
{
    bl_session_free(one->session);
    bl_model_free(one->model);
    bytes_free(&one->bytes);
}

/* Run a pair whose sessions run two operators on x = a b c.  The output, if there is one,
 * is freed; `had_output` says whether there was. */
static bool run_two(const char *fused_op, const char *plain_op, bl_dtype dtype,
                    const float *x, bl_status *status, bool *had_output)
{
    bl_context *context = bl_context_new(NULL, &err);
    struct one fused = open_one(context, fused_op), plain = open_one(context, plain_op);
    struct bl_model_pair pair = {fused.model, fused.session, plain.session};
    bl_tensor *input = bl_tensor_borrow(NULL, dtype, BL_SHAPE(3), NULL, x, &err);
    bl_tensor *output = NULL;

    why[0] = '\0';
    err = (bl_error){0};
    const bool same = bl_model_pair_run(&pair, (const bl_tensor *const *)&input, &output,
                                        status, &err, why);

    *had_output = output != NULL;
    bl_tensor_free(output);
    bl_tensor_free(input);
    close_one(&fused);
    close_one(&plain);
    bl_context_free(context);
    return same;
}

static void test_same(void **state)
{
    bl_status status;
    bool had_output;

    (void)state;
    assert_true(run_two("Add", "Add", BL_FLOAT32, (const float[]){1, NAN, 3}, &status,
                        &had_output));
    assert_int_equal(status, BL_OK);
    assert_true(had_output);
}

static void test_other_bits(void **state)
{
    bl_status status;
    bool had_output;

    (void)state;
    assert_false(
        run_two("Add", "Sub", BL_FLOAT32, (const float[]){1, 2, 3}, &status, &had_output));
    assert_non_null(strstr(
        why, "fused differs from node by node: output y: [0]: got 11, want -9 (off by 20"));
    assert_false(had_output);
    assert_false(run_two("Max", "Min", BL_FLOAT32, (const float[]){10, 20, 31}, &status,
                         &had_output));
    assert_non_null(strstr(why, "[2]: got 31, want 30"));
}

/* Both fail, as the model says another type: that is agreement. */
static void test_both_fail(void **state)
{
    bl_status status;
    bool had_output;

    (void)state;
    assert_true(
        run_two("Add", "Mul", BL_INT32, (const float[]){1, 2, 3}, &status, &had_output));
    assert_int_equal(status, BL_ERR_TYPE);
    assert_non_null(strstr(err.message, "input 'x' is int32"));
    assert_false(had_output);
}

/* One fails alone: x is given to a session whose model wants another type. */
static void test_one_fails(void **state)
{
    bl_context *context = bl_context_new(NULL, &err);
    struct one floats = open_one(context, "Add");
    struct bytes graph = {0}, value = value_bytes("x", BL_INT32, BL_SHAPE(3));

    (void)state;
    add_node(&graph, "Identity", "x", "y");
    put_body(&graph, BL_GRAPH_INPUT, &value);
    value = value_bytes("y", BL_INT32, BL_SHAPE(3));
    put_body(&graph, BL_GRAPH_OUTPUT, &value);
    struct bytes bytes = model_bytes(8, 13, &graph);
    bl_model *model = bl_model_open_memory(context, bytes.data, bytes.size, NULL, &err);
    bl_session *session = bl_session_new(context, model, NULL, &err);
    bl_tensor *input = bl_tensor_new(NULL, BL_INT32, BL_SHAPE(3), &err);
    bl_tensor *output = NULL;
    struct bl_model_pair pairs[] = {{floats.model, floats.session, session},
                                    {model, session, floats.session}};
    static const char *const messages[] = {
        "run fused, it fails, but not node by node: input 'x' is int32",
        "run node by node, it fails, but not fused: input 'x' is int32"};

    for (int i = 0; i < 2; i++) {
        bl_status status;

        assert_non_null(session);
        assert_false(bl_model_pair_run(&pairs[i], (const bl_tensor *const *)&input, &output,
                                       &status, &err, why));
        assert_memory_equal(why, messages[i], strlen(messages[i]));
        assert_null(output);
    }
    bl_tensor_free(input);
    bl_session_free(session);
    bl_model_free(model);
    bytes_free(&bytes);
    close_one(&floats);
    bl_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same),
        cmocka_unit_test(test_other_bits),
        cmocka_unit_test(test_both_fail),
        cmocka_unit_test(test_one_fails),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
