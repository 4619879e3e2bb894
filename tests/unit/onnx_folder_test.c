/*
 * onnx_folder_test.c - ONNX's own tests: which folders pass, fail and are skipped, and why
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "onnx_bytes.h"

#include <math.h>

#include "base/compiler.h"
#include "conform/onnx_folder.h"
#include "conform/sandbox.h"

static bl_error err;
static char message[BL_ERROR_BYTES];

/* ---- The files of a folder --------------------------------------------------------- */

#define MOST_FILES 16

struct folder {
    struct bytes contents[MOST_FILES]; /* of the files, the model first */
    struct bl_sandbox_file files[MOST_FILES];
    size_t count;
};

/* Takes the bytes over. */
static void add(struct folder *folder, const char *path, struct bytes content)
{
    assert_true(folder->count < MOST_FILES);
    folder->contents[folder->count] = content;
    folder->files[folder->count++] =
        (struct bl_sandbox_file){path, content.data, content.size, NULL};
}

static struct folder with_model(struct bytes *graph, int64_t opset)
{
    struct folder folder = {.count = 0};

    add(&folder, "model.onnx", model_bytes(8, opset, graph));
    return folder;
}

static void add_tensor(struct folder *folder, const char *path, bl_dtype dtype,
                       const bl_shape *shape, const void *elements, size_t size)
{
    add(folder, path, element_bytes("t", dtype, shape, elements, size));
}

/* float32[3]. */
static void add_floats(struct folder *folder, const char *path, float a, float b, float c)
{
    add_tensor(folder, path, BL_FLOAT32, BL_SHAPE(3), (const float[]){a, b, c},
               3 * sizeof(float));
}

/* Run the test, and empty the folder. */
static enum bl_conform_outcome run_on(const char *backend, struct folder *folder)
{
    const struct bl_runner runner = {.backend = bl_conform_backend_find(backend),
                                     .context = bl_context_new(NULL, &err)};
    struct bl_sandbox sandbox;

    assert_non_null(runner.context);
    assert_ok(bl_sandbox_open(&sandbox, &folder->files[0], &folder->files[1],
                              folder->count - 1, &err),
              &err);
    *strrchr(sandbox.path, '/') = '\0';
    const enum bl_conform_outcome outcome =
        bl_onnx_folder_run(&runner, sandbox.path, message);

    assert_true((message[0] == '\0') == (outcome == BL_CONFORM_PASSED));
    bl_sandbox_close(&sandbox);
    bl_context_free(runner.context);
    for (size_t i = 0; i < folder->count; i++)
        bytes_free(&folder->contents[i]);
    return outcome;
}

static void check(struct folder *folder, enum bl_conform_outcome want, const char *why)
{
    const enum bl_conform_outcome outcome = run_on("cpu", folder);

    if (outcome != want || strstr(message, why) == NULL)
        fail_msg("%s: %s", bl_conform_outcome_name(outcome), message);
}

#define SET0 "test_data_set_0/"

/* y = x + c, with c = 10 20 30, on x = 1 2 3. */
static struct folder adding(void)
{
    struct bytes graph = add_constant_graph();
    struct folder folder = with_model(&graph, 13);

    add_floats(&folder, SET0 "input_0.pb", 1, 2, 3);
    return folder;
}

/* y = Identity(x) of that type and shape. */
static struct folder copying(bl_dtype dtype, const bl_shape *shape)
{
    struct bytes graph = {0}, value = value_bytes("x", dtype, shape);

    add_node(&graph, "Identity", "x", "y");
    put_body(&graph, BL_GRAPH_INPUT, &value);
    value = value_bytes("y", dtype, shape);
    put_body(&graph, BL_GRAPH_OUTPUT, &value);
    return with_model(&graph, 13);
}

/* ---- Results ------------------------------------------------------------------------ */

