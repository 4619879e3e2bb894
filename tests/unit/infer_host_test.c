/*
 * infer_host_test.c - the shapes of functions of tensors, and the values asked for
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "infer_support.h"

#include <math.h>

#include "ops/values.h"

/* ---- Functions of tensors ---------------------------------------------------- */

static void test_shape_and_size(void **state)
{
    (void)state;
    assert_infers(BL_INT64, BL_SHAPE(3), "Shape", 1, {OF(2, 3, 4)});
    assert_infers(BL_INT64, BL_SHAPE(1), "Shape", 15, {OF(2, 3, 4)}, 0, {INT("start", -1)});
    assert_infers(BL_INT64, BL_SHAPE(0), "Shape", 15, {OF(2, 3, 4)}, 0,
                  {INT("start", 2), INT("end", -2)});
    assert_infers(BL_INT64, BL_SHAPE(3), "Shape", 25, {OF(2, 3, 4)}, 0,
                  {INT("start", INT64_MIN), INT("end", INT64_MAX)});
    assert_infers(BL_INT64, BL_SHAPE(0), "Shape", 13, {SCALAR});
    assert_infers(BL_INT64, BL_SCALAR, "Size", 13, {OF(2, 3, 4)});
}

static void test_constants(void **state)
{
    const bl_attribute strings = {.name = "value_strings", .type = BL_ATTRIBUTE_STRINGS};
    const bl_attribute tensor = {
        .name = "value", .type = BL_ATTRIBUTE_TENSOR, .value.tensor = OF(2, 3)};
    const bl_attribute one = {.name = "value",
                              .type = BL_ATTRIBUTE_TENSOR,
                              .value.tensor = zeros(BL_UINT8, BL_SHAPE(1))};

    (void)state;
    assert_infers(BL_FLOAT32, BL_SHAPE(2, 3), "Constant", 1, .attributes = {tensor});
    assert_infers(BL_INT64, BL_SCALAR, "Constant", 12, .attributes = {INT("value_int", 3)});
    assert_infers(BL_INT64, BL_SHAPE(2), "Constant", 12,
                  .attributes = {INTS("value_ints", 3, 4)});
    assert_infers(BL_STRING, BL_SHAPE(0), "Constant", 25, .attributes = {strings});
    assert_refuses(BL_ERR_ARITY, "Constant-13 (node 'n') takes 0 inputs, not 1", "Constant",
                   13, {OF(1)}, 0, {INT("value_int", 3)});
    assert_infers(BL_FLOAT32, BL_SHAPE(2, 0), "ConstantOfShape", 9, {LIST(2, 0)});
    assert_infers(BL_UINT8, BL_SCALAR, "ConstantOfShape", 9, {EMPTY}, 0, {one});
    assert_refuses(BL_ERR_SHAPE, "the shape [2,-1] in input has a negative dim",
                   "ConstantOfShape", 9, {LIST(2, -1)});
    assert_refuses(BL_ERR_LIMIT, "63 bits", "ConstantOfShape", 9,
                   {LIST(INT64_MAX, INT64_MAX)});
}

static const bl_tensor *number(bl_dtype dtype, double value)
{
    bl_tensor *tensor = (bl_tensor *)(uintptr_t)zeros(dtype, BL_SCALAR);

    if (dtype == BL_FLOAT32)
        *(float *)tensor->data = (float)value;
    else if (dtype == BL_FLOAT64)
        *(double *)tensor->data = value;
    else
        *(int16_t *)tensor->data = (int16_t)value;
    return tensor;
}

#define NUMBERS(dtype, a, b, c)                              \
    {                                                        \
        number(dtype, a), number(dtype, b), number(dtype, c) \
    }

