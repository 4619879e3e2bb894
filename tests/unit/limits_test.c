/*
 * limits_test.c - limits of a context: what is too much fails, before it takes memory or time
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "limited.h"

#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "onnx_bytes.h"

/* ---- Options --------------------------------------------------------------------------------- */

static void test_defaults(void **state)
{
    const bl_limits *limits = bl_context_limits(context);

    (void)state;
    assert_true(limits->max_bytes > 1 << 20 && limits->max_bytes < BL_UNLIMITED);
    assert_true(limits->max_tensor_bytes == limits->max_bytes);
    assert_true(limits->max_tensor_elements == INT64_C(1) << 40);
    assert_true(limits->max_rank == BL_MAX_RANK && limits->max_nodes == 1 << 20);
    assert_true(limits->max_depth == 32 && limits->max_work == INT64_C(1) << 50);
    bl_context *free_of_them = limited(&(bl_limits){.max_bytes = BL_UNLIMITED}, NULL);

    assert_true(bl_context_limits(free_of_them)->max_tensor_bytes == BL_UNLIMITED);
    bl_context_free(free_of_them);
}

static void test_options(void **state)
{
    bl_context_options options = BL_CONTEXT_DEFAULTS;

    (void)state;
    options.limits.max_nodes = -1;
    assert_null(bl_context_new(&options, &err));
    fails_with(BL_ERR_ARGUMENT, "limit max_nodes is negative (-1)");
    options.size =
        offsetof(bl_context_options, mapping); /* of a program from before them */
    bl_context *old = bl_context_new(&options, &err);

    assert_non_null(old);
    assert_true(bl_context_limits(old)->max_nodes == 1 << 20);
    bl_context_free(old);
    options.size = 8;
    assert_null(bl_context_new(&options, &err));
    fails_with(BL_ERR_ARGUMENT, "bl_context_options.size is 8");
    options = (bl_context_options)BL_CONTEXT_DEFAULTS;
    options.limits.max_bytes = 1000;
    assert_null(bl_context_new(&options, &err));
    fails_with(BL_ERR_LIMIT, "max_bytes is 1000");
}

/* ---- Tensors --------------------------------------------------------------------------------- */

static void test_tensors(void **state)
{
    const bool is_small = SIZE_MAX <= UINT32_MAX; /* the machine */
    struct counting counting;
    bl_context *small = limited(
        &(bl_limits){.max_tensor_bytes = 4096, .max_tensor_elements = 2000, .max_rank = 3},
        &counting);

    (void)state;
    counting.largest = 0;
    assert_null(bl_tensor_new(small, BL_FLOAT32, BL_SHAPE(5, 5, 41), &err));
    fails_with(BL_ERR_LIMIT,
               "max_tensor_bytes is 4096, but a tensor float32[5,5,41] has 4100 bytes");
    assert_null(bl_tensor_new(small, BL_INT8, BL_SHAPE(2001), &err));
    fails_with(BL_ERR_LIMIT,
               "max_tensor_elements is 2000, but a tensor int8[2001] has 2001 elements");
    assert_null(bl_tensor_new(small, BL_INT8, BL_SHAPE(1, 1, 1, 1), &err));
    fails_with(BL_ERR_LIMIT, "max_rank is 3, but a tensor int8[1,1,1,1] has 4 axes");
    assert_null(bl_tensor_new(small, BL_INT8, BL_SHAPE(INT64_C(1) << 60), &err));
    fails_with(BL_ERR_LIMIT, is_small ? "this machine's memory" : "max_tensor_elements");
    assert_true(counting.largest < 4096);
    bl_tensor *most = bl_tensor_new(small, BL_INT8, BL_SHAPE(2, 1000), &err);

    assert_non_null(most);
    bl_context_free(small);
    assert_true(counting.live == 3); /* the tensor, and what counts its memory */
    bl_tensor_free(most);
    assert_true(counting.live == 0);
    assert_null(bl_tensor_new(NULL, BL_INT8, BL_SHAPE(INT64_C(1) << 60), &err));
    fails_with(BL_ERR_LIMIT,
               is_small ? "this machine's memory" : "max_tensor_elements is 1099511627776");
}

