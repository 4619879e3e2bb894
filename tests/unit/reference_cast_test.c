/*
 * reference_cast_test.c - the reference's Cast, CastLike and BitCast, by hand
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "reference_case.h"

#include "base/compiler.h"

#define TO(dtype) INT("to", dtype)

static void test_to_integers(void **state)
{
    const struct reference_case cases[] = {
        /* Truncated, saturated, NaN is 0. */
        {"Cast",
         13,
         {ROW(BL_FLOAT32, 6, "1.9 -1.9 300 -300 NaN -Infinity")},
         {TO(BL_INT8)},
         ROW(BL_INT8, 6, "1 -1 127 -128 0 -128"),
         BL_OK},
        {"Cast",
         13,
         {ROW(BL_FLOAT64, 3, "1e300 -1 4294967295.9")},
         {TO(BL_UINT32)},
         ROW(BL_UINT32, 3, "4294967295 0 4294967295"),
         BL_OK},
        {"Cast",
         13,
         {ROW(BL_FLOAT32, 2, "9223372036854775807 -1e30")},
         {TO(BL_INT64)},
         ROW(BL_INT64, 2, "9223372036854775807 -9223372036854775808"),
         BL_OK},
        /* Integers wrap. */
        {"Cast",
         13,
         {ROW(BL_INT32, 3, "300 -1 -129")},
         {TO(BL_INT8)},
         ROW(BL_INT8, 3, "44 -1 127"),
         BL_OK},
        {"Cast",
         13,
         {ROW(BL_INT8, 1, "-1")},
         {TO(BL_UINT64)},
         ROW(BL_UINT64, 1, "18446744073709551615"),
         BL_OK},
        {"Cast",
         13,
         {ROW(BL_BOOL, 2, "true false")},
         {TO(BL_INT16)},
         ROW(BL_INT16, 2, "1 0"),
         BL_OK},
        {"Cast",
         13,
         {ROW(BL_FLOAT16, 4, "NaN -0 0.5 0")},
         {TO(BL_BOOL)},
         ROW(BL_BOOL, 4, "true false true false"),
         BL_OK},
        /* Those of 4 and 2 bits wrap from floats too. */
        {"Cast",
         25,
         {ROW(BL_FLOAT32, 6, "-9 7.9 8 -0.9 1e20 Infinity")},
         {TO(BL_INT4)},
         ROW(BL_INT4, 6, "7 7 -8 0 0 0"),
         BL_OK},
        {"Cast",
         25,
         {ROW(BL_FLOAT16, 4, "-9 15 16 NaN")},
         {TO(BL_UINT4)},
         ROW(BL_UINT4, 4, "7 15 0 0"),
         BL_OK},
        {"Cast",
         25,
         {ROW(BL_FLOAT32, 4, "-3 -2 2 3")},
         {TO(BL_INT2)},
         ROW(BL_INT2, 4, "1 -2 -2 -1"),
         BL_OK},
        {"Cast",
         25,
         {ROW(BL_INT4, 3, "-8 -1 7")},
         {TO(BL_UINT2)},
         ROW(BL_UINT2, 3, "0 3 3"),
         BL_OK},
        {"Cast",
         1,
         {ROW(BL_FLOAT32, 1, "2.5")},
         {STRING("to", "INT32")},
         ROW(BL_INT32, 1, "2"),
         BL_OK},
        {"Cast", 1, {ROW(BL_FLOAT32, 1, "2.5")}, {STRING("to", "int32")}, {0}, BL_ERR_TYPE},
        {"Cast", 13, {ROW(BL_FLOAT32, 1, "2.5")}, {TO(BL_COMPLEX64)}, {0}, BL_ERR_TYPE},
        {"Cast", 13, {ROW(BL_FLOAT32, 1, "2.5")}, {TO(99)}, {0}, BL_ERR_TYPE},
        {"Cast", 13, {ROW(BL_FLOAT32, 1, "2.5")}, {{0}}, {0}, BL_ERR_ATTRIBUTE},
    };

    (void)state;
    check_cases(cases, BL_COUNT_OF(cases));
}

