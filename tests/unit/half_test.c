/*
 * half_test.c - float16 and bfloat16 against a rounding in double that knows their
 * definition alone
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/half.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* A binary format: bits of the significand with the leading one, exponent bits, and what
 * follows. */
struct format {
    int significand;
    int exponent;
};

static const struct format float16 = {11, 5};
static const struct format bfloat16 = {8, 8};

static int bias(struct format f)
{
    return (1 << (f.exponent - 1)) - 1;
}

/* The number that 16 bits of a format stand for. */
static double decoded(struct format f, uint16_t bits)
{
    const int fraction_bits = f.significand - 1;
    const int fraction = bits & ((1 << fraction_bits) - 1);
    const int exponent = (bits & 0x7FFF) >> fraction_bits;
    const double sign = (bits & 0x8000) != 0 ? -1 : 1;

    if (exponent == (1 << f.exponent) - 1)
        return fraction != 0 ? NAN : sign * INFINITY;
    if (exponent == 0)
        return sign * ldexp(fraction, 1 - bias(f) - fraction_bits);
    return sign *
           ldexp(fraction + (1 << fraction_bits), exponent - bias(f) - fraction_bits);
}

/* x to nearest in a format, ties to even; the processor rounds to integers so by default.
 */
static double nearest(struct format f, double x)
{
    const int least = 2 - bias(f) - f.significand; /* exponent of the smallest subnormal */
    int exponent;

    if (isnan(x) || isinf(x) || x == 0)
        return x;
    frexp(x, &exponent);
    exponent -= f.significand;
    if (exponent < least)
        exponent = least;
    const double rounded = ldexp(nearbyint(ldexp(x, -exponent)), exponent);

    return fabs(rounded) >= ldexp(1, bias(f) + 1) ? copysign(INFINITY, x) : rounded;
}

static void assert_same(double expected, double actual, double of)
{
    if (isnan(expected) ? isnan(actual)
                        : expected == actual && signbit(expected) == signbit(actual))
        return;
    fail_msg("%a (%.17g) gave %.17g, not %.17g", of, of, actual, expected);
}

static void assert_quiet(struct format f, uint16_t bits)
{
    if (isnan(decoded(f, bits)))
        assert_int_not_equal(bits & 1 << (f.significand - 2), 0);
}

static void check_float(float x)
{
    const uint16_t half = bl_f32_to_f16(x);
    const uint16_t brain = bl_f32_to_bf16(x);

    assert_same(nearest(float16, x), decoded(float16, half), x);
    assert_same(nearest(bfloat16, x), decoded(bfloat16, brain), x);
    assert_quiet(float16, half);
    assert_quiet(bfloat16, brain);
}

static void check_double(double x)
{
    assert_same(nearest(float16, x), decoded(float16, bl_f64_to_f16(x)), x);
    assert_same(nearest(bfloat16, x), decoded(bfloat16, bl_f64_to_bf16(x)), x);
}

/* ---- Cases ------------------------------------------------------------------ */

/* Every value of either format widens to itself, and comes back as the same bits. */
static void test_every_half(void **state)
{
    (void)state;
    for (uint32_t i = 0; i <= UINT16_MAX; i++) {
        const uint16_t bits = (uint16_t)i;
        const double half = decoded(float16, bits);
        const double brain = decoded(bfloat16, bits);

        assert_same(half, bl_f16_to_f32(bits), half);
        assert_same(brain, bl_bf16_to_f32(bits), brain);
        if (!isnan(half)) {
            assert_int_equal(bl_f32_to_f16(bl_f16_to_f32(bits)), bits);
            assert_int_equal(bl_f64_to_f16(half), bits);
        }
        if (!isnan(brain)) {
            assert_int_equal(bl_f32_to_bf16(bl_bf16_to_f32(bits)), bits);
            assert_int_equal(bl_f64_to_bf16(brain), bits);
        }
    }
}

/* A sample of all float32, its step odd and its ends included. */
static void test_floats(void **state)
{
    (void)state;
    for (uint64_t i = 0; i <= UINT32_MAX; i += 3001)
        check_float(bl_f32_from_bits((uint32_t)i));
    check_float(bl_f32_from_bits(UINT32_MAX));
}

/* The float32 at, just below and just above each value of a format and each middle between
 * two. */
static void test_float_edges(void **state)
{
    (void)state;
    for (uint32_t i = 0; i <= UINT16_MAX; i++)
        for (uint32_t step = 0; step < 6; step++) {
            const uint32_t half = bl_f32_bits(bl_f16_to_f32((uint16_t)i));
            const uint32_t middle = step < 3 ? 0 : 0x1000;

            check_float(bl_f32_from_bits(half + middle + step % 3 - 1));
            check_float(bl_f32_from_bits((i << 16) + 8 * middle + step % 3 - 1));
        }
}

/* Doubles whose rounding to float32 first would go the wrong way, and their neighbours. */
static void test_double_edges(void **state)
{
    (void)state;
    for (uint32_t i = 0; i <= UINT16_MAX; i++) {
        const struct format formats[] = {float16, bfloat16};

        for (int f = 0; f < 2; f++) {
            const double x = decoded(formats[f], (uint16_t)i);
            const double above = decoded(formats[f], (uint16_t)(i + 1));

            if (isnan(x) || isnan(above) || isinf(x) || isinf(above))
                continue;
            const double middle = (x + above) / 2;

            check_double(x);
            check_double(middle);
            check_double(nextafter(middle, INFINITY));
            check_double(nextafter(middle, -INFINITY));
            check_double(nextafter(x, INFINITY));
            check_double(nextafter(x, -INFINITY));
        }
    }
}

/* Random bits, all exponents of a double alike. */
static void test_doubles(void **state)
{
    uint64_t random = 88172645463325252;

    (void)state;
    for (int i = 0; i < 1000000; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        check_double(bl_f64_from_bits(random));
        /* The same with an exponent near those that 16 bits hold. */
        check_double(ldexp((double)random, (int)(random % 340) - 64 - 170));
    }
    const double edges[] = {NAN,
                            INFINITY,
                            65519.999999999993,
                            65520,
                            0x1.FEFFFFFFFFFFFp+127,
                            0x1.FFp+127,
                            0x1p+128,
                            0x1p-24,
                            0x1p-25,
                            0x1.0000000000001p-25,
                            0x1p-133,
                            0x1p-134,
                            0x1.0000000000001p-134,
                            0x1p-1074,
                            0x1p+1023};

    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        check_double(edges[i]);
        check_double(-edges[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_half),  cmocka_unit_test(test_floats),
        cmocka_unit_test(test_float_edges), cmocka_unit_test(test_double_edges),
        cmocka_unit_test(test_doubles),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
