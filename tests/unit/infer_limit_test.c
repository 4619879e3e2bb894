/*
 * infer_limit_test.c - shapes that no tensor can have, and nodes that are none, are refused
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Only types and shapes are given, through the public bl_infer, so that nothing needs memory.
 */
#include "unit.h"

#define MOST INT64_MAX

struct request {
    const char *op;
    int64_t opset;
    size_t count;
    bl_tensor_type in[2];
    size_t attribute_count;
    const bl_attribute *attributes;
};

static bl_status infer(const struct request *request, bl_error *err)
{
    const bl_node node = {.op = bl_op_find("", request->op, request->opset, err),
                          .name = "n",
                          .attributes = request->attributes,
                          .attribute_count = request->attribute_count};
    bl_tensor_type out;

    assert_non_null(node.op);
    return bl_infer(&node, request->in, request->count, &out, 1, err);
}

/* float32 of `rank` axes, each of size 1. */
static bl_tensor_type ones(int rank)
{
    bl_tensor_type type = {.dtype = BL_FLOAT32, .shape = {.rank = rank}};

    for (int i = 0; i < rank; i++)
        type.shape.dim[i] = 1;
    return type;
}

static bl_tensor_type pair(int64_t first, int64_t second)
{
    return (bl_tensor_type){BL_FLOAT32, {.rank = 2, .dim = {first, second}}};
}

static void test_too_many_axes(void **state)
{
    const int64_t numbers[BL_MAX_RANK + 1] = {0};
    bl_attribute list = {
        .name = "axes", .type = BL_ATTRIBUTE_INTS, .count = 1, .value.ints = numbers};
    struct request request = {
        .op = "Gather", .opset = 13, .count = 2, .in = {ones(33), ones(33)}};
    bl_error err;

    (void)state;
    request.in[1].dtype = BL_INT64;
    assert_fails(infer(&request, &err), BL_ERR_LIMIT, &err, "the result has 65 axes");
    request = (struct request){"Unsqueeze", 11, 1, {ones(BL_MAX_RANK)}, 1, &list};
    assert_fails(infer(&request, &err), BL_ERR_LIMIT, &err, "1 axes and the 64 of data");
    request.in[0] = ones(BL_MAX_RANK - 1);
    assert_ok(infer(&request, &err), &err);
    list.count = BL_MAX_RANK + 1;
    assert_fails(infer(&request, &err), BL_ERR_LIMIT, &err,
                 "attribute 'axes' has 65 elements");
}

static void test_too_many_elements(void **state)
{
    const bl_attribute axis = {.name = "axis", .type = BL_ATTRIBUTE_INT, .value.i = 0};
    struct request request = {"Concat", 13, 2, {pair(MOST, 0), pair(1, 0)}, 1, &axis};
    bl_error err;

    (void)state;
    assert_fails(infer(&request, &err), BL_ERR_LIMIT, &err,
                 "axis 0 of the result is longer than 63 bits can count");
    request = (struct request){"Add", 14, 2, {pair(1, 1), pair(MOST, 2)}, 0, NULL};
    assert_fails(infer(&request, &err), BL_ERR_LIMIT, &err, "input B");
    request.in[1] = pair(MOST, 1);
    assert_fails(infer(&request, &err), BL_ERR_LIMIT, &err, "have more bytes than 63 bits");
    request.in[1] = pair(MOST / 4, 1);
    assert_ok(infer(&request, &err), &err);
}

static void test_what_is_no_type(void **state)
{
    struct request request = {
        .op = "Add", .opset = 14, .count = 2, .in = {ones(1), ones(1)}};
    bl_error err;

    (void)state;
    request.in[1].dtype = (bl_dtype)99;
    assert_fails(infer(&request, &err), BL_ERR_TYPE, &err, "input B has type 99");
    assert_string_equal(bl_attribute_type_name((bl_attribute_type)99),
                        "of an unknown type");
    assert_string_equal(bl_attribute_type_name(BL_ATTRIBUTE_SPARSE_TENSOR),
                        "SPARSE_TENSOR");
}

static void test_what_is_null(void **state)
{
    const bl_attribute nameless = {.name = NULL, .type = BL_ATTRIBUTE_INT};
    struct request request = {"Concat", 13, 1, {ones(1)}, 1, NULL};
    bl_node node = {.name = "n"};
    bl_tensor_type out;
    bl_error err;

    (void)state;
    assert_fails(infer(&request, &err), BL_ERR_ARGUMENT, &err, "the attributes are NULL");
    request.attributes = &nameless;
    assert_fails(infer(&request, &err), BL_ERR_ARGUMENT, &err,
                 "the name of attribute 0 is NULL");
    node.op = bl_op_find("", "Abs", 13, &err);
    assert_fails(bl_infer(&node, NULL, 1, &out, 1, &err), BL_ERR_ARGUMENT, &err,
                 "bl_infer: NULL argument");
    assert_fails(bl_infer(&node, request.in, 1, NULL, 1, &err), BL_ERR_ARGUMENT, &err,
                 "bl_infer: NULL argument");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_too_many_axes),
        cmocka_unit_test(test_too_many_elements),
        cmocka_unit_test(test_what_is_no_type),
        cmocka_unit_test(test_what_is_null),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
