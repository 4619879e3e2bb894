/*
 * reference_test.c - what the operators mean for one element, by hand
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "unit.h"

#include "base/compiler.h"
#include "conform/reference.h"
#include "conform/value.h"

static bl_error err;

/* A call with everything as text. */
struct element_case {
    const char *op;
    bl_dtype dtypes[3]; /* of the inputs */
    const char *in[3];
    bl_dtype out_dtype;
    const char *out; /* NULL: there is no result */
};

static void check_element(const struct element_case *it)
{
    union {
        double numbers[2];
        bl_string string;
    } in[3], out;
    const void *at[3] = {&in[0], &in[1], &in[2]};
    size_t inputs = 0;
    char text[64];

    while (inputs < 3 && it->in[inputs] != NULL) {
        assert_ok(bl_value_parse(it->dtypes[inputs], it->in[inputs], &in[inputs], &err),
                  &err);
        inputs++;
    }
    memset(&out, 0xAA, sizeof out);
    const bl_node node = {.op = bl_op_find(NULL, it->op, BL_OPSET_LATEST, &err)};

    assert_non_null(node.op);
    const bool done =
        bl_reference_element(&node, it->dtypes, at, inputs, it->out_dtype, &out);

    if (done != (it->out != NULL))
        fail_msg("%s(%s, %s): %s result", it->op, it->in[0], it->in[1], done ? "a" : "no");
    if (done && strcmp(bl_value_text(it->out_dtype, &out, text, sizeof text), it->out) != 0)
        fail_msg("%s(%s, %s): got %s, want %s", it->op, it->in[0], it->in[1], text,
                 it->out);
}

static void check_elements(const struct element_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check_element(&cases[i]);
}

#define TWO(dtype)   \
    {                \
        dtype, dtype \
    }
#define THREE(dtype)        \
    {                       \
        dtype, dtype, dtype \
    }

static void test_arithmetic(void **state)
{
    static const struct element_case cases[] = {
        {"Add", TWO(BL_FLOAT32), {"16777216", "1"}, BL_FLOAT32, "16777216"},
        {"Add", TWO(BL_FLOAT64), {"16777216", "1"}, BL_FLOAT64, "16777217"},
        {"Add", TWO(BL_FLOAT16), {"65504", "15.9"}, BL_FLOAT16, "65504"},
        {"Add", TWO(BL_FLOAT16), {"65504", "16"}, BL_FLOAT16, "Infinity"},
        {"Add", TWO(BL_INT8), {"127", "1"}, BL_INT8, "-128"},
        {"Sub", TWO(BL_UINT32), {"0", "1"}, BL_UINT32, "4294967295"},
        {"Mul", TWO(BL_FLOAT32), {"1e-30", "1e-15"}, BL_FLOAT32, "1e-45"},
        {"Mul", TWO(BL_BFLOAT16), {"3", "0.5"}, BL_BFLOAT16, "1.5"},
        {"Mul", TWO(BL_INT64), {"9223372036854775807", "2"}, BL_INT64, "-2"},
        {"Div", TWO(BL_FLOAT32), {"-1", "0"}, BL_FLOAT32, "-Infinity"},
        {"Div", TWO(BL_INT32), {"-11", "4"}, BL_INT32, "-2"},
        {"Div", TWO(BL_INT8), {"-128", "-1"}, BL_INT8, "-128"},
        {"Div",
         TWO(BL_INT64),
         {"-9223372036854775808", "-1"},
         BL_INT64,
         "-9223372036854775808"},
        {"Div", TWO(BL_UINT8), {"0", "255"}, BL_UINT8, "0"},
        {"Div", TWO(BL_UINT64), {"1", "0"}, BL_UINT64, NULL},
        {"PRelu", TWO(BL_FLOAT32), {"-2", "0.25"}, BL_FLOAT32, "-0.5"},
        {"PRelu", TWO(BL_FLOAT32), {"-0", "NaN"}, BL_FLOAT32, "-0"},
        {"PRelu", TWO(BL_UINT32), {"4294967295", "7"}, BL_UINT32, "4294967295"},
        {"PRelu", TWO(BL_INT32), {"-3", "-2147483648"}, BL_INT32, "-2147483648"},
    };

    (void)state;
    check_elements(cases, BL_COUNT_OF(cases));
}

