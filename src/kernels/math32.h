/*
 * math32.h - functions of a float32, computed in double and rounded once at the end
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Arguments are float32 values.  Every function is within 2^-36 of the true value,
 * relatively, so that its rounding is within 0.5002 ulp of it.  Series are Taylor's, as
 * long as that takes. Where an operator is a formula (Gelu, Mish, ...) it is the formula as
 * a whole that is rounded; where the formula has infinity times 0, the result is NaN.
 */
#ifndef BL_KERNELS_MATH32_H
#define BL_KERNELS_MATH32_H

#include "kernels/attributes.h"
#include "kernels/lanes.h"
#include "kernels/polynomials.h"

/* ---- Exponentials -------------------------------------------------------------------- */

/* e^x = 2^k * (1 + p).  p is relatively precise, and |p| < 0.42.  An x beyond 700 counts as
 * 700: no float32 comes near. */
struct exponential32 {
    double p, k;
};

BL_FORCE_INLINE struct exponential32 exponential32(double argument)
{
    const double x = within(argument, -700, 700);
    const double k = nearest(x * LOG2_E);
    const double r = (x - k * LN2_UPPER) - k * LN2_LOWER;
    double q = 1.0 / 3628800;

    q = q * r + 1.0 / 362880;
    q = q * r + 1.0 / 40320;
    q = q * r + 1.0 / 5040;
    q = q * r + 1.0 / 720;
    q = q * r + 1.0 / 120;
    q = q * r + 1.0 / 24;
    q = q * r + 1.0 / 6;
    q = q * r + 1.0 / 2;
    return (struct exponential32){r + r * r * q, k};
}

BL_FORCE_INLINE double exp32(double x)
{
    const struct exponential32 e = exponential32(x);

    return (1 + e.p) * power_of_two(e.k);
}

/* e^x - 1 */
BL_FORCE_INLINE double expm1_32(double x)
{
    const struct exponential32 e = exponential32(x);
    const double power = power_of_two(e.k);

    return (power - 1) + power * e.p;
}

/*
 * With e^|x| = 2^k (1 + p), sinh and cosh are 2^(k-1) ((1 + p) -+ 2^-2k / (1 + p)).  Over
 * the common denominator nothing cancels.
 */
struct hyperbolic32 {
    double sinh, cosh; /* times 2^(k-1) / denominator */
    double denominator, k;
};

BL_FORCE_INLINE struct hyperbolic32 hyperbolic32(double x)
{
    const struct exponential32 e = exponential32(magnitude(x));
    const double c =
        power_of_two(-2 * within(e.k, 0, 30)); /* below 2^-60 nothing changes */
    const double q = e.p * (2 + e.p);

    return (struct hyperbolic32){(1 - c) + q, (1 + c) + q, 1 + e.p, e.k};
}

BL_FORCE_INLINE double sinh32(double x)
{
    const struct hyperbolic32 h = hyperbolic32(x);

    return with_sign(h.sinh / h.denominator * power_of_two(h.k - 1), x);
}

BL_FORCE_INLINE double cosh32(double x)
{
    const struct hyperbolic32 h = hyperbolic32(x);

    return h.cosh / h.denominator * power_of_two(h.k - 1);
}

BL_FORCE_INLINE double tanh32(double x)
{
    const struct hyperbolic32 h = hyperbolic32(x);

    return with_sign(h.sinh / h.cosh, x);
}

/* ---- Logarithms ---------------------------------------------------------------------- */

/* log(1 + f) + k ln 2, for 1 + f from sqrt(1/2) to sqrt(2): with s = f / (2 + f) the first
 * is 2 atanh(s). */
BL_FORCE_INLINE double log_of32(double f, double k)
{
    const double s = f / (2 + f);
    const double z = s * s;
    double q = 2.0 / 15;

    q = q * z + 2.0 / 13;
    q = q * z + 2.0 / 11;
    q = q * z + 2.0 / 9;
    q = q * z + 2.0 / 7;
    q = q * z + 2.0 / 5;
    q = q * z + 2.0 / 3;
    return k * LN2_UPPER + (2 * s + (s * z * q + k * LN2_LOWER));
}