static void test_range(void **state)
{
    (void)state;
    assert_infers(BL_FLOAT32, BL_SHAPE(2), "Range", 11, NUMBERS(BL_FLOAT32, 1, 5, 2));
    assert_infers(BL_FLOAT64, BL_SHAPE(11), "Range", 11, NUMBERS(BL_FLOAT64, 0, 1.01, 0.1));
    assert_infers(BL_INT16, BL_SHAPE(2), "Range", 11, NUMBERS(BL_INT16, 10, 6, -3));
    assert_infers(BL_INT16, BL_SHAPE(0), "Range", 11, NUMBERS(BL_INT16, 10, 6, 1));
    assert_infers(BL_INT64, BL_SHAPE(2), "Range", 27,
                  {LIST(INT64_MAX), LIST(INT64_MIN), LIST(INT64_MIN)});
    assert_infers(BL_BFLOAT16, BL_SHAPE(0), "Range", 27,
                  {zeros(BL_BFLOAT16, BL_SCALAR), zeros(BL_BFLOAT16, BL_SCALAR),
                   number(BL_BFLOAT16, 0x3F80)});
    assert_refuses(BL_ERR_UNSUPPORTED, "'stash_type' is 10", "Range", 27,
                   {zeros(BL_FLOAT16, BL_SCALAR), zeros(BL_FLOAT16, BL_SCALAR),
                    zeros(BL_FLOAT16, BL_SCALAR)},
                   0, {INT("stash_type", 10)});
    assert_refuses(BL_ERR_LIMIT, "63 bits", "Range", 11,
                   {LIST(INT64_MIN), LIST(INT64_MAX), LIST(1)});
    assert_refuses(BL_ERR_ARGUMENT, "delta is 0", "Range", 11,
                   NUMBERS(BL_FLOAT32, 1, 5, 0));
    assert_refuses(BL_ERR_ARGUMENT, "delta is 0", "Range", 11, NUMBERS(BL_INT16, 1, 5, 0));
    assert_refuses(BL_ERR_ARGUMENT, "NaN", "Range", 11,
                   NUMBERS(BL_FLOAT64, 0, (double)NAN, 1));
    assert_refuses(BL_ERR_LIMIT, "63 bits", "Range", 11, NUMBERS(BL_FLOAT64, 0, 1e300, 1));
    assert_refuses(BL_ERR_SHAPE, "limit [2] has to be a scalar", "Range", 11,
                   {SCALAR, OF(2), SCALAR});
}

static void test_concat_and_gather(void **state)
{
    (void)state;
    assert_infers(BL_FLOAT32, BL_SHAPE(2, 6), "Concat", 1, {OF(2, 3), OF(2, 0), OF(2, 3)});
    assert_infers(BL_FLOAT32, BL_SHAPE(5, 3), "Concat", 13, {OF(2, 3), OF(3, 3)}, 0,
                  {INT("axis", -2)});
    assert_refuses(
        BL_ERR_SHAPE,
        "inputs_0 [2,3] and inputs_1 [3,4] do not go together: they may differ on "
        "axis 0 only",
        "Concat", 13, {OF(2, 3), OF(3, 4)}, 0, {INT("axis", 0)});
    assert_refuses(BL_ERR_SHAPE, "inputs_2 [2]", "Concat", 13, {OF(2, 3), OF(2, 3), OF(2)},
                   0, {INT("axis", 1)});
    assert_refuses(BL_ERR_SHAPE, "has no axes", "Concat", 13, {SCALAR, SCALAR}, 0,
                   {INT("axis", 0)});
    assert_infers(BL_FLOAT32, BL_SHAPE(2, 4, 5), "Gather", 13,
                  {OF(2, 3, 5), zeros(BL_INT64, BL_SHAPE(4))}, 0, {INT("axis", 1)});
    assert_infers(BL_FLOAT32, BL_SHAPE(2, 3), "Gather", 1,
                  {OF(2, 3, 5), zeros(BL_INT32, BL_SCALAR)}, 0, {INT("axis", -1)});
    assert_refuses(BL_ERR_SHAPE, "axis 3 is out of range (data [2,3,5]: -3 to 2)", "Gather",
                   11, {OF(2, 3, 5), LIST(0)}, 0, {INT("axis", 3)});
}

