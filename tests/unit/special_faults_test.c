/*
 * special_faults_test.c - public faults of other runtimes that a fixture cannot express
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * They need a layout, an alias, a size, a sequence of runs.  Each names the report it is after.
 */
#define _DEFAULT_SOURCE /* mkstemps */
#include "contexts.h"

#include <locale.h>
#include <stdio.h>
#include <unistd.h>

#include "onnx_bytes.h"

static bl_tensor *floats(const bl_shape *shape, const int64_t *strides, float *data)
{
    bl_tensor *tensor =
        bl_tensor_borrow_mutable(context, BL_FLOAT32, shape, strides, data, &err);

    if (tensor == NULL)
        fail_msg("%s", err.message);
    return tensor;
}

static void apply(const char *op, int opset, bl_tensor *a, bl_tensor *b, bl_tensor **out)
{
    const bl_node node = {.op = bl_op_find("", op, opset, &err)};
    const bl_tensor *in[] = {a, b};

    assert_ok(bl_apply(context, &node, in, 2, out, 1, &err), &err);
}

/* ikawrakow/ik_llama.cpp#2072: a strided input times one element was taken as contiguous. */
static void test_strided_times_one(void **state)
{
    float columns[] = {1, 3, 5, 2, 4, 6}, ten[] = {10};
    const float want[] = {10, 20, 30, 40, 50, 60};
    bl_tensor *a = floats(BL_SHAPE(3, 2), (const int64_t[]){1, 3}, columns);
    bl_tensor *b = floats(BL_SHAPE(1), NULL, ten), *out = NULL;

    (void)state;
    apply("Mul", 14, a, b, &out);
    assert_memory_equal(bl_tensor_data(out), want, sizeof want);
    bl_tensor_free(a);
    bl_tensor_free(b);
    bl_tensor_free(out);
}

/* amd/IRON#198: the tail behind the last whole vector was left out, or written too far. */
static void test_tail(void **state)
{
    enum { N = 83, GUARD = 40 };
    float x[N], y[N], out[N + GUARD];
    bl_tensor *a = floats(BL_SHAPE(N), NULL, x), *b = floats(BL_SHAPE(N), NULL, y);
    bl_tensor *result = floats(BL_SHAPE(N), NULL, out);

    (void)state;
    for (int i = 0; i < N; i++) {
        x[i] = (float)(i + 1);
        y[i] = (float)(i + 2);
    }
    for (int i = 0; i < N + GUARD; i++)
        out[i] = -7;
    apply("Mul", 14, a, b, &result);
    for (int i = 0; i < N; i++)
        assert_true(out[i] == (float)((i + 1) * (i + 2)));
    for (int i = N; i < N + GUARD; i++)
        assert_true(out[i] == -7);
    bl_tensor_free(a);
    bl_tensor_free(b);
    bl_tensor_free(result);
}

/* tensorflow/tensorflow#124949: more than 2^31 results of small inputs. */
static void test_beyond_31_bits(void **state)
{
    enum { ROWS = 65536, COLUMNS = 32769 };
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    uint8_t *values;
    bl_tensor *a, *b, *out = NULL;

    (void)state;
    if (pages > 0 && page > 0 && pages / 1024 * (page / 1024) < 6 * 1024)
        skip(); /* it takes 2 GiB, on a machine of less than 6 */
    values = malloc(ROWS);
    for (int i = 0; i < ROWS; i++)
        values[i] = (uint8_t)(i % 251);
    a = bl_tensor_borrow(context, BL_UINT8, BL_SHAPE(ROWS, 1), NULL, values, &err);
    b = bl_tensor_borrow(context, BL_UINT8, BL_SHAPE(1, COLUMNS), NULL, values, &err);
    apply("Equal", 13, a, b, &out);
    const uint8_t *equal = bl_tensor_data(out);

    assert_int_equal(equal[0], 1);
    assert_int_equal(equal[(size_t)(ROWS - 1) * COLUMNS + COLUMNS - 1], 0);
    assert_int_equal(equal[(size_t)(ROWS - 1) * COLUMNS + (ROWS - 1) % 251], 1);
    bl_tensor_free(a);
    bl_tensor_free(b);
    bl_tensor_free(out);
    free(values);
}

