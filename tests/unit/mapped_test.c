/*
 * mapped_test.c - files of a model that are cut short while it is open
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bus_errors.h"
#include "io_support.h"
#include "onnx_bytes.h"

#include <signal.h>
#include <sys/wait.h>

#include "io/map_guard.h"

/* Elements of w.  They are bytes, since these are mapped on big-endian machines too. */
#define COUNT 800000
#define CUT 4096 /* what is left of the file, so that the graph is still there */

static bl_error err;

static unsigned char weight(size_t i)
{
    return (unsigned char)(i % 251 + 1);
}

static unsigned char *weights(void)
{
    unsigned char *w = malloc(COUNT);

    assert_non_null(w);
    for (size_t i = 0; i < COUNT; i++)
        w[i] = weight(i);
    return w;
}

/* y = x + w as the file "model"; w is in it, or in "w.bin". */
static void write_model(bool is_external)
{
    struct bytes graph = {0}, tensor;
    struct bytes x = value_bytes("x", BL_UINT8, BL_SHAPE(COUNT));
    struct bytes y = value_bytes("y", BL_UINT8, BL_SHAPE(COUNT));
    unsigned char *w = weights();

    add_node(&graph, "Add", "x w", "y");
    if (is_external) {
        tensor = external_bytes("w", COUNT, "w.bin", NULL, NULL);
        put_number(&tensor, BL_TENSOR_DATA_TYPE, BL_UINT8); /* the last of two counts */
        write_file("w.bin", w, COUNT);
    } else {
        tensor = tensor_bytes("w", BL_UINT8, BL_SHAPE(COUNT), w, COUNT);
    }
    put_body(&graph, BL_GRAPH_INITIALIZER, &tensor);
    put_body(&graph, BL_GRAPH_INPUT, &x);
    put_body(&graph, BL_GRAPH_OUTPUT, &y);
    struct bytes model = model_bytes(8, 14, &graph);

    write_file("model", model.data, model.size);
    bytes_free(&model);
    free(w);
}

static void remove_model(void)
{
    assert_int_equal(unlink("model"), 0);
    unlink("w.bin");
}

/* A model that is open, and what runs it. */
struct running {
    bl_context *context;
    bl_model *model;
    bl_session *session;
    bl_tensor *x;
};

static struct running start(bl_mapping mapping, int threads, int no_fuse)
{
    const bl_session_options options = {sizeof options, no_fuse};
    bl_context_options with = BL_CONTEXT_DEFAULTS;
    struct running running;

    with.mapping = mapping;
    with.threads = threads;
    running.context = bl_context_new(&with, &err);
    assert_non_null(running.context);
    running.model = bl_model_open(running.context, "model", &err);
    if (running.model == NULL)
        fail_msg("%s", err.message);
    running.session = bl_session_new(running.context, running.model, &options, &err);
    assert_non_null(running.session);
    running.x = bl_tensor_new(running.context, BL_UINT8, BL_SHAPE(COUNT), &err);
    assert_non_null(running.x);
    return running;
}

static bl_status run(struct running *running, bl_tensor **y)
{
    memset(&err, 0, sizeof err);
    return bl_session_run(running->session, (const bl_tensor *const *)&running->x, y, &err);
}

static void assert_right(const bl_tensor *y)
{
    for (size_t i = 0; i < COUNT; i++)
        if (((const unsigned char *)bl_tensor_data(y))[i] != weight(i))
            fail_msg("element %zu is not what the file held", i);
}

static void stop(struct running *running)
{
    bl_tensor_free(running->x);
    bl_session_free(running->session);
    bl_model_free(running->model);
    bl_context_free(running->context);
}

