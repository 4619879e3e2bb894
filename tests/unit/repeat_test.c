/*
 * repeat_test.c - calls of bl_apply that were made before: other data, other layouts, other nodes
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A context keeps what it found out for a call.  Whatever a later call differs in has to count.
 */
#include "contexts.h"

#include <stdbool.h>

static bl_node node_of(const char *name, int opset)
{
    const bl_node node = {.op = bl_op_find("", name, opset, &err)};

    if (node.op == NULL)
        fail_msg("%s", err.message);
    return node;
}

static bl_tensor *floats(const bl_shape *shape, const int64_t *strides, float *values)
{
    bl_tensor *tensor =
        bl_tensor_borrow_mutable(context, BL_FLOAT32, shape, strides, values, &err);

    if (tensor == NULL)
        fail_msg("%s", err.message);
    return tensor;
}

/* Apply twice, into a new tensor and into a given one, and compare both with `want`. */
static void check(const bl_node *node, const bl_tensor *const *in, size_t count,
                  const float *want, int64_t n)
{
    for (int round = 0; round < 3; round++) {
        bl_tensor *out = NULL;

        assert_ok(bl_apply(context, node, in, count, &out, 1, &err), &err);
        assert_int_equal(bl_tensor_count(out), n);
        assert_memory_equal(bl_tensor_data(out), want, (size_t)n * sizeof *want);
        memset(bl_tensor_mutable_data(out), 0xA5, (size_t)n * sizeof *want);
        assert_ok(bl_apply(context, node, in, count, &out, 1, &err), &err);
        assert_memory_equal(bl_tensor_data(out), want, (size_t)n * sizeof *want);
        bl_tensor_free(out);
    }
}

static void test_other_data(void **state)
{
    const bl_node sub = node_of("Sub", 14);
    float a[] = {5, 6, 7}, b[] = {1, 2, 4}, c[] = {9, 9, 9};
    bl_tensor *x = floats(BL_SHAPE(3), NULL, a), *y = floats(BL_SHAPE(3), NULL, b),
              *z = floats(BL_SHAPE(3), NULL, c);

    (void)state;
    check(&sub, (const bl_tensor *[]){x, y}, 2, (const float[]){4, 4, 3}, 3);
    check(&sub, (const bl_tensor *[]){z, y}, 2, (const float[]){8, 7, 5}, 3);
    check(&sub, (const bl_tensor *[]){y, y}, 2, (const float[]){0, 0, 0}, 3);
    a[0] = 100;
    check(&sub, (const bl_tensor *[]){x, y}, 2, (const float[]){99, 4, 3}, 3);
    bl_tensor_free(x);
    bl_tensor_free(y);
    bl_tensor_free(z);
}

static void test_other_layouts(void **state)
{
    static const int64_t columns[] = {1, 2}, back[] = {-1};
    const bl_node add = node_of("Add", 14);
    float a[] = {1, 2, 3, 4}, b[] = {10, 20, 30, 40};
    bl_tensor *rows = floats(BL_SHAPE(2, 2), NULL, a);
    bl_tensor *turned = floats(BL_SHAPE(2, 2), columns, b);
    bl_tensor *row = floats(BL_SHAPE(2), NULL, b),
              *reversed = floats(BL_SHAPE(2), back, b + 1);
    bl_tensor *one = floats(BL_SHAPE(1), NULL, b), *scalar = floats(BL_SCALAR, NULL, b + 3);

    (void)state;
    check(&add, (const bl_tensor *[]){rows, turned}, 2, (const float[]){11, 32, 23, 44}, 4);
    check(&add, (const bl_tensor *[]){turned, rows}, 2, (const float[]){11, 32, 23, 44}, 4);
    check(&add, (const bl_tensor *[]){rows, row}, 2, (const float[]){11, 22, 13, 24}, 4);
    check(&add, (const bl_tensor *[]){rows, reversed}, 2, (const float[]){21, 12, 23, 14},
          4);
    check(&add, (const bl_tensor *[]){rows, one}, 2, (const float[]){11, 12, 13, 14}, 4);
    check(&add, (const bl_tensor *[]){rows, scalar}, 2, (const float[]){41, 42, 43, 44}, 4);
    for (int round = 0; round < 2; round++) { /* a given output with strides of its own */
        float out[4] = {0};
        bl_tensor *into = floats(BL_SHAPE(2, 2), columns, out);

        assert_ok(
            bl_apply(context, &add, (const bl_tensor *[]){rows, row}, 2, &into, 1, &err),
            &err);
        assert_memory_equal(out, ((const float[]){11, 13, 22, 24}), sizeof out);
        bl_tensor_free(into);
    }
    bl_tensor_free(rows);
    bl_tensor_free(turned);
    bl_tensor_free(row);
    bl_tensor_free(reversed);
    bl_tensor_free(one);
    bl_tensor_free(scalar);
}

static void test_other_attributes(void **state)
{
    bl_attribute alpha = {.name = "alpha", .type = BL_ATTRIBUTE_FLOAT};
    bl_attribute to = {.name = "to", .type = BL_ATTRIBUTE_INT};
    bl_node leaky = node_of("LeakyRelu", 16), cast = node_of("Cast", 13);
    float a[] = {-2, 4};
    bl_tensor *x = floats(BL_SHAPE(2), NULL, a);
    const bl_tensor *in[] = {x};

    (void)state;
    leaky.attributes = &alpha;
    leaky.attribute_count = 1;
    for (int round = 0; round < 3; round++) {
        alpha.value.f = 0.5f;
        check(&leaky, in, 1, (const float[]){-1, 4}, 2);
        alpha.value.f = 2;
        check(&leaky, in, 1, (const float[]){-4, 4}, 2);
    }
    cast.attributes = &to;
    cast.attribute_count = 1;
    for (int round = 0; round < 4; round++) {
        bl_tensor *out = NULL;

        to.value.i = round % 2 == 0 ? BL_INT32 : BL_FLOAT64;
        assert_ok(bl_apply(context, &cast, in, 1, &out, 1, &err), &err);
        assert_int_equal(bl_tensor_dtype(out), to.value.i);
        bl_tensor_free(out);
    }
    bl_tensor_free(x);
}

