/*
 * fpenv_test.c - the caller's floating-point environment changes no result, and is put back
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * What is computed is a string of bytes; in each environment it has to be the one of the default.
 */
#define _GNU_SOURCE /* feenableexcept, where there is one */
#include "contexts.h"

#include <fenv.h>
#include <stdio.h>
#include <unistd.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include "conform/conform.h"
#include "cpu/cpu.h"
#include "onnx_bytes.h"

/* ---- Environments ---------------------------------------------------------------------------- */

struct environment {
    const char *name;
    int rounding;
    int flags;     /* raised before the call */
    int traps;     /* unmasked */
    unsigned bits; /* of MXCSR: flush-to-zero, denormals-are-zero */
};

static const struct environment environments[] = {
    {"upward", FE_UPWARD, 0, 0, 0},
    {"downward", FE_DOWNWARD, 0, 0, 0},
    {"toward zero", FE_TOWARDZERO, 0, 0, 0},
    {"flags", FE_TONEAREST, FE_ALL_EXCEPT, 0, 0},
    {"traps", FE_TONEAREST, 0, FE_ALL_EXCEPT, 0},
    {"flush to zero", FE_TONEAREST, 0, 0, 0x8000},
    {"denormals are zero", FE_TONEAREST, 0, 0, 0x0040},
    {"all of it", FE_UPWARD, 0, FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW, 0x8040},
};

#define ENVIRONMENTS (sizeof environments / sizeof *environments)

static void set_bits(unsigned bits)
{
#if defined(__SSE2__)
    _mm_setcsr(_mm_getcsr() | bits);
#else
    (void)bits;
#endif
}

static void enter(const struct environment *environment)
{
    fesetenv(FE_DFL_ENV);
    fesetround(environment->rounding);
    set_bits(environment->bits);
    if (environment->flags != 0)
        feraiseexcept(environment->flags);
#if defined(__GLIBC__)
    if (environment->traps != 0)
        feenableexcept(environment->traps);
#endif
}

/* Everything that can be seen of it. */
struct seen {
    int rounding, flags, traps;
    unsigned control, x87;
};

static struct seen look(void)
{
    struct seen seen = {.rounding = fegetround(), .flags = fetestexcept(FE_ALL_EXCEPT)};

#if defined(__GLIBC__)
    seen.traps = fegetexcept();
#endif
#if defined(__SSE2__)
    uint16_t x87;

    seen.control = _mm_getcsr();
    __asm__ volatile("fnstcw %0" : "=m"(x87));
    seen.x87 = x87;
#endif
    return seen;
}

/* ---- What is computed ------------------------------------------------------------------------ */

struct bits {
    unsigned char bytes[1 << 20];
    size_t size;
};

static void put(struct bits *bits, const void *bytes, size_t size)
{
    assert_true(size <= sizeof bits->bytes - bits->size);
    memcpy(bits->bytes + bits->size, bytes, size);
    bits->size += size;
}

static void put_tensor(struct bits *bits, const bl_tensor *tensor)
{
    const bl_string *strings = bl_tensor_data(tensor);

    if (bl_tensor_dtype(tensor) != BL_STRING) {
        put(bits, strings,
            (size_t)bl_tensor_count(tensor) * bl_dtype_size(bl_tensor_dtype(tensor)));
        return;
    }
    for (int64_t i = 0; i < bl_tensor_count(tensor); i++)
        put(bits, strings[i].data, strings[i].size);
}

enum { COUNT = 997 };

static float floats[COUNT], others[COUNT];
static double doubles[COUNT];

/* Numbers of all sizes, subnormals and infinities among them. */
static void fill_numbers(void)
{
    for (int i = 0; i < COUNT; i++) {
        floats[i] = (float)(i % 97 - 48) / 7 *
                    (i % 5 == 0   ? 1e-38F
                     : i % 7 == 0 ? 1e37F
                                  : 1);
        others[i] = (float)(i % 89 - 44) / 3 * (i % 3 == 0 ? 1e-39F : 1);
        doubles[i] = (double)floats[i] / 3 * (i % 11 == 0 ? 1e-305 : 1);
    }
}

