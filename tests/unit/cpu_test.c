/*
 * cpu_test.c - the tiers, and the floating-point state around a computation
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cpu/cpu.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

/* A tier is built on those below it. */
static void test_tiers(void **state)
{
    const uint32_t tiers = bl_cpu_tiers();

    (void)state;
    assert_true(tiers & 1u << BL_TIER_BASELINE);
    assert_int_equal(tiers & (tiers + 1), 0);
    assert_true(tiers < 1u << BL_TIER_COUNT);
    assert_string_equal(bl_tier_name(BL_TIER_BASELINE), "baseline");
    assert_string_equal(bl_tier_name(BL_TIER_AVX2), "avx2");
    assert_string_equal(bl_tier_name(BL_TIER_AVX512), "avx512");
    assert_null(bl_tier_name(BL_TIER_COUNT));
}

/* Whatever the caller rounds like, we round to nearest, and it does so again afterwards. */
static void test_rounding(void **state)
{
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    volatile double one = 1, tiny = DBL_EPSILON / 8;

    (void)state;
    for (int i = 0; i < 4; i++) {
        assert_int_equal(fesetround(modes[i]), 0);
        const struct bl_fpenv saved = bl_fpenv_enter();

        assert_true(one + tiny == 1);
        assert_true(one - tiny == 1);
        bl_fpenv_leave(saved);
        assert_true((one + tiny > 1) == (modes[i] == FE_UPWARD));
        assert_true((one - tiny < 1) ==
                    (modes[i] == FE_DOWNWARD || modes[i] == FE_TOWARDZERO));
    }
    fesetround(FE_TONEAREST);
}

/* The caller's exception flags neither vanish nor grow. */
static void test_flags(void **state)
{
    volatile double zero = 0, result;

    (void)state;
    feclearexcept(FE_ALL_EXCEPT);
    feraiseexcept(FE_OVERFLOW);
    const int before = fetestexcept(FE_ALL_EXCEPT);
    const struct bl_fpenv saved = bl_fpenv_enter();

    result = 1 / zero;
    assert_true(isinf(result));
    bl_fpenv_leave(saved);
    assert_int_equal(fetestexcept(FE_ALL_EXCEPT), before);
    feclearexcept(FE_ALL_EXCEPT);
}

#if defined(__SSE2__)

#define FLUSH_TO_ZERO 0x8000u
#define DENORMALS_ARE_ZERO 0x0040u
#define DIVISION_MASK 0x0200u

/* Subnormals are kept and nothing traps, also when the caller asked for the contrary. */
static void test_subnormals(void **state)
{
    const unsigned own = _mm_getcsr();
    const unsigned asked = (own | FLUSH_TO_ZERO | DENORMALS_ARE_ZERO) & ~DIVISION_MASK;
    volatile float smallest = FLT_MIN, half = 0.5F, zero = 0;

    (void)state;
    _mm_setcsr(asked);
    const struct bl_fpenv saved = bl_fpenv_enter();
    const float subnormal = smallest * half;
    const float twice = subnormal * 2;
    const float infinite = half / zero;

    bl_fpenv_leave(saved);
    const unsigned after = _mm_getcsr();

    _mm_setcsr(own);
    assert_true(subnormal == 0x1p-127F);
    assert_true(twice == FLT_MIN);
    assert_true(isinf(infinite));
    assert_int_equal(after, asked);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tiers),
        cmocka_unit_test(test_rounding),
        cmocka_unit_test(test_flags),
#if defined(__SSE2__)
        cmocka_unit_test(test_subnormals),
#endif
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