/* ---- Values ------------------------------------------------------------------ */

/* Each input that is named as one whose value is needed is asked for where it is unknown,
 * and no other. */
static void test_unknown_values(void **state)
{
    const struct call calls[] = {
        {"Reshape", 13, {OF(2), LIST(2)}, 0, {{0}}},
        {"Expand", 13, {OF(2), LIST(2)}, 0, {{0}}},
        {"Slice", 13, {OF(2), LIST(0), LIST(1), LIST(0), LIST(1)}, 0, {{0}}},
        {"Squeeze", 13, {OF(1), LIST(0)}, 0, {{0}}},
        {"Unsqueeze", 13, {OF(1), LIST(0)}, 0, {{0}}},
        {"ConstantOfShape", 13, {LIST(2)}, 0, {{0}}},
        {"Range", 11, {SCALAR, SCALAR, number(BL_FLOAT32, 1)}, 0, {{0}}},
        {"Squeeze", 1, {OF(1)}, 0, {{0}}},
        {"Add", 14, {OF(1), OF(1)}, 0, {{0}}},
        {"Clip", 13, {OF(1), SCALAR}, 0, {{0}}},
        {"Gather", 13, {OF(2), LIST(0)}, 0, {{0}}},
        {"CastLike", 15, {OF(2), LIST(0)}, 0, {{0}}},
    };
    bl_tensor_type out;
    bl_error err;

    (void)state;
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
        const bl_op *op = bl_op_find("", calls[c].op, calls[c].opset, &err);
        struct call call = calls[c];

        assert_ok(infer(&call, 1, &out, &err), &err);
        while (call.inputs < 5 && call.in[call.inputs] != NULL)
            call.inputs++;
        for (size_t i = 0; i < call.inputs; i++) {
            const bl_tensor *known[5];
            bl_tensor_type types[5];
            struct bl_params params;
            const bl_node node = {.op = op, .name = "n"};

            for (size_t k = 0; k < call.inputs; k++) {
                known[k] = k == i ? NULL : call.in[k];
                types[k] = (bl_tensor_type){call.in[k]->dtype, call.in[k]->shape};
            }
            if (!bl_node_reads_value(op, i)) {
                assert_ok(
                    bl_node_infer(&node, types, known, call.inputs, &out, 1, &params, &err),
                    &err);
                continue;
            }
            assert_fails(
                bl_node_infer(&node, types, known, call.inputs, &out, 1, &params, &err),
                BL_ERR_ARGUMENT, &err, "needs the value of input ");
            assert_non_null(strstr(err.message, op->inputs[i].name));
            assert_int_equal(infer(&call, 0, &out, &err), BL_ERR_ARGUMENT);
        }
    }
}

static void test_to_int64s(void **state)
{
    static const int32_t numbers[] = {1, -2, 3, -4, 5};
    static const int64_t backwards = -2;
    int64_t out[5];
    size_t count;
    bl_error err;
    const bl_tensor *strided = keep(
        bl_tensor_borrow(NULL, BL_INT32, BL_SHAPE(3), &backwards, numbers + 4, &err), &err);

    (void)state;
    assert_ok(bl_tensor_to_int64s(strided, out, 5, &count, &err), &err);
    assert_int_equal(count, 3);
    assert_true(out[0] == 5 && out[1] == 3 && out[2] == 1);
    assert_fails(bl_tensor_to_int64s(strided, out, 2, &count, &err), BL_ERR_LIMIT, &err,
                 "has 3 elements");
    assert_fails(bl_tensor_to_int64s(OF(1), out, 5, &count, &err), BL_ERR_TYPE, &err,
                 "is float32");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_shape_and_size, free_made),
        cmocka_unit_test_teardown(test_constants, free_made),
        cmocka_unit_test_teardown(test_range, free_made),
        cmocka_unit_test_teardown(test_concat_and_gather, free_made),
        cmocka_unit_test_teardown(test_unknown_values, free_made),
        cmocka_unit_test_teardown(test_to_int64s, free_made),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
