/*
 * cancel_test.c - long runs, cancelled from another thread
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each case would take minutes if it were not stopped, and a case fails when it does not stop within
 * seconds: a machine that does other things should not make it fail.  How long it took is printed.
 */
#include "contexts.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

#include "onnx_bytes.h"

#define PATIENCE 10.0 /* seconds */

static double now(void)
{
    struct timespec time = {0, 0};

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- A thread that cancels ------------------------------------------------------------------- */

struct canceller {
    pthread_t thread;
    bl_context *context;
    double when; /* it did */
};

static void *cancel_soon(void *argument)
{
    struct canceller *canceller = argument;

    nanosleep(&(struct timespec){0, 30000000}, NULL);
    canceller->when = now();
    bl_context_cancel(canceller->context);
    return NULL;
}

static void start(struct canceller *canceller, bl_context *which)
{
    *canceller = (struct canceller){.context = which};
    assert_int_equal(pthread_create(&canceller->thread, NULL, cancel_soon, canceller), 0);
}

/* The call that was running has ended with `status`. */
static void finish(struct canceller *canceller, bl_status status, const char *what)
{
    const double end = now();

    assert_int_equal(pthread_join(canceller->thread, NULL), 0);
    print_message("%s: %.1f ms\n", what, (end - canceller->when) * 1e3);
    assert_int_equal(status, BL_ERR_CANCELLED);
    assert_int_equal(err.status, BL_ERR_CANCELLED);
    assert_string_equal(err.message, "cancelled by bl_context_cancel");
    assert_true(end - canceller->when < PATIENCE);
    assert_int_equal(bl_context_is_cancelled(canceller->context), 1);
    bl_context_resume(canceller->context);
    assert_int_equal(bl_context_is_cancelled(canceller->context), 0);
}

/* ---- One operator ---------------------------------------------------------------------------- */

/* A small call works: nothing of a cancelled one is left in the context. */
static void check_usable(bl_context *own)
{
    const float one = 1;
    bl_tensor *x = bl_tensor_borrow(own, BL_FLOAT32, BL_SHAPE(100000), (const int64_t[]){0},
                                    &one, &err);
    bl_tensor *y = NULL;
    const bl_node node = {.op = bl_op_find(NULL, "Add", BL_OPSET_LATEST, &err)};

    assert_ok(bl_apply(own, &node, (const bl_tensor *[]){x, x}, 2, &y, 1, &err), &err);
    for (int i = 0; i < 100000; i++)
        assert_true(((const float *)bl_tensor_data(y))[i] == 2);
    bl_tensor_free(x);
    bl_tensor_free(y);
}

/* Inputs of one element each that is seen again and again, so that there is much to do and little
 * memory to do it with. */
struct input {
    bl_dtype dtype;
    bl_shape shape;
    const void *data;
};

static const float a_float[8] = {1, 1, 1, 1, 1, 1, 1, 1};
static const double a_double = 1.5;
static const int64_t an_int[1] = {0};
static const bl_string a_string = {"1", 1};

#define FLOATS(...)                                 \
    {                                               \
        BL_FLOAT32, *BL_SHAPE(__VA_ARGS__), a_float \
    }
#define FAR (INT64_C(1) << 34)
/* As far as a tensor of some thousand rows can go on a machine of 32 bits. */
#define NEAR (INT64_C(1) << 16)

static void cancel_apply(bl_context *own, const char *op, const struct input *inputs,
                         size_t count, const bl_attribute *attribute, const char *what)
{
    static const int64_t strides[BL_MAX_RANK] = {0};
    const bl_node node = {.op = bl_op_find(NULL, op, BL_OPSET_LATEST, &err),
                          .attributes = attribute,
                          .attribute_count = attribute != NULL};
    bl_tensor *tensors[4] = {NULL}, *out = NULL;
    struct canceller canceller;

    assert_non_null(node.op);
    for (size_t i = 0; i < count; i++) {
        tensors[i] = bl_tensor_borrow(own, inputs[i].dtype, &inputs[i].shape, strides,
                                      inputs[i].data, &err);
        assert_non_null(tensors[i]);
    }
    start(&canceller, own);
    const bl_status status =
        bl_apply(own, &node, (const bl_tensor *const *)tensors, count, &out, 1, &err);

    finish(&canceller, status, what);
    assert_null(out);
    for (size_t i = 0; i < count; i++)
        bl_tensor_free(tensors[i]);
    check_usable(own);
}

/* Gemm and MatMul, in the ways that matmul.c has: tiles, few rows, sums along lines. */
static void cancel_products(bl_context *own)
{
    const bl_attribute turned = {
        .name = "transB", .type = BL_ATTRIBUTE_INT, .value = {.i = 1}};
    const struct input square[] = {FLOATS(8192, FAR), FLOATS(FAR, 8192)};
    const struct input row[] = {FLOATS(1, FAR), FLOATS(FAR, 64)};
    const struct input lines[] = {FLOATS(1, FAR), FLOATS(16, FAR)};
    const struct input dot[] = {FLOATS(FAR * 8), FLOATS(FAR * 8)};
    const struct input batch[] = {FLOATS(1 << 20, 3, FAR), FLOATS(FAR, 3)};
    const struct input doubles[] = {{BL_FLOAT64, *BL_SHAPE(512, FAR), &a_double},
                                    {BL_FLOAT64, *BL_SHAPE(FAR, 512), &a_double}};
    const struct input ints[] = {{BL_INT64, *BL_SHAPE(512, FAR), an_int},
                                 {BL_INT64, *BL_SHAPE(FAR, 512), an_int}};

    cancel_apply(own, "MatMul", square, 2, NULL, "MatMul, tiles");
    cancel_apply(own, "MatMul", row, 2, NULL, "MatMul, a row");
    cancel_apply(own, "Gemm", lines, 2, &turned, "Gemm, lines");
    cancel_apply(own, "MatMul", dot, 2, NULL, "MatMul, a dot product");
    cancel_apply(own, "MatMul", batch, 2, NULL, "MatMul, batches");
    cancel_apply(own, "MatMul", doubles, 2, NULL, "MatMul, float64");
    cancel_apply(own, "MatMul", ints, 2, NULL, "MatMul, int64");
}

static bl_context *unlimited(int threads)
{
    bl_context_options options = BL_CONTEXT_DEFAULTS;

    options.threads = threads;
    options.limits = (bl_limits){.max_bytes = BL_UNLIMITED,
                                 .max_tensor_elements = BL_UNLIMITED,
                                 .max_work = BL_UNLIMITED};
    bl_context *made = bl_context_new(&options, &err);

    assert_non_null(made);
    return made;
}

static void test_products(void **state)
{
    (void)state;
    if (SIZE_MAX <= UINT32_MAX) {
        puts("skipped: no product of tensors of 2 GiB and less takes long enough");
        skip();
    }
    for (int threads = 1; threads <= 3; threads += 2) {
        bl_context *own = unlimited(threads);

        cancel_products(own);
        bl_context_free(own);
    }
}

/* Pages that are all one page, so that a result of any size can be written. */
static bl_tensor *endless(bl_context *own, bl_dtype dtype, int64_t count)
{
    bl_tensor *tensor = bl_tensor_new(own, dtype, BL_SHAPE(count), &err);

    if (tensor == NULL)
        fail_msg("%s", err.message);
    return tensor;
}

/* Functions that take long for each element, and one with many inputs. */
static void test_pointwise(void **state)
{
    enum { COUNT = 1 << 20, INPUTS = 1 << 15 };
    static const char *const ops[] = {"Pow", "Sum"};
    static const bl_tensor *inputs[INPUTS];

    (void)state;
    for (int threads = 1; threads <= 3; threads += 2) {
        bl_context *own = unlimited(threads);

        for (size_t k = 0; k < 2; k++) {
            const bl_node node = {.op = bl_op_find(NULL, ops[k], BL_OPSET_LATEST, &err)};
            const size_t count = k == 0 ? 2 : INPUTS;
            const int64_t elements = k == 0 ? 1 << 24 : COUNT;
            bl_tensor *out = endless(own, BL_FLOAT64, elements);
            bl_tensor *x = bl_tensor_borrow(own, BL_FLOAT64, BL_SHAPE(elements),
                                            (const int64_t[]){0}, &a_double, &err);
            struct canceller canceller;

            for (size_t i = 0; i < count; i++)
                inputs[i] = x;
            start(&canceller, own);
            bl_status status = BL_OK;

            while (status == BL_OK) /* some of these may be done before it is cancelled */
                status = bl_apply(own, &node, inputs, count, &out, 1, &err);
            finish(&canceller, status, ops[k]);
            assert_non_null(out); /* given, and so still there */
            bl_tensor_free(out);
            bl_tensor_free(x);
            check_usable(own);
        }
        bl_context_free(own);
    }
}

/* Functions of whole tensors. */
static void test_whole(void **state)
{
    bl_context *own = unlimited(1);
    const int64_t many = 1 << 22;
    const struct {
        const char *op;
        bl_dtype to;
        struct input inputs[2];
        size_t count;
    } cases[] = {
        {"Gather", BL_FLOAT32, {FLOATS(8), {BL_INT64, *BL_SHAPE(many), an_int}}, 2},
        {"Concat", BL_FLOAT32, {FLOATS(many), FLOATS(many)}, 2},
        {"StringConcat",
         BL_STRING,
         {{BL_STRING, *BL_SHAPE(many), &a_string}, {BL_STRING, *BL_SHAPE(many), &a_string}},
         2},
        {"CastLike",
         BL_FLOAT32,
         {{BL_STRING, *BL_SHAPE(many), &a_string}, {BL_FLOAT32, *BL_SCALAR, a_float}},
         2},
    };
    const bl_attribute axis = {.name = "axis", .type = BL_ATTRIBUTE_INT, .value = {.i = 0}};

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        static const int64_t strides[BL_MAX_RANK] = {0};
        const bl_node node = {.op = bl_op_find(NULL, cases[k].op, BL_OPSET_LATEST, &err),
                              .attributes = &axis,
                              .attribute_count = k < 2};
        bl_tensor *in[2];
        struct canceller canceller;
        bl_status status = BL_OK;

        for (int i = 0; i < 2; i++)
            in[i] =
                bl_tensor_borrow(own, cases[k].inputs[i].dtype, &cases[k].inputs[i].shape,
                                 strides, cases[k].inputs[i].data, &err);
        start(&canceller, own);
        while (status == BL_OK) {
            bl_tensor *out = NULL;

            status = bl_apply(own, &node, (const bl_tensor *const *)in, 2, &out, 1, &err);
            assert_true((out != NULL) == (status == BL_OK));
            bl_tensor_free(out);
        }
        finish(&canceller, status, cases[k].op);
        bl_tensor_free(in[0]);
        bl_tensor_free(in[1]);
        check_usable(own);
    }
    bl_context_free(own);
}