static bool has_our_handler(void)
{
    struct sigaction now;

    assert_int_equal(sigaction(SIGBUS, NULL, &now), 0);
    return (now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction != NULL;
}

/* ---- Cut short -------------------------------------------------------------------------- */

static void check_cut(bool is_external, int threads, int no_fuse)
{
    const char *const cut = is_external ? "w.bin" : "model";

    write_model(is_external);
    for (int runs_before = 0; runs_before < 2; runs_before++) {
        struct running running = start(BL_MAPPING_GUARDED, threads, no_fuse);
        bl_tensor *y = NULL;

        if (runs_before > 0) {
            assert_ok(run(&running, &y), &err);
            assert_right(y);
            bl_tensor_free(y);
            y = NULL;
        }
        assert_int_equal(truncate(cut, is_external ? 0 : CUT), 0);
        for (int again = 0; again < 2; again++) {
            assert_int_equal(run(&running, &y), BL_ERR_IO);
            assert_non_null(strstr(err.message, "cut short while it was open"));
            assert_null(y);
        }
        const bl_tensor_type type = {BL_UINT8, *BL_SHAPE(COUNT)};

        assert_null(bl_model_explain(running.context, running.model, &type, &err));
        assert_int_equal(err.status, BL_ERR_IO);
        stop(&running);
        write_model(is_external);
    }
    remove_model();
}

static void survives_a_cut(void **state)
{
    (void)state;
    needs_bus_addresses();
    for (int way = 0; way < 8; way++)
        check_cut(way % 2 == 1, way / 2 % 2 == 1 ? 3 : 1, way / 4);
}

/* An output that was given is one of the caller's: it stays, and is usable. */
static void leaves_given_outputs(void **state)
{
    (void)state;
    needs_bus_addresses();
    write_model(false);
    struct running running = start(BL_MAPPING_GUARDED, 1, 0);
    bl_tensor *given = bl_tensor_new(NULL, BL_UINT8, BL_SHAPE(COUNT), &err), *y = given;

    assert_int_equal(truncate("model", CUT), 0);
    assert_int_equal(run(&running, &y), BL_ERR_IO);
    assert_ptr_equal(y, given);
    stop(&running);
    write_model(false);
    running = start(BL_MAPPING_GUARDED, 1, 0);
    assert_ok(run(&running, &y), &err);
    assert_right(y);
    bl_tensor_free(given);
    stop(&running);
    remove_model();
}

/* One model's file does not matter to another's. */
static void blames_the_right_model(void **state)
{
    (void)state;
    needs_bus_addresses();
    write_model(false);
    struct running whole = start(BL_MAPPING_GUARDED, 1, 0);

    assert_int_equal(unlink("model"), 0); /* the file stays as long as it is mapped */
    write_model(false);
    struct running cut = start(BL_MAPPING_GUARDED, 1, 0);
    bl_tensor *y = NULL;

    assert_int_equal(truncate("model", CUT), 0);
    assert_int_equal(run(&cut, &y), BL_ERR_IO);
    assert_ok(run(&whole, &y), &err);
    assert_right(y);
    bl_tensor_free(y);
    /* Who reads an initializer himself gets zeros, and no signal. */
    const bl_tensor *w = NULL;

    for (size_t v = 0; w == NULL && v < bl_model_value_count(cut.model); v++)
        w = bl_model_initializer(cut.model, v);
    assert_non_null(w);
    assert_int_equal(((const unsigned char *)bl_tensor_data(w))[COUNT - 1], 0);
    stop(&cut);
    stop(&whole);
    remove_model();
}

static void reads_what_is_not_to_be_mapped(void **state)
{
    bl_tensor *y = NULL;

    (void)state;
    for (int is_external = 0; is_external < 2; is_external++) {
        write_model(is_external);
        struct running running = start(BL_MAPPING_NONE, 1, 0);

        assert_false(has_our_handler());
        assert_int_equal(truncate("model", 0), 0);
        assert_int_equal(truncate(is_external ? "w.bin" : "model", 0), 0);
        assert_ok(run(&running, &y), &err);
        assert_right(y);
        bl_tensor_free(y);
        y = NULL;
        stop(&running);
        remove_model();
    }
}

/* In a child of the test: cut the file of a mapping that is not guarded, and read it. */
static void read_what_is_gone(struct running *running)
{
    bl_tensor *y = NULL;

    if (truncate("model", CUT) != 0)
        _exit(3);
    (void)!run(running, &y);
    _exit(4);
}

static void assert_bus_error_ends(pid_t child)
{
    int status = 0;

    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS);
}

/* Who says that files are to be trusted gets what that means. */
static void trusts_when_told(void **state)
{
    (void)state;
    write_model(false);
    const pid_t child = fork();

    if (child == 0) {
        struct running running = start(BL_MAPPING_TRUSTED, 1, 0);

        signal(SIGBUS, SIG_DFL); /* a sanitizer's */
        if (has_our_handler())
            _exit(3);
        read_what_is_gone(&running);
    }
    assert_bus_error_ends(child);
    remove_model();
}

static void refuses_other_mappings(void **state)
{
    bl_context_options with = BL_CONTEXT_DEFAULTS;

    (void)state;
    with.mapping = (bl_mapping)3;
    assert_null(bl_context_new(&with, &err));
    assert_int_equal(err.status, BL_ERR_ARGUMENT);
    assert_string_equal(err.message, "3 is no mapping");
}

/* ---- The handler --------------------------------------------------------------------------- */

static volatile sig_atomic_t others;

