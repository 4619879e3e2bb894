/*
 * shape_test.c - counting, broadcasting rules and coalescing
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "unit.h"

#include "shape/coalesce.h"
#include "shape/shape.h"

static void test_count(void **state)
{
    bl_error err;
    int64_t count;

    (void)state;
    assert_ok(bl_shape_count(BL_SCALAR, &count, &err), &err);
    assert_int_equal(count, 1);
    assert_ok(bl_shape_count(BL_SHAPE(2, 3, 4), &count, &err), &err);
    assert_int_equal(count, 24);
    assert_ok(bl_shape_count(BL_SHAPE(INT64_MAX, 0, INT64_MAX), &count, &err), &err);
    assert_int_equal(count, 0);
    assert_fails(bl_shape_count(BL_SHAPE(INT64_MAX, 2), &count, &err), BL_ERR_LIMIT, &err,
                 "[9223372036854775807,2]");
    assert_fails(bl_shape_count(BL_SHAPE(2, -1), &count, &err), BL_ERR_SHAPE, &err,
                 "axis 1");
    assert_fails(bl_shape_count(&(bl_shape){.rank = 65}, &count, &err), BL_ERR_SHAPE, &err,
                 "65");
    assert_fails(bl_shape_count(NULL, &count, &err), BL_ERR_ARGUMENT, &err, "NULL");
}

static void expect_multi(const bl_shape *a, const bl_shape *b, const bl_shape *want)
{
    const bl_shape *both[] = {a, b};
    const bl_shape *swapped[] = {b, a};
    bl_error err;
    bl_shape got;

    assert_ok(bl_shape_broadcast(both, 2, &got, &err), &err);
    assert_true(bl_shape_equal(&got, want));
    assert_ok(bl_shape_broadcast(swapped, 2, &got, &err), &err);
    assert_true(bl_shape_equal(&got, want));
}

static void test_multi(void **state)
{
    (void)state;
    expect_multi(BL_SHAPE(2, 3), BL_SHAPE(3), BL_SHAPE(2, 3));
    expect_multi(BL_SHAPE(2, 1), BL_SHAPE(1, 3), BL_SHAPE(2, 3));
    expect_multi(BL_SCALAR, BL_SCALAR, BL_SCALAR);
    expect_multi(BL_SCALAR, BL_SHAPE(1), BL_SHAPE(1));
    expect_multi(BL_SHAPE(0), BL_SHAPE(1), BL_SHAPE(0));
    expect_multi(BL_SHAPE(0, 1), BL_SHAPE(0, 3), BL_SHAPE(0, 3));
    expect_multi(BL_SHAPE(2, 1, 4), BL_SHAPE(1, 3, 1), BL_SHAPE(2, 3, 4));
}

static void test_multi_errors(void **state)
{
    const bl_shape *pair[] = {BL_SHAPE(2, 3), BL_SHAPE(4)};
    const bl_shape *three[] = {BL_SHAPE(5, 1), BL_SHAPE(1, 7), BL_SHAPE(5, 6)};
    const bl_shape *zero[] = {BL_SHAPE(0), BL_SHAPE(2)};
    bl_shape out = {.rank = 1, .dim = {42}};
    bl_error err;

    (void)state;
    assert_fails(
        bl_shape_broadcast(pair, 2, &out, &err), BL_ERR_SHAPE, &err,
        "shape 0 [2,3] does not broadcast with shape 1 [4]: at axis 1 (or -1) 3 meets 4");
    assert_int_equal(out.dim[0], 42);
    assert_fails(bl_shape_broadcast(three, 3, &out, &err), BL_ERR_SHAPE, &err,
                 "shape 1 [1,7] does not broadcast with shape 2 [5,6]: at axis 1");
    assert_fails(bl_shape_broadcast(zero, 2, &out, &err), BL_ERR_SHAPE, &err, "0 meets 2");
    assert_fails(bl_shape_broadcast(pair, 0, &out, &err), BL_ERR_ARGUMENT, &err,
                 "no shapes");
}

static void test_uni(void **state)
{
    bl_error err;

    (void)state;
    assert_ok(bl_shape_broadcast_onto(BL_SHAPE(3), BL_SHAPE(2, 3), &err), &err);
    assert_ok(bl_shape_broadcast_onto(BL_SCALAR, BL_SHAPE(0), &err), &err);
    assert_fails(bl_shape_broadcast_onto(BL_SHAPE(2, 3), BL_SHAPE(1, 3), &err),
                 BL_ERR_SHAPE, &err, "axis 0 (or -2) 2 meets 1 (unidirectional");
    assert_fails(bl_shape_broadcast_onto(BL_SHAPE(1, 3), BL_SHAPE(3), &err), BL_ERR_SHAPE,
                 &err, "more axes, 2 against 1");
}

static void test_legacy(void **state)
{
    const int64_t first = 0, second = 1, last = -1, beyond = 4;
    const bl_shape *a = BL_SHAPE(2, 3, 4, 5);
    bl_error err;

    (void)state;
    assert_ok(bl_shape_broadcast_legacy(a, BL_SHAPE(4, 5), NULL, &err), &err);
    assert_ok(bl_shape_broadcast_legacy(a, BL_SHAPE(3, 4), &second, &err), &err);
    assert_ok(bl_shape_broadcast_legacy(a, BL_SHAPE(2), &first, &err), &err);
    assert_ok(bl_shape_broadcast_legacy(a, BL_SHAPE(5), &last, &err), &err);
    assert_ok(bl_shape_broadcast_legacy(a, BL_SHAPE(1, 4), &second, &err), &err);
    assert_ok(bl_shape_broadcast_legacy(a, BL_SHAPE(1, 1), &beyond, &err), &err);
    assert_fails(bl_shape_broadcast_legacy(a, BL_SHAPE(3), &first, &err), BL_ERR_SHAPE,
                 &err,
                 "[3] does not fit into shape 0 [2,3,4,5]: at axis 0 (or -4) 3 meets 2");
    assert_fails(bl_shape_broadcast_legacy(a, BL_SHAPE(2), &beyond, &err), BL_ERR_ATTRIBUTE,
                 &err, "axis is 4");
    assert_fails(bl_shape_broadcast_legacy(BL_SHAPE(1), BL_SHAPE(2), NULL, &err),
                 BL_ERR_SHAPE, &err, "2 meets 1");
}

static void test_text(void **state)
{
    bl_shape wide = {.rank = BL_MAX_RANK};
    char text[BL_SHAPE_TEXT];

    (void)state;
    for (int i = 0; i < BL_MAX_RANK; i++)
        wide.dim[i] = INT64_MAX;
    bl_shape_text(&wide, text);
    assert_true(strlen(text) < sizeof text);
    assert_non_null(strstr(text, "...]"));
    assert_string_equal(bl_shape_text(BL_SCALAR, text), "[]");
}

/* ---- Coalescing ------------------------------------------------------------------- */