static void test_results(void **state)
{
    struct folder folder = adding();

    (void)state;
    add_floats(&folder, SET0 "output_0.pb", 11, 22, 33);
    add(&folder, "notes.txt", (struct bytes){0});
    add(&folder, SET0 "notes.txt", (struct bytes){0});
    check(&folder, BL_CONFORM_PASSED, "");

    folder = adding();
    add_floats(&folder, SET0 "output_0.pb", 11, 22, 34);
    check(&folder, BL_CONFORM_FAILED,
          "test_data_set_0: output_0: [2]: got 33, want 34 (off by 1");

    folder = adding();
    add_tensor(&folder, SET0 "output_0.pb", BL_FLOAT32, BL_SHAPE(1, 3),
               (const float[]){11, 22, 33}, 12);
    check(&folder, BL_CONFORM_FAILED, "got float32 [3], want float32 [1,3]");

    folder = adding();
    add_tensor(&folder, SET0 "output_0.pb", BL_INT32, BL_SHAPE(3),
               (const int32_t[]){11, 22, 33}, 12);
    check(&folder, BL_CONFORM_FAILED, "got float32 [3], want int32 [3]");
}

/* What x passes for, copied. */
static bool passes_for(float x, float want)
{
    struct folder folder = copying(BL_FLOAT32, BL_SHAPE(3));

    add_floats(&folder, SET0 "input_0.pb", 1, x, 1);
    add_floats(&folder, SET0 "output_0.pb", 1, want, 1);
    return run_on("cpu", &folder) == BL_CONFORM_PASSED;
}

static void test_floats(void **state)
{
    (void)state;
    assert_true(passes_for(1000.9F, 1000) && !passes_for(1001.1F, 1000));
    assert_true(passes_for(0.9e-7F, 0) && !passes_for(1.1e-7F, 0));
    assert_true(passes_for(NAN, NAN) && !passes_for(NAN, 0) && !passes_for(0, NAN));
    assert_true(passes_for(INFINITY, INFINITY) && !passes_for(-INFINITY, INFINITY));
    assert_true(passes_for(-0.0F, 0));
    assert_false(passes_for(3e38F, INFINITY));
}

/* Integers are compared exactly, bools by what they mean. */
static void test_integers(void **state)
{
    struct folder folder = copying(BL_INT64, BL_SHAPE(1));

    (void)state;
    add_tensor(&folder, SET0 "input_0.pb", BL_INT64, BL_SHAPE(1),
               (const int64_t[]){INT64_MAX}, 8);
    add_tensor(&folder, SET0 "output_0.pb", BL_INT64, BL_SHAPE(1),
               (const int64_t[]){INT64_MAX - 1}, 8);
    check(&folder, BL_CONFORM_FAILED, "got 9223372036854775807, want 9223372036854775806");

    folder = copying(BL_BOOL, BL_SHAPE(2));
    add_tensor(&folder, SET0 "input_0.pb", BL_BOOL, BL_SHAPE(2), "\1\0", 2);
    add_tensor(&folder, SET0 "output_0.pb", BL_BOOL, BL_SHAPE(2), "\xFF\0", 2);
    check(&folder, BL_CONFORM_PASSED, "");
}

/* ONNX up to 1.18 stored bfloat16 as uint16; 0x3F80 is 1. */
static void test_bfloat16_as_uint16(void **state)
{
    static const uint16_t one[] = {0x3F80}, other[] = {0x3F90};
    struct folder folder = copying(BL_BFLOAT16, BL_SHAPE(1));

    (void)state;
    add_tensor(&folder, SET0 "input_0.pb", BL_UINT16, BL_SHAPE(1), one, 2);
    add_tensor(&folder, SET0 "output_0.pb", BL_UINT16, BL_SHAPE(1), one, 2);
    check(&folder, BL_CONFORM_PASSED, "");

    folder = copying(BL_BFLOAT16, BL_SHAPE(1));
    add_tensor(&folder, SET0 "input_0.pb", BL_UINT16, BL_SHAPE(1), one, 2);
    add_tensor(&folder, SET0 "output_0.pb", BL_UINT16, BL_SHAPE(1), other, 2);
    check(&folder, BL_CONFORM_FAILED, "got 1, want 1.12");

    folder = copying(BL_FLOAT16, BL_SHAPE(1));
    add_tensor(&folder, SET0 "input_0.pb", BL_UINT16, BL_SHAPE(1), one, 2);
    add_tensor(&folder, SET0 "output_0.pb", BL_UINT16, BL_SHAPE(1), one, 2);
    check(&folder, BL_CONFORM_FAILED, "input 'x' is uint16");
}

