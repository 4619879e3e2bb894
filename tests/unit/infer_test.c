/*
 * infer_test.c - the shapes and types of pointwise nodes, matrix products and views
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "infer_support.h"

/* ---- Pointwise --------------------------------------------------------------- */

static void test_pointwise(void **state)
{
    (void)state;
    assert_infers(BL_FLOAT32, BL_SHAPE(2, 3), "Exp", 13, {OF(2, 3)});
    assert_infers(BL_BOOL, BL_SHAPE(2, 3), "IsNaN", 13, {OF(2, 3)});
    assert_infers(BL_BOOL, BL_SHAPE(2, 3), "LessOrEqual", 16, {OF(2, 1), OF(3)});
    assert_infers(BL_FLOAT32, BL_SHAPE(4), "SwiGLU", 28, {OF(4), OF(4)});
    assert_infers(BL_STRING, BL_SHAPE(2, 3), "StringConcat", 20,
                  {zeros(BL_STRING, BL_SHAPE(3)), zeros(BL_STRING, BL_SHAPE(2, 1))});
    assert_refuses(BL_ERR_SHAPE, "SwiGLU-28 (node 'n'): A [4] and B [1]", "SwiGLU", 28,
                   {OF(4), OF(1)});
    /* Reserved by the text up to opset 27; models of opset 10 rely on what 28 then says. */
    assert_infers(BL_FLOAT32, BL_SHAPE(2), "Mod", 10, {OF(2), OF(2)});
    assert_infers(BL_FLOAT32, BL_SHAPE(2), "Mod", 13, {OF(2), OF(2)}, 0, {INT("fmod", 1)});
    assert_infers(BL_INT64, BL_SHAPE(1), "Mod", 10, {LIST(7), LIST(2)});
}

static void test_clip(void **state)
{
    (void)state;
    assert_infers(BL_FLOAT32, BL_SHAPE(2), "Clip", 6, {OF(2)});
    assert_infers(BL_FLOAT32, BL_SHAPE(2), "Clip", 13, {OF(2), SCALAR, OF(1, 1)});
    assert_infers(BL_FLOAT32, BL_SHAPE(2), "Clip", 13, {OF(2), NULL, SCALAR}, 3);
    assert_refuses(BL_ERR_SHAPE, "max [2] has to be a scalar", "Clip", 11,
                   {OF(2), NULL, OF(2)}, 3);
    assert_refuses(BL_ERR_SHAPE, "min [0] has to be a scalar", "Clip", 11, {OF(2), OF(0)});
    assert_refuses(BL_ERR_ARITY, "input input is absent", "Clip", 11, {NULL, SCALAR}, 2);
}

static void test_cast(void **state)
{
    (void)state;
    assert_infers(BL_FLOAT8E5M2, BL_SHAPE(2), "Cast", 19, {OF(2)}, 0,
                  {INT("to", BL_FLOAT8E5M2)});
    assert_infers(BL_INT64, BL_SHAPE(2, 3), "CastLike", 15, {OF(2, 3), LIST(1, 2, 3, 4)});
    assert_infers(BL_INT32, BL_SHAPE(2), "BitCast", 26, {OF(2)}, 0, {INT("to", BL_INT32)});
    assert_refuses(BL_ERR_TYPE, "an element of float32 has 32 bits, one of int64 has 64",
                   "BitCast", 26, {OF(2)}, 0, {INT("to", BL_INT64)});
    assert_refuses(BL_ERR_TYPE, "does not make string", "BitCast", 26, {OF(2)}, 0,
                   {INT("to", BL_STRING)});
}

/* ---- MatMul ------------------------------------------------------------------ */

