// activation.glsl - erf and the activations of float32, in pairs of floats
//
// SPDX-License-Identifier: Apache-2.0
//
// Formulas count as a whole: each is rounded nearly once.  The polynomials are those of
// src/kernels/polynomials.h.

// erf(x) / x of z = x^2, x from 0 to 1.
vec2 erf_rest(vec2 z)
{
    precise float y = -1.04691103e-07;

    y = y * z.x + 1.5306373e-06;
    y = y * z.x + -1.4795031e-05;
    y = y * z.x + 0.00012046261;
    y = y * z.x + -0.00085479337;
    y = y * z.x + 0.005223967;
    y = y * z.x + -0.02686617;
    vec2 p = vec2(y, 0.0);

    p = pair_add(pair_mul(p, z), vec2(0.11283792, -1.5172541e-09));
    p = pair_add(pair_mul(p, z), vec2(-0.37612638, -1.0253443e-08));
    p = pair_add(pair_mul(p, z), vec2(1.1283792, -5.86354e-08));
    return p;
}

// (1 + 2 y) exp(y^2) erfc(y) of t = (y - 3) / (y + 3), y from 0 to 11.
vec2 erfc_rest(vec2 t)
{
    precise float y = -4.9155595e-06;

    y = y * t.x + -1.9721906e-05;
    y = y * t.x + 8.829972e-06;
    y = y * t.x + 0.00012683273;
    y = y * t.x + -0.00010630485;
    y = y * t.x + -0.00078078837;
    y = y * t.x + 0.0018887712;
    y = y * t.x + 0.0025295977;
    y = y * t.x + -0.023770498;
    vec2 p = vec2(y, 0.0);

    p = pair_add(pair_mul(p, t), vec2(0.06830801, -3.54795272e-09));
    p = pair_add(pair_mul(p, t), vec2(-0.11927367, 3.7195047e-09));
    p = pair_add(pair_mul(p, t), vec2(0.12964515, 5.648876e-09));
    p = pair_add(pair_mul(p, t), vec2(-0.047562294, -5.294325e-10));
    p = pair_add(pair_mul(p, t), vec2(-0.1356211, -5.4700776e-09));
    p = pair_add(pair_mul(p, t), vec2(1.253008, 5.0265826e-08));
    return p;
}

// ---- The error function ----------------------------------------------------

// e^(-y^2) / (1 + 2 y) times a polynomial is erfc(y), for y from 0 to 11; times 2^-k.
vec2 erfc_of(vec2 y, out int k)
{
    const vec2 t = pair_div(pair_add(y, -3.0), pair_add(y, 3.0));
    const vec2 square = pair_mul(y, y);
    const Exponential e = exponential(-square);

    k = e.k;
    return pair_div(pair_mul(one_and(e.p), erfc_rest(t)), pair_add(y * 2.0, 1.0));
}

uint f32_erf(uint x)
{
    const float a = abs(number(x));
    int k;

    if (f32_nan(x))
        return QUIET;
    if (a > 4.0)
        return with_sign(0x3f800000u, x);
    if (a < 1.0) {
        // Tiny numbers are brought to where they are no trouble, and back.
        const bool tiny = is_tiny(x);
        uint significand;
        const int exponent = tiny && x << 1 != 0 ? f32_split(x & 0x7fffffffu, significand) : 0;
        const float b = tiny && x << 1 != 0 ? float(significand) : a;
        const vec2 z = tiny ? vec2(0.0) : exact_product(a, a);

        return with_sign(pair_round(pair_mul(erf_rest(z), b), tiny ? exponent - 150 : 0), x);
    }
    const vec2 rest = erfc_of(vec2(a, 0.0), k);

    return with_sign(pair_round(pair_add(-pair_scale(rest, k), 1.0)), x);
}

// ---- Activations -----------------------------------------------------------

