/*
 * session_test.c - sessions: what a run is given, plans for many shapes, threads, failing memory
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "contexts.h"

#include <pthread.h>
#include <stdbool.h>

#include "onnx_bytes.h"

/* y[n,2] = (a[n,2] + b[n,2]) * c, z[2,n] = y transposed; c = 3 is an initializer. */
static struct bytes small_model(void)
{
    static const float three = 3;
    struct bytes graph = {NULL, 0, 0};
    const char *const names[] = {"a", "b", "y", "z"};

    add_node(&graph, "Add", "a b", "t");
    add_node(&graph, "Mul", "t c", "y");
    add_node(&graph, "Transpose", "y", "z");
    add_initializer(&graph, "c", BL_SCALAR, &three);
    for (int i = 0; i < 4; i++) {
        struct bytes info =
            value_bytes(names[i], BL_FLOAT32, i < 3 ? BL_SHAPE(-1, 2) : BL_SHAPE(2, -1));

        put_body(&graph, i < 2 ? BL_GRAPH_INPUT : BL_GRAPH_OUTPUT, &info);
    }
    return model_bytes(8, 13, &graph);
}

static bl_model *open_bytes(const struct bytes *bytes)
{
    bl_model *model = bl_model_open_memory(NULL, bytes->data, bytes->size, NULL, &err);

    if (model == NULL)
        fail_msg("%s", err.message);
    return model;
}

/* Run with n rows, and check both outputs; those that are NULL in `out` are made and freed. */
static bl_status run_rows(bl_session *session, bl_context *own, int64_t n,
                          bl_tensor **given)
{
    float a[64], b[64];
    const bl_tensor *in[2] = {NULL, NULL};
    bl_tensor *out[2] = {given != NULL ? given[0] : NULL, given != NULL ? given[1] : NULL};
    bl_status status;

    for (int i = 0; i < 2 * n; i++) {
        a[i] = (float)i;
        b[i] = (float)(10 * i);
    }
    in[0] = bl_tensor_borrow(own, BL_FLOAT32, BL_SHAPE(n, 2), NULL, a, &err);
    in[1] = bl_tensor_borrow(own, BL_FLOAT32, BL_SHAPE(n, 2), NULL, b, &err);
    status = in[0] != NULL && in[1] != NULL ? bl_session_run(session, in, out, &err)
                                            : BL_ERR_MEMORY;
    if (status == BL_OK) {
        const float *y = bl_tensor_data(out[0]), *z = bl_tensor_data(out[1]);

        for (int i = 0; i < 2 * n; i++) {
            assert_true(y[i] == (float)(33 * i));
            assert_true(z[i % 2 * n + i / 2] == (float)(33 * i));
        }
    }
    for (int k = 0; k < 2; k++) {
        bl_tensor_free((bl_tensor *)(uintptr_t)in[k]);
        if (given == NULL && status == BL_OK)
            bl_tensor_free(out[k]);
    }
    return status;
}

/* More shapes than plans are kept for, again and again. */
static void test_many_shapes(void **state)
{
    struct bytes bytes = small_model();
    bl_model *model = open_bytes(&bytes);
    bl_session *session = bl_session_new(context, model, NULL, &err);

    (void)state;
    for (int round = 0; round < 3; round++)
        for (int64_t n = 0; n <= 30; n++)
            assert_ok(run_rows(session, context, n, NULL), &err);
    bl_session_free(session);
    bl_model_free(model);
    bytes_free(&bytes);
}

static void test_given_outputs(void **state)
{
    struct bytes bytes = small_model();
    bl_model *model = open_bytes(&bytes);
    bl_session *session = bl_session_new(context, model, NULL, &err);
    bl_tensor *given[2] = {bl_tensor_new(context, BL_FLOAT32, BL_SHAPE(3, 2), &err),
                           bl_tensor_new(context, BL_FLOAT32, BL_SHAPE(2, 3), &err)};
    bl_tensor *wrong[2] = {given[0],
                           bl_tensor_new(context, BL_FLOAT32, BL_SHAPE(3, 2), &err)};
    float *y = bl_tensor_mutable_data(given[0]);

    (void)state;
    assert_ok(run_rows(session, context, 3, given), &err);
    /* The second does not fit: nothing is written to the first either. */
    y[0] = -1;
    assert_fails(run_rows(session, context, 3, wrong), BL_ERR_SHAPE, &err, "'z'");
    assert_true(y[0] == -1);
    bl_tensor_free(given[0]);
    bl_tensor_free(given[1]);
    bl_tensor_free(wrong[1]);
    bl_session_free(session);
    bl_model_free(model);
    bytes_free(&bytes);
}