/* sonots/cumo#473: the output lies over an operand that is walked otherwise. */
static void test_overlap_walked_otherwise(void **state)
{
    float x[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    const float want[] = {2, 4, 6, 5, 7, 9, 8, 10, 12};
    bl_tensor *a = floats(BL_SHAPE(3, 3), NULL, x), *row = floats(BL_SHAPE(3), NULL, x);
    bl_tensor *out = a;

    (void)state;
    apply("Add", 13, a, row, &out);
    assert_memory_equal(x, want, sizeof want);
    bl_tensor_free(a);
    bl_tensor_free(row);
}

/* ---- Models ------------------------------------------------------------------------------------ */

static bl_model *open_model(struct bytes *graph, struct bytes *bytes)
{
    *bytes = model_bytes(8, 13, graph);
    bl_model *model = bl_model_open_memory(context, bytes->data, bytes->size, NULL, &err);

    if (model == NULL)
        fail_msg("%s", err.message);
    return model;
}

static void run_add(bl_session *session, const bl_shape *shape, float *a, float *b,
                    const float *want)
{
    const bl_tensor *in[] = {floats(shape, NULL, a), floats(shape, NULL, b)};
    bl_tensor *out[] = {NULL};

    assert_ok(bl_session_run(session, in, out, &err), &err);
    assert_memory_equal(bl_tensor_data(out[0]), want, 4 * sizeof *want);
    bl_tensor_free((bl_tensor *)(uintptr_t)in[0]);
    bl_tensor_free((bl_tensor *)(uintptr_t)in[1]);
    bl_tensor_free(out[0]);
}

/* microsoft/onnxruntime#21349: another shape in between, and memory reuse, broke the next run. */
static void test_shapes_in_between(void **state)
{
    float a[] = {1, 2, 3, 4}, b[] = {5, 6, 7, 8};
    const float want[] = {6, 8, 10, 12};
    struct bytes graph = {NULL, 0, 0}, bytes;
    struct bytes x = value_bytes("a", BL_FLOAT32, BL_SHAPE(-1, -1));
    struct bytes y = value_bytes("b", BL_FLOAT32, BL_SHAPE(-1, -1));
    struct bytes z = value_bytes("y", BL_FLOAT32, BL_SHAPE(-1, -1));

    (void)state;
    add_node(&graph, "Add", "a b", "y");
    put_body(&graph, BL_GRAPH_INPUT, &x);
    put_body(&graph, BL_GRAPH_INPUT, &y);
    put_body(&graph, BL_GRAPH_OUTPUT, &z);
    bl_model *model = open_model(&graph, &bytes);
    bl_session *session = bl_session_new(context, model, NULL, &err);

    for (int round = 0; round < 3; round++) {
        run_add(session, BL_SHAPE(2, 2), a, b, want);
        run_add(session, BL_SHAPE(1, 4), a, b, want);
        run_add(session, BL_SHAPE(2, 2), a, b, want);
    }
    bl_session_free(session);
    bl_model_free(model);
    bytes_free(&bytes);
}

/* NervanaSystems/ngraph-onnx#111: a long chain of nodes was walked by recursion. */
static void test_long_chain(void **state)
{
    enum { NODES = 5000 };
    static const float one = 1;
    float x[] = {1, 2};
    const float want[] = {5001, 5002};
    struct bytes graph = {NULL, 0, 0}, bytes;
    char in[32] = "x one", out_name[16];

    (void)state;
    for (int i = 0; i < NODES; i++) {
        snprintf(out_name, sizeof out_name, i + 1 < NODES ? "t%d" : "y", i);
        add_node(&graph, "Add", in, out_name);
        snprintf(in, sizeof in, "%s one", out_name);
    }
    add_initializer(&graph, "one", BL_SHAPE(1), &one);
    add_inputs(&graph, "x", 2);
    add_outputs(&graph, "y", 2);
    bl_model *model = open_model(&graph, &bytes);

    for (int no_fuse = 0; no_fuse < 2; no_fuse++) {
        const bl_session_options options = {sizeof options, no_fuse};
        bl_session *session = bl_session_new(context, model, &options, &err);
        const bl_tensor *input = floats(BL_SHAPE(2), NULL, x);
        bl_tensor *out = NULL;

        assert_ok(bl_session_run(session, &input, &out, &err), &err);
        assert_memory_equal(bl_tensor_data(out), want, sizeof want);
        bl_tensor_free((bl_tensor *)(uintptr_t)input);
        bl_tensor_free(out);
        bl_session_free(session);
    }
    bl_model_free(model);
    bytes_free(&bytes);
}

/* Weights lie in the file wherever the fields before them end; here at each offset from a multiple of
 * eight.  They are not copied, and every kind of step reads them. */
static void test_unaligned_weights(void **state)
{
    enum { N = 2048 }; /* 8 kB: more than is copied to be aligned */
    float weights[N], x[N];

    (void)state;
    for (int i = 0; i < N; i++) {
        weights[i] = (float)(i % 17) - 8;
        x[i] = (float)(i % 5);
    }
    for (int shift = 0; shift < 8; shift++) {
        const bl_session_options options = {sizeof options, shift % 2};
        struct bytes graph = {NULL, 0, 0}, bytes;
        const bl_tensor *in = floats(BL_SHAPE(N), NULL, x);
        bl_tensor *out[2] = {NULL, NULL};
        float dot = 0;

        put_data(&graph, 99, "0123456",
                 (size_t)shift); /* an unknown field, which moves the rest */
        add_initializer(&graph, "w", BL_SHAPE(N), weights);
        add_node(&graph, "Add", "x w", "y");
        add_node(&graph, "MatMul", "w x", "z");
        add_inputs(&graph, "x", N);
        add_outputs(&graph, "y", N);
        struct bytes scalar = value_bytes("z", BL_FLOAT32, BL_SCALAR);

        put_body(&graph, BL_GRAPH_OUTPUT, &scalar);
        bl_model *model = open_model(&graph, &bytes);
        bl_session *session = bl_session_new(context, model, &options, &err);

        assert_ok(bl_session_run(session, &in, out, &err), &err);
        for (int i = 0; i < N; i++) {
            assert_true(((const float *)bl_tensor_data(out[0]))[i] == x[i] + weights[i]);
            dot += weights[i] * x[i];
        }
        assert_true(*(const float *)bl_tensor_data(out[1]) == dot);
        bl_tensor_free((bl_tensor *)(uintptr_t)in);
        bl_tensor_free(out[0]);
        bl_tensor_free(out[1]);
        bl_session_free(session);
        bl_model_free(model);
        bytes_free(&bytes);
    }
}

/* ---- Files --------------------------------------------------------------------------------------- */

/* llohse/libnpy#37: the locale's thousands separators went into the shape. */
static void test_locale(void **state)
{
    bl_tensor *tensor = bl_tensor_new(context, BL_UINT8, BL_SHAPE(1000, 2), &err);
    char path[] = "locale_test_XXXXXX.npy", header[129] = "";
    const int fd = mkstemps(path, 4);
    FILE *file;

    (void)state;
    assert_true(fd >= 0);
    close(fd);
    /* Whichever of these the machine has; the writer must not ask for it in any case. */
    if (setlocale(LC_ALL, "en_US.UTF-8") == NULL &&
        setlocale(LC_ALL, "de_DE.UTF-8") == NULL)
        setlocale(LC_ALL, "");
    const bl_status status = bl_tensor_write(tensor, path, BL_FORMAT_NPY, &err);

    setlocale(LC_ALL, "C");
    assert_int_equal(status, BL_OK);
    file = fopen(path, "rb");
    assert_int_equal(fread(header, 1, 128, file), 128);
    fclose(file);
    remove(path);
    assert_non_null(strstr(header + 10, "'shape': (1000, 2)"));
    bl_tensor_free(tensor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strided_times_one),
        cmocka_unit_test(test_tail),
        cmocka_unit_test(test_beyond_31_bits),
        cmocka_unit_test(test_overlap_walked_otherwise),
        cmocka_unit_test(test_shapes_in_between),
        cmocka_unit_test(test_long_chain),
        cmocka_unit_test(test_unaligned_weights),
        cmocka_unit_test(test_locale),
    };

    return cmocka_run_group_tests(tests, make_contexts, free_contexts);
}
