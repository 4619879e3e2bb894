/*
 * math_measure.c - how far the vector math is from the truth, in ulp
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "math_measure.h"

#include <math.h>
#include <string.h>
#include "base/half.h"

/* Whether two results differ; NaNs are all the same. */
static int differ(bl_dtype dtype, const void *a, const void *b)
{
    if (dtype == BL_FLOAT16 || dtype == BL_BFLOAT16) {
        const uint16_t x = *(const uint16_t *)a, y = *(const uint16_t *)b;
        const unsigned infinity = dtype == BL_FLOAT16 ? 0x7C00 : 0x7F80;

        return x != y && !((x & 0x7FFFu) > infinity && (y & 0x7FFFu) > infinity);
    }
    if (dtype == BL_FLOAT32) {
        const float x = *(const float *)a, y = *(const float *)b;

        return bl_f32_bits(x) != bl_f32_bits(y) && !(isnan(x) && isnan(y));
    }
    const double x = *(const double *)a, y = *(const double *)b;

    return bl_f64_bits(x) != bl_f64_bits(y) && !(isnan(x) && isnan(y));
}

/* The kernels of a tier; resolving them takes as long as a batch. */
static const struct bl_kernels *kernels_of(unsigned tier)
{
    static struct bl_kernels kernels[BL_TIER_COUNT];
    static int is_resolved[BL_TIER_COUNT];

    if (!is_resolved[tier])
        bl_kernels_resolve(&kernels[tier], UINT32_C(1) << tier);
    is_resolved[tier] = 1;
    return &kernels[tier];
}

/* The baseline's results; what another tier has different is counted. */
static void compute(struct math_errors *errors, const struct math_function *f, size_t n,
                    const void *x, void *y, bl_dtype dtype, size_t size)
{
    static const ptrdiff_t stride = 1;
    const uint32_t tiers = bl_cpu_tiers();
    double other[MATH_BATCH];

    for (unsigned tier = 0; tier < BL_TIER_COUNT; tier++) {
        const struct bl_row row = {.n = n,
                                   .out = tier == 0 ? y : other,
                                   .in = &x,
                                   .stride = &stride,
                                   .inputs = 1,
                                   .params = &f->params};

        if ((tiers >> tier & 1) == 0)
            continue;
        kernels_of(tier)->row[f->op][dtype](&row);
        if (tier == 0 || memcmp(y, other, n * size) == 0)
            continue;
        for (size_t i = 0; i < n; i++)
            errors->other_tiers +=
                differ(dtype, (const char *)y + i * size, (const char *)other + i * size);
    }
}

/* One result.  `steps` is how many values lie between it and the correctly rounded one. */
static void note(struct math_errors *errors, double x, double ulps, int64_t steps)
{
    errors->count++;
    errors->misrounded += steps != 0;
    if (steps > 1) {
        errors->beyond++;
        errors->beyond_at = x;
    }
    if (ulps > errors->worst) {
        errors->worst = ulps;
        errors->worst_at = x;
    }
}

/* Integers in the order of the numbers, -0 just below +0. */
static int64_t ordered(uint64_t bits, uint64_t sign)
{
    return bits & sign ? -(int64_t)(bits & ~sign) - 1 : (int64_t)bits;
}

static int64_t distance(int64_t a, int64_t b)
{
    return a < b ? b - a : a - b;
}

/* The distance from y to the truth, in units in the last place of the rounded truth. */
static double ulps_f32(float y, long double truth, float rounded)
{
    int exponent;

    frexpf(rounded, &exponent);
    if (rounded == 0 || exponent < -125)
        exponent = -125;
    return (double)fabsl(ldexpl(y - truth, 24 - exponent));
}

