/*
 * reference_wide_test.c - the reference's pointwise operators beyond the first 18, by hand
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Values are those of ONNX's examples, or follow from the definitions.
 */
#include "reference_case.h"

#include "base/compiler.h"

static void test_mod(void **state)
{
    const struct reference_case cases[] = {
        {"Mod",
         13,
         {ROW(BL_INT8, 6, "-4 7 5 4 -7 8"), ROW(BL_INT8, 6, "2 -3 8 -2 3 5")},
         {{0}},
         ROW(BL_INT8, 6, "0 -2 5 0 2 3"),
         BL_OK},
        {"Mod",
         13,
         {ROW(BL_INT64, 6, "-4 7 5 4 -7 8"), ROW(BL_INT64, 6, "2 -3 8 -2 3 5")},
         {INT("fmod", 1)},
         ROW(BL_INT64, 6, "0 1 5 0 -1 3"),
         BL_OK},
        {"Mod",
         13,
         {ROW(BL_FLOAT32, 6, "-4.25 7.25 5 4.25 -7.25 8"),
          ROW(BL_FLOAT32, 6, "2 -3 8 -2 3 5")},
         {INT("fmod", 1)},
         ROW(BL_FLOAT32, 6, "-0.25 1.25 5 0.25 -1.25 3"),
         BL_OK},
        {"Mod",
         13,
         {ROW(BL_FLOAT64, 4, "-0 Infinity 1 1"), ROW(BL_FLOAT64, 4, "3 2 0 -Infinity")},
         {INT("fmod", 1)},
         ROW(BL_FLOAT64, 4, "-0 NaN NaN 1"),
         BL_OK},
        {"Mod",
         10,
         {ROW(BL_INT32, 1, "-2147483648"), ROW(BL_INT32, 1, "-1")},
         {{0}},
         ROW(BL_INT32, 1, "0"),
         BL_OK},
        {"Mod",
         13,
         {ROW(BL_UINT64, 1, "18446744073709551615"), ROW(BL_UINT64, 1, "10")},
         {{0}},
         ROW(BL_UINT64, 1, "5"),
         BL_OK},
        {"Mod",
         13,
         {ROW(BL_INT8, 1, "1"), ROW(BL_INT8, 1, "0")},
         {{0}},
         {0},
         BL_ERR_ARITHMETIC},
        {"Mod",
         13,
         {ROW(BL_FLOAT16, 2, "-1 3.5"), ROW(BL_FLOAT16, 2, "3 -2")},
         {{0}},
         ROW(BL_FLOAT16, 2, "2 -0.5"),
         BL_OK},
    };

    (void)state;
    check_cases(cases, BL_COUNT_OF(cases));
}

static void test_bits(void **state)
{
    const struct reference_case cases[] = {
        {"BitShift",
         11,
         {ROW(BL_UINT8, 4, "16 4 1 255"), ROW(BL_UINT8, 4, "1 2 8 200")},
         {STRING("direction", "RIGHT")},
         ROW(BL_UINT8, 4, "8 1 0 0"),
         BL_OK},
        {"BitShift",
         11,
         {ROW(BL_UINT16, 4, "16 4 1 65535"), ROW(BL_UINT16, 4, "1 2 15 1")},
         {STRING("direction", "LEFT")},
         ROW(BL_UINT16, 4, "32 16 32768 65534"),
         BL_OK},
        {"BitShift",
         11,
         {ROW(BL_UINT64, 2, "1 1"), ROW(BL_UINT64, 2, "63 64")},
         {STRING("direction", "LEFT")},
         ROW(BL_UINT64, 2, "9223372036854775808 0"),
         BL_OK},
        {"BitShift",
         11,
         {ROW(BL_UINT8, 1, "1"), ROW(BL_UINT8, 1, "1")},
         {{0}},
         {0},
         BL_ERR_ATTRIBUTE},
        {"BitShift",
         11,
         {ROW(BL_UINT8, 1, "1"), ROW(BL_UINT8, 1, "1")},
         {STRING("direction", "left")},
         {0},
         BL_ERR_ATTRIBUTE},
        {"BitwiseAnd",
         18,
         {ROW(BL_INT8, 2, "-1 12"), ROW(BL_INT8, 2, "5 10")},
         {{0}},
         ROW(BL_INT8, 2, "5 8"),
         BL_OK},
        {"BitwiseOr",
         18,
         {ROW(BL_INT16, 2, "-256 12"), ROW(BL_INT16, 1, "3")},
         {{0}},
         ROW(BL_INT16, 2, "-253 15"),
         BL_OK},
        {"BitwiseXor",
         18,
         {ROW(BL_UINT32, 1, "4294967295"), ROW(BL_UINT32, 1, "1")},
         {{0}},
         ROW(BL_UINT32, 1, "4294967294"),
         BL_OK},
        {"BitwiseNot",
         18,
         {ROW(BL_INT32, 2, "0 5")},
         {{0}},
         ROW(BL_INT32, 2, "-1 -6"),
         BL_OK},
        {"BitwiseNot",
         18,
         {ROW(BL_UINT8, 2, "0 5")},
         {{0}},
         ROW(BL_UINT8, 2, "255 250"),
         BL_OK},
        {"Not",
         1,
         {ROW(BL_BOOL, 2, "true false")},
         {{0}},
         ROW(BL_BOOL, 2, "false true"),
         BL_OK},
    };

    (void)state;
    check_cases(cases, BL_COUNT_OF(cases));
}

