/*
 * reference_apply_test.c - the reference's whole operators: broadcasting, Gemm, checks
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "unit.h"

#include "base/compiler.h"
#include "conform/reference.h"

static bl_error err;

/* A float32 tensor of that shape that counts from `first`. */
static bl_tensor *counting(const bl_shape *shape, float first)
{
    bl_tensor *made = bl_tensor_new(NULL, BL_FLOAT32, shape, &err);

    assert_non_null(made);
    for (int64_t i = 0; i < bl_tensor_count(made); i++)
        ((float *)bl_tensor_mutable_data(made))[i] = first + (float)i;
    return made;
}

struct node_case {
    const char *op;
    int64_t opset;
    const bl_shape *shapes[3]; /* of the inputs, which count from 1, 100, 1000 */
    bl_attribute attributes[3];
    bl_status status;
    const bl_shape *shape;
    float values[12]; /* the first ones of the result */
};

static void check_node(const struct node_case *it)
{
    static const float firsts[] = {1, 100, 1000};
    bl_tensor *inputs[3] = {NULL};
    bl_tensor *out = NULL;
    bl_node node = {.op = bl_op_find("", it->op, it->opset, &err),
                    .attributes = it->attributes};
    size_t count = 0;

    assert_non_null(node.op);
    while (node.attribute_count < 3 && it->attributes[node.attribute_count].name != NULL)
        node.attribute_count++;
    for (; count < 3 && it->shapes[count] != NULL; count++)
        inputs[count] = counting(it->shapes[count], firsts[count]);
    err.message[0] = '\0';
    const bl_status status =
        bl_reference_apply(&node, (const bl_tensor *const *)inputs, count, &out, 1, &err);

    if (status != it->status)
        fail_msg("%s-%d: %s %s", it->op, (int)it->opset, bl_status_name(status),
                 err.message);
    if (status == BL_OK) {
        assert_int_equal(bl_tensor_shape(out)->rank, it->shape->rank);
        for (int axis = 0; axis < it->shape->rank; axis++)
            assert_int_equal(bl_tensor_shape(out)->dim[axis], it->shape->dim[axis]);
        for (int64_t i = 0; i < bl_tensor_count(out) && i < 12; i++)
            assert_true(((const float *)bl_tensor_data(out))[i] == it->values[i]);
    } else {
        assert_null(out);
        assert_true(err.message[0] != '\0');
    }
    bl_tensor_free(out);
    for (size_t i = 0; i < count; i++)
        bl_tensor_free(inputs[i]);
}

static void check_nodes(const struct node_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check_node(&cases[i]);
}

#define INT(key, number)                                         \
    {                                                            \
        .name = key, .type = BL_ATTRIBUTE_INT, .value.i = number \
    }
#define FLOAT(key, number)                                         \
    {                                                              \
        .name = key, .type = BL_ATTRIBUTE_FLOAT, .value.f = number \
    }

static void test_broadcast(void **state)
{
    const struct node_case cases[] = {
        {"Add",
         7,
         {BL_SHAPE(2, 1), BL_SHAPE(3)},
         {{0}},
         BL_OK,
         BL_SHAPE(2, 3),
         {101, 102, 103, 102, 103, 104}},
        {"Sum",
         8,
         {BL_SCALAR, BL_SHAPE(1, 2), BL_SHAPE(2, 1)},
         {{0}},
         BL_OK,
         BL_SHAPE(2, 2),
         {1101, 1102, 1102, 1103}},
        {"Add", 7, {BL_SHAPE(0), BL_SHAPE(4, 1)}, {{0}}, BL_OK, BL_SHAPE(4, 0), {0}},
        {"Add", 7, {BL_SHAPE(0), BL_SHAPE(2)}, {{0}}, BL_ERR_SHAPE, NULL, {0}},
        {"Add", 7, {BL_SHAPE(2, 3), BL_SHAPE(2)}, {{0}}, BL_ERR_SHAPE, NULL, {0}},
        {"Sum", 6, {BL_SHAPE(2), BL_SHAPE(1)}, {{0}}, BL_ERR_SHAPE, NULL, {0}},
        {"PRelu", 7, {BL_SHAPE(1, 2), BL_SHAPE(2, 2)}, {{0}}, BL_ERR_SHAPE, NULL, {0}},
        {"PRelu", 7, {BL_SHAPE(1, 2), BL_SHAPE(2)}, {{0}}, BL_OK, BL_SHAPE(1, 2), {1, 2}},
        {"PRelu", 6, {BL_SHAPE(1, 3, 2), BL_SHAPE(2)}, {{0}}, BL_ERR_SHAPE, NULL, {0}},
        {"PRelu",
         6,
         {BL_SHAPE(1, 3, 2), BL_SHAPE(3)},
         {{0}},
         BL_OK,
         BL_SHAPE(1, 3, 2),
         {1, 2, 3, 4, 5, 6}},
    };

    (void)state;
    check_nodes(cases, BL_COUNT_OF(cases));
}

