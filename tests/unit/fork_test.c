/*
 * fork_test.c - contexts, models and sessions in a forked child, whose threads are gone
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "contexts.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "onnx_bytes.h"

enum { COUNT = 1 << 20 };

/* Of a context that the child makes.  ThreadSanitizer takes threads of a forked child for those of
 * the parent that had the same address, and ends the process. */
#if defined(__SANITIZE_THREAD__)
#define CHILDS_THREADS 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CHILDS_THREADS 1
#endif
#endif
#ifndef CHILDS_THREADS
#define CHILDS_THREADS 3
#endif

static float elements[COUNT];

/* x + x, large enough for all threads.  True if it is right. */
static int adds(bl_context *own)
{
    const bl_node node = {.op = bl_op_find(NULL, "Add", BL_OPSET_LATEST, &err)};
    bl_tensor *x = bl_tensor_borrow(own, BL_FLOAT32, BL_SHAPE(COUNT), NULL, elements, &err);
    bl_tensor *y = NULL;
    int right = x != NULL &&
                bl_apply(own, &node, (const bl_tensor *[]){x, x}, 2, &y, 1, &err) == BL_OK;

    for (int i = 0; right && i < COUNT; i++)
        right = ((const float *)bl_tensor_data(y))[i] == 2 * elements[i];
    bl_tensor_free(x);
    bl_tensor_free(y);
    return right;
}

/* Wait for the child, whose exit status tells what went wrong; one that hangs is ended. */
static void expect_success(pid_t child)
{
    int status = 0;

    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("the child ended with status 0x%x", (unsigned)status);
}

/* In the child: alarm(2) ends it if it hangs; _exit runs nothing of the parent's. */
static void test_child(void **state)
{
    (void)state;
    assert_true(adds(three_threads));
    const pid_t child = fork();

    if (child == 0) {
        alarm(60);
        for (int i = 0; i < 3; i++)
            if (!adds(three_threads) || !adds(context))
                _exit(1);
        bl_context_cancel(three_threads);
        if (adds(three_threads))
            _exit(2);
        bl_context_resume(three_threads);
        bl_context_options options = BL_CONTEXT_DEFAULTS;

        options.threads = CHILDS_THREADS;
        bl_context *own = bl_context_new(&options, &err);

        if (own == NULL || !adds(own))
            _exit(3);
        bl_context_free(own);
        bl_context_free(three_threads);
        bl_context_free(context);
        _exit(0);
    }
    assert_true(adds(three_threads)); /* what the child does is its own */
    expect_success(child);
    assert_true(adds(three_threads));
}

static void test_session(void **state)
{
    struct bytes graph = add_constant_graph();
    struct bytes bytes = model_bytes(8, 13, &graph);
    bl_model *model =
        bl_model_open_memory(three_threads, bytes.data, bytes.size, NULL, &err);
    bl_session *session = bl_session_new(three_threads, model, NULL, &err);
    bl_tensor *x = bl_tensor_borrow(NULL, BL_FLOAT32, BL_SHAPE(3), NULL, elements, &err);
    bl_tensor *y = NULL;

    (void)state;
    assert_non_null(session);
    assert_ok(bl_session_run(session, (const bl_tensor *const *)&x, &y, &err), &err);
    bl_tensor_free(y);
    y = NULL;
    const pid_t child = fork();

    if (child == 0) {
        alarm(60);
        const bl_status status =
            bl_session_run(session, (const bl_tensor *const *)&x, &y, &err);
        const int right =
            status == BL_OK && ((const float *)bl_tensor_data(y))[1] == elements[1] + 20;

        bl_tensor_free(y);
        bl_session_free(session);
        bl_model_free(model);
        bl_context_free(three_threads);
        _exit(right ? 0 : 1);
    }
    expect_success(child);
    bl_tensor_free(x);
    bl_session_free(session);
    bl_model_free(model);
    bytes_free(&bytes);
}

/* ---- While another context is at work -------------------------------------------------------- */

static void *work(void *argument)
{
    for (int i = 0; i < 200 && !bl_context_is_cancelled(argument); i++)
        (void)adds(argument);
    return NULL;
}

/* Children that are forked at any moment of another thread's calls: the contexts that this thread
 * uses work in them. */
static void test_busy(void **state)
{
    bl_context_options options = BL_CONTEXT_DEFAULTS;
    pthread_t thread;

    (void)state;
    options.threads = 2;
    bl_context *others = bl_context_new(&options, &err);

    assert_non_null(others);
    assert_int_equal(pthread_create(&thread, NULL, work, others), 0);
    for (int i = 0; i < 20; i++) {
        const pid_t child = fork();

        if (child == 0) {
            alarm(60);
            _exit(adds(three_threads) ? 0 : 1);
        }
        expect_success(child);
    }
    bl_context_cancel(others);
    assert_int_equal(pthread_join(thread, NULL), 0);
    bl_context_free(others);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_child),
        cmocka_unit_test(test_session),
        cmocka_unit_test(test_busy),
    };

    for (int i = 0; i < COUNT; i++)
        elements[i] = (float)(i % 1000);
    return cmocka_run_group_tests(tests, make_contexts, free_contexts);
}