static void test_to_floats(void **state)
{
    const struct reference_case cases[] = {
        {"Cast",
         13,
         {ROW(BL_FLOAT64, 4, "1e39 0.1 -0 65520")},
         {TO(BL_FLOAT32)},
         ROW(BL_FLOAT32, 4, "Infinity 0.1 -0 65520"),
         BL_OK},
        {"Cast",
         13,
         {ROW(BL_FLOAT32, 3, "65519.996 65520 2.9802322e-08")},
         {TO(BL_FLOAT16)},
         ROW(BL_FLOAT16, 3, "65504 Infinity 0"),
         BL_OK},
        /* 1 + 2^-11 + 2^-40 is more than the tie that it would be as a float32. */
        {"Cast",
         13,
         {ROW(BL_FLOAT64, 1, "1.00048828125090949")},
         {TO(BL_FLOAT16)},
         ROW(BL_FLOAT16, 1, "1.001"),
         BL_OK},
        /* 2^63 + 2^54 + 1 is more than a tie of bfloat16, 2^63 + 2^55 another one's. */
        {"Cast",
         13,
         {ROW(BL_UINT64, 2, "9259400833873739777 9259400833873739776")},
         {TO(BL_BFLOAT16)},
         ROW(BL_BFLOAT16, 2, "9.3e+18 9.22e+18"),
         BL_OK},
        /* 2^53 + 2^29 + 1: a double would be on the middle between two float32. */
        {"Cast",
         13,
         {ROW(BL_INT64, 1, "-9007199791611905")},
         {TO(BL_FLOAT32)},
         ROW(BL_FLOAT32, 1, "-9.0072e+15"),
         BL_OK},
        {"Cast",
         13,
         {ROW(BL_INT64, 1, "9007199254740993")},
         {TO(BL_FLOAT64)},
         ROW(BL_FLOAT64, 1, "9007199254740992"),
         BL_OK},
        {"Cast",
         23,
         {ROW(BL_FLOAT32, 6, "0.25 0.75 5 -1e6 Infinity NaN")},
         {TO(BL_FLOAT4E2M1)},
         ROW(BL_FLOAT4E2M1, 6, "0 1 4 -6 6 -0"),
         BL_OK},
        {"Cast",
         23,
         {ROW(BL_FLOAT4E2M1, 3, "-0 1.5 -6")},
         {TO(BL_FLOAT16)},
         ROW(BL_FLOAT16, 3, "-0 1.5 -6"),
         BL_OK},
    };

    (void)state;
    check_cases(cases, BL_COUNT_OF(cases));
}

/* 464 lies between e4m3fn's 448 and the 480 that NaN took, and goes to the even one; 248,
 * the middle above 240, and 61440, that above 57344, go up. */
static void test_to_float8(void **state)
{
    const struct reference_case cases[] = {
        {"Cast",
         19,
         {ROW(BL_FLOAT32, 6, "464 465 -1e6 Infinity NaN 0.0009765625")},
         {TO(BL_FLOAT8E4M3FN)},
         ROW(BL_FLOAT8E4M3FN, 6, "448 448 -448 448 NaN 0"),
         BL_OK},
        {"Cast",
         19,
         {ROW(BL_FLOAT32, 5, "464 465 -1e6 -Infinity 17")},
         {TO(BL_FLOAT8E4M3FN), INT("saturate", 0)},
         ROW(BL_FLOAT8E4M3FN, 5, "448 NaN NaN NaN 16"),
         BL_OK},
        {"Cast",
         19,
         {ROW(BL_FLOAT32, 5, "247 248 -Infinity -0 NaN")},
         {TO(BL_FLOAT8E4M3FNUZ)},
         ROW(BL_FLOAT8E4M3FNUZ, 5, "240 240 -240 0 NaN"),
         BL_OK},
        {"Cast",
         19,
         {ROW(BL_FLOAT32, 3, "247 248 -Infinity")},
         {TO(BL_FLOAT8E4M3FNUZ), INT("saturate", 0)},
         ROW(BL_FLOAT8E4M3FNUZ, 3, "240 NaN NaN"),
         BL_OK},
        {"Cast",
         19,
         {ROW(BL_FLOAT64, 4, "61439 61440 -Infinity -0")},
         {TO(BL_FLOAT8E5M2)},
         ROW(BL_FLOAT8E5M2, 4, "57344 57344 -57344 -0"),
         BL_OK},
        {"Cast",
         19,
         {ROW(BL_FLOAT64, 3, "61439 61440 -Infinity")},
         {TO(BL_FLOAT8E5M2), INT("saturate", 0)},
         ROW(BL_FLOAT8E5M2, 3, "57344 Infinity -Infinity"),
         BL_OK},
        {"Cast",
         19,
         {ROW(BL_INT32, 2, "-61440 3")},
         {TO(BL_FLOAT8E5M2FNUZ), INT("saturate", 0)},
         ROW(BL_FLOAT8E5M2FNUZ, 2, "NaN 3"),
         BL_OK},
        {"Cast",
         19,
         {ROW(BL_FLOAT8E5M2, 3, "Infinity NaN -57344")},
         {TO(BL_FLOAT8E4M3FN)},
         ROW(BL_FLOAT8E4M3FN, 3, "448 NaN -448"),
         BL_OK},
    };

    (void)state;
    check_cases(cases, BL_COUNT_OF(cases));
}