static void put_applied(struct bits *bits, bl_context *own, const char *op,
                        const bl_tensor *const *in, size_t count)
{
    const bl_attribute to = {
        .name = "to", .type = BL_ATTRIBUTE_INT, .value = {.i = BL_STRING}};
    const bl_node node = {.op = bl_op_find(NULL, op, BL_OPSET_LATEST, &err),
                          .attributes = &to,
                          .attribute_count = strcmp(op, "Cast") == 0};
    bl_tensor *out = NULL;

    assert_ok(bl_apply(own, &node, in, count, &out, 1, &err), &err);
    put_tensor(bits, out);
    bl_tensor_free(out);
}

static void put_operators(struct bits *bits, bl_context *own)
{
    static const char *const unary[] = {"Sqrt", "Exp",     "Log",       "Tanh",
                                        "Erf",  "Sin",     "Cast",      "Ceil",
                                        "Elu",  "Sigmoid", "Reciprocal"};
    static const char *const binary[] = {"Add", "Sub", "Mul", "Div", "Pow", "Max"};
    const bl_shape *shape = BL_SHAPE(COUNT);
    bl_tensor *f = bl_tensor_borrow(own, BL_FLOAT32, shape, NULL, floats, &err);
    bl_tensor *g = bl_tensor_borrow(own, BL_FLOAT32, shape, NULL, others, &err);
    bl_tensor *d = bl_tensor_borrow(own, BL_FLOAT64, shape, NULL, doubles, &err);
    bl_tensor *row =
        bl_tensor_borrow(own, BL_FLOAT32, BL_SHAPE(1, COUNT), NULL, floats, &err);
    bl_tensor *column =
        bl_tensor_borrow(own, BL_FLOAT32, BL_SHAPE(COUNT, 1), NULL, others, &err);

    for (size_t i = 0; i < sizeof unary / sizeof *unary; i++) {
        put_applied(bits, own, unary[i], (const bl_tensor *const *)&f, 1);
        put_applied(bits, own, unary[i], (const bl_tensor *const *)&d, 1);
    }
    for (size_t i = 0; i < sizeof binary / sizeof *binary; i++) {
        put_applied(bits, own, binary[i], (const bl_tensor *[]){f, g}, 2);
        put_applied(bits, own, binary[i], (const bl_tensor *[]){d, d}, 2);
    }
    put_applied(bits, own, "MatMul", (const bl_tensor *[]){row, column}, 2);
    bl_tensor_free(f);
    bl_tensor_free(g);
    bl_tensor_free(d);
    bl_tensor_free(row);
    bl_tensor_free(column);
}

/* Text to numbers, which the C library does. */
static void put_strings(struct bits *bits, bl_context *own)
{
    static const char *const texts[] = {
        "0.1",     "1e-45",   "-0.3",   "1.7976931348623157e308",
        "1e-310",  "7.1e-46", "0.7e-3", "12345.678901234567",
        "2.5e-324"};
    enum { TEXTS = sizeof texts / sizeof *texts };
    bl_tensor *strings = bl_tensor_new(own, BL_STRING, BL_SHAPE(TEXTS), &err);

    for (int i = 0; i < TEXTS; i++)
        assert_ok(bl_tensor_set_string(strings, i, texts[i], strlen(texts[i]), &err), &err);
    for (int k = 0; k < 3; k++) {
        static const bl_dtype types[] = {BL_FLOAT32, BL_FLOAT64, BL_FLOAT16};
        bl_tensor *like = bl_tensor_new(own, types[k], BL_SCALAR, &err);

        put_applied(bits, own, "CastLike", (const bl_tensor *[]){strings, like}, 2);
        bl_tensor_free(like);
    }
    bl_tensor_free(strings);
}