/* ---- Models ---------------------------------------------------------------------------------- */

/* y = the last of many Pows, a chain that fuses. */
static void test_session(void **state)
{
    struct bytes graph = {0};
    const float x[1] = {1.25F};

    (void)state;
    add_node(&graph, "Pow", "x x", "v0");
    for (int i = 1; i < 40; i++) {
        char from[16], to[8];

        snprintf(from, sizeof from, "v%d x", i - 1);
        snprintf(to, sizeof to, i < 39 ? "v%d" : "y", i);
        add_node(&graph, "Pow", from, to);
    }
    add_inputs(&graph, "x", -1);
    add_outputs(&graph, "y", -1);
    struct bytes bytes = model_bytes(8, 13, &graph);

    for (int way = 0; way < 4; way++) {
        bl_context *own = unlimited(way < 2 ? 1 : 3);
        bl_model *model = bl_model_open_memory(own, bytes.data, bytes.size, NULL, &err);
        bl_session_options options = BL_SESSION_DEFAULTS;
        bl_tensor *small = bl_tensor_borrow(own, BL_FLOAT32, BL_SHAPE(1), NULL, x, &err);
        bl_tensor *large = bl_tensor_borrow(own, BL_FLOAT32, BL_SHAPE(1 << 24),
                                            (const int64_t[]){0}, x, &err);
        bl_tensor *out = NULL;
        struct canceller canceller;
        bl_status status = BL_OK;

        options.no_fuse = way % 2;
        bl_session *session = bl_session_new(own, model, &options, &err);

        assert_non_null(session);
        start(&canceller, own);
        while (status == BL_OK) {
            bl_tensor_free(out);
            out = NULL;
            status = bl_session_run(session, (const bl_tensor *const *)&large, &out, &err);
        }
        finish(&canceller, status, way % 2 ? "a session, node by node" : "a session");
        assert_null(out);
        assert_ok(bl_session_run(session, (const bl_tensor *const *)&small, &out, &err),
                  &err);
        bl_tensor_free(out);
        bl_tensor_free(small);
        bl_tensor_free(large);
        bl_session_free(session);
        bl_model_free(model);
        bl_context_free(own);
    }
    bytes_free(&bytes);
}