static void count_signal(int number)
{
    (void)number;
    others++;
}

static void passes_other_signals_on(void **state)
{
    struct sigaction mine = {.sa_handler = count_signal}, before, now;

    (void)state;
    write_model(false);
    assert_int_equal(sigaction(SIGBUS, &mine, &before), 0);
    struct running first = start(BL_MAPPING_GUARDED, 1, 0);
    struct running second = start(BL_MAPPING_GUARDED, 1, 0);

    assert_true(has_our_handler());
    others = 0;
    raise(SIGBUS);
    assert_int_equal(others, 1);
    stop(&first);
    assert_true(has_our_handler());
    raise(SIGBUS);
    assert_int_equal(others, 2);
    stop(&second);
    /* Back to what was there. */
    assert_int_equal(sigaction(SIGBUS, NULL, &now), 0);
    assert_true((now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == count_signal);
    assert_int_equal(sigaction(SIGBUS, &before, NULL), 0);
    remove_model();
}

static void count_later_signal(int number)
{
    (void)number;
    others += 10;
}

/* One that comes while ours is there stays, also when ours would go; and files are read as long as it is over
 * ours. */
static void yields_to_a_later_handler(void **state)
{
    struct sigaction mine = {.sa_handler = count_signal}, before, now;
    struct sigaction later = {.sa_handler = count_later_signal};
    bl_tensor *y = NULL;

    (void)state;
    write_model(false);
    assert_int_equal(sigaction(SIGBUS, &mine, &before), 0);
    struct running first = start(BL_MAPPING_GUARDED, 1, 0);

    assert_int_equal(sigaction(SIGBUS, &later, NULL), 0);
    stop(&first);
    others = 0;
    raise(SIGBUS);
    assert_int_equal(others, 10);
    first = start(BL_MAPPING_GUARDED, 1, 0);
    assert_int_equal(truncate("model", 0), 0);
    assert_ok(run(&first, &y), &err);
    assert_right(y);
    bl_tensor_free(y);
    stop(&first);
    assert_int_equal(sigaction(SIGBUS, NULL, &now), 0);
    assert_true((now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == count_later_signal);
    /* Once it is gone, ours comes again. */
    assert_int_equal(sigaction(SIGBUS, &mine, NULL), 0);
    write_model(false);
    first = start(BL_MAPPING_GUARDED, 1, 0);
    assert_true(has_our_handler());
    stop(&first);
    assert_int_equal(sigaction(SIGBUS, &before, NULL), 0);
    remove_model();
}

/* A fault outside of what is guarded is as deadly as ever. */
static void hides_no_other_fault(void **state)
{
    (void)state;
    for (int ignored = 0; ignored < 2; ignored++) {
        write_model(false);
        const pid_t child = fork();

        if (child == 0) {
            signal(SIGBUS, ignored ? SIG_IGN : SIG_DFL);
            struct running running = start(BL_MAPPING_TRUSTED, 1, 0);
            struct running guarded = start(BL_MAPPING_GUARDED, 1, 0);

            raise(ignored ? SIGBUS : 0);
            if (guarded.model == NULL)
                _exit(3);
            read_what_is_gone(&running);
        }
        assert_bus_error_ends(child);
    }
    remove_model();
}

static void has_room_for_many(void **state)
{
    static const unsigned char bytes[1];
    int guard[1100];
    int count = 0;

    (void)state;
    while (count < 1100 && (guard[count] = bl_map_guard_begin(bytes, 1)) != 0)
        count++;
    assert_int_equal(count, 1024);
    /* A model is read then. */
    write_model(false);
    struct running running = start(BL_MAPPING_GUARDED, 1, 0);
    bl_tensor *y = NULL;

    assert_int_equal(truncate("model", 0), 0);
    assert_ok(run(&running, &y), &err);
    assert_right(y);
    bl_tensor_free(y);
    stop(&running);
    remove_model();
    for (int i = 0; i < count; i++) {
        assert_false(bl_map_guard_is_damaged(guard[i]));
        bl_map_guard_end(guard[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(survives_a_cut),
        cmocka_unit_test(leaves_given_outputs),
        cmocka_unit_test(blames_the_right_model),
        cmocka_unit_test(reads_what_is_not_to_be_mapped),
        cmocka_unit_test(trusts_when_told),
        cmocka_unit_test(refuses_other_mappings),
        cmocka_unit_test(passes_other_signals_on),
        cmocka_unit_test(yields_to_a_later_handler),
        cmocka_unit_test(hides_no_other_fault),
        cmocka_unit_test(has_room_for_many),
    };

    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
