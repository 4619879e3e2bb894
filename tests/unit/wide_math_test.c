/*
 * wide_math_test.c - the reference's own long double functions against the C library's
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * glibc's are right to about a unit in the last place, in 64 bits (x86) or 113.
 */
#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "unit.h"

#include "base/compiler.h"
#include "conform/wide_math.h"

typedef long double function(long double x);

/* Functions of numbers of either sign (or not), whose size is between two powers of 2. */
static const struct {
    const char *name;
    function *own, *library;
    int from, to;
    bool is_signed;
    int bits_lost;
} functions[] = {
    {"exp", bl_wide_exp, expl, -70, 13, true, 4},
    {"expm1", bl_wide_expm1, expm1l, -300, 13, true, 4},
    {"log", bl_wide_log, logl, -1000, 1000, false, 4},
    {"log1p", bl_wide_log1p, log1pl, -300, 1000, false, 4},
    {"sinh", bl_wide_sinh, sinhl, -300, 13, true, 4},
    {"cosh", bl_wide_cosh, coshl, -70, 13, true, 4},
    {"tanh", bl_wide_tanh, tanhl, -300, 13, true, 4},
    {"asinh", bl_wide_asinh, asinhl, -300, 1000, true, 4},
    {"acosh", bl_wide_acosh, acoshl, 0, 1000, false, 4},
    {"atanh", bl_wide_atanh, atanhl, -300, 0, true, 4},
    {"erf", bl_wide_erf, erfl, -300, 4, true, 4},
    {"erfc", bl_wide_erfc, erfcl, -70, 5, true, 11},
};

/* The same function for the same draw, on every machine. */
static long double draw(uint64_t *state, int from, int to, bool is_signed)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    const uint64_t bits = *state >> 11;
    const int exponent = from + (int)(*state % 1009 * (uint64_t)(to - from) / 1009);
    const long double size = ldexpl(1 + (long double)bits * 0x1p-53L, exponent);

    return is_signed && *state >> 63 ? -size : size;
}

static bool same_special(long double a, long double b)
{
    return isnan(a) ? isnan(b) : a == b && !signbit(a) == !signbit(b);
}

/* How far a is from b, in units of the last place of b. */
static double units(long double a, long double b)
{
    if (!isfinite(b) || b == 0)
        return same_special(a, b) ? 0 : HUGE_VAL;
    return (double)(fabsl(a - b) / (fabsl(b) * LDBL_EPSILON));
}

static void matches_the_library(void **state)
{
    uint64_t seed = 1;

    (void)state;
    for (size_t f = 0; f < BL_COUNT_OF(functions); f++)
        for (int i = 0; i < 3000; i++) {
            const long double x =
                draw(&seed, functions[f].from, functions[f].to, functions[f].is_signed);
            const double off = units(functions[f].own(x), functions[f].library(x));

            if (!(off <= ldexp(1, functions[f].bits_lost)))
                fail_msg("%s(%La) is %g units off", functions[f].name, x, off);
        }
}

static void takes_specials(void **state)
{
    static const long double specials[] = {0,  -0.0L,    1,         -1, 2,
                                           -2, INFINITY, -INFINITY, NAN};

    (void)state;
    for (size_t f = 0; f < BL_COUNT_OF(functions); f++)
        for (size_t i = 0; i < BL_COUNT_OF(specials); i++) {
            const long double x = specials[i], library = functions[f].library(x);
            const long double own = functions[f].own(x);

            if (isfinite(library) && library != 0
                    ? !(units(own, library) <= ldexp(1, functions[f].bits_lost))
                    : !same_special(own, library))
                fail_msg("%s(%Lg) is %Lg, not %Lg", functions[f].name, x, own, library);
        }
}

/* powl of the same, with exponents of either sign, whole and not; specials among them. */
static void raises_to_powers(void **state)
{
    static const long double bases[] = {0,    -0.0L,  1,        -1,        2,  -2,
                                        0.3L, -1.75L, INFINITY, -INFINITY, NAN};
    static const long double exponents[] = {0,  -0.0L, 1,    -1,   2,        3,
                                            -3, 0.5L,  1e5L, 1e6L, INFINITY, -INFINITY};
    uint64_t seed = 2;

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(bases); i++)
        for (size_t k = 0; k < BL_COUNT_OF(exponents); k++) {
            const long double x = bases[i], y = exponents[k];

            if (!(units(bl_wide_pow(x, y), powl(x, y)) <= 0x1p20))
                fail_msg("pow(%Lg, %Lg) is %Lg, not %Lg", x, y, bl_wide_pow(x, y),
                         powl(x, y));
        }
    for (int i = 0; i < 3000; i++) {
        const long double x = draw(&seed, -60, 60, false);
        const long double y = draw(&seed, -20, 4, true);
        const double off = units(bl_wide_pow(x, y), powl(x, y));

        if (!(off <= 0x1p14))
            fail_msg("pow(%La, %La) is %g units off", x, y, off);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_the_library),
        cmocka_unit_test(takes_specials),
        cmocka_unit_test(raises_to_powers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
