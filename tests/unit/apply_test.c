/*
 * apply_test.c - bl_apply: outputs given, strided, aliased; errors; allocation failure; the
 * caller's FPU
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "contexts.h"

#include <fenv.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include "operands.h"

static const bl_op *op_named(const char *name, int opset)
{
    const bl_op *op = bl_op_find("", name, opset, &err);

    if (op == NULL)
        fail_msg("%s", err.message);
    return op;
}

/* Apply a binary operator to two tensors that are freed here; the result is the caller's.
 */
static bl_tensor *apply2(const bl_node *node, bl_tensor *a, bl_tensor *b)
{
    const bl_tensor *in[] = {a, b};
    bl_tensor *out = NULL;

    assert_ok(bl_apply(context, node, in, 2, &out, 1, &err), &err);
    bl_tensor_free(a);
    bl_tensor_free(b);
    return out;
}

static bl_tensor *ints(const bl_shape *shape, const int32_t *values)
{
    return bl_tensor_borrow(NULL, BL_INT32, shape, NULL, values, &err);
}

static void test_add(void **state)
{
    static const int32_t a[] = {1, 2, 3, 4, 5, 6}, b[] = {10, 20, 30};
    static const int32_t want[] = {11, 22, 33, 14, 25, 36};
    const bl_node node = {.op = op_named("Add", 14)};
    bl_tensor *out = apply2(&node, ints(BL_SHAPE(2, 3), a), ints(BL_SHAPE(3), b));

    (void)state;
    assert_int_equal(bl_tensor_dtype(out), BL_INT32);
    assert_memory_equal(bl_tensor_data(out), want, sizeof want);
    bl_tensor_free(out);
}

static void test_division(void **state)
{
    static const int32_t a[] = {INT32_MIN, 7, 5, 1}, b[] = {-1, 2, -3, 1},
                         zero[] = {1, 1, 0, 0};
    static const int32_t want[] = {INT32_MIN, 3, -1, 1};
    const bl_node node = {.op = op_named("Div", 14), .name = "quotient"};
    bl_tensor *out = apply2(&node, ints(BL_SHAPE(2, 2), a), ints(BL_SHAPE(2, 2), b));
    bl_tensor *x = ints(BL_SHAPE(2, 2), a), *y = ints(BL_SHAPE(2, 2), zero);
    const bl_tensor *in[] = {x, y};
    bl_tensor *none = NULL;

    (void)state;
    assert_memory_equal(bl_tensor_data(out), want, sizeof want);
    assert_fails(
        bl_apply(context, &node, in, 2, &none, 1, &err), BL_ERR_ARITHMETIC, &err,
        "Div-14 (node 'quotient'): integer division by zero at output index [1,0]");
    assert_null(none);
    bl_tensor_free(out);
    bl_tensor_free(x);
    bl_tensor_free(y);
}

