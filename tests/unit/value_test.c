/*
 * value_test.c - elements as numbers and as text
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "unit.h"

#include <math.h>

#include "base/compiler.h"
#include "conform/value.h"
#include "tensor/dtype.h"

static bl_error err;

static double decoded(bl_dtype dtype, uint64_t code)
{
    const uint8_t u8 = (uint8_t)code;
    const uint16_t u16 = (uint16_t)code;

    return bl_dtype_size(dtype) == 1 ? bl_value_to_double(dtype, &u8)
                                     : bl_value_to_double(dtype, &u16);
}

static uint64_t encoded(bl_dtype dtype, double value)
{
    uint64_t element = 0;

    bl_value_from_double(dtype, value, &element);
    return bl_value_raw(dtype, &element);
}

/* ---- Numbers ------------------------------------------------------------- */

/* Codes from the tables of the types' definitions: IEEE 754, and ONNX's float8 and float4
 * pages. */
static const struct {
    bl_dtype dtype;
    unsigned code;
    double value;
} known[] = {
    {BL_FLOAT16, 0x0001, 0x1p-24},
    {BL_FLOAT16, 0x03FF, 0x3FFp-24},
    {BL_FLOAT16, 0x0400, 0x1p-14},
    {BL_FLOAT16, 0x3C00, 1},
    {BL_FLOAT16, 0x7BFF, 65504},
    {BL_FLOAT16, 0xFC00, -INFINITY},
    {BL_BFLOAT16, 0x0001, 0x1p-133},
    {BL_BFLOAT16, 0x3F80, 1},
    {BL_BFLOAT16, 0x7F7F, 0xFFp120},
    {BL_BFLOAT16, 0x7F80, INFINITY},
    {BL_FLOAT8E4M3FN, 0x01, 0x1p-9},
    {BL_FLOAT8E4M3FN, 0x7E, 448},
    {BL_FLOAT8E4M3FNUZ, 0x01, 0x1p-10},
    {BL_FLOAT8E4M3FNUZ, 0x7F, 240},
    {BL_FLOAT8E5M2, 0x01, 0x1p-16},
    {BL_FLOAT8E5M2, 0x7B, 57344},
    {BL_FLOAT8E5M2, 0x7C, INFINITY},
    {BL_FLOAT8E5M2FNUZ, 0x7F, 57344},
    {BL_FLOAT8E5M2FNUZ, 0x01, 0x1p-17},
    {BL_FLOAT8E8M0, 0x00, 0x1p-127},
    {BL_FLOAT8E8M0, 0xFE, 0x1p127},
    {BL_FLOAT4E2M1, 0x1, 0.5},
    {BL_FLOAT4E2M1, 0x7, 6},
    {BL_FLOAT4E2M1, 0xF, -6},
    {BL_INT4, 0xF8, -8},
    {BL_UINT4, 0x0F, 15},
    {BL_INT2, 0xFE, -2},
    {BL_UINT2, 0x03, 3},
    {BL_INT8, 0x80, -128},
    {BL_UINT16, 0xFFFF, 65535},
};

static void test_known_codes(void **state)
{
    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(known); i++) {
        if (decoded(known[i].dtype, known[i].code) != known[i].value ||
            encoded(known[i].dtype, known[i].value) != known[i].code)
            fail_msg("%s 0x%x: decodes to %g, %g encodes to 0x%llx",
                     bl_dtype_name(known[i].dtype), known[i].code,
                     decoded(known[i].dtype, known[i].code), known[i].value,
                     (unsigned long long)encoded(known[i].dtype, known[i].value));
    }
}

