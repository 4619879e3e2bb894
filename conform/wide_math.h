/*
 * wide_math.h - functions in long double by its arithmetic alone
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * For C libraries whose long double functions are their double ones under another name, as
 * wasi-libc's expl, tanhl and erfl are, though its long double has 113 bits.  Right but for a few
 * units in the last place of long double; slow.  Signs of zeros, infinities, NaNs and what is out
 * of the domain are as in the C library.
 */
#ifndef BL_CONFORM_WIDE_MATH_H
#define BL_CONFORM_WIDE_MATH_H

/* The function to call for one of these: WIDE(exp)(x) is expl(x), where the library has it. */
#if defined(__wasi__)
#define WIDE(function) bl_wide_##function
#else
#define WIDE(function) function##l
#endif

long double bl_wide_exp(long double x);
long double bl_wide_expm1(long double x);
long double bl_wide_log(long double x);
long double bl_wide_log1p(long double x);
long double bl_wide_pow(long double x, long double y);

long double bl_wide_sinh(long double x);
long double bl_wide_cosh(long double x);
long double bl_wide_tanh(long double x);
long double bl_wide_asinh(long double x);
long double bl_wide_acosh(long double x);
long double bl_wide_atanh(long double x);

long double bl_wide_erf(long double x);
long double bl_wide_erfc(long double x);

#endif
