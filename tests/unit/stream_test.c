/*
 * stream_test.c - steps so large that their results go past the caches: any address, any pattern
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "contexts.h"

#include <stdbool.h>

#include "operands.h"

#define MIB (INT64_C(1) << 20)

static bl_node node_of(const char *name)
{
    const bl_node node = {.op = bl_op_find("", name, BL_OPSET_LATEST, &err)};

    if (node.op == NULL)
        fail_msg("%s", err.message);
    return node;
}

/* Element i of an integer tensor of any width, modulo 2^64. */
static uint64_t word_at(bl_dtype dtype, const void *data, int64_t i)
{
    switch (dtype) {
    case BL_UINT8:
        return ((const uint8_t *)data)[i];
    case BL_UINT16:
        return ((const uint16_t *)data)[i];
    case BL_UINT32:
        return ((const uint32_t *)data)[i];
    default:
        return ((const uint64_t *)data)[i];
    }
}

static uint64_t cut_to(bl_dtype dtype, uint64_t word)
{
    const size_t bits = 8 * bl_dtype_size(dtype);

    return bits == 64 ? word : word & ((UINT64_C(1) << bits) - 1);
}

/* ---- Addresses ------------------------------------------------------------------------------- */

/* Add n elements into memory that starts `offset` elements after an aligned address; what lies
 * before and behind has to stay. */
static void check_address(bl_context *own, bl_dtype dtype, int64_t n, size_t offset)
{
    const size_t size = bl_dtype_size(dtype), bytes = (size_t)n * size;
    const bl_node add = node_of("Add");
    uint64_t seed = 7;
    bl_tensor *a = random_tensor(dtype, BL_SHAPE(n), ANY, &seed);
    bl_tensor *b = random_tensor(dtype, BL_SHAPE(n), ANY, &seed);
    unsigned char *memory = aligned_alloc(64, (bytes + 2 * 64 + 63) / 64 * 64 + 512);
    unsigned char *start = memory + 64 + offset * size;
    const bl_tensor *in[] = {a, b};

    assert_non_null(memory);
    memset(memory, 0xA5, bytes + 2 * 64 + 512);
    bl_tensor *out = bl_tensor_borrow_mutable(own, dtype, BL_SHAPE(n), NULL, start, &err);

    for (int again = 0; again < 2; again++)
        assert_ok(bl_apply(own, &add, in, 2, &out, 1, &err), &err);
    for (int64_t i = 0; i < n; i++) {
        const uint64_t want = cut_to(dtype, word_at(dtype, bl_tensor_data(a), i) +
                                                word_at(dtype, bl_tensor_data(b), i));

        if (word_at(dtype, start, i) != want)
            fail_msg("%s, offset %zu: element %lld is wrong", bl_dtype_name(dtype), offset,
                     (long long)i);
    }
    for (size_t i = 1; i <= 64; i++) {
        assert_int_equal(start[-(ptrdiff_t)i], 0xA5);
        assert_int_equal(start[bytes - 1 + i], 0xA5);
    }
    bl_tensor_free(out);
    bl_tensor_free(a);
    bl_tensor_free(b);
    free(memory);
}

static void test_addresses(void **state)
{
    static const bl_dtype dtypes[] = {BL_UINT8, BL_UINT16, BL_UINT32, BL_UINT64};
    static const size_t offsets[] = {0, 1, 5};

    (void)state;
    for (size_t d = 0; d < 4; d++)
        for (size_t o = 0; o < 3; o++) {
            const int64_t n = 6 * MIB / 3 / (int64_t)bl_dtype_size(dtypes[d]) + 13;

            check_address(context, dtypes[d], n, offsets[o]);
            check_address(three_threads, dtypes[d], n, offsets[o]);
        }
}

/* ---- Patterns -------------------------------------------------------------------------------- */

/* The element of a broadcast tensor that index i of the output (row-major) reads. */
static int64_t element_of(const bl_shape *shape, const bl_shape *out, int64_t i)
{
    int64_t at = 0, step = 1;

    for (int axis = out->rank - 1; axis >= 0; axis--) {
        const int own = axis - (out->rank - shape->rank);

        if (own >= 0) {
            if (shape->dim[own] != 1)
                at += i % out->dim[axis] * step;
            step *= shape->dim[own];
        }
        i /= out->dim[axis];
    }
    return at;
}