/* A Range of floats: its count is a quotient, rounded; and it is a constant of the plan. */
static void put_model(struct bits *bits, bl_context *own)
{
    static const float start = 0, limit = 0.7F, delta = 0.1F;
    struct bytes graph = {0};
    bl_tensor *out[2] = {NULL, NULL};

    add_node(&graph, "Range", "a b d", "r");
    add_node(&graph, "Exp", "r", "e");
    add_node(&graph, "Div", "e b", "y");
    add_node(&graph, "Tanh", "x", "t");
    add_node(&graph, "Mul", "t b", "z");
    add_initializer(&graph, "a", BL_SCALAR, &start);
    add_initializer(&graph, "b", BL_SCALAR, &limit);
    add_initializer(&graph, "d", BL_SCALAR, &delta);
    add_inputs(&graph, "x", COUNT);
    add_outputs(&graph, "y z", -1);
    struct bytes bytes = model_bytes(8, 13, &graph);
    bl_model *model = bl_model_open_memory(own, bytes.data, bytes.size, NULL, &err);
    bl_session *session = bl_session_new(own, model, NULL, &err);
    bl_tensor *x = bl_tensor_borrow(own, BL_FLOAT32, BL_SHAPE(COUNT), NULL, floats, &err);
    const bl_tensor_type type = {BL_FLOAT32, *BL_SHAPE(COUNT)};

    assert_non_null(session);
    assert_ok(bl_session_run(session, (const bl_tensor *const *)&x, out, &err), &err);
    put_tensor(bits, out[0]);
    put_tensor(bits, out[1]);
    bl_explanation *explanation = bl_model_explain(own, model, &type, &err);

    assert_non_null(explanation);
    put(bits, &explanation->arena_bytes, sizeof explanation->arena_bytes);
    bl_explanation_free(explanation);
    bl_tensor_free(out[0]);
    bl_tensor_free(out[1]);
    bl_tensor_free(x);
    bl_session_free(session);
    bl_model_free(model);
    bytes_free(&bytes);
}

/* Tensor files, and inference. */
static void put_readers(struct bits *bits, bl_context *own)
{
    struct bytes pb = tensor_bytes("t", BL_FLOAT32, BL_SHAPE(COUNT), floats, sizeof floats);
    bl_tensor *tensor =
        bl_tensor_read_memory(own, pb.data, pb.size, BL_FORMAT_PB, "t", &err);
    const bl_node node = {.op = bl_op_find(NULL, "Add", BL_OPSET_LATEST, &err)};
    const bl_tensor_type types[] = {{BL_FLOAT32, *BL_SHAPE(3, 1)},
                                    {BL_FLOAT32, *BL_SHAPE(4)}};
    bl_tensor_type out;

    assert_non_null(tensor);
    put_tensor(bits, tensor);
    bl_tensor_free(tensor);
    bytes_free(&pb);
    assert_ok(bl_infer(&node, types, 2, &out, 1, &err), &err);
    put(bits, out.shape.dim, 2 * sizeof *out.shape.dim);
}

/* A fixture: JSON numbers, the reference, a comparison within a tolerance. */
static void put_conform(struct bits *bits, bl_context *own)
{
    static const char text[] =
        "{\"op\": \"ai.onnx.Mul\", \"cases\": [{\"name\": \"c\", \"opset\": 14, "
        "\"inputs\": "
        "{\"A\": {\"dtype\": \"float32\", \"shape\": [3], \"data\": {\"kind\": \"values\", "
        "\"values\": [0.1, -0.3, 1e-40]}}, \"B\": {\"dtype\": \"float32\", \"shape\": [], "
        "\"data\": {\"kind\": \"values\", \"values\": [0.7]}}}, \"outputs\": {\"C\": "
        "{\"dtype\": "
        "\"float32\", \"shape\": [3], \"exact\": true}}}]}";
    char path[] = "/tmp/fpenv_testXXXXXX.json";
    const int fd = mkstemps(path, 5);
    struct bl_conform_options options = {.context = own};
    struct bl_conform_totals totals;
    const char *const paths[] = {path};

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, sizeof text - 1), sizeof text - 1);
    close(fd);
    assert_ok(bl_conform_run(&options, paths, 1, &totals, &err), &err);
    assert_int_equal(totals.passed, 1);
    put(bits, &totals, sizeof totals);
    unlink(path);
}

/* ---- Tests ----------------------------------------------------------------------------------- */

typedef void computation(struct bits *bits, bl_context *own);

