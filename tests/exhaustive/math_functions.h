/*
 * math_functions.h - every transcendental operator, with references of higher precision
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_TESTS_MATH_FUNCTIONS_H
#define BL_TESTS_MATH_FUNCTIONS_H

#include <stddef.h>

#include "kernels/kernel.h"

#ifdef BL_HAVE_MPFR
#include <mpfr.h>
#endif

struct math_function {
    const char *name;
    enum bl_op_id op;
    struct bl_params params;
    /* f(x) for float32 arguments.  The second is good enough where long double has 64 bits.
     * */
    double (*quick)(double x, const struct bl_params *params);
    long double (*wide)(long double x, const struct bl_params *params);
#ifdef BL_HAVE_MPFR
    /* y = f(y) to nearly the precision of y; y is finite. */
    void (*exact)(mpfr_t y, const struct bl_params *params);
#endif
};

extern const struct math_function math_functions[];
extern const size_t math_function_count;

#endif