/* ---- Before a call, and by a signal ---------------------------------------------------------- */

static void test_before(void **state)
{
    struct bytes graph = add_constant_graph();
    struct bytes bytes = model_bytes(8, 13, &graph);
    const bl_node node = {.op = bl_op_find(NULL, "Abs", BL_OPSET_LATEST, &err)};
    bl_tensor *x = bl_tensor_new(context, BL_FLOAT32, BL_SHAPE(3), &err), *y = NULL;
    bl_model *model = bl_model_open_memory(context, bytes.data, bytes.size, NULL, &err);
    bl_session *session = bl_session_new(context, model, NULL, &err);
    const bl_tensor *in[] = {x};

    (void)state;
    bl_context_cancel(NULL);
    bl_context_resume(NULL);
    bl_context_cancel(context);
    bl_context_cancel(context);
    for (int i = 0; i < 2; i++) { /* it stays so */
        assert_fails(bl_apply(context, &node, in, 1, &y, 1, &err), BL_ERR_CANCELLED, &err,
                     "cancelled");
        assert_fails(bl_session_run(session, in, &y, &err), BL_ERR_CANCELLED, &err,
                     "cancelled");
        assert_int_equal(bl_session_run(session, in, &y, NULL), BL_ERR_CANCELLED);
        assert_null(bl_tensor_new(context, BL_FLOAT32, BL_SHAPE(3), &err));
        assert_int_equal(err.status, BL_ERR_CANCELLED);
        assert_null(bl_model_open_memory(context, bytes.data, bytes.size, NULL, &err));
        assert_int_equal(err.status, BL_ERR_CANCELLED);
        assert_null(bl_session_new(context, model, NULL, &err));
        assert_int_equal(err.status, BL_ERR_CANCELLED);
        assert_null(bl_tensor_read(context, "/dev/zero", BL_FORMAT_PB, &err));
        assert_int_equal(err.status, BL_ERR_CANCELLED);
        assert_null(bl_model_explain(context, model,
                                     &(bl_tensor_type){BL_FLOAT32, *BL_SHAPE(3)}, &err));
        assert_int_equal(err.status, BL_ERR_CANCELLED);
    }
    assert_null(y);
    bl_context_resume(context);
    assert_ok(bl_apply(context, &node, in, 1, &y, 1, &err), &err);
    bl_tensor_free(y);
    y = NULL;
    assert_ok(bl_session_run(session, in, &y, &err), &err);
    bl_tensor_free(y);
    bl_tensor_free(x);
    bl_session_free(session);
    bl_model_free(model);
    bytes_free(&bytes);
}