static void check(computation *compute, bl_context *own)
{
    static struct bits plain, bits;

    fesetenv(FE_DFL_ENV);
    plain.size = 0;
    compute(&plain, own);
    assert_true(plain.size > 0);
    for (size_t i = 0; i < ENVIRONMENTS; i++) {
        bits.size = 0;
        enter(&environments[i]);
        const struct seen before = look();

        compute(&bits, own);
        const struct seen after = look();

        fesetenv(FE_DFL_ENV);
        if (bits.size != plain.size || memcmp(bits.bytes, plain.bytes, plain.size) != 0)
            fail_msg("%s: other bits", environments[i].name);
        if (memcmp(&before, &after, sizeof before) != 0)
            fail_msg("%s: the environment was not put back (flags %x, then %x)",
                     environments[i].name, (unsigned)before.flags, (unsigned)after.flags);
    }
}

static void test_operators(void **state)
{
    (void)state;
    check(put_operators, context);
}

static void test_strings(void **state)
{
    (void)state;
    check(put_strings, context);
}

static void test_model(void **state)
{
    (void)state;
    check(put_model, context);
}

static void test_readers(void **state)
{
    (void)state;
    check(put_readers, context);
}

static void test_conform(void **state)
{
    (void)state;
    check(put_conform, context);
}

/* Threads inherit the environment of who makes them, and have enough to do here. */
static void put_large(struct bits *bits, bl_context *own)
{
    bl_tensor *x = bl_tensor_borrow(own, BL_FLOAT32, BL_SHAPE(200, COUNT),
                                    (const int64_t[]){0, 1}, floats, &err);
    const bl_node node = {.op = bl_op_find(NULL, "Div", BL_OPSET_LATEST, &err)};
    const float third = 3e-39F;
    bl_tensor *y = bl_tensor_borrow(own, BL_FLOAT32, BL_SCALAR, NULL, &third, &err);
    bl_tensor *out = NULL;

    assert_ok(bl_apply(own, &node, (const bl_tensor *[]){x, y}, 2, &out, 1, &err), &err);
    put_tensor(bits, out);
    bl_tensor_free(out);
    bl_tensor_free(x);
    bl_tensor_free(y);
}

static void test_threads(void **state)
{
    bl_context_options options = BL_CONTEXT_DEFAULTS;

    (void)state;
    check(put_large, three_threads);
    options.threads = 3;
    for (size_t i = 0; i < ENVIRONMENTS; i++) {
        enter(&environments[i]);
        bl_context *own = bl_context_new(&options, &err);

        fesetenv(FE_DFL_ENV);
        assert_non_null(own);
        static struct bits plain, bits;

        plain.size = bits.size = 0;
        put_large(&plain, context);
        put_large(&bits, own);
        assert_memory_equal(plain.bytes, bits.bytes, plain.size);
        bl_context_free(own);
    }
}

#if defined(__x86_64__) || defined(__i386__)
/* What the C library raises in the x87, between numbers and text, does not stay. */
static void test_x87(void **state)
{
    volatile long double x = 1, y = 3;

    (void)state;
    feclearexcept(FE_ALL_EXCEPT);
    const struct bl_fpenv saved = bl_fpenv_enter_text();

    x = x / y;
    assert_true(fetestexcept(FE_INEXACT) != 0);
    bl_fpenv_leave_text(saved);
    assert_int_equal(fetestexcept(FE_ALL_EXCEPT), 0);
    feraiseexcept(FE_DIVBYZERO);
    bl_fpenv_leave_text(bl_fpenv_enter_text());
    assert_int_equal(fetestexcept(FE_ALL_EXCEPT), FE_DIVBYZERO);
    feclearexcept(FE_ALL_EXCEPT);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operators),
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_model),
        cmocka_unit_test(test_readers),
        cmocka_unit_test(test_conform),
        cmocka_unit_test(test_threads),
#if defined(__x86_64__) || defined(__i386__)
        cmocka_unit_test(test_x87),
#endif
    };

    fill_numbers();
    return cmocka_run_group_tests(tests, make_contexts, free_contexts);
}