static void test_nan_codes(void **state)
{
    static const struct {
        bl_dtype dtype;
        unsigned first, last; /* of the codes that are NaN, sign bit clear */
    } nans[] = {
        {BL_FLOAT16, 0x7C01, 0x7FFF},    {BL_BFLOAT16, 0x7F81, 0x7FFF},
        {BL_FLOAT8E4M3FN, 0x7F, 0x7F},   {BL_FLOAT8E5M2, 0x7D, 0x7F},
        {BL_FLOAT8E4M3FNUZ, 0x80, 0x80}, {BL_FLOAT8E5M2FNUZ, 0x80, 0x80},
        {BL_FLOAT8E8M0, 0xFF, 0xFF},
    };

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(nans); i++) {
        for (unsigned code = nans[i].first; code <= nans[i].last; code++)
            assert_true(isnan(decoded(nans[i].dtype, code)));
        assert_false(isnan(decoded(nans[i].dtype, nans[i].first - 1)));
        assert_true(isnan(decoded(nans[i].dtype, encoded(nans[i].dtype, NAN))));
    }
}

/* Every code of every small type, but NaNs, comes back. */
static void test_every_code(void **state)
{
    (void)state;
    for (int i = 1; i < BL_DTYPE_COUNT; i++) {
        const bl_dtype dtype = (bl_dtype)i;
        const struct bl_dtype_info *info = bl_dtype_info(dtype);

        if (info->bits == 0 || info->bits > 16 || info->kind == BL_KIND_BOOL)
            continue;
        for (uint64_t code = 0; code < UINT64_C(1) << info->bits; code++) {
            const double value = decoded(dtype, code);
            const uint64_t back = encoded(dtype, value);

            if (!isnan(value) && (back & ((UINT64_C(1) << info->bits) - 1)) != code)
                fail_msg("%s 0x%llx: %g became 0x%llx", info->name,
                         (unsigned long long)code, value, (unsigned long long)back);
        }
    }
}

static void test_rounding(void **state)
{
    (void)state;
    /* To nearest, ties to even. */
    assert_int_equal(encoded(BL_FLOAT16, 1 + 0x1p-11), 0x3C00);
    assert_int_equal(encoded(BL_FLOAT16, 1 + 0x1p-11 + 0x1p-40), 0x3C01);
    assert_int_equal(encoded(BL_FLOAT16, 1 + 0x3p-11), 0x3C02);
    assert_int_equal(encoded(BL_FLOAT16, 65519.99), 0x7BFF);
    assert_int_equal(encoded(BL_FLOAT16, 65520), 0x7C00);
    assert_int_equal(encoded(BL_FLOAT16, -1e300), 0xFC00);
    assert_int_equal(encoded(BL_FLOAT16, 0x1p-25), 0);
    assert_int_equal(encoded(BL_FLOAT16, 0x1.001p-25), 1);
    assert_int_equal(encoded(BL_FLOAT16, -5e-324), 0x8000);
    /* A carry out of the fraction goes into the exponent. */
    assert_int_equal(encoded(BL_FLOAT16, 2 - 0x1p-12), 0x4000);
    assert_int_equal(encoded(BL_FLOAT16, 0x1p-14 - 0x1p-30), 0x0400);
    /* Once: by way of float32 this would be a tie, and round down. */
    assert_int_equal(encoded(BL_BFLOAT16, 1 + 0x1p-8 + 0x1p-40), 0x3F81);
    /* Types without infinity end at their largest value. */
    assert_int_equal(encoded(BL_FLOAT8E4M3FN, 1e9), 0x7E);
    assert_int_equal(encoded(BL_FLOAT8E4M3FN, INFINITY), 0x7F);
    assert_int_equal(encoded(BL_FLOAT8E4M3FNUZ, -0.0), 0);
    assert_int_equal(encoded(BL_FLOAT4E2M1, -INFINITY), 0xF);
    assert_int_equal(encoded(BL_FLOAT4E2M1, 2.5), 0x4);
    assert_int_equal(encoded(BL_FLOAT4E2M1, 5), 0x6);
    assert_int_equal(encoded(BL_FLOAT8E8M0, 1.5), 128); /* the tie goes to the even code */
    assert_int_equal(encoded(BL_FLOAT8E8M0, 3), 128);
}

