/*
 * reference_scalar.c - arithmetic on two or more operands, for one element
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Floating types: the operands are exact as doubles, and so nearly is the result of one
 * operation that rounding it again to float32 gives what float32 arithmetic gives (53 >= 2
 * * 24 + 2 bits: Figueroa, "When is double rounding innocuous?", 1995).  Integers: modulo
 * 2^64, then the type's low bits.
 */
#include <math.h>

#include "conform/reference_element.h"

/* ---- Arithmetic ---------------------------------------------------------- */

static bool add(const struct bl_reference_operands *x)
{
    if (is_float(x->dtypes[0]))
        return give_float(x, number(x, 0) + number(x, 1));
    return give_bits(x, bits(x, 0) + bits(x, 1));
}

static bool sub(const struct bl_reference_operands *x)
{
    if (is_float(x->dtypes[0]))
        return give_float(x, number(x, 0) - number(x, 1));
    return give_bits(x, bits(x, 0) - bits(x, 1));
}

static bool mul(const struct bl_reference_operands *x)
{
    if (is_float(x->dtypes[0]))
        return give_float(x, number(x, 0) * number(x, 1));
    return give_bits(x, bits(x, 0) * bits(x, 1));
}

/* The magnitude of a signed number in 64 bits. */
static uint64_t magnitude(uint64_t signed_bits)
{
    return signed_bits >> 63 ? 0 - signed_bits : signed_bits;
}

/* Truncates toward zero; MIN / -1 has magnitude 2^(n-1), which is MIN again. */
static bool divide(const struct bl_reference_operands *x)
{
    if (is_float(x->dtypes[0]))
        return give_float(x, number(x, 0) / number(x, 1));

    const uint64_t a = bits(x, 0);
    const uint64_t b = bits(x, 1);

    if (b == 0)
        return false;
    if (!is_signed(x->dtypes[0]))
        return give_bits(x, a / b);
    const uint64_t quotient = magnitude(a) / magnitude(b);

    return give_bits(x, (a ^ b) >> 63 ? 0 - quotient : quotient);
}

/* A quotient rounded down leaves a remainder of the divisor's sign, zero included. */
static double floor_mod(double a, double b)
{
    const double rest = fmod(a, b);

    if (rest == 0)
        return copysign(0, b);
    return signbit(rest) != signbit(b) ? rest + b : rest;
}

/* The remainder has the dividend's sign with fmod, else the divisor's.  Floats without fmod
 * are for bl_reference_apply to refuse, where the version does. */
static bool mod(const struct bl_reference_operands *x)
{
    const bool fmod_rule = bl_reference_int(x->node, "fmod", 0) != 0;

    if (is_float(x->dtypes[0]))
        return give_float(x, (fmod_rule ? fmod : floor_mod)(number(x, 0), number(x, 1)));

    const uint64_t a = bits(x, 0);
    const uint64_t b = bits(x, 1);

    if (b == 0)
        return false;
    if (!is_signed(x->dtypes[0]))
        return give_bits(x, a % b);
    const uint64_t rest = magnitude(a) % magnitude(b);
    const uint64_t remainder = a >> 63 ? 0 - rest : rest;

    if (!fmod_rule && rest != 0 && (a ^ b) >> 63)
        return give_bits(x, remainder + b);
    return give_bits(x, remainder);
}

static bool prelu(const struct bl_reference_operands *x)
{
    const bool negative = is_float(x->dtypes[0])
                              ? number(x, 0) < 0
                              : is_signed(x->dtypes[0]) && bits(x, 0) >> 63;

    return negative ? mul(x) : give_copy(x, 0);
}

/* ---- Folds --------------------------------------------------------------- */

static double sum_of(const struct bl_reference_operands *x)
{
    double sum = number(x, 0);

    for (size_t i = 1; i < x->inputs; i++)
        sum = bl_reference_step(x->dtypes[0], sum + number(x, i));
    return sum;
}

static bool sum(const struct bl_reference_operands *x)
{
    return give_float(x, sum_of(x));
}

static bool mean(const struct bl_reference_operands *x)
{
    return give_float(x, sum_of(x) / (double)x->inputs);
}

double bl_reference_maximum(double a, double b)
{
    if (isnan(a) || isnan(b))
        return NAN;
    if (a == b)
        return signbit(a) ? b : a;
    return a > b ? a : b;
}

bool bl_reference_less_bits(bl_dtype dtype, uint64_t a, uint64_t b)
{
    const uint64_t flip = is_signed(dtype) ? UINT64_C(1) << 63 : 0;

    return (a ^ flip) < (b ^ flip);
}

static bool max(const struct bl_reference_operands *x)
{
    if (is_float(x->dtypes[0])) {
        double most = number(x, 0);

        for (size_t i = 1; i < x->inputs; i++)
            most = bl_reference_maximum(most, number(x, i));
        return give_float(x, most);
    }
    uint64_t most = bits(x, 0);

    for (size_t i = 1; i < x->inputs; i++)
        if (bl_reference_less_bits(x->dtypes[0], most, bits(x, i)))
            most = bits(x, i);
    return give_bits(x, most);
}

static bool min(const struct bl_reference_operands *x)
{
    if (is_float(x->dtypes[0])) {
        double least = number(x, 0);

        for (size_t i = 1; i < x->inputs; i++)
            least = -bl_reference_maximum(-least, -number(x, i));
        return give_float(x, least);
    }
    uint64_t least = bits(x, 0);

    for (size_t i = 1; i < x->inputs; i++)
        if (bl_reference_less_bits(x->dtypes[0], bits(x, i), least))
            least = bits(x, i);
    return give_bits(x, least);
}

/* ---- The table ----------------------------------------------------------- */

const struct bl_reference_meaning bl_reference_arithmetic[] = {
    {"Add", add, 2, 0, BL_NUMBERS},
    {"Div", divide, 2, 0, BL_NUMBERS},
    {"Max", max, 1, 0, BL_NUMBERS},
    {"Mean", mean, 1, 0, BL_FLOATS},
    {"Min", min, 1, 0, BL_NUMBERS},
    {"Mod", mod, 2, 0, BL_NUMBERS},
    {"Mul", mul, 2, 0, BL_NUMBERS},
    {"PRelu", prelu, 2, 0, BL_NUMBERS},
    {"Pow", bl_reference_pow, 2, 0, BL_NUMBERS},
    {"Sub", sub, 2, 0, BL_NUMBERS},
    {"Sum", sum, 1, 0, BL_FLOATS},
    {NULL, NULL, 0, 0, 0},
};