static void test_messages(void **state)
{
    const bl_node add = {.op = op_named("Add", 14), .name = "sum"};
    const bl_node add6 = {.op = op_named("Add", 6)};
    const bl_node max6 = {.op = op_named("Max", 6)};
    const bl_node prelu = {.op = op_named("PRelu", 16)};
    const bl_attribute axis = {.name = "axis", .type = BL_ATTRIBUTE_INT, .value.i = 1};
    const bl_attribute wrong = {.name = "alpha", .type = BL_ATTRIBUTE_INT, .value.i = 1};
    const bl_node with_axis = {
        .op = op_named("Add", 14), .attributes = &axis, .attribute_count = 1};
    const bl_node gemm = {
        .op = op_named("Gemm", 13), .attributes = &wrong, .attribute_count = 1};
    bl_tensor_type in[3] = {{BL_FLOAT32, {2, {2, 3}}}, {BL_FLOAT32, {1, {4}}}};
    bl_tensor_type out;

    (void)state;
    assert_fails(
        bl_infer(&add, in, 2, &out, 1, &err), BL_ERR_SHAPE, &err,
        "Add-14 (node 'sum'): A [2,3] does not broadcast with B [4]: at axis 1 (or -1) 3 "
        "meets 4 (multidirectional");
    assert_fails(bl_infer(&add6, in, 2, &out, 1, &err), BL_ERR_SHAPE, &err, "broadcast=1");
    assert_fails(bl_infer(&max6, in, 2, &out, 1, &err), BL_ERR_SHAPE, &err,
                 "data_0 [2,3] and data_1 [4]");
    assert_fails(bl_infer(&prelu, in, 2, &out, 1, &err), BL_ERR_SHAPE, &err, "slope [4]");
    assert_fails(bl_infer(&add, in, 1, &out, 1, &err), BL_ERR_ARITY, &err,
                 "takes 2 inputs, not 1");
    assert_fails(bl_infer(&add, in, 2, &out, 0, &err), BL_ERR_ARITY, &err, "1 output");
    assert_fails(bl_infer(&with_axis, in, 2, &out, 1, &err), BL_ERR_ATTRIBUTE, &err,
                 "these versions do: Add-1, Add-6");
    assert_fails(bl_infer(&gemm, in, 2, &out, 1, &err), BL_ERR_ATTRIBUTE, &err,
                 "'alpha' is INT, but has to be FLOAT");
    in[1].dtype = BL_INT8;
    assert_fails(bl_infer(&add, in, 2, &out, 1, &err), BL_ERR_TYPE, &err,
                 "A is float32, but input B is int8");
    in[0].dtype = BL_INT8;
    assert_fails(bl_infer(&add6, in, 2, &out, 1, &err), BL_ERR_TYPE, &err,
                 "Add does from opset 14 on");
    in[1].dtype = BL_UNDEFINED;
    assert_fails(bl_infer(&add, in, 2, &out, 1, &err), BL_ERR_ARITY, &err,
                 "input B is absent");
    assert_fails(bl_infer(NULL, in, 2, &out, 1, &err), BL_ERR_ARGUMENT, &err, "NULL");
    assert_fails(bl_infer(&(bl_node){.op = NULL}, in, 2, &out, 1, &err), BL_ERR_ARGUMENT,
                 &err, "NULL");
    assert_fails(bl_infer(&(bl_node){.op = &(bl_op){.name = "Own"}}, in, 2, &out, 1, &err),
                 BL_ERR_ARGUMENT, &err, "bl_op_find");
}

/* ---- Outputs that are given -------------------------------------------------------------
 */

static void test_given_output(void **state)
{
    static const int32_t a[] = {1, 2, 3, 4}, b[] = {10, 20};
    static const int64_t columns[] = {1, 2}; /* a transposed output */
    const bl_node node = {.op = op_named("Add", 14)};
    int32_t memory[4] = {0};
    bl_tensor *x = ints(BL_SHAPE(2, 2), a), *y = ints(BL_SHAPE(2), b);
    bl_tensor *out =
        bl_tensor_borrow_mutable(NULL, BL_INT32, BL_SHAPE(2, 2), columns, memory, &err);
    bl_tensor *constant =
        bl_tensor_borrow(NULL, BL_INT32, BL_SHAPE(2, 2), NULL, memory, &err);
    bl_tensor *small = bl_tensor_new(NULL, BL_INT32, BL_SHAPE(2), &err);
    bl_tensor *other = bl_tensor_new(NULL, BL_INT64, BL_SHAPE(2, 2), &err);
    bl_tensor *folded = bl_tensor_borrow_mutable(NULL, BL_INT32, BL_SHAPE(2, 2),
                                                 (const int64_t[]){1, 1}, memory, &err);
    const bl_tensor *in[] = {x, y};

    (void)state;
    assert_ok(bl_apply(context, &node, in, 2, &out, 1, &err), &err);
    assert_memory_equal(memory, ((const int32_t[]){11, 13, 22, 24}), sizeof memory);
    assert_fails(bl_apply(context, &node, in, 2, &constant, 1, &err), BL_ERR_ARGUMENT, &err,
                 "read-only");
    assert_fails(bl_apply(context, &node, in, 2, &small, 1, &err), BL_ERR_SHAPE, &err,
                 "[2,2]");
    assert_fails(bl_apply(context, &node, in, 2, &other, 1, &err), BL_ERR_TYPE, &err,
                 "int64");
    assert_fails(bl_apply(context, &node, in, 2, &folded, 1, &err), BL_ERR_ARGUMENT, &err,
                 "share memory");
    bl_tensor_free(x);
    bl_tensor_free(y);
    bl_tensor_free(out);
    bl_tensor_free(constant);
    bl_tensor_free(small);
    bl_tensor_free(other);
    bl_tensor_free(folded);
}

