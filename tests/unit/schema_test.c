/*
 * schema_test.c - the table of operators, and the values of attributes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "unit.h"

#include <float.h>

#include "ops/node.h"
#include "ops/op.h"
#include "ops/types.h"

static const bl_op *op_at(const char *name, int64_t opset)
{
    bl_error err;
    const bl_op *op = bl_op_find("", name, opset, &err);

    if (op == NULL)
        fail_msg("%s", err.message);
    return op;
}

static bl_attribute text_attribute(const char *name, const char *text)
{
    return (bl_attribute){
        .name = name, .type = BL_ATTRIBUTE_STRING, .value.s = {text, strlen(text)}};
}

static bl_attribute int_attribute(const char *name, int64_t value)
{
    return (bl_attribute){.name = name, .type = BL_ATTRIBUTE_INT, .value.i = value};
}

/* The parameters of a node with at most one attribute. */
static bl_status read_params(const char *name, int64_t opset, const bl_attribute *attribute,
                             struct bl_params *params, bl_error *err)
{
    const bl_node node = {.op = op_at(name, opset),
                          .name = "n",
                          .attributes = attribute,
                          .attribute_count = attribute != NULL};

    return bl_params_read(&node, params, err);
}

/* ---- The table --------------------------------------------------------------- */

/* What every consumer of the table relies on, for each row. */
static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < bl_op_count(); i++) {
        const bl_op *op = bl_op_at(i);
        const struct bl_schema *schema = bl_schema_of(op);

        assert_non_null(schema);
        assert_int_equal(schema->form, bl_op_id_form(schema->id));
        assert_string_equal(op->name, bl_op_id_name(schema->id));
        assert_int_equal(op->output_count, 1);
        assert_int_not_equal(op->outputs[0].dtypes, 0);
        assert_true(op->min_inputs <= op->max_inputs);
        assert_true(op->max_inputs == SIZE_MAX || op->max_inputs == op->input_count);
        for (size_t k = 0; k < op->input_count; k++) {
            assert_int_not_equal(op->inputs[k].dtypes, 0);
            /* Only what may be left off at the end is optional. */
            assert_int_equal(op->inputs[k].optional, k >= op->min_inputs);
        }
        for (size_t k = 0; k < op->attribute_count; k++) {
            const bl_attribute_spec *spec = &op->attributes[k];

            assert_false(spec->required && spec->has_default);
            assert_int_equal(spec->type == BL_ATTRIBUTE_STRING && spec->has_default,
                             spec->default_string != NULL);
        }
        /* Types only ever are added. */
        if (i > 0 && bl_schema_of(bl_op_at(i - 1))->id == schema->id &&
            schema->id != BL_OP_ERF)
            assert_int_equal(bl_op_at(i - 1)->outputs[0].dtypes & ~op->outputs[0].dtypes,
                             0);
    }
}

/* Where data is moved, the newest version takes every type there is. */
static void test_newest_types(void **state)
{
    static const char *const all[] = {"Constant", "Flatten",   "Identity",
                                      "Reshape",  "Shape",     "Size",
                                      "Squeeze",  "Transpose", "Unsqueeze"};
    const uint64_t every = ((UINT64_C(1) << BL_DTYPE_COUNT) - 1) & ~UINT64_C(1);

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const bl_op *op = op_at(all[i], BL_OPSET_LATEST);

        assert_int_equal((op->input_count > 0 ? op->inputs : op->outputs)[0].dtypes, every);
        assert_int_equal(op->since, 25);
    }
    assert_int_equal(
        op_at("ConstantOfShape", BL_OPSET_LATEST)->outputs[0].dtypes,
        every & ~(BL_SET(BL_STRING) | BL_SET(BL_COMPLEX64) | BL_SET(BL_COMPLEX128)));
    assert_int_equal(op_at("Range", 26)->since, 11);
    assert_int_equal(op_at("Range", 27)->since, 27);
}