static void check_pattern(bl_context *own, bl_dtype dtype, const bl_shape *left,
                          const bl_shape *right)
{
    const bl_node sub = node_of("Sub");
    uint64_t seed = 11;
    bl_tensor *a = random_tensor(dtype, left, ANY, &seed);
    bl_tensor *b = random_tensor(dtype, right, ANY, &seed);
    const bl_tensor *in[] = {a, b};
    bl_tensor *out = NULL;

    assert_ok(bl_apply(own, &sub, in, 2, &out, 1, &err), &err);
    const bl_shape *shape = bl_tensor_shape(out);

    for (int64_t i = 0; i < bl_tensor_count(out); i++) {
        const uint64_t x = word_at(dtype, bl_tensor_data(a), element_of(left, shape, i));
        const uint64_t y = word_at(dtype, bl_tensor_data(b), element_of(right, shape, i));

        if (word_at(dtype, bl_tensor_data(out), i) != cut_to(dtype, x - y))
            fail_msg("%s: element %lld is wrong", bl_dtype_name(dtype), (long long)i);
    }
    bl_tensor_free(out);
    bl_tensor_free(a);
    bl_tensor_free(b);
}

static void test_patterns(void **state)
{
    static const bl_dtype dtypes[] = {BL_UINT8, BL_UINT16, BL_UINT32, BL_UINT64};

    (void)state;
    for (size_t d = 0; d < 4; d++) {
        bl_context *own = d % 2 == 0 ? context : three_threads;
        const int64_t wide = 4 / (int64_t)bl_dtype_size(dtypes[d]) + 1;

        check_pattern(own, dtypes[d], BL_SHAPE(300000 * wide, 3), BL_SHAPE(3));
        check_pattern(own, dtypes[d], BL_SHAPE(300000 * wide, 3),
                      BL_SHAPE(300000 * wide, 1));
        check_pattern(own, dtypes[d], BL_SHAPE(10007 * wide, 65),
                      BL_SHAPE(10007 * wide, 1));
        check_pattern(own, dtypes[d], BL_SHAPE(21, 512 * wide, 7, 7),
                      BL_SHAPE(1, 512 * wide, 1, 1));
        check_pattern(own, dtypes[d], BL_SHAPE(700 * wide, 64, 7, 3),
                      BL_SHAPE(1, 64, 1, 3));
        check_pattern(own, dtypes[d], BL_SHAPE(1021, 1), BL_SHAPE(1, 1023 * wide));
        check_pattern(own, dtypes[d], BL_SHAPE(4 * wide, 1, 8, 1, 6, 1, 4, 1),
                      BL_SHAPE(1, 3, 1, 5, 1, 7, 1, 16));
    }
}

/* ---- In place, and what a division finds ----------------------------------------------------- */

static void test_in_place(void **state)
{
    const int64_t n = 3 * MIB / 4 + 5;
    const bl_node mul = node_of("Mul");
    uint64_t seed = 13;
    bl_tensor *a = random_tensor(BL_UINT32, BL_SHAPE(n), ANY, &seed);
    bl_tensor *b = random_tensor(BL_UINT32, BL_SHAPE(n), ANY, &seed);
    const bl_tensor *in[] = {a, b};
    bl_tensor *apart = NULL;

    (void)state;
    assert_ok(bl_apply(context, &mul, in, 2, &apart, 1, &err), &err);
    assert_ok(bl_apply(context, &mul, in, 2, &a, 1, &err), &err);
    assert_true(same_tensors(a, apart, 0));
    bl_tensor_free(apart);
    bl_tensor_free(a);
    bl_tensor_free(b);
}

static void test_first_zero(void **state)
{
    const int64_t n = 2 * MIB;
    const bl_node div = node_of("Div");
    uint64_t seed = 17;
    bl_tensor *a = random_tensor(BL_INT32, BL_SHAPE(n), ANY, &seed);
    bl_tensor *b = random_tensor(BL_INT32, BL_SHAPE(n), NO_ZERO, &seed);
    const bl_tensor *in[] = {a, b};
    bl_tensor *out = NULL;

    (void)state;
    ((int32_t *)bl_tensor_mutable_data(b))[1234567] = 0;
    ((int32_t *)bl_tensor_mutable_data(b))[1900000] = 0;
    for (int again = 0; again < 2; again++) {
        assert_fails(bl_apply(context, &div, in, 2, &out, 1, &err), BL_ERR_ARITHMETIC, &err,
                     "at output index [1234567]");
        assert_fails(bl_apply(three_threads, &div, in, 2, &out, 1, &err), BL_ERR_ARITHMETIC,
                     &err, "at output index [1234567]");
    }
    assert_null(out);
    bl_tensor_free(a);
    bl_tensor_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_addresses), cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_in_place), cmocka_unit_test(test_first_zero)};

    return cmocka_run_group_tests(tests, make_contexts, free_contexts);
}
