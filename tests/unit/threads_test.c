/*
 * threads_test.c - what threads may do at once: contexts, sessions over one model, reads, cancelling
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Worth most under ThreadSanitizer (make tsan), which sees a race that did no harm here.
 */
#include "unit.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "onnx_bytes.h"

static bl_error err;

enum { THREADS = 4, ROUNDS = 20, COUNT = 30000 };

static float elements[COUNT];

/* Run `work` in THREADS threads at once, each with its number. */
static void run_all(void *(*work)(void *))
{
    pthread_t threads[THREADS];
    static int numbers[THREADS];

    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        assert_int_equal(pthread_create(&threads[i], NULL, work, &numbers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *failed = NULL;

        assert_int_equal(pthread_join(threads[i], &failed), 0);
        if (failed != NULL)
            fail_msg("%s", (const char *)failed);
    }
}

static bl_context *context_of(int threads)
{
    bl_context_options options = BL_CONTEXT_DEFAULTS;

    options.threads = threads;
    return bl_context_new(&options, NULL);
}

/* ---- Sessions over one model ----------------------------------------------------------------- */

static bl_model *shared_model;
static bl_tensor *shared_input;

/* y = x * c + x, c = 2. */
static void *run_sessions(void *argument)
{
    const int number = *(const int *)argument;
    bl_context *own = context_of(1 + number % 3);
    bl_session_options options = BL_SESSION_DEFAULTS;
    const char *failed = NULL;

    options.no_fuse = number == 0;
    bl_session *session = bl_session_new(own, shared_model, &options, NULL);

    for (int round = 0; round < ROUNDS && failed == NULL; round++) {
        bl_tensor *y = NULL;
        const bl_tensor *x = shared_input;

        if (session == NULL || bl_session_run(session, &x, &y, NULL) != BL_OK)
            failed = "a session failed";
        else if (((const float *)bl_tensor_data(y))[7] != 2 * elements[7] + elements[7])
            failed = "a session computed something else";
        bl_tensor_free(y);
    }
    bl_session_free(session);
    bl_context_free(own);
    return (void *)(uintptr_t)failed;
}

static void test_sessions(void **state)
{
    static const float two = 2;
    struct bytes graph = {0};

    (void)state;
    add_node(&graph, "Mul", "x c", "t");
    add_node(&graph, "Add", "t x", "y");
    add_initializer(&graph, "c", BL_SCALAR, &two);
    add_inputs(&graph, "x", -1);
    add_outputs(&graph, "y", -1);
    struct bytes bytes = model_bytes(8, 13, &graph);

    shared_model = bl_model_open_memory(NULL, bytes.data, bytes.size, NULL, &err);
    assert_non_null(shared_model);
    shared_input =
        bl_tensor_borrow(NULL, BL_FLOAT32, BL_SHAPE(COUNT), NULL, elements, &err);
    run_all(run_sessions);
    bl_tensor_free(shared_input);
    bl_model_free(shared_model);
    bytes_free(&bytes);
}

/* ---- Contexts, and one tensor that all read -------------------------------------------------- */

static void *apply_all(void *argument)
{
    static const char *const ops[] = {"Add", "Mul", "Pow", "Max"};
    const int number = *(const int *)argument;
    bl_context *own = context_of(1 + number % 3);
    const bl_node node = {.op = bl_op_find(NULL, ops[number % 4], BL_OPSET_LATEST, NULL)};
    const char *failed = NULL;

    for (int round = 0; round < ROUNDS && failed == NULL; round++) {
        bl_tensor *y = NULL;
        const bl_tensor *in[] = {shared_input, shared_input};

        if (bl_apply(own, &node, in, 2, &y, 1, NULL) != BL_OK)
            failed = "bl_apply failed";
        bl_tensor_free(y);
    }
    bl_context_free(own);
    return (void *)(uintptr_t)failed;
}

static void test_contexts(void **state)
{
    (void)state;
    shared_input =
        bl_tensor_borrow(NULL, BL_FLOAT32, BL_SHAPE(COUNT), NULL, elements, &err);
    run_all(apply_all);
    bl_tensor_free(shared_input);
}

/* ---- Files ----------------------------------------------------------------------------------- */

static char shared_path[] = "/tmp/threads_testXXXXXX";

static void *read_all(void *argument)
{
    const int number = *(const int *)argument;
    bl_context *own = number % 2 ? context_of(1) : NULL;
    const char *failed = NULL;

    for (int round = 0; round < ROUNDS && failed == NULL; round++) {
        bl_tensor *tensor = bl_tensor_read(own, shared_path, BL_FORMAT_NPY, NULL);

        if (tensor == NULL ||
            memcmp(bl_tensor_data(tensor), elements, sizeof elements) != 0)
            failed = "a tensor was read in another way";
        bl_tensor_free(tensor);
    }
    bl_context_free(own);
    return (void *)(uintptr_t)failed;
}

static void test_reads(void **state)
{
    bl_tensor *tensor =
        bl_tensor_borrow(NULL, BL_FLOAT32, BL_SHAPE(COUNT), NULL, elements, &err);
    const int fd = mkstemp(shared_path);

    (void)state;
    assert_true(fd >= 0 && close(fd) == 0);
    assert_ok(bl_tensor_write(tensor, shared_path, BL_FORMAT_NPY, &err), &err);
    run_all(read_all);
    bl_tensor_free(tensor);
    unlink(shared_path);
}

/* ---- Memory that outlives its context -------------------------------------------------------- */

static bl_tensor *handed_over[THREADS][ROUNDS];

/* Tensors of one context, freed by several threads, while and after the context is. */
static void *free_all(void *argument)
{
    const int number = *(const int *)argument;

    for (int i = 0; i < ROUNDS; i++)
        bl_tensor_free(handed_over[number][i]);
    return NULL;
}

static void test_handed_over(void **state)
{
    bl_context *own = context_of(2);
    pthread_t threads[THREADS];
    static int numbers[THREADS];

    (void)state;
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < ROUNDS; i++) {
            handed_over[t][i] = bl_tensor_new(own, BL_INT8, BL_SHAPE(100), &err);
            assert_non_null(handed_over[t][i]);
        }
    for (int t = 0; t < THREADS; t++) {
        numbers[t] = t;
        assert_int_equal(pthread_create(&threads[t], NULL, free_all, &numbers[t]), 0);
    }
    bl_context_free(own);
    for (int t = 0; t < THREADS; t++)
        assert_int_equal(pthread_join(threads[t], NULL), 0);
}

