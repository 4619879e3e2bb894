/*
 * compare_test.c - what passes for the expected result, and what is said where it does not
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "unit.h"

#include <math.h>

#include "base/compiler.h"
#include "conform/compare.h"
#include "conform/value.h"

static bl_error err;
static char why[BL_COMPARE_TEXT];

/* The two zeros are one, no NaN, no tolerance. */
static const struct bl_compare_rule plain = {.max_ulp = -1};

static bool passes(bl_dtype dtype, const void *got, const void *want, int64_t count,
                   const struct bl_compare_rule *rule)
{
    bl_tensor *a = bl_tensor_borrow(NULL, dtype, BL_SHAPE(count), NULL, got, &err);
    bl_tensor *b = bl_tensor_borrow(NULL, dtype, BL_SHAPE(count), NULL, want, &err);

    assert_non_null(a);
    assert_non_null(b);
    why[0] = '\0';
    const bool passed = bl_compare(a, b, rule, why);

    assert_int_equal(passed, why[0] == '\0');
    bl_tensor_free(a);
    bl_tensor_free(b);
    return passed;
}

static bool doubles_pass(double got, double want, const struct bl_compare_rule *rule)
{
    return passes(BL_FLOAT64, &got, &want, 1, rule);
}

static bool floats_pass(float got, float want, const struct bl_compare_rule *rule)
{
    return passes(BL_FLOAT32, &got, &want, 1, rule);
}

static void test_tolerances(void **state)
{
    const struct bl_compare_rule absolute = {.tolerance = 0.5, .max_ulp = -1};
    const struct bl_compare_rule relative = {.rel_tolerance = 0.25, .max_ulp = -1};
    const struct bl_compare_rule both = {
        .tolerance = 1, .rel_tolerance = 0.25, .max_ulp = -1};
    const struct bl_compare_rule tiny = {.tolerance = 2e-45, .max_ulp = -1};

    (void)state;
    assert_true(doubles_pass(1.5, 1, &absolute));
    assert_false(doubles_pass(1.5000001, 1, &absolute));
    assert_true(doubles_pass(3, 4, &relative)); /* of what is wanted, not of what came */
    assert_false(doubles_pass(5.1, 4, &relative));
    assert_true(doubles_pass(-6, -4, &both));
    assert_false(doubles_pass(-6.5, -4, &both));
    /* In float32 this tolerance would be 1.4e-45. */
    assert_true(floats_pass(0x1p-149F, 0, &tiny));
    assert_false(floats_pass(0x2p-149F, 0, &tiny));
    assert_false(floats_pass(1, nextafterf(1, 2), &plain));
}

static void test_infinity_and_nan(void **state)
{
    const struct bl_compare_rule loose = {
        .tolerance = 9, .rel_tolerance = 9, .max_ulp = -1};
    const struct bl_compare_rule nan = {.allow_nan = true, .max_ulp = -1};

    (void)state;
    assert_true(doubles_pass(INFINITY, INFINITY, &plain));
    assert_false(doubles_pass(-INFINITY, INFINITY, &loose));
    assert_false(doubles_pass(1, INFINITY, &loose));
    assert_false(doubles_pass(INFINITY, 1, &loose));
    assert_false(doubles_pass(NAN, NAN, &loose));
    assert_non_null(strstr(why, "allowNaN is not set"));
    assert_true(doubles_pass(NAN, -NAN, &nan));
    assert_false(doubles_pass(NAN, 1, &nan));
    assert_false(doubles_pass(1, NAN, &nan));
}

static void test_exact(void **state)
{
    const struct bl_compare_rule exact = {
        .tolerance = 9, .allow_nan = true, .exact = true, .max_ulp = -1};
    const float nans[] = {NAN, -NAN};

    (void)state;
    assert_true(floats_pass(0, -0.0F, &plain));
    assert_false(floats_pass(0, -0.0F, &exact));
    assert_non_null(strstr(why, "got 0, want -0"));
    assert_false(floats_pass(1, 2, &exact));
    assert_true(floats_pass(1, 1, &exact));
    assert_true(passes(BL_FLOAT32, &nans[0], &nans[1], 1, &exact));
}

