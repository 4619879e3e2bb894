/*
 * reference_unary.c - operators on one operand that are exact, for one element
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Steps are rounded one by one, in the order in which ONNX's function bodies have them, so
 * that every implementation that does the same gets the same bits.  Attributes are float32
 * whatever the type, and are used as such.
 */
#include <float.h>
#include <math.h>

#include "conform/reference_element.h"

static double step(const struct bl_reference_operands *x, double exact)
{
    return bl_reference_step(x->dtypes[0], exact);
}

static bool is_negative(const struct bl_reference_operands *x)
{
    return is_signed(x->dtypes[0]) && bits(x, 0) >> 63;
}

/* ---- Arithmetic ---------------------------------------------------------- */

/* Of the smallest integer it is that integer, modulo 2^n. */
static bool abs_(const struct bl_reference_operands *x)
{
    if (is_float(x->dtypes[0]))
        return give_float(x, fabs(number(x, 0)));
    return give_bits(x, is_negative(x) ? 0 - bits(x, 0) : bits(x, 0));
}

static bool neg(const struct bl_reference_operands *x)
{
    if (is_float(x->dtypes[0]))
        return give_float(x, -number(x, 0));
    return give_bits(x, 0 - bits(x, 0));
}

/* +0 for either zero. */
static bool sign(const struct bl_reference_operands *x)
{
    const double value = is_float(x->dtypes[0]) ? number(x, 0) : 0;

    if (!is_float(x->dtypes[0]))
        return give_bits(x, is_negative(x) ? ~UINT64_C(0) : bits(x, 0) != 0);
    return give_float(x, isnan(value) ? value : (value > 0) - (value < 0));
}

static bool ceil_(const struct bl_reference_operands *x)
{
    return give_float(x, ceil(number(x, 0)));
}

static bool floor_(const struct bl_reference_operands *x)
{
    return give_float(x, floor(number(x, 0)));
}

/* Halves to the even neighbour: the rounding mode is the default one. */
static bool round_(const struct bl_reference_operands *x)
{
    return give_float(x, nearbyint(number(x, 0)));
}

static bool reciprocal(const struct bl_reference_operands *x)
{
    return give_float(x, 1 / number(x, 0));
}

static bool sqrt_(const struct bl_reference_operands *x)
{
    return give_float(x, sqrt(number(x, 0)));
}

/* ---- Activations --------------------------------------------------------- */

/* max(x, 0), as Max has it: of -0 it is +0. */
static bool relu(const struct bl_reference_operands *x)
{
    if (is_float(x->dtypes[0]))
        return give_float(x, bl_reference_maximum(number(x, 0), 0));
    return give_bits(x, is_negative(x) ? 0 : bits(x, 0));
}

static bool leaky_relu(const struct bl_reference_operands *x)
{
    const double value = number(x, 0);

    if (value < 0)
        return give_float(x, bl_reference_float(x->node, "alpha", 0.01F) * value);
    return give_copy(x, 0);
}

static bool thresholded_relu(const struct bl_reference_operands *x)
{
    const double value = number(x, 0);

    return give_float(x, bl_reference_float(x->node, "alpha", 1) < value ? value : 0);
}

/* max(0, min(1, alpha * x + beta)) */
static double hard_sigmoid_of(const struct bl_reference_operands *x, double alpha,
                              double beta)
{
    const double line = step(x, step(x, alpha * number(x, 0)) + beta);

    return bl_reference_maximum(0, -bl_reference_maximum(-1, -line));
}

static bool hard_sigmoid(const struct bl_reference_operands *x)
{
    return give_float(x, hard_sigmoid_of(x, bl_reference_float(x->node, "alpha", 0.2F),
                                         bl_reference_float(x->node, "beta", 0.5F)));
}

/* The function body's alpha is a float32, 1/6 rounded, for double too. */
static bool hard_swish(const struct bl_reference_operands *x)
{
    return give_float(x, number(x, 0) * hard_sigmoid_of(x, 1.0F / 6.0F, 0.5));
}