static void test_comparisons(void **state)
{
    const struct reference_case cases[] = {
        {"GreaterOrEqual",
         16,
         {ROW(BL_FLOAT32, 4, "1 2 NaN 0"), ONE(BL_FLOAT32, "1")},
         {{0}},
         ROW(BL_BOOL, 4, "true true false false"),
         BL_OK},
        {"LessOrEqual",
         16,
         {ROW(BL_FLOAT32, 4, "1 2 NaN 0"), ONE(BL_FLOAT32, "1")},
         {{0}},
         ROW(BL_BOOL, 4, "true false false true"),
         BL_OK},
        {"LessOrEqual",
         12,
         {ROW(BL_UINT64, 2, "18446744073709551615 1"), ROW(BL_UINT64, 2, "1 1")},
         {{0}},
         ROW(BL_BOOL, 2, "false true"),
         BL_OK},
        {"IsNaN",
         13,
         {ROW(BL_BFLOAT16, 3, "NaN Infinity 0")},
         {{0}},
         ROW(BL_BOOL, 3, "true false false"),
         BL_OK},
        {"IsNaN",
         20,
         {ROW(BL_FLOAT8E4M3FNUZ, 2, "NaN 240")},
         {{0}},
         ROW(BL_BOOL, 2, "true false"),
         BL_OK},
        {"IsInf",
         10,
         {ROW(BL_FLOAT64, 4, "NaN Infinity -Infinity 1")},
         {{0}},
         ROW(BL_BOOL, 4, "false true true false"),
         BL_OK},
        {"IsInf",
         20,
         {ROW(BL_FLOAT16, 2, "Infinity -Infinity")},
         {INT("detect_negative", 0)},
         ROW(BL_BOOL, 2, "true false"),
         BL_OK},
        {"IsInf",
         20,
         {ROW(BL_FLOAT8E5M2, 2, "Infinity -Infinity")},
         {INT("detect_positive", 0)},
         ROW(BL_BOOL, 2, "false true"),
         BL_OK},
    };

    (void)state;
    check_cases(cases, BL_COUNT_OF(cases));
}

static void test_arithmetic(void **state)
{
    const struct reference_case cases[] = {
        {"Abs",
         13,
         {ROW(BL_INT8, 3, "-128 -5 5")},
         {{0}},
         ROW(BL_INT8, 3, "-128 5 5"),
         BL_OK},
        {"Abs",
         13,
         {ROW(BL_FLOAT16, 3, "-0 -Infinity NaN")},
         {{0}},
         ROW(BL_FLOAT16, 3, "0 Infinity NaN"),
         BL_OK},
        {"Neg",
         13,
         {ROW(BL_INT64, 2, "-9223372036854775808 7")},
         {{0}},
         ROW(BL_INT64, 2, "-9223372036854775808 -7"),
         BL_OK},
        {"Neg", 6, {ROW(BL_FLOAT32, 2, "0 -2")}, {{0}}, ROW(BL_FLOAT32, 2, "-0 2"), BL_OK},
        {"Sign",
         9,
         {ROW(BL_FLOAT32, 4, "-3 -0 1e-45 NaN")},
         {{0}},
         ROW(BL_FLOAT32, 4, "-1 0 1 NaN"),
         BL_OK},
        {"Sign",
         13,
         {ROW(BL_INT16, 3, "-3 0 9")},
         {{0}},
         ROW(BL_INT16, 3, "-1 0 1"),
         BL_OK},
        {"Ceil",
         13,
         {ROW(BL_FLOAT32, 4, "-1.5 -0.5 1.2 Infinity")},
         {{0}},
         ROW(BL_FLOAT32, 4, "-1 -0 2 Infinity"),
         BL_OK},
        {"Floor",
         13,
         {ROW(BL_BFLOAT16, 3, "-1.5 -0 1.25")},
         {{0}},
         ROW(BL_BFLOAT16, 3, "-2 -0 1"),
         BL_OK},
        {"Round",
         11,
         {ROW(BL_FLOAT64, 7, "0.9 2.5 2.3 1.5 -4.5 -0.5 NaN")},
         {{0}},
         ROW(BL_FLOAT64, 7, "1 2 2 2 -4 -0 NaN"),
         BL_OK},
        {"Reciprocal",
         13,
         {ROW(BL_FLOAT32, 3, "-4 0 3")},
         {{0}},
         ROW(BL_FLOAT32, 3, "-0.25 Infinity 0.33333334"),
         BL_OK},
        {"Sqrt",
         13,
         {ROW(BL_FLOAT32, 4, "4 2 -1 -0")},
         {{0}},
         ROW(BL_FLOAT32, 4, "2 1.4142135 NaN -0"),
         BL_OK},
    };

    (void)state;
    check_cases(cases, BL_COUNT_OF(cases));
}