/* An output that lies over an input in any way gives what a separate one does. */
static void test_overlap(void **state)
{
    const bl_node node = {.op = op_named("Sub", 14)};

    (void)state;
    for (int shift = -3; shift <= 3; shift++) {
        int32_t memory[16], want[5];
        const int32_t b[] = {1, 10, 100, 1000, 10000};
        bl_tensor *x, *y, *out;

        for (int i = 0; i < 16; i++)
            memory[i] = i * i;
        for (int i = 0; i < 5; i++)
            want[i] = memory[5 + i] - b[i];
        x = ints(BL_SHAPE(5), memory + 5);
        y = ints(BL_SHAPE(5), b);
        out = bl_tensor_borrow_mutable(NULL, BL_INT32, BL_SHAPE(5), NULL,
                                       memory + 5 + shift, &err);
        const bl_tensor *in[] = {x, y};

        assert_ok(bl_apply(context, &node, in, 2, &out, 1, &err), &err);
        assert_memory_equal(memory + 5 + shift, want, sizeof want);
        bl_tensor_free(x);
        bl_tensor_free(y);
        bl_tensor_free(out);
    }
}

static void test_strings(void **state)
{
    static const bl_string a[] = {{"left", 4}, {"", 0}}, b[] = {{"right", 5}, {"r", 1}};
    static const uint8_t choose[] = {0, 255};
    const bl_node node = {.op = op_named("Where", 16)};
    bl_tensor *c = bl_tensor_borrow(NULL, BL_BOOL, BL_SHAPE(2), NULL, choose, &err);
    bl_tensor *x = bl_tensor_borrow(NULL, BL_STRING, BL_SHAPE(2), NULL, a, &err);
    bl_tensor *y = bl_tensor_borrow(NULL, BL_STRING, BL_SHAPE(2), NULL, b, &err);
    bl_tensor *out = bl_tensor_new(NULL, BL_STRING, BL_SHAPE(2), &err);
    const bl_tensor *in[] = {c, x, y};
    const bl_tensor *again[] = {c, out, y};

    (void)state;
    assert_ok(bl_tensor_set_string(out, 0, "before", 6, &err), &err);
    assert_ok(bl_apply(context, &node, in, 3, &out, 1, &err), &err);
    const bl_string *got = bl_tensor_data(out);

    assert_int_equal(got[0].size, 5);
    assert_memory_equal(got[0].data, "right", 5);
    assert_ptr_not_equal(got[0].data, b[0].data);
    assert_int_equal(got[1].size, 0);
    /* The output is an input of the same call. */
    assert_ok(bl_apply(context, &node, again, 3, &out, 1, &err), &err);
    assert_memory_equal(((const bl_string *)bl_tensor_data(out))[0].data, "right", 5);
    bl_tensor_free(c);
    bl_tensor_free(x);
    bl_tensor_free(y);
    bl_tensor_free(out);
}

/* ---- The caller's floating-point unit
 * ----------------------------------------------------- */