// 1 / (1 + e^-x) is a 2^k, for |x| <= 400.
vec2 sigmoid_of(vec2 x, out int k)
{
    const bool minus = x.x < 0.0;
    const Exponential e = exponential(minus ? x : -x);
    const vec2 power = one_and(e.p);
    const vec2 sum = e.k < -40 ? vec2(1.0, 0.0) : pair_add(pair_scale(power, e.k), 1.0);

    k = minus ? e.k : 0;
    return pair_div(minus ? power : vec2(1.0, 0.0), sum);
}

uint f32_sigmoid(uint x)
{
    int k;

    if (f32_nan(x))
        return QUIET;
    const vec2 y = sigmoid_of(vec2(clamp(number(x), -150.0, 150.0), 0.0), k);

    return pair_round(y, k);
}

// A finite number as a pair of normal floats and a power of two.
float normal_of(uint x, out int k)
{
    uint significand;

    k = 0;
    if (x << 1 == 0)
        return 0.0;
    k = f32_split(x & 0x7fffffffu, significand) - 150;
    return int(x) < 0 ? -float(significand) : float(significand);
}

// x times a pair times 2^k, rounded once.
uint scaled_by(uint x, vec2 y, int k)
{
    int own;
    const float significand = normal_of(x, own);

    if (significand == 0.0)
        return x & 0x80000000u;
    return pair_round(pair_mul(y, significand), own + k);
}

// x / (1 + e^-(alpha x)), the formula's NaN at an infinity times 0.
uint f32_swish(uint x, uint alpha)
{
    int k;
    const uint inner = f32_mul(x, alpha);

    if (f32_nan(inner) || (x & 0x7fffffffu) > INFINITE)
        return QUIET;
    if ((x & 0x7fffffffu) == INFINITE)
        return int(inner) < 0 ? QUIET : x;
    if (abs(number(inner)) > 200.0)
        return int(inner) < 0 ? x & 0x80000000u : x;
    const vec2 y = sigmoid_of(exact_product(number(x), number(alpha)), k);

    return scaled_by(x, y, k);
}

uint f32_swiglu(uint x, uint b, uint alpha)
{
    int k, own, other;
    const uint inner = f32_mul(x, alpha);

    if (f32_nan(inner) || f32_nan(b) || (x & 0x7fffffffu) >= INFINITE ||
        abs(number(inner)) > 400.0)
        return f32_mul(f32_swish(x, alpha), b);
    if ((b & 0x7fffffffu) == INFINITE)
        return x << 1 == 0 ? QUIET : b ^ (x & 0x80000000u);
    const vec2 y = sigmoid_of(exact_product(number(x), number(alpha)), k);
    const float p = normal_of(x, own), q = normal_of(b, other);

    if (p == 0.0 || q == 0.0)
        return (x ^ b) & 0x80000000u;
    return pair_round(pair_mul(pair_mul(y, p), q), own + other + k);
}

// x tanh(log(1 + e^x)) = x n / (n + 2), n = e^x (e^x + 2)
uint f32_mish(uint x)
{
    if (f32_nan(x) || x == (INFINITE | 0x80000000u))
        return QUIET;
    if (number(x) > 30.0)
        return x;
    const Exponential e = exponential(vec2(max(number(x), -200.0), 0.0));
    const vec2 power = one_and(e.p);

    if (e.k < -40) // x e^x
        return scaled_by(x, power, e.k);
    const vec2 p = pair_scale(power, e.k);
    const vec2 two = pair_add(p, 2.0);
    const vec2 n = pair_mul(p, two);

    return scaled_by(x, pair_div(pair_mul(power, two), pair_add(n, 2.0)), e.k);
}

// max(x, 0) + log(1 + e^-|x|)
uint f32_softplus(uint x)
{
    const float a = number(x);

    if (f32_nan(x))
        return QUIET;
    if (a > 40.0)
        return x;
    const Exponential e = exponential(vec2(max(-abs(a), -200.0), 0.0));
    const vec2 power = one_and(e.p);

    if (e.k < -40)
        return a > 0.0 ? x : pair_round(power, e.k);
    const vec2 y = log1p_of(pair_scale(power, e.k));

    return pair_round(a > 0.0 ? pair_add(y, a) : y);
}