static void test_forms(void **state)
{
    (void)state;
    for (int id = 0; id < BL_OP_ID_COUNT; id++) {
        const enum bl_form form = bl_op_id_form((enum bl_op_id)id);

        assert_true(form < BL_FORM_COUNT);
        assert_int_equal(bl_form_is_pointwise(form),
                         form != BL_FORM_VIEW && form != BL_FORM_HOST &&
                             form != BL_FORM_GEMM && form != BL_FORM_MATMUL);
    }
    assert_int_equal(bl_op_id_form(BL_OP_ISNAN), BL_FORM_UNARY);
    assert_int_equal(bl_op_id_form(BL_OP_GREATEROREQUAL), BL_FORM_COMPARE);
    assert_int_equal(bl_op_id_form(BL_OP_SWIGLU), BL_FORM_BINARY);
    assert_int_equal(bl_op_id_form(BL_OP_EXPAND), BL_FORM_VIEW);
    assert_int_equal(bl_op_id_form(BL_OP_STRINGCONCAT), BL_FORM_HOST);
}

/* ---- Defaults, by version ---------------------------------------------------- */

static void test_float_defaults(void **state)
{
    static const struct {
        const char *name;
        int64_t opset;
        float alpha, beta, gamma;
    } cases[] = {
        {"Selu", 1, 1.6732F, 0, 1.0507F},
        {"Selu", 6, 1.67326319217681884765625F, 0, 1.05070102214813232421875F},
        {"Selu", 22, 1.67326319217681884765625F, 0, 1.05070102214813232421875F},
        {"HardSigmoid", 1, 0.2F, 0.5F, 0},
        {"HardSigmoid", 28, 0.2F, 0.5F, 0},
        {"LeakyRelu", 16, 0.01F, 0, 0},
        {"Elu", 6, 1, 0, 0},
        {"ThresholdedRelu", 10, 1, 0, 0},
        {"Celu", 28, 1, 0, 0},
        {"Swish", 24, 1, 0, 0},
        {"SwiGLU", 28, 1, 0, 0},
        {"Gemm", 13, 1, 1, 0},
        {"Relu", 14, 0, 0, 0},
    };
    struct bl_params params;
    bl_error err;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_ok(read_params(cases[i].name, cases[i].opset, NULL, &params, &err), &err);
        assert_true(params.alpha == cases[i].alpha && params.beta == cases[i].beta &&
                    params.gamma == cases[i].gamma);
    }
    assert_ok(read_params("Shrink", 9, NULL, &params, &err), &err);
    assert_true(params.lambd == 0.5F && params.bias == 0);
}

static void test_other_defaults(void **state)
{
    const bl_attribute one = {.name = "min", .type = BL_ATTRIBUTE_FLOAT, .value.f = -2};
    struct bl_params params;
    bl_error err;

    (void)state;
    assert_ok(read_params("Clip", 1, NULL, &params, &err), &err);
    assert_false(params.has_min || params.has_max);
    assert_ok(read_params("Clip", 1, &one, &params, &err), &err);
    assert_true(params.has_min && !params.has_max && params.min == -2);
    assert_ok(read_params("Clip", 6, &one, &params, &err), &err);
    assert_true(params.has_max && params.max == FLT_MAX && params.min == -2);
    assert_ok(read_params("Clip", 11, NULL, &params, &err), &err);
    assert_false(params.has_min || params.has_max);
    assert_ok(read_params("IsInf", 10, NULL, &params, &err), &err);
    assert_true(params.detect_negative && params.detect_positive);
    assert_ok(read_params("CastLike", 24, NULL, &params, &err), &err);
    assert_true(params.saturate && params.round_mode == BL_ROUND_UP);
    assert_ok(read_params("Gelu", 20, NULL, &params, &err), &err);
    assert_false(params.tanh);
    assert_ok(read_params("Flatten", 13, NULL, &params, &err), &err);
    assert_true(params.axis == 1 && !params.has_axis);
    assert_ok(read_params("Concat", 1, NULL, &params, &err), &err);
    assert_int_equal(params.axis, 1);
    assert_fails(read_params("Concat", 4, NULL, &params, &err), BL_ERR_ATTRIBUTE, &err,
                 "'axis' is missing");
}

