/*
 * matmul_finish.c - from sums to results: alpha * acc + beta * c, in every accumulator type
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "backends/cpu/matmul.h"

#include <math.h>

static bool is_whole(float x)
{
    /* 2^63 and beyond do not fit the conversion, and are multiples of 2^40 anyway. */
    return x == truncf(x) && fabsf(x) < 0x1p63F;
}

struct bl_scale bl_matmul_scale(const struct bl_matmul *step)
{
    struct bl_scale scale = {
        .has_c = step->c.data != NULL && step->beta != 0.0F,
        .no_terms = step->k == 0,
        .alpha = step->alpha,
        .beta = step->beta,
        .whole = is_whole(step->alpha) && is_whole(step->beta),
    };

    if (scale.whole) {
        scale.alpha_int = (uint64_t)(int64_t)step->alpha;
        scale.beta_int = (uint64_t)(int64_t)step->beta;
    }
    /* Not whole, an integer would go by way of a float. */
    scale.is_one = scale.whole && scale.alpha == 1.0F && !scale.has_c && !scale.no_terms;
    return scale;
}

static void finish_f32(const struct bl_scale *scale, int64_t n, float *acc, const float *c)
{
    for (int64_t j = 0; j < n; j++) {
        const float product = scale->alpha * acc[j];

        if (!scale->has_c)
            acc[j] = scale->no_terms ? 0.0F : product;
        else
            acc[j] = scale->no_terms ? scale->beta * c[j] : product + scale->beta * c[j];
    }
}

static void finish_f64(const struct bl_scale *scale, int64_t n, double *acc,
                       const double *c)
{
    const double alpha = scale->alpha;
    const double beta = scale->beta;

    for (int64_t j = 0; j < n; j++) {
        const double product = alpha * acc[j];

        if (!scale->has_c)
            acc[j] = scale->no_terms ? 0.0 : product;
        else
            acc[j] = scale->no_terms ? beta * c[j] : product + beta * c[j];
    }
}

/* An integer of `dtype` from its accumulator's bits, as a double; and back, truncated and
 * saturated. */
static double int_to_double(bl_dtype dtype, uint64_t bits)
{
    switch (dtype) {
    case BL_INT32:
        return (double)(int32_t)(uint32_t)bits;
    case BL_UINT32:
        return (double)(uint32_t)bits;
    case BL_INT64:
        return (double)(int64_t)bits;
    default:
        return (double)bits;
    }
}

static uint64_t double_to_int(bl_dtype dtype, double x)
{
    const bool is_signed = dtype == BL_INT32 || dtype == BL_INT64;
    const int width = dtype == BL_INT32 || dtype == BL_UINT32 ? 32 : 64;
    const double end =
        ldexp(1.0, is_signed ? width - 1 : width); /* one above the largest */
    const uint64_t largest = UINT64_MAX >> (is_signed ? 65 - width : 64 - width);

    if (isnan(x))
        return 0;
    if (x >= end)
        return largest;
    if (is_signed)
        return x <= -end ? ~largest : (uint64_t)(int64_t)x;
    return x <= 0.0 ? 0 : (uint64_t)x;
}

static uint64_t finish_int(const struct bl_scale *scale, bl_dtype dtype, uint64_t acc,
                           uint64_t c)
{
    if (scale->whole)
        return scale->alpha_int * acc + (scale->has_c ? scale->beta_int * c : 0);
    const double product = scale->no_terms ? 0.0 : scale->alpha * int_to_double(dtype, acc);

    return double_to_int(
        dtype, scale->has_c ? product + scale->beta * int_to_double(dtype, c) : product);
}

void bl_matmul_finish(const struct bl_scale *scale, bl_dtype dtype, int64_t n, void *acc,
                      const void *c)
{
    switch (bl_accumulator(dtype)) {
    case BL_FLOAT32:
        finish_f32(scale, n, acc, c);
        break;
    case BL_FLOAT64:
        finish_f64(scale, n, acc, c);
        break;
    case BL_UINT32:
        for (int64_t j = 0; j < n; j++)
            ((uint32_t *)acc)[j] =
                (uint32_t)finish_int(scale, dtype, ((uint32_t *)acc)[j],
                                     scale->has_c ? ((const uint32_t *)c)[j] : 0);
        break;
    default:
        for (int64_t j = 0; j < n; j++)
            ((uint64_t *)acc)[j] = finish_int(scale, dtype, ((uint64_t *)acc)[j],
                                              scale->has_c ? ((const uint64_t *)c)[j] : 0);
        break;
    }
}