/* ---- Data sets ----------------------------------------------------------------------- */

static void test_several_sets(void **state)
{
    struct folder folder = adding();

    (void)state;
    add_floats(&folder, SET0 "output_0.pb", 11, 22, 33);
    add_floats(&folder, "test_data_set_10/input_0.pb", 0, 0, 0);
    add_floats(&folder, "test_data_set_10/output_0.pb", 9, 20, 30);
    add_floats(&folder, "test_data_set_2/input_0.pb", 1, 1, 1);
    add_floats(&folder, "test_data_set_2/output_0.pb", 11, 21, 31);
    check(&folder, BL_CONFORM_FAILED, "test_data_set_10: output_0: [0]: got 10, want 9");
}

/* y = a + b - c - d, where b and c have initializers: 10 and 20. */
static struct folder with_defaults(void)
{
    struct bytes graph = {0};

    add_node(&graph, "Add", "a b", "t");
    add_node(&graph, "Sub", "t c", "u");
    add_node(&graph, "Sub", "u d", "y");
    add_inputs(&graph, "a b c d", 3);
    add_initializer(&graph, "b", BL_SHAPE(3), (const float[]){10, 10, 10});
    add_initializer(&graph, "c", BL_SHAPE(3), (const float[]){20, 20, 20});
    add_outputs(&graph, "y", 3);
    return with_model(&graph, 13);
}

/* As many files as inputs without a default are for those; more go to all in order. */
static void test_defaults(void **state)
{
    struct folder folder = with_defaults();

    (void)state;
    add_floats(&folder, SET0 "input_0.pb", 100, 200, 300);
    add_floats(&folder, SET0 "input_1.pb", 1, 2, 3);
    add_floats(&folder, SET0 "output_0.pb", 89, 188, 287);
    check(&folder, BL_CONFORM_PASSED, "");

    folder = with_defaults();
    add_floats(&folder, SET0 "input_0.pb", 1, 2, 3);
    add_floats(&folder, SET0 "input_1.pb", 4, 5, 6);
    add_floats(&folder, SET0 "input_2.pb", 0, 0, 1);
    add_floats(&folder, SET0 "input_3.pb", 0, 1, 0);
    add_floats(&folder, SET0 "output_0.pb", 5, 6, 8);
    check(&folder, BL_CONFORM_PASSED, "");

    folder = with_defaults();
    add_floats(&folder, SET0 "input_0.pb", 1, 2, 3);
    check(&folder, BL_CONFORM_FAILED, "test_data_set_0 has 1 inputs, but the model 4");
}

static void test_broken_sets(void **state)
{
    struct folder folder = adding();

    (void)state;
    check(&folder, BL_CONFORM_FAILED, "test_data_set_0 has 0 outputs, but the model 1");

    folder = adding();
    add_floats(&folder, SET0 "output_0.pb", 11, 22, 33);
    add_floats(&folder, SET0 "output_1.pb", 11, 22, 33);
    check(&folder, BL_CONFORM_FAILED, "test_data_set_0 has 2 outputs, but the model 1");

    folder = adding();
    add_floats(&folder, SET0 "output_0.pb", 11, 22, 33);
    add_floats(&folder, SET0 "input_2.pb", 1, 2, 3);
    check(&folder, BL_CONFORM_FAILED, "there is input_2.pb, but not all before it");

    folder = adding();
    add(&folder, SET0 "output_0.pb", (struct bytes){0});
    check(&folder, BL_CONFORM_FAILED, "output_0.pb");

    struct bytes graph = add_constant_graph();

    folder = with_model(&graph, 13);
    check(&folder, BL_CONFORM_FAILED, "there is no test_data_set_* beside model.onnx");
}