BL_FORCE_INLINE double log32(double x)
{
    const struct split x_split = split(x);
    const double y = log_of32(x_split.m - 1, x_split.k);
    const double edge = x == 0 ? -INFINITY : x > 0 ? x : NAN;

    return x > 0 && x < INFINITY ? y : edge;
}

/* log(1 + y) for 0 <= y, finite */
BL_FORCE_INLINE double log1p32(double y)
{
    const struct split sum = split(1 + y);

    return log_of32(sum.k == 0 ? y : sum.m - 1, sum.k);
}

BL_FORCE_INLINE double asinh32(double x)
{
    const double a = magnitude(x);
    const double square = a * a;
    const double y = log1p32(a + square / (1 + sqrt(1 + square)));

    return a < INFINITY ? with_sign(y, x) : x;
}

BL_FORCE_INLINE double acosh32(double x)
{
    const double t = x - 1;
    const double y = log1p32(t + sqrt(t * (t + 2)));
    const double edge = x >= 1 ? x : NAN;

    return x >= 1 && x < INFINITY ? y : edge;
}

BL_FORCE_INLINE double atanh32(double x)
{
    const double a = magnitude(x);
    const double y = 0.5 * log1p32(2 * a / (1 - a));
    const double edge = a == 1 ? INFINITY : NAN;

    return with_sign(a < 1 ? y : edge, x);
}

/* ---- Circles ------------------------------------------------------------------------- */

/* x - k * pi / 2 for an integer k below 2^20. */
BL_FORCE_INLINE double turned32(double x, double k)
{
    return ((x - k * PI_HALF_1) - k * PI_HALF_2) - k * PI_HALF_3;
}

/* Both for |r| < 0.79. */
BL_FORCE_INLINE double sin_of32(double r)
{
    const double z = r * r;
    double q = 1.0 / 6227020800;

    q = q * z - 1.0 / 39916800;
    q = q * z + 1.0 / 362880;
    q = q * z - 1.0 / 5040;
    q = q * z + 1.0 / 120;
    q = q * z - 1.0 / 6;
    return r + r * z * q;
}

BL_FORCE_INLINE double cos_of32(double r)
{
    const double z = r * r;
    double q = -1.0 / 87178291200;

    q = q * z + 1.0 / 479001600;
    q = q * z - 1.0 / 3628800;
    q = q * z + 1.0 / 40320;
    q = q * z - 1.0 / 720;
    q = q * z + 1.0 / 24;
    q = q * z - 1.0 / 2;
    return 1 + z * q;
}

/* The sine of quarter * pi / 2 + r; the low bits of `quarter` tell. */
BL_FORCE_INLINE double sin_turned32(double r, double quarter)
{
    const uint64_t bits = integer_bits(quarter);
    const double odd = bl_f64_from_bits(integer_bits(0) | (bits & 1)) - TO_INTEGER;
    const double y = odd != 0 ? cos_of32(r) : with_sign(sin_of32(r), r);

    return bl_f64_from_bits(bl_f64_bits(y) ^ (bits & 2) << 62);
}

BL_FORCE_INLINE double cos_turned32(double r, double quarter)
{
    return sin_turned32(r, quarter + 1);
}

BL_FORCE_INLINE double tan_turned32(double r, double quarter)
{
    const uint64_t bits = integer_bits(quarter);
    const double odd = bl_f64_from_bits(integer_bits(0) | (bits & 1)) - TO_INTEGER;
    const double sine = with_sign(sin_of32(r), r);
    const double cosine = cos_of32(r);

    return odd != 0 ? -cosine / sine : sine / cosine;
}

/* The angle whose tangent is a / b, for a and b of which neither is negative nor both are
 * 0. */
BL_FORCE_INLINE double angle32(double a, double b)
{
    const int flat = a <= b * TAN_PI_EIGHTH;
    const int steep = b <= a * TAN_PI_EIGHTH;
    const double s = (flat ? a : steep ? -b : a - b) / (flat ? b : steep ? a : a + b);
    const double z = s * s;

    return (flat ? 0 : steep ? PI_HALF : PI_HALF / 2) + (s + s * z * atan_rest_8(z));
}