/* Of an infinity it is NaN, as written. */
static bool softsign(const struct bl_reference_operands *x)
{
    const double value = number(x, 0);

    return give_float(x, value / step(x, 1 + fabs(value)));
}

/* Integers in double, truncated at the end, as ONNX's own evaluator does it: its function
 * body casts a bias of 1.5 to 1 first, and negates unsigned numbers. */
static bool shrink(const struct bl_reference_operands *x)
{
    const double lambd = bl_reference_float(x->node, "lambd", 0.5F);
    const double bias = bl_reference_float(x->node, "bias", 0);
    const double value = number(x, 0);
    const double moved = value < -lambd ? value + bias : lambd < value ? value - bias : 0;

    if (is_float(x->dtypes[0]))
        return give_float(x, moved);
    bl_value_from_double(x->dtypes[0], moved, x->out);
    return true;
}

/* ---- Clip ---------------------------------------------------------------- */

/* Input i, if it is there. */
static bool has(const struct bl_reference_operands *x, size_t i)
{
    return i < x->inputs && x->in[i] != NULL;
}

static bool clip_integer(const struct bl_reference_operands *x)
{
    uint64_t value = bits(x, 0);

    if (has(x, 1) && bl_reference_less_bits(x->dtypes[0], value, bits(x, 1)))
        value = bits(x, 1);
    if (has(x, 2) && bl_reference_less_bits(x->dtypes[0], bits(x, 2), value))
        value = bits(x, 2);
    return give_bits(x, value);
}

/* The bounds are attributes before version 11.  Version 1's are absent by default, version
 * 6's are float32's largest numbers, which clip infinities, and doubles beyond. */
static void bounds(const struct bl_reference_operands *x, double *lowest, double *highest)
{
    const int since = x->node->op->since;
    const float limit = since == 6 ? FLT_MAX : INFINITY;

    *lowest = -INFINITY;
    *highest = INFINITY;
    if (since < 11) {
        *lowest = bl_reference_float(x->node, "min", -limit);
        *highest = bl_reference_float(x->node, "max", limit);
        return;
    }
    if (has(x, 1))
        *lowest = number(x, 1);
    if (has(x, 2))
        *highest = number(x, 2);
}

/* Where the bounds are the wrong way round it is the upper one.  A NaN stays, a bound that
 * is one spreads. */
static bool clip(const struct bl_reference_operands *x)
{
    double lowest, highest;

    if (!is_float(x->dtypes[0]))
        return clip_integer(x);
    bounds(x, &lowest, &highest);
    return give_float(
        x, -bl_reference_maximum(-bl_reference_maximum(number(x, 0), lowest), -highest));
}

/* ---- The table ----------------------------------------------------------- */

const struct bl_reference_meaning bl_reference_unary[] = {
    {"Abs", abs_, 1, 0, BL_NUMBERS},
    {"Ceil", ceil_, 1, 0, BL_FLOATS},
    {"Clip", clip, 1, 0, BL_NUMBERS},
    {"Floor", floor_, 1, 0, BL_FLOATS},
    {"HardSigmoid", hard_sigmoid, 1, 0, BL_FLOATS},
    {"HardSwish", hard_swish, 1, 0, BL_FLOATS},
    {"LeakyRelu", leaky_relu, 1, 0, BL_FLOATS},
    {"Neg", neg, 1, 0, BL_NUMBERS},
    {"Reciprocal", reciprocal, 1, 0, BL_FLOATS},
    {"Relu", relu, 1, 0, BL_NUMBERS},
    {"Round", round_, 1, 0, BL_FLOATS},
    {"Shrink", shrink, 1, 0, BL_NUMBERS},
    {"Sign", sign, 1, 0, BL_NUMBERS},
    {"Softsign", softsign, 1, 0, BL_FLOATS},
    {"Sqrt", sqrt_, 1, 0, BL_FLOATS},
    {"ThresholdedRelu", thresholded_relu, 1, 0, BL_FLOATS},
    {NULL, NULL, 0, 0, 0},
};