static void test_legacy(void **state)
{
    const struct node_case cases[] = {
        {"Add", 6, {BL_SHAPE(2, 2), BL_SHAPE(2)}, {{0}}, BL_ERR_SHAPE, NULL, {0}},
        {"Add",
         6,
         {BL_SHAPE(2, 2), BL_SHAPE(2)},
         {INT("broadcast", 1)},
         BL_OK,
         BL_SHAPE(2, 2),
         {101, 103, 103, 105}},
        {"Add",
         6,
         {BL_SHAPE(2, 2), BL_SHAPE(2)},
         {INT("broadcast", 1), INT("axis", 0)},
         BL_OK,
         BL_SHAPE(2, 2),
         {101, 102, 104, 105}},
        {"Add",
         6,
         {BL_SHAPE(2, 2), BL_SHAPE(2)},
         {INT("broadcast", 1), INT("axis", -2)},
         BL_OK,
         BL_SHAPE(2, 2),
         {101, 102, 104, 105}},
        {"Add",
         6,
         {BL_SHAPE(2, 2), BL_SHAPE(2)},
         {INT("broadcast", 1), INT("axis", 2)},
         BL_ERR_SHAPE,
         NULL,
         {0}},
        {"Add",
         6,
         {BL_SHAPE(2, 2), BL_SHAPE(2, 1)},
         {INT("broadcast", 1)},
         BL_OK,
         BL_SHAPE(2, 2),
         {101, 102, 104, 105}},
        {"Add",
         6,
         {BL_SHAPE(2), BL_SHAPE(1, 1)},
         {INT("broadcast", 1)},
         BL_OK,
         BL_SHAPE(2),
         {101, 102}},
        {"Add",
         6,
         {BL_SHAPE(1, 2), BL_SHAPE(2, 2)},
         {INT("broadcast", 1)},
         BL_ERR_SHAPE,
         NULL,
         {0}},
        {"Add",
         7,
         {BL_SHAPE(2), BL_SHAPE(2)},
         {INT("broadcast", 1)},
         BL_ERR_ATTRIBUTE,
         NULL,
         {0}},
    };

    (void)state;
    check_nodes(cases, BL_COUNT_OF(cases));
}

/* A = [[1,2],[3,4]], B = [[100,101],[102,103]]: A B = [[304,307],[708,715]]. */
static void test_gemm(void **state)
{
    const struct node_case cases[] = {
        {"Gemm",
         11,
         {BL_SHAPE(2, 2), BL_SHAPE(2, 2)},
         {{0}},
         BL_OK,
         BL_SHAPE(2, 2),
         {304, 307, 708, 715}},
        {"Gemm",
         7,
         {BL_SHAPE(2, 2), BL_SHAPE(2, 2), BL_SHAPE(2)},
         {FLOAT("beta", 0.5F)},
         BL_OK,
         BL_SHAPE(2, 2),
         {804, 807.5F, 1208, 1215.5F}},
        {"Gemm",
         7,
         {BL_SHAPE(2, 2), BL_SHAPE(2, 2), BL_SHAPE(2, 1)},
         {FLOAT("alpha", 2)},
         BL_OK,
         BL_SHAPE(2, 2),
         {1608, 1614, 2417, 2431}},
        {"Gemm",
         7,
         {BL_SHAPE(2, 2), BL_SHAPE(2, 2), BL_SCALAR},
         {INT("transA", 1)},
         BL_OK,
         BL_SHAPE(2, 2),
         {1406, 1410, 1608, 1614}},
        {"Gemm",
         11,
         {BL_SHAPE(2, 2), BL_SHAPE(2, 2)},
         {INT("transB", 1)},
         BL_OK,
         BL_SHAPE(2, 2),
         {302, 308, 704, 718}},
        {"Gemm",
         7,
         {BL_SHAPE(2, 0), BL_SHAPE(0, 2), BL_SHAPE(2)},
         {FLOAT("beta", 2)},
         BL_OK,
         BL_SHAPE(2, 2),
         {2000, 2002, 2000, 2002}},
        {"Gemm",
         11,
         {BL_SHAPE(2, 0), BL_SHAPE(0, 1)},
         {{0}},
         BL_OK,
         BL_SHAPE(2, 1),
         {0, 0}},
        {"Gemm",
         7,
         {BL_SHAPE(2, 2), BL_SHAPE(2, 2), BL_SHAPE(1, 2, 2)},
         {{0}},
         BL_ERR_SHAPE,
         NULL,
         {0}},
        {"Gemm",
         6,
         {BL_SHAPE(2, 2), BL_SHAPE(2, 2), BL_SHAPE(2)},
         {{0}},
         BL_ERR_SHAPE,
         NULL,
         {0}},
        {"Gemm", 11, {BL_SHAPE(2, 2), BL_SHAPE(3, 2)}, {{0}}, BL_ERR_SHAPE, NULL, {0}},
        {"Gemm", 11, {BL_SHAPE(2), BL_SHAPE(2, 2)}, {{0}}, BL_ERR_SHAPE, NULL, {0}},
        {"Gemm", 7, {BL_SHAPE(2, 2), BL_SHAPE(2, 2)}, {{0}}, BL_ERR_ARITY, NULL, {0}},
    };

    (void)state;
    check_nodes(cases, BL_COUNT_OF(cases));
}