static bl_context *of_handler;

static void handler(int number)
{
    (void)number;
    bl_context_cancel(of_handler);
}

/* A handler that interrupts the thread which computes. */
static void test_signal(void **state)
{
    struct sigaction action = {.sa_handler = handler}, before;
    const struct input square[] = {FLOATS(4096, NEAR), FLOATS(NEAR, 4096)};
    static const int64_t strides[2] = {0, 0};
    const bl_node node = {.op = bl_op_find(NULL, "MatMul", BL_OPSET_LATEST, &err)};
    bl_tensor *in[2], *out = NULL;
    timer_t timer;

    (void)state;
#ifdef SIGNALS_LOSE_REGISTERS
    puts("skipped: a signal's handler does not leave the registers as they were here");
    skip();
#endif
    of_handler = unlimited(1);
    for (int i = 0; i < 2; i++)
        in[i] = bl_tensor_borrow(of_handler, BL_FLOAT32, &square[i].shape, strides, a_float,
                                 &err);
    assert_int_equal(sigaction(SIGALRM, &action, &before), 0);
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};

    assert_int_equal(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
    assert_int_equal(
        timer_settime(timer, 0, &(struct itimerspec){.it_value = {0, 30000000}}, NULL), 0);
    assert_fails(
        bl_apply(of_handler, &node, (const bl_tensor *const *)in, 2, &out, 1, &err),
        BL_ERR_CANCELLED, &err, "cancelled");
    timer_delete(timer);
    sigaction(SIGALRM, &before, NULL);
    bl_context_resume(of_handler);
    check_usable(of_handler);
    bl_tensor_free(in[0]);
    bl_tensor_free(in[1]);
    bl_context_free(of_handler);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_products), cmocka_unit_test(test_pointwise),
        cmocka_unit_test(test_whole),    cmocka_unit_test(test_session),
        cmocka_unit_test(test_before),   cmocka_unit_test(test_signal),
    };

    return cmocka_run_group_tests(tests, make_contexts, free_contexts);
}
