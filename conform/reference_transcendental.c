/*
 * reference_transcendental.c - functions that no step of arithmetic gives, for one element
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * In long double, rounded once.  Compositions are written so that nothing cancels; at
 * infinity they are what ONNX's function bodies give.
 */
#include <math.h>

#include "conform/reference_element.h"
#include "conform/wide_math.h"

typedef long double wide;

static wide operand(const struct bl_reference_operands *x)
{
    return number(x, 0);
}

static wide attribute(const struct bl_reference_operands *x, const char *name,
                      float otherwise)
{
    return bl_reference_float(x->node, name, otherwise);
}

/* Narrower types than float32 are rounded by way of double, to odd, so that two roundings
 * give what one gives. */
static double to_odd(wide value)
{
    const double near = (double)value;
    uint64_t code;

    memcpy(&code, &near, sizeof code);
    if (near == value || isnan(near) || isinf(near) || code % 2 != 0)
        return near;
    return nextafter(near, near < value ? INFINITY : -INFINITY);
}

static bool give(const struct bl_reference_operands *x, wide result)
{
    const bl_dtype dtype = x->dtypes[0];

    if (dtype == BL_FLOAT64)
        bl_value_from_double(dtype, (double)result, x->out);
    else if (dtype == BL_FLOAT32)
        bl_value_from_double(dtype, (double)(float)result, x->out);
    else
        bl_value_from_double(dtype, to_odd(result), x->out);
    return true;
}

/* ---- Functions of the C library ------------------------------------------ */

#define LIBRARY(name, function)                             \
    static bool name(const struct bl_reference_operands *x) \
    {                                                       \
        return give(x, function(operand(x)));               \
    }

LIBRARY(exp_, WIDE(exp))
LIBRARY(log_, WIDE(log))
LIBRARY(sin_, sinl)
LIBRARY(cos_, cosl)
LIBRARY(tan_, tanl)
LIBRARY(asin_, asinl)
LIBRARY(acos_, acosl)
LIBRARY(atan_, atanl)
LIBRARY(sinh_, WIDE(sinh))
LIBRARY(cosh_, WIDE(cosh))
LIBRARY(tanh_, WIDE(tanh))
LIBRARY(asinh_, WIDE(asinh))
LIBRARY(atanh_, WIDE(atanh))

/* glibc's acoshl for i386 gives -Infinity for -0. */
static bool acosh_(const struct bl_reference_operands *x)
{
    const wide value = operand(x);

    return give(x, value < 1 ? NAN : WIDE(acosh)(value));
}

/* Of integers, which version 9 takes: in double, truncated; 1 from 6 on. */
static bool erf_(const struct bl_reference_operands *x)
{
    if (is_float(x->dtypes[0]))
        return give(x, WIDE(erf)(operand(x)));
    bl_value_from_double(x->dtypes[0], (double)WIDE(erf)(operand(x)), x->out);
    return true;
}

/* ---- Activations --------------------------------------------------------- */

/* 1 / (1 + exp(-x)) */
static wide sigmoid_of(wide x)
{
    return 1 / (1 + WIDE(exp)(-x));
}

/* log(1 + exp(x)) */
static wide softplus_of(wide x)
{
    return (x > 0 ? x : 0) + WIDE(log1p)(WIDE(exp)(-fabsl(x)));
}

static bool sigmoid(const struct bl_reference_operands *x)
{
    return give(x, sigmoid_of(operand(x)));
}

static bool softplus(const struct bl_reference_operands *x)
{
    const wide value = operand(x);

    return give(x, isnan(value) ? value : softplus_of(value));
}

/* x * tanh(softplus(x)) */
static bool mish(const struct bl_reference_operands *x)
{
    const wide value = operand(x);

    return give(x, isnan(value) ? value : value * WIDE(tanh)(softplus_of(value)));
}

static bool elu(const struct bl_reference_operands *x)
{
    const wide value = operand(x);

    return value < 0 ? give(x, attribute(x, "alpha", 1) * WIDE(expm1)(value))
                     : give_copy(x, 0);
}

/* Version 1's constants are rounded to 5 digits. */
static bool selu(const struct bl_reference_operands *x)
{
    const bool first = x->node->op->since < 6;
    const wide alpha = attribute(x, "alpha", first ? 1.6732F : 1.67326319217681884765625F);
    const wide gamma = attribute(x, "gamma", first ? 1.0507F : 1.05070102214813232421875F);
    const wide value = operand(x);

    return give(x, gamma * (value < 0 ? alpha * WIDE(expm1)(value) : value));
}