static void test_to_scale(void **state)
{
    const struct reference_case cases[] = {
        /* ONNX's test_cast_e8m0_FLOAT_to_FLOAT8E8M0; 0.1 is 2^-3, and 6e-39 is 2^-127. */
        {"Cast",
         24,
         {ROW(BL_FLOAT32, 8, "0 0.124 0.25 0.5 1.1 2 4 8")},
         {TO(BL_FLOAT8E8M0)},
         ROW(BL_FLOAT8E8M0, 8, "6e-39 0.1 0.2 0.5 2 2 4 8"),
         BL_OK},
        {"Cast",
         24,
         {ROW(BL_FLOAT32, 4, "1.1 1.99 -3 1e-40")},
         {TO(BL_FLOAT8E8M0), STRING("round_mode", "down")},
         ROW(BL_FLOAT8E8M0, 4, "1 1 2 6e-39"),
         BL_OK},
        {"Cast",
         24,
         {ROW(BL_FLOAT32, 4, "1.1 1.5 2.99 3")},
         {TO(BL_FLOAT8E8M0), STRING("round_mode", "nearest")},
         ROW(BL_FLOAT8E8M0, 4, "1 2 2 4"),
         BL_OK},
        {"Cast",
         24,
         {ROW(BL_FLOAT32, 3, "3e38 Infinity NaN")},
         {TO(BL_FLOAT8E8M0)},
         ROW(BL_FLOAT8E8M0, 3, "2e+38 2e+38 NaN"),
         BL_OK},
        {"Cast",
         24,
         {ROW(BL_FLOAT32, 4, "3e38 Infinity 0 1")},
         {TO(BL_FLOAT8E8M0), INT("saturate", 0)},
         ROW(BL_FLOAT8E8M0, 4, "NaN NaN NaN 1"),
         BL_OK},
        {"Cast",
         24,
         {ROW(BL_FLOAT8E8M0, 3, "0.25 2 NaN")},
         {TO(BL_FLOAT16)},
         ROW(BL_FLOAT16, 3, "0.25 2 NaN"),
         BL_OK},
    };

    (void)state;
    check_cases(cases, BL_COUNT_OF(cases));
}

static void test_to_text(void **state)
{
    const struct reference_case cases[] = {
        /* The first four are ONNX's. */
        {"Cast",
         9,
         {ROW(BL_FLOAT32, 8, "0.9767611 0.03918779 0.06414749 0.2961402 1e20 100 -0 1e-5")},
         {TO(BL_STRING)},
         ROW(BL_STRING, 8, "0.9767611 0.03918779 0.06414749 0.2961402 1e+20 100 -0 1e-05"),
         BL_OK},
        {"Cast",
         9,
         {ROW(BL_FLOAT32, 5, "NaN Infinity -Infinity 123456790528 0.0001")},
         {TO(BL_STRING)},
         ROW(BL_STRING, 5, "NaN INF -INF 123456790000 0.0001"),
         BL_OK},
        {"Cast",
         13,
         {ROW(BL_FLOAT64, 4, "0.1 314.15926 1e15 1e16")},
         {TO(BL_STRING)},
         ROW(BL_STRING, 4, "0.1 314.15926 1000000000000000 1e+16"),
         BL_OK},
        {"Cast",
         13,
         {ROW(BL_FLOAT16, 2, "0.1 1.5")},
         {TO(BL_STRING)},
         ROW(BL_STRING, 2, "0.099975586 1.5"),
         BL_OK},
        {"Cast",
         9,
         {ROW(BL_INT64, 2, "-9223372036854775808 7")},
         {TO(BL_STRING)},
         ROW(BL_STRING, 2, "-9223372036854775808 7"),
         BL_OK},
        {"Cast",
         9,
         {ROW(BL_UINT64, 1, "18446744073709551615")},
         {TO(BL_STRING)},
         ROW(BL_STRING, 1, "18446744073709551615"),
         BL_OK},
        {"Cast",
         9,
         {ROW(BL_BOOL, 2, "true false")},
         {TO(BL_STRING)},
         ROW(BL_STRING, 2, "1 0"),
         BL_OK},
        {"Cast",
         9,
         {ROW(BL_STRING, 2, "abc ''")},
         {TO(BL_STRING)},
         ROW(BL_STRING, 2, "abc ''"),
         BL_OK},
    };

    (void)state;
    check_cases(cases, BL_COUNT_OF(cases));
}