/* An output over an input's memory, and one with strides: both are right, and twice. */
static void test_awkward_outputs(void **state)
{
    static const int64_t turned[] = {1, 2};
    struct bytes bytes = small_model();
    bl_model *model = open_bytes(&bytes);
    bl_session *session = bl_session_new(context, model, NULL, &err);
    float a[7], b[6], z[6];

    (void)state;
    for (int round = 0; round < 4; round++) {
        const int shift = round % 2; /* the output starts at the input, or an element on */
        bl_tensor *in[2] = {
            bl_tensor_borrow(NULL, BL_FLOAT32, BL_SHAPE(3, 2), NULL, a, &err),
            bl_tensor_borrow(NULL, BL_FLOAT32, BL_SHAPE(3, 2), NULL, b, &err)};
        bl_tensor *out[2] = {bl_tensor_borrow_mutable(NULL, BL_FLOAT32, BL_SHAPE(3, 2),
                                                      NULL, a + shift, &err),
                             bl_tensor_borrow_mutable(NULL, BL_FLOAT32, BL_SHAPE(2, 3),
                                                      round < 2 ? turned : NULL, z, &err)};

        for (int i = 0; i < 6; i++) {
            a[i] = (float)i;
            b[i] = (float)(10 * i);
        }
        assert_ok(bl_session_run(session, (const bl_tensor *const *)in, out, &err), &err);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 2; c++) {
                const float want = (float)(33 * (2 * r + c));

                assert_true(a[shift + 2 * r + c] == want);
                assert_true(z[round < 2 ? c + 2 * r : 3 * c + r] == want);
            }
        for (int i = 0; i < 2; i++) {
            bl_tensor_free(in[i]);
            bl_tensor_free(out[i]);
        }
    }
    bl_session_free(session);
    bl_model_free(model);
    bytes_free(&bytes);
}

static void test_refused_inputs(void **state)
{
    struct bytes bytes = small_model();
    bl_model *model = open_bytes(&bytes);
    bl_session *session = bl_session_new(context, model, NULL, &err);
    bl_tensor *two = bl_tensor_new(context, BL_FLOAT32, BL_SHAPE(4, 2), &err);
    bl_tensor *three = bl_tensor_new(context, BL_FLOAT32, BL_SHAPE(4, 3), &err);
    bl_tensor *one_axis = bl_tensor_new(context, BL_FLOAT32, BL_SHAPE(4), &err);
    bl_tensor *ints = bl_tensor_new(context, BL_INT32, BL_SHAPE(4, 2), &err);
    bl_tensor *five = bl_tensor_new(context, BL_FLOAT32, BL_SHAPE(5, 2), &err);
    bl_tensor *out[2] = {NULL, NULL};

    (void)state;
#define RUN(a, b) bl_session_run(session, (const bl_tensor *[]){a, b}, out, &err)
    assert_fails(RUN(two, NULL), BL_ERR_ARITY, &err, "input 'b' is missing");
    assert_fails(RUN(two, three), BL_ERR_SHAPE, &err, "says 2 for axis 1");
    assert_fails(RUN(one_axis, two), BL_ERR_SHAPE, &err, "'a' is [4]");
    assert_fails(RUN(two, ints), BL_ERR_TYPE, &err, "'b' is int32");
    assert_fails(RUN(two, five), BL_ERR_SHAPE, &err, "A [4,2] does not broadcast");
#undef RUN
    assert_fails(bl_session_run(session, NULL, out, &err), BL_ERR_ARGUMENT, &err, "NULL");
    assert_null(out[0]);
    assert_null(bl_session_new(NULL, model, NULL, &err));
    assert_null(bl_session_new(context, model, &(bl_session_options){.size = 1}, &err));
    bl_tensor_free(two);
    bl_tensor_free(three);
    bl_tensor_free(one_axis);
    bl_tensor_free(ints);
    bl_tensor_free(five);
    bl_session_free(session);
    bl_session_free(NULL);
    bl_model_free(model);
    bytes_free(&bytes);
}