static void test_mistakes_after_success(void **state)
{
    const bl_node add = node_of("Add", 14);
    static const float fixed[3] = {0};
    float a[] = {1, 2, 3}, b[] = {4, 5, 6};
    bl_tensor *x = floats(BL_SHAPE(3), NULL, a), *y = floats(BL_SHAPE(3), NULL, b);
    bl_tensor *two = floats(BL_SHAPE(2), NULL, b), *wrong = floats(BL_SHAPE(2), NULL, a);
    bl_tensor *locked =
        bl_tensor_borrow(context, BL_FLOAT32, BL_SHAPE(3), NULL, fixed, &err);
    const bl_tensor *in[] = {x, y}, *bad[] = {x, two};
    bl_tensor *out = NULL;

    (void)state;
    check(&add, in, 2, (const float[]){5, 7, 9}, 3);
    assert_fails(bl_apply(context, &add, bad, 2, &out, 1, &err), BL_ERR_SHAPE, &err, "[2]");
    assert_fails(bl_apply(context, &add, in, 2, &wrong, 1, &err), BL_ERR_SHAPE, &err,
                 "given output");
    assert_fails(bl_apply(context, &add, in, 2, &locked, 1, &err), BL_ERR_ARGUMENT, &err,
                 "read-only");
    assert_fails(bl_apply(context, &add, in, 1, &out, 1, &err), BL_ERR_ARITY, &err,
                 "Add-14");
    assert_fails(bl_apply(context, &add, in, 2, &out, 0, &err), BL_ERR_ARITY, &err,
                 "Add-14");
    assert_null(out);
    bl_tensor_free(x);
    bl_tensor_free(y);
    bl_tensor_free(two);
    bl_tensor_free(wrong);
    bl_tensor_free(locked);
}

/* In place, and into memory that overlaps an input by a part. */
static void test_overlap(void **state)
{
    const bl_node add = node_of("Add", 14);
    float a[4] = {1, 2, 3, 4}, b[] = {10, 20, 30};

    (void)state;
    for (int round = 0; round < 3; round++) {
        bl_tensor *x = floats(BL_SHAPE(3), NULL, a), *y = floats(BL_SHAPE(3), NULL, b);
        bl_tensor *shifted = floats(BL_SHAPE(3), NULL, a + 1);
        const bl_tensor *in[] = {x, y};

        memcpy(a, ((const float[]){1, 2, 3, 4}), sizeof a);
        assert_ok(bl_apply(context, &add, in, 2, &shifted, 1, &err), &err);
        assert_memory_equal(a, ((const float[]){1, 11, 22, 33}), sizeof a);
        assert_ok(bl_apply(context, &add, in, 2, &x, 1, &err), &err);
        assert_memory_equal(a, ((const float[]){11, 31, 52, 33}), sizeof a);
        bl_tensor_free(x);
        bl_tensor_free(y);
        bl_tensor_free(shifted);
    }
}

/* More kinds of calls than are kept take each other's places. */
static void test_many_kinds(void **state)
{
    const bl_node add = node_of("Add", 14);
    float a[300], b[] = {1};

    (void)state;
    for (int i = 0; i < 300; i++)
        a[i] = (float)i;
    for (int round = 0; round < 2; round++)
        for (int64_t n = 1; n <= 300; n++) {
            bl_tensor *x = floats(BL_SHAPE(n), NULL, a), *y = floats(BL_SHAPE(1), NULL, b);
            bl_tensor *out = NULL;

            assert_ok(
                bl_apply(context, &add, (const bl_tensor *[]){x, y}, 2, &out, 1, &err),
                &err);
            assert_int_equal(bl_tensor_count(out), n);
            assert_true(((const float *)bl_tensor_data(out))[n - 1] == (float)n);
            bl_tensor_free(out);
            bl_tensor_free(x);
            bl_tensor_free(y);
        }
}

static void test_no_leak(void **state)
{
    (void)state;
    for (long at = 0; at < 40; at++) {
        struct failing_allocator failing = {.fail_at = at};
        const bl_allocator allocator = {failing_alloc, failing_free, &failing};
        bl_context_options options = BL_CONTEXT_DEFAULTS;

        options.allocator = &allocator;
        bl_context *own = bl_context_new(&options, &err);

        if (own != NULL) {
            const bl_node add = node_of("Add", 14);
            float a[] = {1, 2};
            bl_tensor *x = floats(BL_SHAPE(2), NULL, a);
            const bl_tensor *in[] = {x, x};

            for (int again = 0; again < 3; again++) {
                bl_tensor *out = NULL;
                const bl_status status = bl_apply(own, &add, in, 2, &out, 1, &err);

                assert_true(status == BL_OK || status == BL_ERR_MEMORY);
                bl_tensor_free(out);
            }
            bl_tensor_free(x);
        }
        bl_context_free(own);
        assert_int_equal(failing.live, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_other_data),
        cmocka_unit_test(test_other_layouts),
        cmocka_unit_test(test_other_attributes),
        cmocka_unit_test(test_mistakes_after_success),
        cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_many_kinds),
        cmocka_unit_test(test_no_leak),
    };

    return cmocka_run_group_tests(tests, make_contexts, free_contexts);
}