/* max(0, x) + min(0, alpha * (exp(x / alpha) - 1)) */
static bool celu(const struct bl_reference_operands *x)
{
    const wide alpha = attribute(x, "alpha", 1);
    const wide value = operand(x);
    const wide curve = alpha * WIDE(expm1)(value / alpha);

    if (isnan(value) || isnan(curve))
        return give(x, NAN);
    return give(x, (value > 0 ? value : 0) + (curve < 0 ? curve : 0));
}

/* 0.5 * (1 + erf(x / sqrt(2))): 1 + erf(z) is erfc(-z), which does not cancel.  Far out a
 * rounding of z tells, so it is made up for: erfc' is -2 / sqrt(pi) * exp(-z^2). */
static wide normal_distribution(wide x)
{
    const wide root = 0.70710678118654752440084436210484903928L; /* 1 / sqrt(2) */
    const wide two_by_root_pi = 1.12837916709551257389615890312154517169L;
    const wide z = -x * root;
    /* root + missing is 1 / sqrt(2), and z + lost -x times that. */
    const wide missing = -fmal(root, root, -0.5L) / (2 * root);
    const wide lost = fmal(-x, root, -z) - x * missing;

    return (WIDE(erfc)(z) - two_by_root_pi * WIDE(exp)(-z * z) * lost) / 2;
}

/* The tanh form's 0.5 * (1 + tanh(u)) is 1 / (1 + exp(-2 u)). */
static bool gelu(const struct bl_reference_operands *x)
{
    const wide root = 0.79788456080286535587989211986876373695L; /* sqrt(2 / pi) */
    const wide value = operand(x);

    if (isnan(value) || isinf(value))
        return give(x, value > 0 ? value : NAN);
    if (!bl_reference_is(x->node, "approximate", "tanh", "none"))
        return give(x, value * normal_distribution(value));
    const wide u = root * (value + 0.044715L * value * value * value);

    return give(x, value * sigmoid_of(2 * u));
}

static wide swish_of(const struct bl_reference_operands *x)
{
    return operand(x) * sigmoid_of(attribute(x, "alpha", 1) * operand(x));
}

static bool swish(const struct bl_reference_operands *x)
{
    return give(x, swish_of(x));
}

static bool swiglu(const struct bl_reference_operands *x)
{
    return give(x, swish_of(x) * number(x, 1));
}

/* ---- The table ----------------------------------------------------------- */

const struct bl_reference_meaning bl_reference_transcendental[] = {
    {"Acos", acos_, 1, 0, BL_FLOATS},
    {"Acosh", acosh_, 1, 0, BL_FLOATS},
    {"Asin", asin_, 1, 0, BL_FLOATS},
    {"Asinh", asinh_, 1, 0, BL_FLOATS},
    {"Atan", atan_, 1, 0, BL_FLOATS},
    {"Atanh", atanh_, 1, 0, BL_FLOATS},
    {"Celu", celu, 1, 0, BL_FLOATS},
    {"Cos", cos_, 1, 0, BL_FLOATS},
    {"Cosh", cosh_, 1, 0, BL_FLOATS},
    {"Elu", elu, 1, 0, BL_FLOATS},
    {"Erf", erf_, 1, 0, BL_NUMBERS},
    {"Exp", exp_, 1, 0, BL_FLOATS},
    {"Gelu", gelu, 1, 0, BL_FLOATS},
    {"Log", log_, 1, 0, BL_FLOATS},
    {"Mish", mish, 1, 0, BL_FLOATS},
    {"Selu", selu, 1, 0, BL_FLOATS},
    {"Sigmoid", sigmoid, 1, 0, BL_FLOATS},
    {"Sin", sin_, 1, 0, BL_FLOATS},
    {"Sinh", sinh_, 1, 0, BL_FLOATS},
    {"Softplus", softplus, 1, 0, BL_FLOATS},
    {"SwiGLU", swiglu, 2, 0, BL_FLOATS},
    {"Swish", swish, 1, 0, BL_FLOATS},
    {"Tan", tan_, 1, 0, BL_FLOATS},
    {"Tanh", tanh_, 1, 0, BL_FLOATS},
    {NULL, NULL, 0, 0, 0},
};