static void test_folds(void **state)
{
    static const struct element_case cases[] = {
        /* Left to right in float32, rounded to half once. */
        {"Sum", THREE(BL_FLOAT16), {"40000", "40000", "-40000"}, BL_FLOAT16, "40000"},
        {"Sum", THREE(BL_FLOAT32), {"16777216", "1", "1"}, BL_FLOAT32, "16777216"},
        {"Sum", THREE(BL_FLOAT32), {"1", "1", "16777216"}, BL_FLOAT32, "16777218"},
        {"Sum", {BL_FLOAT32}, {"-0"}, BL_FLOAT32, "-0"},
        {"Mean", TWO(BL_FLOAT16), {"60000", "60000"}, BL_FLOAT16, "60000"},
        {"Mean", THREE(BL_FLOAT64), {"1", "2", "4"}, BL_FLOAT64, "2.3333333333333335"},
        {"Max", THREE(BL_FLOAT32), {"1", "NaN", "2"}, BL_FLOAT32, "NaN"},
        {"Max", TWO(BL_FLOAT16), {"-0", "0"}, BL_FLOAT16, "0"},
        {"Max", TWO(BL_FLOAT16), {"0", "-0"}, BL_FLOAT16, "0"},
        {"Min", TWO(BL_FLOAT64), {"0", "-0"}, BL_FLOAT64, "-0"},
        {"Min", TWO(BL_FLOAT64), {"-0", "0"}, BL_FLOAT64, "-0"},
        {"Min", TWO(BL_FLOAT64), {"-Infinity", "NaN"}, BL_FLOAT64, "NaN"},
        {"Max",
         TWO(BL_UINT64),
         {"18446744073709551615", "1"},
         BL_UINT64,
         "18446744073709551615"},
        {"Max", TWO(BL_INT64), {"-1", "1"}, BL_INT64, "1"},
        {"Min", THREE(BL_INT8), {"3", "-128", "127"}, BL_INT8, "-128"},
    };

    (void)state;
    check_elements(cases, BL_COUNT_OF(cases));
}

static void test_logic(void **state)
{
    static const struct element_case cases[] = {
        {"Equal", TWO(BL_FLOAT32), {"0", "-0"}, BL_BOOL, "true"},
        {"Equal", TWO(BL_FLOAT32), {"NaN", "NaN"}, BL_BOOL, "false"},
        {"Equal",
         TWO(BL_INT64),
         {"9007199254740993", "9007199254740992"},
         BL_BOOL,
         "false"},
        {"Equal", TWO(BL_STRING), {"a", "a"}, BL_BOOL, "true"},
        {"Equal", TWO(BL_STRING), {"a", "ab"}, BL_BOOL, "false"},
        {"Less", TWO(BL_UINT64), {"1", "18446744073709551615"}, BL_BOOL, "true"},
        {"Less", TWO(BL_INT64), {"1", "-1"}, BL_BOOL, "false"},
        {"Less", TWO(BL_FLOAT16), {"NaN", "1"}, BL_BOOL, "false"},
        {"Greater", TWO(BL_INT32), {"2147483647", "-2147483648"}, BL_BOOL, "true"},
        {"Greater", TWO(BL_FLOAT64), {"1", "1"}, BL_BOOL, "false"},
        {"And", TWO(BL_BOOL), {"true", "false"}, BL_BOOL, "false"},
        {"Or", TWO(BL_BOOL), {"true", "false"}, BL_BOOL, "true"},
        {"Xor", TWO(BL_BOOL), {"true", "true"}, BL_BOOL, "false"},
        {"Where", {BL_BOOL, BL_INT8, BL_INT8}, {"false", "1", "2"}, BL_INT8, "2"},
        {"Where", {BL_BOOL, BL_STRING, BL_STRING}, {"true", "x", "y"}, BL_STRING, "\"x\""},
        {"Identity", {BL_COMPLEX64}, {"(1,-0)"}, BL_COMPLEX64, "(1,-0)"},
        /* What has no meaning has no result. */
        {"Gemm", TWO(BL_FLOAT32), {"1", "1"}, BL_FLOAT32, NULL},
        {"Add", TWO(BL_STRING), {"1", "1"}, BL_STRING, NULL},
        {"Add", {BL_INT8}, {"1"}, BL_INT8, NULL},
        {"And", TWO(BL_INT8), {"1", "1"}, BL_BOOL, NULL},
    };

    (void)state;
    check_elements(cases, BL_COUNT_OF(cases));
}