static void test_matmul(void **state)
{
    (void)state;
    assert_infers(BL_FLOAT32, BL_SHAPE(2, 4), "MatMul", 13, {OF(2, 3), OF(3, 4)});
    assert_infers(BL_FLOAT32, BL_SCALAR, "MatMul", 13, {OF(3), OF(3)});
    assert_infers(BL_FLOAT32, BL_SHAPE(4), "MatMul", 13, {OF(3), OF(3, 4)});
    assert_infers(BL_FLOAT32, BL_SHAPE(2), "MatMul", 13, {OF(2, 3), OF(3)});
    assert_infers(BL_FLOAT32, BL_SHAPE(5, 4), "MatMul", 13, {OF(3), OF(5, 3, 4)});
    assert_infers(BL_FLOAT32, BL_SHAPE(6, 5, 2, 4), "MatMul", 1,
                  {OF(6, 1, 2, 3), OF(5, 3, 4)});
    assert_infers(BL_FLOAT32, BL_SHAPE(0, 2, 4), "MatMul", 13, {OF(0, 2, 0), OF(1, 0, 4)});
    assert_refuses(
        BL_ERR_SHAPE,
        "A [2,3] and B [4,5] do not multiply: 3, A's axis 1, is not 4, B's axis 0",
        "MatMul", 13, {OF(2, 3), OF(4, 5)});
    assert_refuses(BL_ERR_SHAPE, "B is a scalar", "MatMul", 13, {OF(2, 3), SCALAR});
    assert_refuses(BL_ERR_SHAPE,
                   "A [2,2,3], B [5,3,4]: the batch axes of A, [2] does not "
                   "broadcast with those of B, [5]: at axis 0",
                   "MatMul", 13, {OF(2, 2, 3), OF(5, 3, 4)});
}

/* ---- Views ------------------------------------------------------------------- */

static void test_reshape(void **state)
{
    (void)state;
    assert_infers(BL_FLOAT32, BL_SHAPE(3, 2), "Reshape", 5, {OF(2, 3), LIST(3, 2)});
    assert_infers(BL_FLOAT32, BL_SHAPE(2, 3, 1), "Reshape", 13, {OF(2, 3), LIST(0, -1, 1)});
    assert_infers(BL_FLOAT32, BL_SCALAR, "Reshape", 13, {OF(1, 1), EMPTY});
    assert_infers(BL_FLOAT32, BL_SHAPE(6), "Reshape", 1, {OF(2, 3)}, 0,
                  {INTS("shape", -1)});
    assert_infers(BL_FLOAT32, BL_SHAPE(3, 0), "Reshape", 14, {OF(0, 3), LIST(3, 0)}, 0,
                  {INT("allowzero", 1)});
    assert_infers(BL_FLOAT32, BL_SHAPE(0, 3), "Reshape", 14, {OF(0, 3), LIST(0, 3)});
    assert_infers(BL_FLOAT32, BL_SHAPE(5, 0), "Reshape", 13, {OF(0, 3), LIST(5, -1)});
    assert_refuses(BL_ERR_SHAPE,
                   "Reshape-13 (node 'n'): data [2,3] does not go into shape [4,2]: it has "
                   "another number",
                   "Reshape", 13, {OF(2, 3), LIST(4, 2)});
    assert_refuses(BL_ERR_SHAPE, "[4,-1]: the other dims do not divide", "Reshape", 13,
                   {OF(2, 3), LIST(4, -1)});
    assert_refuses(BL_ERR_SHAPE, "[-1,-1]: only one dim can be -1", "Reshape", 13,
                   {OF(2, 3), LIST(-1, -1)});
    assert_refuses(BL_ERR_SHAPE, "less than -1", "Reshape", 13, {OF(2, 3), LIST(-2, 3)});
    assert_refuses(BL_ERR_SHAPE, "[2,3,0]: a 0 stands for data's dim", "Reshape", 13,
                   {OF(2, 3), LIST(2, 3, 0)});
    assert_refuses(BL_ERR_SHAPE, "-1 could be any number", "Reshape", 13,
                   {OF(0, 3), LIST(0, -1)});
    assert_refuses(BL_ERR_SHAPE, "0 and -1 do not go together", "Reshape", 14,
                   {OF(0, 3), LIST(0, -1)}, 0, {INT("allowzero", 1)});
    assert_refuses(BL_ERR_SHAPE, "input shape has rank 2", "Reshape", 13,
                   {OF(2, 3), zeros(BL_INT64, BL_SHAPE(1, 2))});
    assert_refuses(BL_ERR_LIMIT, "input shape has 65 elements", "Reshape", 13,
                   {OF(2, 3), zeros(BL_INT64, BL_SHAPE(65))});
    assert_refuses(BL_ERR_LIMIT, "more elements than 63 bits", "Reshape", 13,
                   {OF(2, 3), LIST(INT64_MAX, INT64_MAX)});
}