/* All that a context hands out counts, until it is given back. */
static void test_bytes(void **state)
{
    bl_context *small = limited(&(bl_limits){.max_bytes = 1 << 20}, NULL);
    bl_tensor *tensors[64] = {NULL};
    int count = 0;

    (void)state;
    while (count < 64 && (tensors[count] = bl_tensor_new(small, BL_FLOAT32, BL_SHAPE(16384),
                                                         &err)) != NULL)
        count++;
    assert_in_range(count, 8, 15);
    fails_with(BL_ERR_LIMIT, "max_bytes is 1048576, ");
    bl_tensor_free(tensors[0]);
    tensors[0] = bl_tensor_new(small, BL_FLOAT32, BL_SHAPE(16384), &err);
    assert_non_null(tensors[0]);
    for (int i = 0; i < count; i++)
        bl_tensor_free(tensors[i]);
    for (int i = 0; i < 1000; i++) { /* nothing is counted twice, or lost */
        tensors[0] = bl_tensor_new(small, BL_STRING, BL_SHAPE(100), &err);
        assert_ok(bl_tensor_set_string(tensors[0], i % 100, "abc", 3, &err), &err);
        bl_tensor_free(tensors[0]);
    }
    bl_context_free(small);
}

static void test_string_bytes(void **state)
{
    bl_context *small = limited(&(bl_limits){.max_bytes = 1 << 20}, NULL);
    bl_tensor *strings = bl_tensor_new(small, BL_STRING, BL_SHAPE(1), &err);
    bl_tensor *twice[20] = {strings};
    const bl_node node = {.op = bl_op_find(NULL, "StringConcat", BL_OPSET_LATEST, &err)};
    int i = 0;

    (void)state;
    assert_ok(bl_tensor_set_string(strings, 0, "abcdefgh", 8, &err), &err);
    for (; i < 19; i++)
        if (bl_apply(small, &node, (const bl_tensor *[]){twice[i], twice[i]}, 2,
                     &twice[i + 1], 1, &err) != BL_OK)
            break;
    assert_in_range(i, 14, 18);
    fails_with(BL_ERR_LIMIT, "max_bytes is 1048576, ");
    for (; i >= 0; i--)
        bl_tensor_free(twice[i]);
    bl_context_free(small);
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* Tensors that declare 2^60 elements and have none; that is not read as memory. */
static void test_declared(void **state)
{
    static const char npy[] = "\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': "
                              "False, 'shape': (1152921504606846976,), }";
    struct counting counting;
    bl_context *own = limited(&(bl_limits){0}, &counting);
    unsigned char text[128];
    struct bytes pb =
        tensor_bytes("t", BL_FLOAT32, BL_SHAPE(INT64_C(1) << 20, INT64_C(1) << 40), "", 0);

    (void)state;
    memset(text, ' ', sizeof text);
    memcpy(text, npy, sizeof npy - 1);
    text[127] = '\n';
    counting.largest = 0;
    assert_null(bl_tensor_read_memory(own, text, sizeof text, BL_FORMAT_NPY, "t", &err));
    fails_with(BL_ERR_FORMAT, "float32[1152921504606846976] needs 4611686018427387904");
    assert_null(bl_tensor_read_memory(own, pb.data, pb.size, BL_FORMAT_PB, "t", &err));
    fails_with(BL_ERR_FORMAT, "needs 4611686018427387904 bytes of raw_data, there are 0");
    assert_true(counting.largest < 1 << 16);
    bytes_free(&pb);
    bl_context_free(own);
}

static void test_file_limits(void **state)
{
    static const float elements[100] = {0};
    bl_context *small = limited(&(bl_limits){.max_tensor_elements = 99}, NULL);
    struct bytes pb =
        tensor_bytes("t", BL_FLOAT32, BL_SHAPE(100), elements, sizeof elements);
    bl_tensor *tensor =
        bl_tensor_read_memory(NULL, pb.data, pb.size, BL_FORMAT_PB, "t", &err);
    char path[] = "/tmp/limits_testXXXXXX";
    const int fd = mkstemp(path);

    (void)state;
    assert_non_null(tensor);
    assert_true(fd >= 0 && close(fd) == 0);
    assert_null(bl_tensor_read_memory(small, pb.data, pb.size, BL_FORMAT_PB, "t.pb", &err));
    fails_with(BL_ERR_LIMIT, "t.pb: byte ");
    assert_ok(bl_tensor_write(tensor, path, BL_FORMAT_NPY, &err), &err);
    assert_null(bl_tensor_read(small, path, BL_FORMAT_NPY, &err));
    fails_with(BL_ERR_LIMIT,
               "max_tensor_elements is 99, but a tensor float32[100] has 100 elements");
    bl_tensor_free(tensor);
    bytes_free(&pb);
    bl_context_free(small);
    /* A stream without an end is read until the limit. */
    small = limited(&(bl_limits){.max_bytes = 1 << 22}, NULL);
    assert_null(bl_tensor_read(small, "/dev/zero", BL_FORMAT_PB, &err));
    fails_with(BL_ERR_LIMIT, "max_bytes is 4194304, ");
    bl_context_free(small);
    unlink(path);
}

/* ---- bl_apply -------------------------------------------------------------------------------- */

/* Apply an operator to a borrowed float32 that is expanded to the shapes, stride 0; NULL: absent. */
static bl_status apply_expanded(bl_context *own, const char *op, const bl_shape *a,
                                const bl_shape *b, bl_tensor **out)
{
    static const float one = 1;
    static const int64_t zero[BL_MAX_RANK] = {0};
    const bl_node node = {.op = bl_op_find(NULL, op, BL_OPSET_LATEST, &err)};
    bl_tensor *x = bl_tensor_borrow(own, BL_FLOAT32, a, zero, &one, &err);
    bl_tensor *y = bl_tensor_borrow(own, BL_FLOAT32, b, zero, &one, &err);
    bl_status status = BL_ERR_MEMORY;

    if (x != NULL && y != NULL)
        status = bl_apply(own, &node, (const bl_tensor *[]){x, y}, 2, out, 1, &err);
    bl_tensor_free(x);
    bl_tensor_free(y);
    return status;
}

static void test_apply(void **state)
{
    const int64_t huge = INT64_C(1) << 40;
    struct counting counting;
    bl_context *own = limited(&(bl_limits){.max_tensor_elements = 1000}, &counting);
    const bl_node expand = {.op = bl_op_find(NULL, "Expand", BL_OPSET_LATEST, &err)};
    bl_tensor *out = NULL, *one = bl_tensor_new(own, BL_FLOAT32, BL_SHAPE(1), &err);
    bl_tensor *to = bl_tensor_borrow(own, BL_INT64, BL_SHAPE(1), NULL, &huge, &err);

    (void)state;
    counting.largest = 0;
    assert_int_equal(
        bl_apply(own, &expand, (const bl_tensor *[]){one, to}, 2, &out, 1, &err),
        BL_ERR_LIMIT);
    fails_with(BL_ERR_LIMIT, "Expand-13: max_tensor_elements is 1000, but a tensor "
                             "float32[1099511627776] has 1099511627776 elements");
    assert_int_equal(apply_expanded(own, "Add", BL_SHAPE(100, 1), BL_SHAPE(1, 100), &out),
                     BL_ERR_LIMIT);
    fails_with(BL_ERR_LIMIT, "a tensor float32[100,100] has 10000 elements");
    assert_int_equal(
        apply_expanded(own, "MatMul", BL_SHAPE(100, 2), BL_SHAPE(2, 100), &out),
        BL_ERR_LIMIT);
    fails_with(BL_ERR_LIMIT, "MatMul-13: max_tensor_elements is 1000");
    assert_null(out);
    assert_true(counting.largest < 1 << 16);
    bl_tensor_free(one);
    bl_tensor_free(to);
    bl_context_free(own);
    assert_true(counting.live == 0);
}

/* Time without memory: a product of operands that are one number, 2^80 multiplications. */
static void test_work(void **state)
{
    const int64_t big = INT64_C(1) << 39;
    bl_context *own = limited(&(bl_limits){.max_work = 1000}, NULL);
    bl_tensor *out = NULL;

    (void)state;
    if (SIZE_MAX > UINT32_MAX) { /* no tensors of 32 bits' memory are such work */
        assert_int_equal(apply_expanded(context, "MatMul", BL_SHAPE(1 << 12, big),
                                        BL_SHAPE(big, 1 << 12), &out),
                         BL_ERR_LIMIT);
        fails_with(BL_ERR_LIMIT,
                   "MatMul-13: max_work is 1125899906842624, 0 are spent, and the "
                   "node takes 9223372036854775807 more");
    }
    assert_int_equal(apply_expanded(own, "Add", BL_SHAPE(501), BL_SHAPE(1), &out),
                     BL_ERR_LIMIT);
    fails_with(BL_ERR_LIMIT, "max_work is 1000, 0 are spent, and the node takes 1002 more");
    for (int i = 0; i < 3; i++) { /* the first call, and those that are remembered */
        assert_ok(apply_expanded(own, "Add", BL_SHAPE(500), BL_SHAPE(1), &out), &err);
        bl_tensor_free(out);
        out = NULL;
    }
    assert_ok(apply_expanded(own, "MatMul", BL_SHAPE(10, 10), BL_SHAPE(10, 10), &out),
              &err);
    bl_tensor_free(out);
    bl_context_free(own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),     cmocka_unit_test(test_options),
        cmocka_unit_test(test_tensors),      cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_string_bytes), cmocka_unit_test(test_declared),
        cmocka_unit_test(test_file_limits),  cmocka_unit_test(test_apply),
        cmocka_unit_test(test_work),
    };

    return cmocka_run_group_tests(tests, make_contexts, free_contexts);
}