static void test_integers(void **state)
{
    int64_t i64 = INT64_MIN;
    uint64_t u64 = UINT64_MAX;
    uint8_t truth = 7;

    (void)state;
    assert_int_equal(encoded(BL_INT8, -128.9), 0x80);
    assert_int_equal(encoded(BL_INT8, 1e9), 0x7F);
    assert_int_equal(encoded(BL_UINT8, -3), 0);
    assert_int_equal(encoded(BL_UINT8, 2.99), 2);
    assert_int_equal(encoded(BL_INT32, NAN), 0);
    assert_int_equal(encoded(BL_INT64, 0x1p63), INT64_MAX);
    assert_true(encoded(BL_INT64, -0x1p63) == UINT64_C(1) << 63);
    assert_true(encoded(BL_UINT64, 0x1p64) == UINT64_MAX);
    assert_true(bl_value_to_double(BL_INT64, &i64) == -0x1p63);
    assert_true(bl_value_to_double(BL_UINT64, &u64) == 0x1p64);
    assert_int_equal(bl_value_to_bits(BL_BOOL, &truth), 1);
    bl_value_from_bits(BL_INT4, 0x17, &truth);
    assert_int_equal(truth, 7);
    bl_value_from_bits(BL_INT4, 0x18, &truth);
    assert_int_equal(truth, 0xF8);
}

/* ---- Text ---------------------------------------------------------------- */

static void test_text(void **state)
{
    static const struct {
        bl_dtype dtype;
        const char *text; /* reads to an element, and is what that is written as */
    } same[] = {
        {BL_FLOAT32, "1"},
        {BL_FLOAT32, "-0"},
        {BL_FLOAT32, "0.1"},
        {BL_FLOAT32, "1e+20"},
        {BL_FLOAT32, "16777216"},
        {BL_FLOAT32, "1e-45"},
        {BL_FLOAT64, "0.1"},
        {BL_FLOAT64, "5e-324"},
        {BL_FLOAT64, "1.7976931348623157e+308"},
        {BL_FLOAT64, "NaN"},
        {BL_FLOAT64, "-Infinity"},
        {BL_FLOAT16, "0.1"},
        {BL_FLOAT16, "65504"},
        {BL_FLOAT16, "6e-08"},
        {BL_BFLOAT16, "3.39e+38"},
        {BL_FLOAT8E4M3FN, "448"},
        {BL_FLOAT4E2M1, "-1.5"},
        {BL_INT8, "-128"},
        {BL_INT64, "-9223372036854775808"},
        {BL_UINT64, "18446744073709551615"},
        {BL_BOOL, "true"},
        {BL_BOOL, "false"},
        {BL_COMPLEX64, "(1,-2.5)"},
        {BL_COMPLEX128, "(NaN,-0)"},
        {BL_INT2, "-2"},
        {BL_UINT4, "15"},
    };

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(same); i++) {
        unsigned char element[16];
        char text[64];

        assert_ok(bl_value_parse(same[i].dtype, same[i].text, element, &err), &err);
        assert_string_equal(bl_value_text(same[i].dtype, element, text, sizeof text),
                            same[i].text);
    }
}

/* What is written of a float16 reads back as the same. */
static void test_text_reads_back(void **state)
{
    (void)state;
    for (unsigned code = 0; code < 0x7C00; code++) {
        const uint16_t half = (uint16_t)code;
        uint16_t back;
        char text[64];

        bl_value_text(BL_FLOAT16, &half, text, sizeof text);
        assert_ok(bl_value_parse(BL_FLOAT16, text, &back, &err), &err);
        assert_int_equal(back, half);
    }
}

static void test_strings(void **state)
{
    const bl_string quoted = {"a\"b\\\n", 5};
    bl_string read;
    char text[32];

    (void)state;
    assert_string_equal(bl_value_text(BL_STRING, &quoted, text, sizeof text),
                        "\"a\\\"b\\\\\\x0a\"");
    assert_string_equal(bl_value_text(BL_STRING, &quoted, text, 4), "\"a\\");
    assert_ok(bl_value_parse(BL_STRING, "12 ", &read, &err), &err);
    assert_int_equal(read.size, 3);
    assert_memory_equal(read.data, "12 ", 3);
}