static void test_clip(void **state)
{
    const struct reference_case cases[] = {
        {"Clip",
         13,
         {ROW(BL_FLOAT32, 4, "-2 0 2 NaN"), ONE(BL_FLOAT32, "-1"), ONE(BL_FLOAT32, "1")},
         {{0}},
         ROW(BL_FLOAT32, 4, "-1 0 1 NaN"),
         BL_OK},
        {"Clip",
         13,
         {ROW(BL_FLOAT32, 2, "-2 2"), ABSENT, ONE(BL_FLOAT32, "1")},
         {{0}},
         ROW(BL_FLOAT32, 2, "-2 1"),
         BL_OK},
        {"Clip",
         11,
         {ROW(BL_FLOAT64, 2, "-Infinity 2")},
         {{0}},
         ROW(BL_FLOAT64, 2, "-Infinity 2"),
         BL_OK},
        {"Clip",
         13,
         {ROW(BL_INT8, 3, "-1 0 3"), ONE(BL_INT8, "2"), ONE(BL_INT8, "1")},
         {{0}},
         ROW(BL_INT8, 3, "1 1 1"),
         BL_OK},
        {"Clip",
         12,
         {ROW(BL_UINT64, 2, "18446744073709551615 0"), ROW(BL_UINT64, 1, "1")},
         {{0}},
         ROW(BL_UINT64, 2, "18446744073709551615 1"),
         BL_OK},
        {"Clip",
         6,
         {ROW(BL_FLOAT32, 3, "-5 5 Infinity")},
         {FLOAT("min", -1)},
         ROW(BL_FLOAT32, 3, "-1 5 3.4028235e+38"),
         BL_OK},
        {"Clip",
         6,
         {ROW(BL_FLOAT16, 1, "Infinity")},
         {{0}},
         ROW(BL_FLOAT16, 1, "Infinity"),
         BL_OK},
        {"Clip",
         1,
         {ROW(BL_FLOAT32, 2, "5 Infinity")},
         {FLOAT("min", -1)},
         ROW(BL_FLOAT32, 2, "5 Infinity"),
         BL_OK},
        {"Clip",
         13,
         {ROW(BL_INT8, 1, "1"), ROW(BL_INT8, 2, "1 2")},
         {{0}},
         {0},
         BL_ERR_SHAPE},
    };

    (void)state;
    check_cases(cases, BL_COUNT_OF(cases));
}

static void test_strings(void **state)
{
    const struct reference_case cases[] = {
        {"StringConcat",
         20,
         {{BL_STRING, BL_SHAPE(2, 1), "abc ''"}, ROW(BL_STRING, 3, ".com '' x")},
         {{0}},
         {BL_STRING, BL_SHAPE(2, 3), "abc.com abc abcx .com '' x"},
         BL_OK},
    };

    (void)state;
    check_cases(cases, BL_COUNT_OF(cases));
}

/* An element alone: absent bounds, and no room for a new string. */
static void test_element(void **state)
{
    bl_error err = {0};
    const bl_node clip = {.op = bl_op_find(NULL, "Clip", 13, &err)};
    const bl_node concat = {.op = bl_op_find(NULL, "StringConcat", 20, &err)};
    const bl_dtype floats[] = {BL_FLOAT32, BL_UNDEFINED, BL_FLOAT32};
    const bl_dtype strings[] = {BL_STRING, BL_STRING};
    const float x = 5, most = 3;
    const bl_string text = {"a", 1};
    float y = 0;
    bl_string joined;

    (void)state;
    assert_true(bl_reference_element(&clip, floats, (const void *const[]){&x, NULL, &most},
                                     3, BL_FLOAT32, &y));
    assert_true(y == 3);
    assert_false(bl_reference_element(&concat, strings, (const void *const[]){&text, &text},
                                      2, BL_STRING, &joined));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mod),         cmocka_unit_test(test_bits),
        cmocka_unit_test(test_comparisons), cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_clip),        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_element),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