/* Of two bools. */
static int logic(const char *op, const void *const *in)
{
    static const bl_dtype dtypes[] = TWO(BL_BOOL);
    const bl_node node = {.op = bl_op_find(NULL, op, BL_OPSET_LATEST, &err)};
    unsigned char out = 9;

    assert_non_null(node.op);
    assert_true(bl_reference_element(&node, dtypes, in, 2, BL_BOOL, &out));
    return out;
}

static void test_any_true_byte(void **state)
{
    static const unsigned char bytes[] = {0x02, 0xFF};
    const void *in[] = {&bytes[0], &bytes[1]};

    (void)state;
    assert_int_equal(logic("Xor", in), 0);
    assert_int_equal(logic("And", in), 1);
    assert_int_equal(logic("Equal", in), 1);
}

static void test_pow(void **state)
{
    static const struct element_case cases[] = {
        {"Pow", TWO(BL_FLOAT32), {"NaN", "0"}, BL_FLOAT32, "1"},
        {"Pow", TWO(BL_FLOAT32), {"1", "NaN"}, BL_FLOAT32, "1"},
        {"Pow", TWO(BL_FLOAT32), {"-8", "0.5"}, BL_FLOAT32, "NaN"},
        {"Pow", TWO(BL_FLOAT64), {"2", "0.5"}, BL_FLOAT64, "1.4142135623730951"},
        {"Pow", TWO(BL_FLOAT16), {"300", "2"}, BL_FLOAT16, "Infinity"},
        {"Pow", {BL_FLOAT32, BL_INT64}, {"-1", "9223372036854775807"}, BL_FLOAT32, "-1"},
        {"Pow", {BL_FLOAT32, BL_UINT64}, {"-1", "18446744073709551614"}, BL_FLOAT32, "1"},
        {"Pow",
         {BL_FLOAT64, BL_INT64},
         {"-0", "-9007199254740993"},
         BL_FLOAT64,
         "-Infinity"},
        {"Pow", {BL_FLOAT64, BL_INT8}, {"0.5", "-2"}, BL_FLOAT64, "4"},
        {"Pow", TWO(BL_INT32), {"-3", "3"}, BL_INT32, "-27"},
        {"Pow", TWO(BL_INT64), {"3", "41"}, BL_INT64, "-420491770248316829"},
        {"Pow", TWO(BL_INT32), {"2", "32"}, BL_INT32, "0"},
        {"Pow", TWO(BL_INT32), {"0", "0"}, BL_INT32, "1"},
        {"Pow", TWO(BL_INT32), {"-1", "-3"}, BL_INT32, "-1"},
        {"Pow", TWO(BL_INT32), {"-1", "-2147483648"}, BL_INT32, "1"},
        {"Pow", TWO(BL_INT32), {"2", "-1"}, BL_INT32, "0"},
        {"Pow", TWO(BL_INT32), {"0", "-1"}, BL_INT32, NULL},
        {"Pow",
         {BL_INT64, BL_UINT64},
         {"5", "18446744073709551615"},
         BL_INT64,
         "-3689348814741910323"}, /* the inverse of 5 modulo 2^64, as 5^(2^64) = 1 */
        {"Pow", {BL_INT32, BL_FLOAT32}, {"10", "0.5"}, BL_INT32, "3"},
        {"Pow", {BL_INT32, BL_FLOAT32}, {"10", "100"}, BL_INT32, "2147483647"},
        {"Pow", {BL_INT32, BL_FLOAT32}, {"-8", "0.5"}, BL_INT32, "0"},
        {"Pow", {BL_INT32, BL_BOOL}, {"2", "true"}, BL_INT32, NULL},
    };

    (void)state;
    check_elements(cases, BL_COUNT_OF(cases));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic), cmocka_unit_test(test_folds),
        cmocka_unit_test(test_logic),      cmocka_unit_test(test_any_true_byte),
        cmocka_unit_test(test_pow),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