static void test_coalesce_dense(void **state)
{
    int64_t dim[] = {2, 3, 4};
    int64_t stride[] = {12, 4, 1, 12, 4, 1};

    (void)state;
    assert_int_equal(bl_coalesce(3, dim, 2, stride, 3), 1);
    assert_int_equal(dim[0], 24);
    assert_int_equal(stride[0], 1);
    assert_int_equal(stride[3], 1);
}

static void test_coalesce_broadcast(void **state)
{
    /* [4096,64,7,3] + [1,64,1,3]: nothing merges for both, but axes of 1 go. */
    int64_t dim[] = {1, 64, 7, 3, 1};
    int64_t stride[] = {0, 21, 3, 1, 0, 0, 3, 0, 1, 0};

    (void)state;
    assert_int_equal(bl_coalesce(5, dim, 2, stride, 5), 3);
    assert_int_equal(dim[0], 64);
    assert_int_equal(dim[2], 3);
    assert_int_equal(stride[5], 3);
    assert_int_equal(stride[6], 0);
}

static void test_coalesce_scalar(void **state)
{
    int64_t dim[] = {1, 1};
    int64_t stride[] = {7, 3};

    (void)state;
    assert_int_equal(bl_coalesce(2, dim, 1, stride, 2), 0);
    assert_int_equal(bl_coalesce(0, dim, 1, stride, 0), 0);
}

static void test_coalesce_reversed(void **state)
{
    /* A reversed axis merges with nothing but its like. */
    int64_t dim[] = {2, 3};
    int64_t stride[] = {3, 1, 3, -1};
    int64_t both[] = {-3, -1};

    (void)state;
    assert_int_equal(bl_coalesce(2, dim, 2, stride, 2), 2);
    assert_int_equal(bl_coalesce(2, dim, 1, both, 2), 1);
    assert_int_equal(both[0], -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_count),           cmocka_unit_test(test_multi),
        cmocka_unit_test(test_multi_errors),    cmocka_unit_test(test_uni),
        cmocka_unit_test(test_legacy),          cmocka_unit_test(test_text),
        cmocka_unit_test(test_coalesce_dense),  cmocka_unit_test(test_coalesce_broadcast),
        cmocka_unit_test(test_coalesce_scalar), cmocka_unit_test(test_coalesce_reversed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