static void test_flatten_and_transpose(void **state)
{
    (void)state;
    assert_infers(BL_FLOAT32, BL_SHAPE(2, 12), "Flatten", 1, {OF(2, 3, 4)});
    assert_infers(BL_FLOAT32, BL_SHAPE(1, 24), "Flatten", 9, {OF(2, 3, 4)}, 0,
                  {INT("axis", 0)});
    assert_infers(BL_FLOAT32, BL_SHAPE(24, 1), "Flatten", 13, {OF(2, 3, 4)}, 0,
                  {INT("axis", 3)});
    assert_infers(BL_FLOAT32, BL_SHAPE(6, 4), "Flatten", 13, {OF(2, 3, 4)}, 0,
                  {INT("axis", -1)});
    assert_refuses(BL_ERR_SHAPE, "axis -1 is negative (input [2,3,4]; axes count from the",
                   "Flatten", 9, {OF(2, 3, 4)}, 0, {INT("axis", -1)});
    assert_refuses(BL_ERR_SHAPE, "axis 4 is out of range (input [2,3,4]: -3 to 3)",
                   "Flatten", 13, {OF(2, 3, 4)}, 0, {INT("axis", 4)});
    assert_infers(BL_FLOAT32, BL_SHAPE(4, 3, 2), "Transpose", 13, {OF(2, 3, 4)});
    assert_infers(BL_FLOAT32, BL_SHAPE(4, 2, 3), "Transpose", 1, {OF(2, 3, 4)}, 0,
                  {INTS("perm", 2, 0, 1)});
    assert_refuses(BL_ERR_SHAPE, "'perm' is [2,0,0], but has to name each of the 3 axes of",
                   "Transpose", 1, {OF(2, 3, 4)}, 0, {INTS("perm", 2, 0, 0)});
    assert_refuses(BL_ERR_SHAPE, "'perm' is [1,0]", "Transpose", 1, {OF(2, 3, 4)}, 0,
                   {INTS("perm", 1, 0)});
    assert_refuses(BL_ERR_SHAPE, "'perm' is [-1]", "Transpose", 1, {OF(2)}, 0,
                   {INTS("perm", -1)});
}