/* An input whose tensor has dims but no elements is broken; one of 0 elements is not. */
static void test_no_data(void **state)
{
    struct folder folder = copying(BL_FLOAT32, BL_SHAPE(0));

    (void)state;
    add_tensor(&folder, SET0 "input_0.pb", BL_FLOAT32, BL_SHAPE(0), "", 0);
    add_tensor(&folder, SET0 "output_0.pb", BL_FLOAT32, BL_SHAPE(0), "", 0);
    check(&folder, BL_CONFORM_PASSED, "");

    folder = copying(BL_FLOAT32, BL_SHAPE(3));
    add_tensor(&folder, SET0 "input_0.pb", BL_FLOAT32, BL_SHAPE(3), "", 0);
    add_floats(&folder, SET0 "output_0.pb", 0, 0, 0);
    check(&folder, BL_CONFORM_FAILED, "input_0.pb");
}

/* ---- What is skipped ------------------------------------------------------------------- */

static struct folder of_node(const char *op, int64_t opset)
{
    struct bytes graph = {0};

    add_node(&graph, op, "x", "y");
    add_inputs(&graph, "x", 3);
    add_outputs(&graph, "y", 3);
    return with_model(&graph, opset);
}

static void test_skips(void **state)
{
    struct folder folder = of_node("Frobnicate", 13);

    (void)state;
    check(&folder, BL_CONFORM_SKIPPED, "unknown operator 'Frobnicate'");
    /* The path is cut off, so that all such tests read alike. */
    assert_int_equal(strncmp(message, "byte ", 5), 0);

    folder = adding();
    add_floats(&folder, SET0 "output_0.pb", 11, 22, 33);
    assert_int_equal(run_on("reference", &folder), BL_CONFORM_SKIPPED);
    assert_string_equal(message, "backend 'reference' runs operators, not models");

    struct bytes graph = add_constant_graph();

    folder = with_model(&graph, 13);
    add(&folder, "test_data_0.npz", (struct bytes){0});
    check(&folder, BL_CONFORM_SKIPPED, "the data are in test_data_0.npz");

    folder = adding();
    add(&folder, SET0 "output_0.npy", (struct bytes){0});
    check(&folder, BL_CONFORM_SKIPPED, "output_0.npy is not read");
}

/* One set that cannot be read does not hide one that fails. */
static void test_failed_beats_skipped(void **state)
{
    struct folder folder = adding();

    (void)state;
    add(&folder, SET0 "output_0.npy", (struct bytes){0});
    add_floats(&folder, "test_data_set_1/input_0.pb", 0, 0, 0);
    add_floats(&folder, "test_data_set_1/output_0.pb", 9, 20, 30);
    check(&folder, BL_CONFORM_FAILED, "test_data_set_1: output_0: [0]: got 10, want 9");

    folder = adding();
    add(&folder, SET0 "output_0.npy", (struct bytes){0});
    add_floats(&folder, "test_data_set_1/input_0.pb", 0, 0, 0);
    add_floats(&folder, "test_data_set_1/output_0.pb", 10, 20, 30);
    check(&folder, BL_CONFORM_SKIPPED, "output_0.npy");
}

/* A model that is broken, or does not run, has failed. */
static void test_broken_models(void **state)
{
    struct folder folder = {.count = 0};

    (void)state;
    add(&folder, "model.onnx", (struct bytes){0});
    check(&folder, BL_CONFORM_FAILED, "");

    struct bytes graph = {0};

    add_node(&graph, "Add", "x ghost", "y");
    add_inputs(&graph, "x", 3);
    add_outputs(&graph, "y", 3);
    folder = with_model(&graph, 13);
    check(&folder, BL_CONFORM_FAILED, "ghost");

    folder = of_node("Not", 13);
    add_floats(&folder, SET0 "input_0.pb", 1, 2, 3);
    add_floats(&folder, SET0 "output_0.pb", 1, 2, 3);
    check(&folder, BL_CONFORM_FAILED, "float32");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results),       cmocka_unit_test(test_floats),
        cmocka_unit_test(test_integers),      cmocka_unit_test(test_bfloat16_as_uint16),
        cmocka_unit_test(test_several_sets),  cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_broken_sets),   cmocka_unit_test(test_no_data),
        cmocka_unit_test(test_skips),         cmocka_unit_test(test_failed_beats_skipped),
        cmocka_unit_test(test_broken_models),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
