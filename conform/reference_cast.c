/*
 * reference_cast.c - Cast, CastLike and BitCast, for one element
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The type to cast to is the output's.  Source: ONNX docs/Operators.md, Cast.  Where that
 * leaves the result open: from a floating type to an integer saturates, and NaN is 0.
 */
#include <math.h>

#include "base/compiler.h"
#include "conform/reference_element.h"

/* ---- Numbers to floating types ------------------------------------------- */

/* The types of 8 bits that Cast saturates to, or has NaN or infinity in. */
static const struct {
    bl_dtype dtype;
    double largest;
    bool has_infinity;
} float8s[] = {
    {BL_FLOAT8E4M3FN, 448, false},
    {BL_FLOAT8E4M3FNUZ, 240, false},
    {BL_FLOAT8E5M2, 57344, true},
    {BL_FLOAT8E5M2FNUZ, 57344, false},
};

/* Out of range is what rounds to more than the largest value; an infinity is too. */
static bool to_float8(const struct bl_reference_operands *x, double value)
{
    const bool saturate = bl_reference_int(x->node, "saturate", 1) != 0;

    for (size_t i = 0; i < BL_COUNT_OF(float8s); i++) {
        if (float8s[i].dtype != x->out_dtype)
            continue;
        bl_value_from_double(x->out_dtype, value, x->out);
        const bool beyond = float8s[i].has_infinity
                                ? isinf(bl_value_to_double(x->out_dtype, x->out))
                                : !bl_value_in_range(x->out_dtype, value);
        const double instead = saturate                  ? float8s[i].largest
                               : float8s[i].has_infinity ? INFINITY
                                                         : NAN;

        if (beyond && !isnan(value))
            bl_value_from_double(x->out_dtype, copysign(instead, value), x->out);
        return true;
    }
    return false;
}

/* The power of two that `round_mode` makes of a positive number, as its exponent. */
static int power_of_two(const struct bl_reference_operands *x, double value)
{
    int exponent;
    const double fraction = 2 * frexp(value, &exponent); /* 1 <= fraction < 2 */

    exponent -= 1;
    if (bl_reference_is(x->node, "round_mode", "down", "up"))
        return exponent;
    if (bl_reference_is(x->node, "round_mode", "nearest", "up"))
        return exponent + (fraction >= 1.5); /* ties go up */
    return exponent + (fraction > 1);
}

/* float8e8m0 is 2^(code - 127), code 255 NaN.  The sign is lost.  Out of range, and 0: the
 * nearest value, or NaN without `saturate`. */
static void to_scale(const struct bl_reference_operands *x, double value)
{
    const bool saturate = bl_reference_int(x->node, "saturate", 1) != 0;
    const unsigned char nan_code = 255;
    int code = 255;

    value = fabs(value);
    if (value == 0)
        code = -1;
    else if (isfinite(value))
        code = power_of_two(x, value) + 127;
    unsigned char byte = (unsigned char)code;

    if (code < 0)
        byte = saturate ? 0 : nan_code;
    if (code > 254)
        byte = saturate && !isnan(value) ? 254 : nan_code;
    memcpy(x->out, &byte, 1);
}

/* ONNX's data have NaN as code 8, -0. */
static void to_float4(const struct bl_reference_operands *x, double value)
{
    bl_value_from_double(BL_FLOAT4E2M1, isnan(value) ? -0.0 : value, x->out);
}

/* ---- Numbers to other types ---------------------------------------------- */

/* True for the integers of 4 and 2 bits, which wrap where wider ones saturate: so ONNX's
 * data have it. */
static bool wraps(const struct bl_dtype_info *to)
{
    return (to->kind == BL_KIND_INT || to->kind == BL_KIND_UINT) && to->bits < 8;
}

void bl_reference_cast_number(const struct bl_reference_operands *x, double value)
{
    const struct bl_dtype_info *to = bl_dtype_info(x->out_dtype);

    if (to->kind == BL_KIND_BOOL) {
        give_bool(x, value != 0);
    } else if (wraps(to)) {
        /* Modulo 16 of the truncated number: of an infinity and of a NaN it is 0. */
        const double rest = isfinite(value) ? fmod(trunc(value), 16) : 0;

        bl_value_from_bits(x->out_dtype, (uint64_t)(int64_t)rest, x->out);
    } else if (x->out_dtype == BL_FLOAT8E8M0) {
        to_scale(x, value);
    } else if (x->out_dtype == BL_FLOAT4E2M1) {
        to_float4(x, value);
    } else if (!to_float8(x, value)) {
        bl_value_from_double(x->out_dtype, value, x->out);
    }
}