/* ---- Cancelling ------------------------------------------------------------------------------ */

static bl_context *cancelled_context;

/* Cancel and resume, again and again, while another thread computes. */
static void *cancel_all(void *argument)
{
    (void)argument;
    for (int round = 0; round < 50; round++) {
        nanosleep(&(struct timespec){0, 300000}, NULL);
        bl_context_cancel(cancelled_context);
        nanosleep(&(struct timespec){0, 100000}, NULL);
        bl_context_resume(cancelled_context);
    }
    bl_context_cancel(cancelled_context);
    return NULL;
}

static void test_cancel(void **state)
{
    const bl_node node = {.op = bl_op_find(NULL, "Add", BL_OPSET_LATEST, &err)};
    pthread_t thread;
    long worked = 0, stopped = 0;

    (void)state;
    for (int threads = 1; threads <= 3; threads++) {
        bl_tensor *x = bl_tensor_borrow(NULL, BL_FLOAT32, BL_SHAPE(100, COUNT),
                                        (const int64_t[]){0, 1}, elements, &err);
        const bl_tensor *in[] = {x, x};

        cancelled_context = context_of(threads);
        assert_int_equal(pthread_create(&thread, NULL, cancel_all, NULL), 0);
        const long before = stopped;

        /* The last cancel stays: so it ends. */
        for (int in_a_row = 0; in_a_row < 1000;) {
            bl_tensor *y = NULL;
            const bl_status status = bl_apply(cancelled_context, &node, in, 2, &y, 1, NULL);

            if (status == BL_OK) {
                const float *data = bl_tensor_data(y);

                in_a_row = 0;
                worked++;
                for (int i = 0; i < COUNT; i += 99)
                    assert_true(data[99 * (int64_t)COUNT + i] == 2 * elements[i]);
            } else {
                assert_int_equal(status, BL_ERR_CANCELLED);
                assert_null(y);
                stopped++;
                nanosleep(&(struct timespec){0, 10000}, NULL);
                in_a_row++;
            }
            bl_tensor_free(y);
        }
        assert_true(stopped > before);
        assert_int_equal(pthread_join(thread, NULL), 0);
        bl_context_free(cancelled_context);
        bl_tensor_free(x);
    }
    print_message("%ld calls worked, %ld were stopped\n", worked, stopped);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sessions), cmocka_unit_test(test_contexts),
        cmocka_unit_test(test_reads),    cmocka_unit_test(test_handed_over),
        cmocka_unit_test(test_cancel),
    };

    for (int i = 0; i < COUNT; i++)
        elements[i] = (float)(i % 1000) / 8;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
