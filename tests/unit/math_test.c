/*
 * math_test.c - the vector math within 1 ulp, on samples; math_exhaustive takes all of
 * float32
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "unit.h"

#include <float.h>
#include <math.h>

#include "../exhaustive/math_measure.h"
#include "../exhaustive/math_random.h"
#include "base/half.h"

static void check(const struct math_function *f, const struct math_errors *errors,
                  const char *type)
{
    if (errors->beyond > 0)
        fail_msg("%s of %s at %a is more than 1 ulp off", f->name, type, errors->beyond_at);
    if (errors->other_tiers > 0)
        fail_msg("%s of %s: tiers give other bits", f->name, type);
}

/* A step that is odd, so that all low bits come. */
static void float32_is_within_1_ulp(void **state)
{
    static float x[MATH_BATCH];

    (void)state;
    if (LDBL_MANT_DIG < 64)
        skip();
    for (size_t i = 0; i < math_function_count; i++) {
        struct math_errors errors = {0};
        uint64_t bits = i;

        while (bits <= UINT32_MAX) {
            size_t n = 0;

            for (; n < MATH_BATCH && bits <= UINT32_MAX; bits += 130003)
                x[n++] = bl_f32_from_bits((uint32_t)bits);
            math_measure_f32(&errors, &math_functions[i], n, x);
        }
        check(&math_functions[i], &errors, "float32");
        assert_true(errors.count > 30000);
        assert_true(errors.worst < 0.501);
    }
}

static void float64_is_within_1_ulp(void **state)
{
    (void)state;
#ifdef BL_HAVE_MPFR
    static double x[MATH_BATCH];
    uint64_t random = 7;

    for (size_t i = 0; i < math_function_count; i++) {
        struct math_errors errors = {0};

        for (size_t j = 0; j < MATH_BATCH; j++)
            x[j] = math_random(&random);
        math_measure_f64(&errors, &math_functions[i], MATH_BATCH, x);
        check(&math_functions[i], &errors, "float64");
        assert_true(errors.count == MATH_BATCH);
    }
#else
    skip();
#endif
}

/* Where the reference could share a mistake: what the operators say of the ends of the
 * line. */
static void special_values(void **state)
{
    static const struct {
        enum bl_op_id op;
        float alpha;
        double x, y;
    } cases[] = {
        {BL_OP_EXP, 0, -INFINITY, 0},
        {BL_OP_EXP, 0, INFINITY, INFINITY},
        {BL_OP_LOG, 0, 0, -INFINITY},
        {BL_OP_LOG, 0, -1, NAN},
        {BL_OP_LOG, 0, INFINITY, INFINITY},
        {BL_OP_SIN, 0, INFINITY, NAN},
        {BL_OP_SIN, 0, -0.0, -0.0},
        {BL_OP_TAN, 0, -0.0, -0.0},
        {BL_OP_ASIN, 0, 1.5, NAN},
        {BL_OP_ACOS, 0, 1, 0},
        {BL_OP_ACOSH, 0, 1, 0},
        {BL_OP_ACOSH, 0, 0.5, NAN},
        {BL_OP_ATANH, 0, 1, INFINITY},
        {BL_OP_ATANH, 0, -1, -INFINITY},
        {BL_OP_ATANH, 0, 2, NAN},
        {BL_OP_TANH, 0, -INFINITY, -1},
        {BL_OP_TANH, 0, -0.0, -0.0},
        {BL_OP_ERF, 0, INFINITY, 1},
        {BL_OP_SIGMOID, 0, -INFINITY, 0},
        {BL_OP_SIGMOID, 0, 1e6, 1},
        {BL_OP_SIGMOID, 0, NAN, NAN},
        {BL_OP_SOFTPLUS, 0, 1e6, 1e6},
        {BL_OP_SOFTPLUS, 0, -INFINITY, 0},
        {BL_OP_ELU, 1, -INFINITY, -1},
        {BL_OP_ELU, 1, NAN, NAN},
        {BL_OP_GELU, 0, INFINITY, INFINITY},
        {BL_OP_GELU, 0, -INFINITY, NAN},
        {BL_OP_MISH, 0, -INFINITY, NAN},
        {BL_OP_SWISH, 1, -INFINITY, NAN},
        {BL_OP_CELU, 1, NAN, NAN},
    };
    static const ptrdiff_t stride = 1;
    struct bl_kernels kernels;

    (void)state;
    bl_kernels_resolve(&kernels, bl_cpu_tiers());
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct bl_params params = {.alpha = cases[i].alpha};
        const float x32 = (float)cases[i].x;
        const void *in[2] = {&cases[i].x, &x32};
        double y64 = 5;
        float y32 = 5;
        struct bl_row row = {.n = 1, .out = &y64, .in = in, .stride = &stride, .inputs = 1};

        row.params = &params;
        kernels.row[cases[i].op][BL_FLOAT64](&row);
        row.in = in + 1;
        row.out = &y32;
        kernels.row[cases[i].op][BL_FLOAT32](&row);
        if (isnan(cases[i].y) ? !isnan(y64) || !isnan(y32)
                              : bl_f64_bits(y64) != bl_f64_bits(cases[i].y) ||
                                    bl_f64_bits((double)y32) != bl_f64_bits(cases[i].y))
            fail_msg("case %zu: %a and %a, not %a", i, y64, (double)y32, cases[i].y);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(float32_is_within_1_ulp),
        cmocka_unit_test(float64_is_within_1_ulp),
        cmocka_unit_test(special_values),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