/* ---- Values ------------------------------------------------------------------ */

static void test_words(void **state)
{
    bl_attribute attribute = text_attribute("direction", "RIGHT");
    struct bl_params params;
    bl_error err;

    (void)state;
    assert_ok(read_params("BitShift", 11, &attribute, &params, &err), &err);
    assert_true(params.shift_right);
    attribute = text_attribute("direction", "LEFT");
    assert_ok(read_params("BitShift", 11, &attribute, &params, &err), &err);
    assert_false(params.shift_right);
    attribute = text_attribute("direction", "right");
    assert_fails(read_params("BitShift", 11, &attribute, &params, &err), BL_ERR_ATTRIBUTE,
                 &err,
                 "BitShift-11 (node 'n'): attribute 'direction' is 'right', but has to "
                 "be LEFT or RIGHT");
    assert_fails(read_params("BitShift", 11, NULL, &params, &err), BL_ERR_ATTRIBUTE, &err,
                 "'direction' is missing");
    attribute = text_attribute("approximate", "tanh");
    assert_ok(read_params("Gelu", 20, &attribute, &params, &err), &err);
    assert_true(params.tanh);
    attribute = text_attribute("approximate", "");
    assert_fails(read_params("Gelu", 20, &attribute, &params, &err), BL_ERR_ATTRIBUTE, &err,
                 "none or tanh");
    attribute = text_attribute("round_mode", "nearest");
    assert_ok(read_params("CastLike", 25, &attribute, &params, &err), &err);
    assert_int_equal(params.round_mode, BL_ROUND_NEAREST);
    attribute = text_attribute("round_mode", "odd");
    assert_fails(read_params("CastLike", 25, &attribute, &params, &err), BL_ERR_ATTRIBUTE,
                 &err, "up, down or nearest");
    assert_fails(read_params("CastLike", 23, &attribute, &params, &err), BL_ERR_ATTRIBUTE,
                 &err, "these versions do: Cast");
    attribute = int_attribute("fmod", 2);
    assert_fails(read_params("Mod", 13, &attribute, &params, &err), BL_ERR_ATTRIBUTE, &err,
                 "'fmod' is 2");
}

static void test_cast_to(void **state)
{
    static const struct {
        const char *name;
        bl_dtype dtype;
    } names[] = {{"FLOAT", BL_FLOAT32}, {"DOUBLE", BL_FLOAT64}, {"FLOAT16", BL_FLOAT16},
                 {"BOOL", BL_BOOL},     {"UINT8", BL_UINT8},    {"INT64", BL_INT64}};
    struct bl_params params;
    bl_attribute attribute;
    bl_error err;

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        attribute = text_attribute("to", names[i].name);
        assert_ok(read_params("Cast", 1, &attribute, &params, &err), &err);
        assert_int_equal(params.to, names[i].dtype);
    }
    attribute = text_attribute("to", "REAL");
    assert_fails(read_params("Cast", 1, &attribute, &params, &err), BL_ERR_ATTRIBUTE, &err,
                 "'REAL', which is no type");
    attribute = text_attribute("to", "STRING");
    assert_fails(read_params("Cast", 1, &attribute, &params, &err), BL_ERR_TYPE, &err,
                 "Cast does from opset 9 on");
    attribute = int_attribute("to", BL_BFLOAT16);
    assert_ok(read_params("Cast", 13, &attribute, &params, &err), &err);
    assert_int_equal(params.to, BL_BFLOAT16);
    assert_fails(read_params("Cast", 9, &attribute, &params, &err), BL_ERR_TYPE, &err,
                 "Cast-9 (node 'n') does not make bfloat16");
    attribute = int_attribute("to", BL_COMPLEX64);
    assert_fails(read_params("Cast", 25, &attribute, &params, &err), BL_ERR_TYPE, &err,
                 "in no version");
    for (int64_t number = -1; number <= BL_DTYPE_COUNT; number += BL_DTYPE_COUNT + 1) {
        attribute = int_attribute("to", number);
        assert_fails(read_params("Cast", 25, &attribute, &params, &err), BL_ERR_ATTRIBUTE,
                     &err, "the number of no type");
    }
    attribute = int_attribute("to", 0);
    assert_fails(read_params("Cast", 25, &attribute, &params, &err), BL_ERR_ATTRIBUTE, &err,
                 "the number of no type");
    assert_fails(read_params("Cast", 25, NULL, &params, &err), BL_ERR_ATTRIBUTE, &err,
                 "'to' is missing");
}