static void test_integer_gemm(void **state)
{
    static const int32_t a[] = {2147483647, 2};
    static const int32_t b[] = {3, 5};
    static const int32_t c[] = {7};
    const bl_tensor *inputs[] = {
        bl_tensor_borrow(NULL, BL_INT32, BL_SHAPE(1, 2), NULL, a, &err),
        bl_tensor_borrow(NULL, BL_INT32, BL_SHAPE(2, 1), NULL, b, &err),
        bl_tensor_borrow(NULL, BL_INT32, BL_SHAPE(1), NULL, c, &err),
    };
    const bl_attribute halves[] = {FLOAT("alpha", 0.5F)};
    bl_node node = {.op = bl_op_find("", "Gemm", 13, &err)};
    bl_tensor *out = NULL;

    (void)state;
    /* 3 * (2^31 - 1) + 10 = 2^31 + 7 modulo 2^32, plus 7. */
    assert_ok(bl_reference_apply(&node, inputs, 3, &out, 1, &err), &err);
    assert_int_equal(*(const int32_t *)bl_tensor_data(out), INT32_MIN + 14);
    bl_tensor_free(out);
    out = NULL;
    node.attributes = halves;
    node.attribute_count = 1;
    assert_ok(bl_reference_apply(&node, inputs, 3, &out, 1, &err), &err);
    assert_int_equal(*(const int32_t *)bl_tensor_data(out),
                     -1073741813); /* (-2^31 + 7) / 2 + 7 */
    bl_tensor_free(out);
    for (size_t i = 0; i < 3; i++) {
        union {
            const bl_tensor *borrowed;
            bl_tensor *ours;
        } input = {inputs[i]};

        bl_tensor_free(input.ours);
    }
}

static void test_types(void **state)
{
    bl_tensor *f32 = bl_tensor_new(NULL, BL_FLOAT32, BL_SHAPE(1), &err);
    bl_tensor *f64 = bl_tensor_new(NULL, BL_FLOAT64, BL_SHAPE(1), &err);
    bl_tensor *i32 = bl_tensor_new(NULL, BL_INT32, BL_SHAPE(1), &err);
    const bl_tensor *mixed[] = {f32, f64};
    const bl_tensor *integers[] = {i32, i32};
    const bl_tensor *absent[] = {f32, NULL};
    bl_node add = {.op = bl_op_find("", "Add", BL_OPSET_LATEST, &err)};
    bl_node div = {.op = bl_op_find("", "Div", BL_OPSET_LATEST, &err)};
    bl_node old = {.op = bl_op_find("", "Less", 7, &err)};
    bl_tensor *out = NULL;

    (void)state;
    assert_fails(bl_reference_apply(&add, mixed, 2, &out, 1, &err), BL_ERR_TYPE, &err,
                 "float64");
    assert_fails(bl_reference_apply(&old, integers, 2, &out, 1, &err), BL_ERR_TYPE, &err,
                 "int32");
    assert_fails(bl_reference_apply(&add, mixed, 1, &out, 1, &err), BL_ERR_ARITY, &err,
                 "1 inputs");
    assert_fails(bl_reference_apply(&add, absent, 2, &out, 1, &err), BL_ERR_ARITY, &err,
                 "absent");
    assert_fails(bl_reference_apply(&div, integers, 2, &out, 1, &err), BL_ERR_ARITHMETIC,
                 &err, "index [0]");
    assert_null(out);
    bl_tensor_free(f32);
    bl_tensor_free(f64);
    bl_tensor_free(i32);
}

static void test_strings_are_copied(void **state)
{
    bl_tensor *in = bl_tensor_new(NULL, BL_STRING, BL_SHAPE(2), &err);
    const bl_tensor *inputs[] = {in};
    bl_node node = {.op = bl_op_find("", "Identity", BL_OPSET_LATEST, &err)};
    bl_tensor *out = NULL;

    (void)state;
    assert_ok(bl_tensor_set_string(in, 1, "abc", 3, &err), &err);
    assert_ok(bl_reference_apply(&node, inputs, 1, &out, 1, &err), &err);
    bl_tensor_free(in);
    const bl_string *strings = bl_tensor_data(out);

    assert_int_equal(strings[0].size, 0);
    assert_int_equal(strings[1].size, 3);
    assert_memory_equal(strings[1].data, "abc", 3);
    bl_tensor_free(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_broadcast), cmocka_unit_test(test_legacy),
        cmocka_unit_test(test_gemm),      cmocka_unit_test(test_integer_gemm),
        cmocka_unit_test(test_types),     cmocka_unit_test(test_strings_are_copied),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