/* An integer as a double that rounds to every narrower type as the integer itself does:
 * beyond 53 bits rounded to odd. */
static double odd_double(const struct bl_reference_operands *x)
{
    const uint64_t code = bits(x, 0);
    const bool minus = is_signed(x->dtypes[0]) && code >> 63;
    const uint64_t magnitude = minus ? 0 - code : code;
    double value = (double)magnitude;

    if (magnitude >> 53 != 0)
        value = ldexp((double)(magnitude >> 11 | ((magnitude & 0x7FF) != 0)), 11);
    return minus ? -value : value;
}

static void cast_integer(const struct bl_reference_operands *x)
{
    const enum bl_kind to = bl_dtype_info(x->out_dtype)->kind;

    if (to == BL_KIND_BOOL)
        give_bool(x, bits(x, 0) != 0);
    else if (to != BL_KIND_FLOAT)
        bl_value_from_bits(x->out_dtype, bits(x, 0), x->out);
    else if (x->out_dtype == BL_FLOAT64)
        bl_value_from_double(BL_FLOAT64, number(x, 0), x->out);
    else
        bl_reference_cast_number(x, odd_double(x));
}

static bool cast(const struct bl_reference_operands *x)
{
    const struct bl_dtype_info *to = bl_dtype_info(x->out_dtype);

    if (to == NULL || to->kind == BL_KIND_COMPLEX)
        return false;
    if (x->dtypes[0] == BL_STRING)
        return bl_reference_cast_from_text(x);
    if (to->kind == BL_KIND_STRING)
        return bl_reference_cast_to_text(x);
    if (is_float(x->dtypes[0]))
        bl_reference_cast_number(x, number(x, 0));
    else
        cast_integer(x);
    return true;
}

/* ---- BitCast ------------------------------------------------------------- */

/* A number of 64 bits has the real part's bits as its lower half, in any order of bytes. */
static void give_halves(const struct bl_reference_operands *x)
{
    uint32_t parts[2];
    uint64_t whole;

    if (x->out_dtype == BL_COMPLEX64) {
        memcpy(&whole, x->in[0], sizeof whole);
        parts[0] = (uint32_t)whole;
        parts[1] = (uint32_t)(whole >> 32);
        memcpy(x->out, parts, sizeof parts);
    } else {
        memcpy(parts, x->in[0], sizeof parts);
        whole = (uint64_t)parts[1] << 32 | parts[0];
        memcpy(x->out, &whole, sizeof whole);
    }
}

static bool bit_cast(const struct bl_reference_operands *x)
{
    const struct bl_dtype_info *from = bl_dtype_info(x->dtypes[0]);
    const struct bl_dtype_info *to = bl_dtype_info(x->out_dtype);

    if (to == NULL || from->bits != to->bits || to->kind == BL_KIND_STRING)
        return false;
    if (to->bits == 64 &&
        (from->kind == BL_KIND_COMPLEX) != (to->kind == BL_KIND_COMPLEX)) {
        give_halves(x);
        return true;
    }
    if (to->bits >= 8)
        return give_copy(x, 0);
    /* In memory a byte each: a signed number extended, else the bits alone. */
    const uint64_t raw = bl_value_raw(x->dtypes[0], x->in[0]) & ((1U << to->bits) - 1);
    const unsigned char byte = (unsigned char)raw;

    if (to->kind == BL_KIND_FLOAT)
        memcpy(x->out, &byte, 1);
    else
        bl_value_from_bits(x->out_dtype, raw, x->out);
    return true;
}

/* ---- The table ----------------------------------------------------------- */

const struct bl_reference_meaning bl_reference_casts[] = {
    {"BitCast", bit_cast, 1, 0, BL_NUMBERS | BL_BOOLS | BL_COMPLEXES},
    {"Cast", cast, 1, 0, BL_NUMBERS | BL_BOOLS | BL_STRINGS},
    {"CastLike", cast, 1, 0, BL_NUMBERS | BL_BOOLS | BL_STRINGS},
    {NULL, NULL, 0, 0, 0},
};