/* ---- Threads ------------------------------------------------------------------------------- */

static void *run_in_thread(void *argument)
{
    bl_context_options options = BL_CONTEXT_DEFAULTS;
    bl_error own_err;

    options.threads = 2;
    bl_context *own = bl_context_new(&options, &own_err);
    bl_session *session = bl_session_new(own, argument, NULL, &own_err);
    bool right = session != NULL;
    float a[] = {1, 2, 3, 4}, b[] = {5, 6, 7, 8};

    for (int round = 0; round < 300 && right; round++) {
        const int64_t n = 1 + round % 2;
        bl_tensor *x = bl_tensor_borrow(own, BL_FLOAT32, BL_SHAPE(n, 2), NULL, a, &own_err);
        bl_tensor *y = bl_tensor_borrow(own, BL_FLOAT32, BL_SHAPE(n, 2), NULL, b, &own_err);
        bl_tensor *out[2] = {NULL, NULL};

        right =
            bl_session_run(session, (const bl_tensor *[]){x, y}, out, &own_err) == BL_OK &&
            ((const float *)bl_tensor_data(out[0]))[1] == 24;
        bl_tensor_free(x);
        bl_tensor_free(y);
        bl_tensor_free(out[0]);
        bl_tensor_free(out[1]);
    }
    bl_session_free(session);
    bl_context_free(own);
    return right ? argument : NULL;
}

static void test_concurrent_sessions(void **state)
{
    struct bytes bytes = small_model();
    bl_model *model = open_bytes(&bytes);
    pthread_t threads[4];

    (void)state;
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_in_thread, model), 0);
    for (int i = 0; i < 4; i++) {
        void *result;

        pthread_join(threads[i], &result);
        assert_ptr_equal(result, model);
    }
    bl_model_free(model);
    bytes_free(&bytes);
}

/* ---- Memory that runs out ---------------------------------------------------------------------- */

static bl_status use_with(struct failing_allocator *failing, const struct bytes *bytes,
                          int no_fuse)
{
    const bl_allocator allocator = {failing_alloc, failing_free, failing};
    const bl_session_options session_options = {sizeof session_options, no_fuse};
    bl_context_options options = BL_CONTEXT_DEFAULTS;
    bl_status status = BL_ERR_MEMORY;
    bl_model *model = NULL;
    bl_session *session = NULL;

    options.allocator = &allocator;
    bl_context *own = bl_context_new(&options, &err);

    if (own != NULL)
        model = bl_model_open_memory(own, bytes->data, bytes->size, NULL, &err);
    if (model != NULL)
        session = bl_session_new(own, model, &session_options, &err);
    if (session != NULL)
        status = run_rows(session, own, 2, NULL);
    if (status == BL_OK)
        status = run_rows(session, own, 3, NULL);
    bl_session_free(session);
    bl_model_free(model);
    bl_context_free(own);
    return status;
}

static void test_allocation_failure(void **state)
{
    struct bytes bytes = small_model();

    (void)state;
    for (int no_fuse = 0; no_fuse < 2; no_fuse++) {
        struct failing_allocator failing = {.fail_at = -1};

        assert_ok(use_with(&failing, &bytes, no_fuse), &err);
        const long calls = failing.calls;

        assert_true(calls > 20);
        assert_int_equal(failing.live, 0);
        for (long n = 0; n < calls; n++) {
            failing = (struct failing_allocator){.fail_at = n};
            assert_int_equal(use_with(&failing, &bytes, no_fuse), BL_ERR_MEMORY);
            assert_int_equal(failing.live, 0);
        }
    }
    bytes_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_shapes),
        cmocka_unit_test(test_given_outputs),
        cmocka_unit_test(test_awkward_outputs),
        cmocka_unit_test(test_refused_inputs),
        cmocka_unit_test(test_concurrent_sessions),
        cmocka_unit_test(test_allocation_failure),
    };

    return cmocka_run_group_tests(tests, make_contexts, free_contexts);
}