BL_FORCE_INLINE double atan32(double x)
{
    return with_sign(angle32(magnitude(x), 1), x);
}

BL_FORCE_INLINE double asin32(double x)
{
    const double a = magnitude(x);

    return with_sign(angle32(a, sqrt((1 - a) * (1 + a))), x);
}

BL_FORCE_INLINE double acos32(double x)
{
    const double a = magnitude(x);
    const double y = angle32(sqrt((1 - a) * (1 + a)), a);

    return x < 0 ? 2 * PI_HALF - y : y;
}

/* ---- The normal distribution --------------------------------------------------------- */

/* exp(y^2) erfc(y) for y >= 0; what is beyond 11 no float32 tells from 0. */
BL_FORCE_INLINE double erfc_scaled32(double y)
{
    const double near = within(y, 0, 11);

    return erfc_rest_15((near - 3) / (near + 3)) / (1 + 2 * near);
}

BL_FORCE_INLINE double erf32(double x)
{
    const double a = magnitude(x);
    const double far = 1 - erfc_scaled32(a) * exp32(-a * a);

    return with_sign(a < 1 ? a * erf_rest_10(a * a) : far, x);
}

/* x times the normal distribution at x: x erfc(-x / sqrt(2)) / 2 */
BL_FORCE_INLINE double gelu_erf32(double x)
{
    const double a = magnitude(x);
    const double half_tail = 0.5 * (erfc_scaled32(a * SQRT_HALF) * exp32(-0.5 * (a * a)));
    const double y = x * (x > 0 ? 1 - half_tail : half_tail);

    return x == -INFINITY ? NAN : y;
}

/* ---- Activations --------------------------------------------------------------------- */

BL_FORCE_INLINE double sigmoid32(double x)
{
    const double e = exp32(-magnitude(x));

    return (x < 0 ? e : 1) / (1 + e);
}

/* x * sigmoid(u) */
BL_FORCE_INLINE double gated32(double x, double u)
{
    return x * (u < SIGMOID_ZERO ? 0 : sigmoid32(u));
}

BL_FORCE_INLINE double gelu_tanh32(double x)
{
    return gated32(x, x * (GELU_1 + GELU_3 * (x * x)));
}

BL_FORCE_INLINE double swish32(double x, struct attributes with)
{
    return gated32(x, x * with.alpha);
}

BL_FORCE_INLINE double swiglu32(double a, double b, struct attributes with)
{
    return swish32(a, with) * b;
}

BL_FORCE_INLINE double softplus32(double x)
{
    return (x < 0 ? 0 : x) + log1p32(exp32(-magnitude(x)));
}

/* tanh(log(1 + e)) is ((1 + e)^2 - 1) / ((1 + e)^2 + 1); above 0, over e^2. */
BL_FORCE_INLINE double mish32(double x)
{
    const double e = exp32(-magnitude(x));
    const double above = 1 + 2 * e;
    const double below = e * (e + 2);
    const double numerator = x > 0 ? above : below;
    const double y = x * (numerator / (numerator + (x > 0 ? 2 * (e * e) : 2)));

    return x == -INFINITY ? NAN : y;
}

BL_FORCE_INLINE double elu32(double x, struct attributes with)
{
    return x < 0 ? with.alpha * expm1_32(x) : x;
}

BL_FORCE_INLINE double selu32(double x, struct attributes with)
{
    return with.gamma * elu32(x, with);
}

/* max(x, 0) + min(0, alpha (exp(x / alpha) - 1)) */
BL_FORCE_INLINE double celu32(double x, struct attributes with)
{
    const double quotient = x / with.alpha;
    const double e = expm1_32(quotient);
    const double y = with.alpha * (quotient == INFINITY ? quotient : e);

    return (x > 0 ? x : 0) + (y > 0 ? 0 : y);
}

#endif