static void test_squeeze_and_unsqueeze(void **state)
{
    (void)state;
    assert_infers(BL_FLOAT32, BL_SHAPE(2), "Squeeze", 1, {OF(1, 2, 1)});
    assert_infers(BL_FLOAT32, BL_SHAPE(2, 1), "Squeeze", 1, {OF(1, 2, 1)}, 0,
                  {INTS("axes", 0)});
    assert_infers(BL_FLOAT32, BL_SHAPE(1, 2), "Squeeze", 13, {OF(1, 2, 1), LIST(-1)});
    assert_infers(BL_FLOAT32, BL_SHAPE(1, 2, 1), "Squeeze", 13, {OF(1, 2, 1), EMPTY});
    assert_infers(BL_FLOAT32, BL_SHAPE(2), "Squeeze", 13, {OF(1, 2, 1), NULL}, 2);
    assert_refuses(BL_ERR_SHAPE, "axis 1 of data [1,2,1] is 2", "Squeeze", 13,
                   {OF(1, 2, 1), LIST(1)});
    assert_refuses(BL_ERR_SHAPE, "axes [0,-3] name axis 0 twice", "Squeeze", 13,
                   {OF(1, 2, 1), LIST(0, -3)});
    assert_refuses(BL_ERR_SHAPE, "axis -1 is negative", "Squeeze", 1, {OF(1, 2, 1)}, 0,
                   {INTS("axes", -1)});
    assert_refuses(BL_ERR_SHAPE, "axis 0, but data [] has no axes", "Squeeze", 13,
                   {SCALAR, LIST(0)});
    assert_infers(BL_FLOAT32, BL_SHAPE(1, 2, 1, 3), "Unsqueeze", 11, {OF(2, 3)}, 0,
                  {INTS("axes", 2, 0)});
    assert_infers(BL_FLOAT32, BL_SHAPE(2, 3, 1), "Unsqueeze", 13, {OF(2, 3), LIST(-1)});
    assert_infers(BL_FLOAT32, BL_SHAPE(1, 1), "Unsqueeze", 25, {SCALAR, LIST(0, 1)});
    assert_infers(BL_FLOAT32, BL_SHAPE(1, 2), "Unsqueeze", 13,
                  {OF(2), zeros(BL_INT64, BL_SCALAR)});
    assert_refuses(BL_ERR_SHAPE, "axes [1,1] name axis 1 twice", "Unsqueeze", 13,
                   {OF(2), LIST(1, 1)});
    assert_refuses(BL_ERR_SHAPE, "axis 3 is out of range (data [2,3]: -3 to 2)",
                   "Unsqueeze", 13, {OF(2, 3), LIST(3)});
    assert_refuses(BL_ERR_ATTRIBUTE, "'axes' is missing", "Unsqueeze", 11, {OF(2)});
}

static void test_expand(void **state)
{
    (void)state;
    assert_infers(BL_FLOAT32, BL_SHAPE(2, 3, 6), "Expand", 8, {OF(3, 1), LIST(2, 1, 6)});
    assert_infers(BL_FLOAT32, BL_SHAPE(3, 4), "Expand", 13, {OF(3, 4), LIST(1)});
    assert_infers(BL_FLOAT32, BL_SHAPE(3), "Expand", 13, {OF(3), EMPTY});
    assert_infers(BL_FLOAT32, BL_SHAPE(0, 3), "Expand", 13, {OF(3), LIST(0, 1)});
    assert_refuses(BL_ERR_SHAPE, "input [3] does not broadcast with shape [2,4]: at axis 1",
                   "Expand", 13, {OF(3), LIST(2, 4)});
    assert_refuses(BL_ERR_SHAPE, "shape [-1,3] has a negative dim", "Expand", 13,
                   {OF(3), LIST(-1, 3)});
}