static void test_fpenv(void **state)
{
    static const float tiny[] = {1e-40F, 3e-39F};
    const bl_node node = {.op = op_named("Add", 14)};
    const bl_tensor *in[2];
    bl_tensor *out = NULL;
    float want[2];

    (void)state;
    want[0] = tiny[0] + tiny[0];
    want[1] = tiny[1] + tiny[1];
    in[0] = in[1] = bl_tensor_borrow(NULL, BL_FLOAT32, BL_SHAPE(2), NULL, tiny, &err);
    fesetround(FE_UPWARD);
#if defined(__SSE2__)
    const unsigned before = _mm_getcsr() | 0x8040; /* flush to zero, denormals are zero */
    _mm_setcsr(before);
#endif
    const bl_status status = bl_apply(context, &node, in, 2, &out, 1, &err);
    const int rounding = fegetround();

#if defined(__SSE2__)
    const unsigned after = _mm_getcsr();
    _mm_setcsr(before & ~0x8040U);
    assert_int_equal(after, before);
#endif
    fesetround(FE_TONEAREST);
    assert_int_equal(status, BL_OK);
    assert_int_equal(rounding, FE_UPWARD);
    assert_memory_equal(bl_tensor_data(out), want, sizeof want);
    bl_tensor_free((bl_tensor *)(uintptr_t)in[0]);
    bl_tensor_free(out);
}

/* ---- Memory that runs out
 * ------------------------------------------------------------------ */

static bl_status sum_with(struct failing_allocator *failing, int threads)
{
    const bl_allocator allocator = {failing_alloc, failing_free, failing};
    bl_context_options options = BL_CONTEXT_DEFAULTS;
    const bl_tensor *in[6] = {NULL};
    bl_tensor *made[6] = {NULL}, *out = NULL;
    const bl_node node = {.op = op_named("Where", 16)};
    const bl_node sum = {.op = op_named("Sum", 13)};
    bl_status status = BL_ERR_MEMORY;
    bl_context *own;

    options.allocator = &allocator;
    options.threads = threads;
    own = bl_context_new(&options, &err);
    if (own == NULL)
        return err.status;
    for (int i = 0; i < 6; i++) {
        in[i] = made[i] = bl_tensor_new(own,
                                        i == 0  ? BL_BOOL
                                        : i < 3 ? BL_STRING
                                                : BL_FLOAT32,
                                        BL_SHAPE(2, 1, 3), &err);
        if (made[i] == NULL)
            goto done;
    }
    status = bl_tensor_set_string(made[2], 3, "text", 4, &err);
    if (status == BL_OK)
        status = bl_apply(own, &node, in, 3, &out, 1, &err);
    bl_tensor_free(out);
    out = NULL;
    if (status == BL_OK)
        status = bl_apply(own, &sum,
                          (const bl_tensor *[]){in[3], in[4], in[5], in[3], in[4], in[5]},
                          6, &out, 1, &err);
    bl_tensor_free(out);
done:
    for (int i = 0; i < 6; i++)
        bl_tensor_free(made[i]);
    bl_context_free(own);
    return status;
}

static void test_allocation_failure(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 2; threads++) {
        struct failing_allocator failing = {.fail_at = -1};

        assert_ok(sum_with(&failing, threads), &err);
        const long calls = failing.calls;

        assert_true(calls > 15);
        assert_int_equal(failing.live, 0);
        for (long n = 0; n < calls; n++) {
            failing = (struct failing_allocator){.fail_at = n};
            assert_int_equal(sum_with(&failing, threads), BL_ERR_MEMORY);
            assert_int_equal(failing.live, 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_add),      cmocka_unit_test(test_division),
        cmocka_unit_test(test_messages), cmocka_unit_test(test_given_output),
        cmocka_unit_test(test_overlap),  cmocka_unit_test(test_strings),
        cmocka_unit_test(test_fpenv),    cmocka_unit_test(test_allocation_failure),
    };

    return cmocka_run_group_tests(tests, make_contexts, free_contexts);
}