static void test_ulps(void **state)
{
    const struct bl_compare_rule one = {.tolerance = 1, .max_ulp = 1};
    const float next = nextafterf(1, 2);
    const float least[] = {0x1p-149F, -0x1p-149F, 0, -0.0F, NAN};
    const uint16_t halves[] = {0x7BFF, 0x7C00};

    (void)state;
    assert_true(floats_pass(next, 1, &one));
    assert_false(floats_pass(nextafterf(next, 2), 1, &one));
    assert_int_equal(bl_compare_ulps(BL_FLOAT32, &least[0], &least[1]), 2);
    assert_int_equal(bl_compare_ulps(BL_FLOAT32, &least[2], &least[3]), 0);
    assert_int_equal(bl_compare_ulps(BL_FLOAT16, &halves[0], &halves[1]), 1);
    assert_true(bl_compare_ulps(BL_FLOAT32, &least[0], &least[4]) == UINT64_MAX);
}

static void test_integers(void **state)
{
    const struct bl_compare_rule two = {.tolerance = 2, .max_ulp = -1};
    const int64_t large[] = {INT64_C(9007199254740993), INT64_C(9007199254740992)};
    const int64_t ends[] = {INT64_MIN, INT64_MAX};
    const uint8_t truths[] = {2, 1};

    (void)state;
    assert_false(passes(BL_INT64, &large[0], &large[1], 1, &plain)); /* equal as doubles */
    assert_true(passes(BL_INT64, &large[0], &large[1], 1, &two));
    assert_false(passes(BL_INT64, &ends[0], &ends[1], 1, &two));
    assert_true(passes(BL_BOOL, &truths[0], &truths[1], 1, &plain));
}

static void test_strings_and_complex(void **state)
{
    const bl_string strings[] = {{"ab", 2}, {"ab\0", 3}, {NULL, 0}, {"", 0}};
    const float complex_numbers[][2] = {{1, 2}, {1, 3}};

    (void)state;
    assert_false(passes(BL_STRING, &strings[0], &strings[1], 1, &plain));
    assert_true(passes(BL_STRING, &strings[2], &strings[3], 1, &plain));
    assert_false(passes(BL_COMPLEX64, complex_numbers[0], complex_numbers[1], 1, &plain));
    assert_non_null(strstr(why, "got (1,2), want (1,3)"));
}

static void test_message(void **state)
{
    const float got[] = {1, 2, 3, 4, 5, 6};
    const float want[] = {1, 2, 3, 4, 7, 8};
    bl_tensor *a = bl_tensor_borrow(NULL, BL_FLOAT32, BL_SHAPE(2, 3), NULL, got, &err);
    bl_tensor *b = bl_tensor_borrow(NULL, BL_FLOAT32, BL_SHAPE(2, 3), NULL, want, &err);
    bl_tensor *c = bl_tensor_borrow(NULL, BL_FLOAT32, BL_SHAPE(3, 2), NULL, want, &err);

    (void)state;
    assert_false(bl_compare(a, b, &plain, why));
    assert_string_equal(why, "[1,1]: got 5, want 7 (off by 2, 4194304 ulp); 2 of 6 differ");
    assert_false(bl_compare(a, c, &plain, why));
    assert_string_equal(why, "got float32 [2,3], want float32 [3,2]");
    assert_false(bl_compare_type(a, BL_FLOAT64, BL_SHAPE(2, 3), why));
    assert_string_equal(why, "got float32 [2,3], want float64 [2,3]");
    bl_tensor_free(a);
    bl_tensor_free(b);
    bl_tensor_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tolerances), cmocka_unit_test(test_infinity_and_nan),
        cmocka_unit_test(test_exact),      cmocka_unit_test(test_ulps),
        cmocka_unit_test(test_integers),   cmocka_unit_test(test_strings_and_complex),
        cmocka_unit_test(test_message),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