static void test_slice(void **state)
{
    const bl_tensor *data = OF(10, 5);

    (void)state;
    assert_infers(BL_FLOAT32, BL_SHAPE(10, 2), "Slice", 1, {data}, 0,
                  {INTS("axes", 1), INTS("starts", 1), INTS("ends", 3)});
    assert_infers(BL_FLOAT32, BL_SHAPE(9, 5), "Slice", 1, {data}, 0,
                  {INTS("starts", 0, 0), INTS("ends", -1, 1000)});
    assert_infers(BL_FLOAT32, BL_SHAPE(2, 5), "Slice", 10,
                  {data, LIST(8), LIST(INT64_MAX)});
    assert_infers(BL_FLOAT32, BL_SHAPE(10, 3), "Slice", 13,
                  {data, LIST(0), LIST(INT64_MAX), LIST(-1), LIST(2)});
    assert_infers(BL_FLOAT32, BL_SHAPE(10, 5), "Slice", 13,
                  {data, LIST(-1), LIST(INT64_MIN), LIST(0), LIST(-1)});
    assert_infers(BL_FLOAT32, BL_SHAPE(1, 5), "Slice", 13,
                  {data, LIST(20), LIST(-20), LIST(0), LIST(INT64_MIN)});
    assert_infers(BL_FLOAT32, BL_SHAPE(0, 5), "Slice", 13, {data, LIST(7), LIST(3)});
    assert_infers(BL_FLOAT32, BL_SHAPE(10, 5), "Slice", 13, {data, EMPTY, EMPTY});
    assert_infers(BL_FLOAT32, BL_SHAPE(4, 5), "Slice", 13,
                  {data, LIST(8), LIST(0), NULL, LIST(-2)}, 5);
    assert_refuses(BL_ERR_ARGUMENT, "step for axis 1 is 0", "Slice", 13,
                   {data, LIST(0), LIST(1), LIST(1), LIST(0)});
    assert_refuses(BL_ERR_SHAPE, "have 1, 2, 1 and 1 elements", "Slice", 13,
                   {data, LIST(0), LIST(1, 2)});
    assert_refuses(BL_ERR_SHAPE, "axes [1,-1] name axis 1 twice", "Slice", 13,
                   {data, LIST(0, 0), LIST(1, 1), LIST(1, -1)});
    assert_refuses(BL_ERR_SHAPE, "axis 2 is out of range (data [10,5]: -2 to 1)", "Slice",
                   13, {data, LIST(0, 0, 0), LIST(1, 1, 1)});
    assert_refuses(BL_ERR_TYPE, "starts", "Slice", 13, {data, OF(1), OF(1)});
}

/* Nobody can have a tensor so large, but a shape and a type are easily written down. */
static void test_result_beyond_63_bits(void **state)
{
    const bl_node node = {
        .op = bl_op_find("", "Cast", 13, NULL),
        .attributes = &(const bl_attribute)INT("to", BL_FLOAT64),
        .attribute_count = 1,
    };
    bl_tensor_type input = {BL_INT8, {1, {INT64_MAX / 8}}}, output;
    bl_error err;

    (void)state;
    assert_ok(bl_infer(&node, &input, 1, &output, 1, &err), &err);
    input.shape.dim[0]++;
    assert_fails(bl_infer(&node, &input, 1, &output, 1, &err), BL_ERR_LIMIT, &err,
                 "Cast-13: the result: 1152921504606846976 elements of float64 have more "
                 "bytes than 63 bits can count");
}

static void test_message_without_control_characters(void **state)
{
    const bl_node node = {
        .op = bl_op_find("", "BitShift", 11, NULL),
        .name = "a\nb",
        .attributes = &(const bl_attribute){.name = "direction",
                                            .type = BL_ATTRIBUTE_STRING,
                                            .value.s = {"L\005F\033T\177", 6}},
        .attribute_count = 1,
    };
    const bl_tensor_type inputs[] = {{BL_UINT8, {0, {0}}}, {BL_UINT8, {0, {0}}}};
    bl_tensor_type output;
    bl_error err;

    (void)state;
    assert_fails(bl_infer(&node, inputs, 2, &output, 1, &err), BL_ERR_ATTRIBUTE, &err,
                 "(node 'a?b'): attribute 'direction' is 'L?F?T?'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_pointwise, free_made),
        cmocka_unit_test_teardown(test_clip, free_made),
        cmocka_unit_test_teardown(test_cast, free_made),
        cmocka_unit_test_teardown(test_matmul, free_made),
        cmocka_unit_test_teardown(test_reshape, free_made),
        cmocka_unit_test_teardown(test_flatten_and_transpose, free_made),
        cmocka_unit_test_teardown(test_squeeze_and_unsqueeze, free_made),
        cmocka_unit_test_teardown(test_expand, free_made),
        cmocka_unit_test_teardown(test_slice, free_made),
        cmocka_unit_test(test_result_beyond_63_bits),
        cmocka_unit_test(test_message_without_control_characters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