// scale (e^x - 1)
uint expm1_times(vec2 x, vec2 scale)
{
    if (x.x < -80.0)
        return pair_round(-scale);
    if (x.x < 40.0)
        return pair_round(pair_mul(expm1_of(x), scale));
    const Exponential e = exponential(vec2(min(x.x, 200.0), x.x > 200.0 ? 0.0 : x.y));

    return pair_round(pair_mul(one_and(e.p), scale), e.k);
}

// x scale (e^x - 1) / x of a tiny x
uint tiny_expm1_times(uint x, float inner, vec2 scale)
{
    return scaled_by(x, pair_mul(scale, vec2(1.0, 0.5 * inner)), 0);
}

uint f32_elu(uint x, uint alpha)
{
    const vec2 scale = vec2(number(alpha), 0.0);

    if (!f32_negative(x))
        return x;
    return is_tiny(x) ? tiny_expm1_times(x, number(x), scale)
                      : expm1_times(vec2(number(x), 0.0), scale);
}

uint f32_selu(uint x, uint alpha, uint gamma)
{
    const vec2 scale = exact_product(number(alpha), number(gamma));

    if (!f32_negative(x))
        return f32_mul(gamma, x);
    return is_tiny(x) ? tiny_expm1_times(x, number(x), scale)
                      : expm1_times(vec2(number(x), 0.0), scale);
}

// max(x, 0) + min(alpha (e^(x / alpha) - 1), 0): the latter has the sign of x, whatever alpha's.
uint f32_celu(uint x, uint alpha)
{
    const uint inner = f32_div(x, alpha);

    if (f32_nan(x) || f32_nan(inner) || (alpha << 1 == 0 && !f32_negative(x)))
        return QUIET;
    if (!f32_negative(x) || alpha << 1 == 0)
        return int(x) < 0 ? 0 : x;
    if (is_tiny(inner))
        return tiny_expm1_times(x, number(inner), vec2(1.0, 0.0));
    const float a = number(alpha);

    return expm1_times(abs(number(inner)) > 200.0 ? vec2(number(inner), 0.0)
                                                  : pair_div(vec2(number(x), 0.0), vec2(a, 0.0)),
                       vec2(a, 0.0));
}

// x / 2 erfc(-x / sqrt(2))
uint f32_gelu(uint x)
{
    int k;

    if (f32_nan(x) || x == (INFINITE | 0x80000000u))
        return QUIET;
    const float a = number(x);

    if (a > 6.0)
        return x;
    if (a < -15.0)
        return 0x80000000u;
    if (is_tiny(x)) // x (1 + x sqrt(2 / pi)) / 2
        return scaled_by(x, vec2(1.0, a * 0.7978846), -1);
    const vec2 y = pair_mul(vec2(0.7071067690849304, 1.2101617485882343e-08), abs(a));
    const vec2 rest = erfc_of(y, k);

    if (a < 0.0)
        return scaled_by(x, rest, k - 1);
    return scaled_by(x, pair_add(-pair_scale(rest, k), 2.0), -1);
}

// x / (1 + e^(-2 u)), u = sqrt(2 / pi) (x + 0.044715 x^3)
uint f32_gelu_tanh(uint x)
{
    int k;

    if (f32_nan(x) || x == (INFINITE | 0x80000000u))
        return QUIET;
    const float a = number(x);

    if (a > 12.0)
        return x;
    if (a < -12.0)
        return 0x80000000u;
    if (is_tiny(x))
        return scaled_by(x, vec2(1.0, a * 0.7978846), -1);
    const vec2 square = exact_product(a, a);
    const vec2 inner = pair_add(pair_mul(square, vec2(0.044714998453855515, 1.5461444347053543e-09)), 1.0);
    const vec2 u = pair_mul(pair_mul(inner, a), vec2(0.7978845834732056, -2.2670340271702116e-08));
    const vec2 y = sigmoid_of(u * 2.0, k);

    return scaled_by(x, y, k);
}