static void test_from_text(void **state)
{
    const struct reference_case cases[] = {
        {"Cast",
         9,
         {ROW(BL_STRING, 8, "3.14 1000 1e-5 1E8 NaN +INF -inf .5")},
         {TO(BL_FLOAT32)},
         ROW(BL_FLOAT32, 8,
             "3.14 1000 1e-05 100000000 NaN Infinity "
             "-Infinity 0.5"),
         BL_OK},
        /* Just above the middle between 1 and the next float32: a double would be on it. */
        {"Cast",
         9,
         {ROW(BL_STRING, 1, "1.00000005960464477540")},
         {TO(BL_FLOAT32)},
         ROW(BL_FLOAT32, 1, "1.0000001"),
         BL_OK},
        {"Cast",
         9,
         {ROW(BL_STRING, 4, "100.5 -2.718 1e9 NaN")},
         {TO(BL_INT16)},
         ROW(BL_INT16, 4, "100 -2 32767 0"),
         BL_OK},
        {"Cast",
         9,
         {ROW(BL_STRING, 3, "9223372036854775807 9223372036854775808 -1e30")},
         {TO(BL_INT64)},
         ROW(BL_INT64, 3, "9223372036854775807 9223372036854775807 -9223372036854775808"),
         BL_OK},
        {"Cast",
         9,
         {ROW(BL_STRING, 3, "18446744073709551615 -1 18446744073709551616")},
         {TO(BL_UINT64)},
         ROW(BL_UINT64, 3, "18446744073709551615 0 18446744073709551615"),
         BL_OK},
        {"Cast",
         9,
         {ROW(BL_STRING, 3, "0 0.5 -0")},
         {TO(BL_BOOL)},
         ROW(BL_BOOL, 3, "false true false"),
         BL_OK},
        {"Cast", 9, {ROW(BL_STRING, 1, "0x10")}, {TO(BL_INT32)}, {0}, BL_ERR_ARGUMENT},
        {"Cast", 9, {ROW(BL_STRING, 1, "''")}, {TO(BL_INT32)}, {0}, BL_ERR_ARGUMENT},
        {"Cast", 9, {ROW(BL_STRING, 1, "1e")}, {TO(BL_FLOAT32)}, {0}, BL_ERR_ARGUMENT},
        {"Cast",
         9,
         {ROW(BL_STRING, 1, "infinity")},
         {TO(BL_FLOAT32)},
         {0},
         BL_ERR_ARGUMENT},
    };

    (void)state;
    check_cases(cases, BL_COUNT_OF(cases));
}

static void test_like_and_bits(void **state)
{
    const struct reference_case cases[] = {
        {"CastLike",
         15,
         {ROW(BL_FLOAT32, 2, "1.5 300"), ROW(BL_UINT8, 3, "0 0 0")},
         {{0}},
         ROW(BL_UINT8, 2, "1 255"),
         BL_OK},
        {"CastLike",
         19,
         {ONE(BL_FLOAT32, "1e6"), ROW(BL_FLOAT8E5M2, 1, "0")},
         {INT("saturate", 0)},
         ONE(BL_FLOAT8E5M2, "Infinity"),
         BL_OK},
        {"BitCast",
         26,
         {ROW(BL_FLOAT32, 3, "1 -0 NaN")},
         {TO(BL_INT32)},
         ROW(BL_INT32, 3, "1065353216 -2147483648 2143289344"),
         BL_OK},
        {"BitCast",
         26,
         {ROW(BL_INT64, 1, "4607182418800017408")},
         {TO(BL_FLOAT64)},
         ROW(BL_FLOAT64, 1, "1"),
         BL_OK},
        {"BitCast",
         26,
         {ROW(BL_INT4, 3, "-1 7 -8")},
         {TO(BL_UINT4)},
         ROW(BL_UINT4, 3, "15 7 8"),
         BL_OK},
        {"BitCast",
         26,
         {ROW(BL_UINT4, 2, "9 2")},
         {TO(BL_FLOAT4E2M1)},
         ROW(BL_FLOAT4E2M1, 2, "-0.5 1"),
         BL_OK},
        {"BitCast",
         26,
         {ROW(BL_COMPLEX64, 1, "(0,1)")},
         {TO(BL_UINT64)},
         ROW(BL_UINT64, 1, "4575657221408423936"),
         BL_OK},
        {"BitCast", 26, {ROW(BL_FLOAT32, 1, "1")}, {TO(BL_INT16)}, {0}, BL_ERR_TYPE},
    };

    (void)state;
    check_cases(cases, BL_COUNT_OF(cases));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_to_integers),   cmocka_unit_test(test_to_floats),
        cmocka_unit_test(test_to_float8),     cmocka_unit_test(test_to_scale),
        cmocka_unit_test(test_to_text),       cmocka_unit_test(test_from_text),
        cmocka_unit_test(test_like_and_bits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
