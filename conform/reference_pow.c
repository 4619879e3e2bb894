/*
 * reference_pow.c - what Pow means for one element
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The base's type is the result's; the exponent has a type of its own.
 */
#include "conform/reference_element.h"
#include "conform/wide_math.h"

#include <float.h>
#include <math.h>

/* ---- An integer base ----------------------------------------------------- */

/* Modulo 2^64, by the definition: b^e = b^(e/2) * b^(e/2), once more times b if e is odd.
 */
static uint64_t power(uint64_t base, uint64_t exponent)
{
    if (exponent == 0)
        return 1;
    const uint64_t half = power(base, exponent / 2);

    return exponent % 2 == 0 ? half * half : half * half * base;
}

/* 1 / base^n, truncated: only 1 and -1 do not give 0. */
static bool reciprocal(const struct bl_reference_operands *x, uint64_t base,
                       uint64_t exponent)
{
    const bool minus_one =
        bl_dtype_info(x->dtypes[0])->kind == BL_KIND_INT && base == UINT64_MAX;
    uint64_t result = 0;

    if (base == 0)
        return false;
    if (base == 1 || minus_one)
        result = minus_one && exponent % 2 != 0 ? UINT64_MAX : 1;
    bl_value_from_bits(x->dtypes[0], result, x->out);
    return true;
}

static bool integer_power(const struct bl_reference_operands *x)
{
    const uint64_t base = bl_value_to_bits(x->dtypes[0], x->in[0]);
    const uint64_t exponent = bl_value_to_bits(x->dtypes[1], x->in[1]);

    if (bl_dtype_info(x->dtypes[1])->kind == BL_KIND_INT && exponent >> 63)
        return reciprocal(x, base, exponent);
    bl_value_from_bits(x->dtypes[0], power(base, exponent), x->out);
    return true;
}

/* ---- A floating base ----------------------------------------------------- */

/* 64 bits of significand hold every int64 and uint64 exponent, and leave the power's own
 * error far below the bits that a double keeps. */
#if LDBL_MANT_DIG >= 64

/* The C library's powl, but for -Infinity: glibc's gives it the sign of an odd power for the
 * exponent -2^63. */
static long double signed_power(double base, long double exponent)
{
    if (!isinf(base) || base > 0)
        return powl(base, exponent);
    const long double magnitude = powl(fabs(base), exponent);

    return fmodl(fabsl(exponent), 2) == 1 ? -magnitude : magnitude;
}

static long double wide_power(double base, const struct bl_reference_operands *x)
{
    if (bl_dtype_info(x->dtypes[1])->kind == BL_KIND_FLOAT)
        return signed_power(base, bl_value_to_double(x->dtypes[1], x->in[1]));

    const uint64_t bits = bl_value_to_bits(x->dtypes[1], x->in[1]);

    if (bl_dtype_info(x->dtypes[1])->kind == BL_KIND_INT && bits >> 63)
        return signed_power(base, -(long double)(0 - bits));
    return signed_power(base, (long double)bits);
}

#else /* long double is no wider than double: an integer exponent is split, the sign is \
         set by hand */

static long double wide_power(double base, const struct bl_reference_operands *x)
{
    if (bl_dtype_info(x->dtypes[1])->kind == BL_KIND_FLOAT)
        return pow(base, bl_value_to_double(x->dtypes[1], x->in[1]));

    const uint64_t bits = bl_value_to_bits(x->dtypes[1], x->in[1]);
    const bool minus = bl_dtype_info(x->dtypes[1])->kind == BL_KIND_INT && bits >> 63;
    const uint64_t magnitude = minus ? 0 - bits : bits;
    const double low = (double)(magnitude & 0x7FF);
    const double high = (double)(magnitude - (magnitude & 0x7FF));
    const double result =
        pow(fabs(base), minus ? -high : high) * pow(fabs(base), minus ? -low : low);

    return signbit(base) && magnitude % 2 != 0 ? -result : result;
}

#endif

bool bl_reference_pow(const struct bl_reference_operands *x)
{
    const bl_dtype dtype = x->dtypes[0];
    const struct bl_dtype_info *exponent = bl_dtype_info(x->dtypes[1]);
    const double base = bl_value_to_double(dtype, x->in[0]);

    if (exponent == NULL || exponent->kind == BL_KIND_STRING ||
        exponent->kind == BL_KIND_COMPLEX || exponent->kind == BL_KIND_BOOL)
        return false;
    if (bl_dtype_info(dtype)->kind != BL_KIND_FLOAT && exponent->kind != BL_KIND_FLOAT)
        return integer_power(x);
    if (bl_dtype_info(dtype)->kind !=
        BL_KIND_FLOAT) { /* in double, then truncated, saturated */
        bl_value_from_double(dtype, pow(base, bl_value_to_double(x->dtypes[1], x->in[1])),
                             x->out);
        return true;
    }
    const long double result = wide_power(base, x);

    /* Straight from long double, where the type is one that C can round to. */
    bl_value_from_double(
        dtype, dtype == BL_FLOAT32 ? (double)(float)result : (double)result, x->out);
    return true;
}
