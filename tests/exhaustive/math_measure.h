/*
 * math_measure.h - how far the vector math is from the truth, in ulp
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_TESTS_MATH_MEASURE_H
#define BL_TESTS_MATH_MEASURE_H

#include "math_functions.h"

/* What a run of measurements found. */
struct math_errors {
    double worst;         /* ulp from the true value */
    double worst_at;      /* its argument */
    uint64_t count;       /* results measured */
    uint64_t misrounded;  /* not the correctly rounded result */
    uint64_t beyond;      /* more than 1 ulp from that, or of another sign, or no NaN */
    double beyond_at;     /* the last such argument */
    uint64_t other_tiers; /* with other bits in another tier */
};

/* Measure f(x[i]) for i < n, and compare the bits of all tiers of this machine.  n is at
 * most MATH_BATCH. */
#define MATH_BATCH 4096
void math_measure_f32(struct math_errors *errors, const struct math_function *f, size_t n,
                      const float *x);

/* Compare the bits of all tiers of this machine alone, for n values of a type of 2 or 4
 * bytes. */
void math_compare_tiers(struct math_errors *errors, const struct math_function *f, size_t n,
                        const void *x, bl_dtype dtype);

#ifdef BL_HAVE_MPFR
void math_measure_f64(struct math_errors *errors, const struct math_function *f, size_t n,
                      const double *x);
#endif

#endif
