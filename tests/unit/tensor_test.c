/*
 * tensor_test.c - element types, tensors that own and that borrow, strings
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "unit.h"

#include "tensor/dtype.h"
#include "tensor/tensor.h"

static bl_error err;

static void test_dtypes(void **state)
{
    char text[256];

    (void)state;
    for (int i = 1; i < BL_DTYPE_COUNT; i++) {
        const char *name = bl_dtype_name((bl_dtype)i);

        assert_non_null(name);
        assert_int_equal(bl_dtype_from_name(name), i);
        assert_true(bl_dtype_size((bl_dtype)i) > 0);
    }
    assert_int_equal(bl_dtype_from_name("double"), BL_FLOAT64);
    assert_int_equal(bl_dtype_from_name("float"), BL_FLOAT32);
    assert_int_equal(bl_dtype_from_name("Float32"), BL_UNDEFINED);
    assert_int_equal(bl_dtype_from_name(NULL), BL_UNDEFINED);
    assert_null(bl_dtype_name(BL_UNDEFINED));
    assert_null(bl_dtype_name((bl_dtype)99));
    assert_int_equal(bl_dtype_size((bl_dtype)-1), 0);
    assert_int_equal(bl_dtype_size(BL_COMPLEX128), 16);
    assert_int_equal(bl_dtype_size(BL_INT4), 1);
    assert_string_equal(bl_dtype_set_text(1u << BL_BOOL | 1u << BL_INT8 | 1u << BL_FLOAT32,
                                          text, sizeof text),
                        "float32, int8 and bool");
}

static void test_new(void **state)
{
    bl_tensor *t = bl_tensor_new(NULL, BL_FLOAT32, BL_SHAPE(2, 3), &err);
    static const float zeros[6];

    (void)state;
    assert_non_null(t);
    assert_int_equal(bl_tensor_count(t), 6);
    assert_int_equal((uintptr_t)bl_tensor_data(t) % 64, 0);
    assert_memory_equal(bl_tensor_data(t), zeros, sizeof zeros);
    assert_int_equal(bl_tensor_strides(t)[0], 3);
    assert_ptr_equal(bl_tensor_mutable_data(t), bl_tensor_data(t));
    assert_true(bl_tensor_is_row_major(t));
    bl_tensor_free(t);
    bl_tensor_free(NULL);

    assert_null(bl_tensor_new(NULL, BL_UNDEFINED, BL_SHAPE(2), &err));
    assert_int_equal(err.status, BL_ERR_TYPE);
    assert_null(bl_tensor_new(NULL, BL_INT8, NULL, &err));
    assert_int_equal(err.status, BL_ERR_ARGUMENT);
    assert_null(bl_tensor_new(NULL, BL_FLOAT64, BL_SHAPE(INT64_MAX / 2), &err));
    assert_int_equal(err.status, BL_ERR_LIMIT);
    assert_null(bl_tensor_new(NULL, BL_FLOAT64, BL_SHAPE(-1), &err));
    assert_int_equal(err.status, BL_ERR_SHAPE);
}

static void test_empty(void **state)
{
    bl_tensor *t = bl_tensor_new(NULL, BL_INT64, BL_SHAPE(INT64_MAX, 0, INT64_MAX), &err);
    bl_tensor *b = bl_tensor_borrow(NULL, BL_INT64, BL_SHAPE(0), NULL, NULL, &err);

    (void)state;
    assert_non_null(t);
    assert_non_null(b);
    assert_int_equal(bl_tensor_count(t), 0);
    bl_tensor_free(t);
    bl_tensor_free(b);
}

static bl_tensor *borrow(const bl_shape *shape, const int64_t *strides, const void *data)
{
    return bl_tensor_borrow(NULL, BL_INT32, shape, strides, data, &err);
}

static void test_borrow(void **state)
{
    static const int32_t data[12];
    bl_tensor *t = borrow(BL_SHAPE(3, 2), (const int64_t[]){-2, 1}, data + 8);
    uintptr_t first, end;

    (void)state;
    assert_non_null(t);
    assert_null(bl_tensor_mutable_data(t));
    assert_false(bl_tensor_is_row_major(t));
    bl_tensor_extent(t, &first, &end);
    assert_int_equal(first, (uintptr_t)(data + 4));
    assert_int_equal(end, (uintptr_t)(data + 10));
    bl_tensor_free(t);

    assert_null(borrow(BL_SHAPE(1), NULL, NULL));
    assert_int_equal(err.status, BL_ERR_ARGUMENT);
    assert_null(borrow(BL_SHAPE(1), NULL, (const char *)data + 1));
    assert_non_null(strstr(err.message, "aligned to 4 bytes"));
    assert_null(borrow(BL_SHAPE(3, 3), (const int64_t[]){INT64_MAX / 2, 1}, data));
    assert_int_equal(err.status, BL_ERR_LIMIT);
    assert_null(borrow(BL_SHAPE(3), (const int64_t[]){INT64_MIN}, data));
    assert_int_equal(err.status, BL_ERR_LIMIT);
}

static void test_row_major(void **state)
{
    static const int32_t data[8];
    /* The stride of an axis of size 1 says nothing. */
    bl_tensor *t = borrow(BL_SHAPE(2, 1, 3), (const int64_t[]){3, 99, 1}, data);

    (void)state;
    assert_true(bl_tensor_is_row_major(t));
    bl_tensor_free(t);
}

static void test_set_string(void **state)
{
    bl_tensor *t = bl_tensor_new(NULL, BL_STRING, BL_SHAPE(2), &err);
    bl_tensor *other = bl_tensor_new(NULL, BL_INT8, BL_SHAPE(2), &err);
    const bl_string *strings = bl_tensor_data(t);

    (void)state;
    assert_int_equal(strings[1].size, 0);
    assert_ok(bl_tensor_set_string(t, 1, "one\0two", 7, &err), &err);
    assert_ok(bl_tensor_set_string(t, 0, strings[1].data, 3, &err), &err);
    assert_memory_equal(strings[0].data, "one", 3);
    assert_memory_equal(strings[1].data, "one\0two", 7);
    /* From itself to itself: the old bytes are freed after the copy. */
    assert_ok(bl_tensor_set_string(t, 1, strings[1].data + 4, 3, &err), &err);
    assert_memory_equal(strings[1].data, "two", 3);
    assert_ok(bl_tensor_set_string(t, 1, NULL, 0, &err), &err);
    assert_fails(bl_tensor_set_string(t, 2, "x", 1, &err), BL_ERR_ARGUMENT, &err, "0 to 1");
    assert_fails(bl_tensor_set_string(t, -1, "x", 1, &err), BL_ERR_ARGUMENT, &err, "-1");
    assert_fails(bl_tensor_set_string(other, 0, "x", 1, &err), BL_ERR_TYPE, &err, "string");
    assert_fails(bl_tensor_set_string(NULL, 0, "x", 1, &err), BL_ERR_ARGUMENT, &err,
                 "NULL");
    bl_tensor_free(t);
    bl_tensor_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dtypes),    cmocka_unit_test(test_new),
        cmocka_unit_test(test_empty),     cmocka_unit_test(test_borrow),
        cmocka_unit_test(test_row_major), cmocka_unit_test(test_set_string),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