static void test_parse_words(void **state)
{
    float f32;
    unsigned char truth = 9;

    (void)state;
    assert_ok(bl_value_parse(BL_FLOAT32, "-inf", &f32, &err), &err);
    assert_true(f32 == -INFINITY);
    assert_ok(bl_value_parse(BL_FLOAT32, "nan", &f32, &err), &err);
    assert_true(isnan(f32));
    assert_ok(bl_value_parse(BL_FLOAT32, "1e39", &f32, &err), &err);
    assert_true(isinf(f32)); /* rounded, as the format says */
    assert_ok(bl_value_parse(BL_BOOL, "1", &truth, &err), &err);
    assert_int_equal(truth, 1);
}

static void test_parse_refuses(void **state)
{
    static const struct {
        bl_dtype dtype;
        const char *text;
        const char *why;
    } wrong[] = {
        {BL_FLOAT32, "", "is no number"},
        {BL_FLOAT32, " 1", "is no number"},
        {BL_FLOAT32, "1 ", "is no number"},
        {BL_FLOAT32, "0x10", "is no number"},
        {BL_FLOAT32, "1e", "is no number"},
        {BL_FLOAT32, ".", "is no number"},
        {BL_FLOAT32, "1,5", "is no number"},
        {BL_FLOAT32, "-nan", "is no number"},
        {BL_FLOAT8E4M3FN, "464.1", "range"},
        {BL_FLOAT8E4M3FNUZ, "248", "range"},
        {BL_FLOAT4E2M1, "7", "range"},
        {BL_FLOAT8E8M0, "0", "range"},
        {BL_FLOAT4E2M1, "NaN", "range"},
        {BL_INT8, "128", "range"},
        {BL_INT8, "-129", "range"},
        {BL_UINT8, "-1", "range"},
        {BL_UINT64, "18446744073709551616", "range"},
        {BL_INT64, "9223372036854775808", "range"},
        {BL_INT64, "18446744073709551615", "range"},
        {BL_INT32, "1.0", "is no integer"},
        {BL_INT32, "1e3", "is no integer"},
        {BL_INT32, "-", "is no integer"},
        {BL_BOOL, "2", "is no bool"},
        {BL_COMPLEX64, "1", "is no complex"},
        {BL_COMPLEX64, "(1,2", "is no complex"},
        {BL_COMPLEX64, "(1,2,3)", "is no number"},
        {BL_COMPLEX64, "(,)", "is no number"},
        {BL_UNDEFINED, "1", "no element type"},
    };

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(wrong); i++) {
        unsigned char element[16];

        assert_fails(bl_value_parse(wrong[i].dtype, wrong[i].text, element, &err),
                     BL_ERR_ARGUMENT, &err, wrong[i].why);
    }
}

static void test_at_follows_strides(void **state)
{
    static const int16_t numbers[] = {0, 1, 2, 3, 4, 5};
    static const int64_t strides[] = {1, -3};
    bl_tensor *turned =
        bl_tensor_borrow(NULL, BL_INT16, BL_SHAPE(3, 2), strides, numbers + 3, &err);

    (void)state;
    assert_non_null(turned);
    assert_ptr_equal(bl_value_at(turned, 0), numbers + 3);
    assert_ptr_equal(bl_value_at(turned, 1), numbers);
    assert_ptr_equal(bl_value_at(turned, 4), numbers + 5);
    bl_tensor_free(turned);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_codes),        cmocka_unit_test(test_nan_codes),
        cmocka_unit_test(test_every_code),         cmocka_unit_test(test_rounding),
        cmocka_unit_test(test_integers),           cmocka_unit_test(test_text),
        cmocka_unit_test(test_text_reads_back),    cmocka_unit_test(test_strings),
        cmocka_unit_test(test_parse_words),        cmocka_unit_test(test_parse_refuses),
        cmocka_unit_test(test_at_follows_strides),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