static void measure_f32(struct math_errors *errors, const struct math_function *f, float x,
                        float y)
{
    const long double truth = f->wide(x, &f->params);
    const float rounded = (float)truth;

    if (isnan(rounded) || isnan(y)) {
        note(errors, x, 0, isnan(rounded) && isnan(y) ? 0 : 2);
        return;
    }
    note(errors, x, isinf(rounded) || isinf(y) ? 0 : ulps_f32(y, truth, rounded),
         distance(ordered(bl_f32_bits(y), UINT32_C(1) << 31),
                  ordered(bl_f32_bits(rounded), UINT32_C(1) << 31)));
}

/* Where double shows that a result is right, and no new worst, that is enough: it is off by
 * less than 1e-5 of float32's ulp. */
static int is_plainly_right(const struct math_errors *errors, const struct math_function *f,
                            float x, float y)
{
    const double truth = f->quick(x, &f->params);
    const float rounded = (float)truth;
    const float size = fabsf(rounded);

    if (isnan(truth))
        return isnan(y);
    if (bl_f32_bits(rounded) != bl_f32_bits(y))
        return 0;
    if (size < 0x1p-126f)
        return fabs(y - truth) < 0x1p-149 * (errors->worst - 1e-5);
    if (size >= 0x1p127f)
        return isinf(size) && fabs(truth) > 0x1.0001p128;
    const float next = bl_f32_from_bits(bl_f32_bits(size) + 1);

    return fabs(y - truth) < (double)(next - size) * (errors->worst - 1e-5);
}

void math_measure_f32(struct math_errors *errors, const struct math_function *f, size_t n,
                      const float *x)
{
    float y[MATH_BATCH];

    compute(errors, f, n, x, y, BL_FLOAT32, sizeof *y);
    for (size_t i = 0; i < n; i++)
        if (is_plainly_right(errors, f, x[i], y[i]))
            errors->count++;
        else
            measure_f32(errors, f, x[i], y[i]);
}

void math_compare_tiers(struct math_errors *errors, const struct math_function *f, size_t n,
                        const void *x, bl_dtype dtype)
{
    float y[MATH_BATCH];

    compute(errors, f, n, x, y, dtype,
            dtype == BL_FLOAT32 ? sizeof(float) : sizeof(uint16_t));
    errors->count += n;
}

#ifdef BL_HAVE_MPFR

void math_measure_f64(struct math_errors *errors, const struct math_function *f, size_t n,
                      const double *x)
{
    double y[MATH_BATCH];
    mpfr_t truth, error;

    mpfr_init2(truth, 256);
    mpfr_init2(error, 256);
    compute(errors, f, n, x, y, BL_FLOAT64, sizeof *y);
    for (size_t i = 0; i < n; i++) {
        double rounded;
        int exponent;

        mpfr_set_d(truth, x[i], MPFR_RNDN);
        if (isfinite(x[i]))
            f->exact(truth, &f->params);
        rounded = isfinite(x[i]) ? mpfr_get_d(truth, MPFR_RNDN)
                                 : (double)f->wide(x[i], &f->params);
        if (isnan(rounded) || isnan(y[i])) {
            note(errors, x[i], 0, isnan(rounded) && isnan(y[i]) ? 0 : 2);
            continue;
        }
        const int64_t steps = distance(ordered(bl_f64_bits(y[i]), UINT64_C(1) << 63),
                                       ordered(bl_f64_bits(rounded), UINT64_C(1) << 63));

        frexp(rounded, &exponent);
        if (rounded == 0 || exponent < -1021)
            exponent = -1021;
        if (isinf(rounded) || isinf(y[i])) {
            note(errors, x[i], 0, steps);
            continue;
        }
        mpfr_set_d(error, y[i], MPFR_RNDN);
        mpfr_sub(error, error, truth, MPFR_RNDN);
        mpfr_mul_2si(error, error, 53 - exponent, MPFR_RNDN);
        note(errors, x[i], fabs(mpfr_get_d(error, MPFR_RNDN)), steps);
    }
    mpfr_clear(truth);
    mpfr_clear(error);
}

#endif