static void test_constants(void **state)
{
    const bl_attribute sparse = {.name = "sparse_value",
                                 .type = BL_ATTRIBUTE_SPARSE_TENSOR};
    const bl_attribute none = {.name = "value", .type = BL_ATTRIBUTE_TENSOR};
    const bl_attribute list = {.name = "value_ints", .type = BL_ATTRIBUTE_INTS, .count = 1};
    const bl_attribute two[] = {int_attribute("value_int", 1),
                                text_attribute("value_string", "a")};
    bl_error err;
    bl_tensor *pair = bl_tensor_new(NULL, BL_FLOAT32, BL_SHAPE(2), &err);
    bl_tensor *text = bl_tensor_new(NULL, BL_STRING, BL_SHAPE(1), &err);
    const bl_attribute pair_value = {
        .name = "value", .type = BL_ATTRIBUTE_TENSOR, .value.tensor = pair};
    const bl_attribute text_value = {
        .name = "value", .type = BL_ATTRIBUTE_TENSOR, .value.tensor = text};
    struct bl_params params;

    (void)state;
    assert_fails(read_params("Constant", 11, &sparse, &params, &err), BL_ERR_UNSUPPORTED,
                 &err, "sparse tensors are not supported");
    assert_fails(read_params("Constant", 13, &none, &params, &err), BL_ERR_ARGUMENT, &err,
                 "'value' is NULL");
    assert_fails(read_params("Constant", 13, &list, &params, &err), BL_ERR_ARGUMENT, &err,
                 "'value_ints' is NULL");
    assert_fails(read_params("Constant", 13, NULL, &params, &err), BL_ERR_ATTRIBUTE, &err,
                 "not 0");
    assert_fails(read_params("Constant", 9, NULL, &params, &err), BL_ERR_ATTRIBUTE, &err,
                 "'value' is missing");
    assert_fails(bl_params_read(&(bl_node){.op = op_at("Constant", 13),
                                           .attributes = two,
                                           .attribute_count = 2},
                                &params, &err),
                 BL_ERR_ATTRIBUTE, &err, "exactly one attribute");
    assert_ok(read_params("Constant", 13, &pair_value, &params, &err), &err);
    assert_fails(read_params("Constant", 1, &text_value, &params, &err), BL_ERR_TYPE, &err,
                 "Constant does from opset 9 on");
    assert_fails(read_params("ConstantOfShape", 9, &pair_value, &params, &err),
                 BL_ERR_ATTRIBUTE, &err, "has 2 elements");
    assert_fails(read_params("ConstantOfShape", 25, &text_value, &params, &err),
                 BL_ERR_TYPE, &err, "does not make string");
    bl_tensor_free(pair);
    bl_tensor_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),           cmocka_unit_test(test_newest_types),
        cmocka_unit_test(test_forms),          cmocka_unit_test(test_float_defaults),
        cmocka_unit_test(test_other_defaults), cmocka_unit_test(test_words),
        cmocka_unit_test(test_cast_to),        cmocka_unit_test(test_constants),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
