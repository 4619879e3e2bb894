// math.glsl - exponentials and logarithms of float32, in pairs of floats
//
// SPDX-License-Identifier: Apache-2.0
//
// Each is rounded nearly once: within 0.8 of a unit in the last place.  Formulas count as a whole.

float number(uint x)
{
    return uintBitsToFloat(x);
}

uint with_sign(uint magnitude, uint of)
{
    return (magnitude & 0x7fffffffu) | (of & 0x80000000u);
}

// ---- Exponentials ----------------------------------------------------------

// e^x = 2^k (1 + p), |p| < 0.42, p relatively precise.  ln 2 is in three parts, the first two so short
// that products with k are exact.
struct Exponential {
    vec2 p;
    int k;
};

Exponential exponential(vec2 x)
{
    const float k = floor(clamp(x.x, -400.0, 400.0) * 1.4426950 + 0.5);
    precise float near = x.x - k * 0.693115234375;
    precise float middle = k * -3.194436430931091e-05;
    const vec2 high = exact_sum(near, middle);
    precise float low = high.y + (x.y - k * 1.820635975313678e-09);
    const vec2 r = ordered_sum(high.x, low);
    precise float tail = 1.0 / 40320.0;

    tail = tail * r.x + 1.0 / 5040.0;
    tail = tail * r.x + 1.0 / 720.0;
    tail = tail * r.x + 1.0 / 120.0;
    tail = tail * r.x + 1.0 / 24.0;
    tail = tail * r.x + 1.0 / 6.0;
    const vec2 square = pair_mul(r, r) * 0.5;
    precise float cube = 2.0 * square.x * r.x * tail;

    return Exponential(pair_add(r, ordered_sum(square.x, square.y + cube)), int(k));
}

vec2 one_and(vec2 p)
{
    const vec2 high = ordered_sum(1.0, p.x);

    return ordered_sum(high.x, high.y + p.y);
}

// e^x - 1, for |x| < 80; relatively precise.
vec2 expm1_of(vec2 x)
{
    const Exponential e = exponential(x);

    if (e.k == 0)
        return e.p;
    return pair_add(pair_scale(one_and(e.p), e.k), -1.0);
}

// e^r - 1 - r, |r| < 0.35: a polynomial that is off by up to 2^-26.9.
float exponential_rest(float r)
{
    float tail = 0.0013926376;

    tail = mul_add(tail, r, 0.00836333308);
    tail = mul_add(tail, r, 0.0416665535);
    tail = mul_add(tail, r, 0.166665761);
    tail = mul_add(tail, r, 0.5);
    precise float rest = r * r * tail;

    return rest;
}

// The same as exponential() in floats: 2^k p is off by up to 2^-25 2^k, and if k is 0 p by up to 2^-25
// of itself.
Exponential quick_exponential(float x)
{
    const float k = floor(mul_add(x, 1.4426950, 0.5));
    const float near = mul_add(-k, 0.693115234375, x);
    const float r = mul_add(-k, 3.19461849453e-05, near);

    return Exponential(ordered_sum(r, exponential_rest(r)), int(k));
}

// Of a pair of up to 200 in size: p is off by up to 2^-26.
Exponential quick_exponential(vec2 x)
{
    const float k = floor(mul_add(x.x, 1.4426950, 0.5));
    const float near = mul_add(-k, 0.693115234375, x.x);
    precise float middle = k * -3.19461849453e-05;
    const vec2 high = exact_sum(near, middle);
    precise float low = high.y + x.y;
    const vec2 r = ordered_sum(high.x, low);
    precise float rest = r.y + exponential_rest(r.x);

    return Exponential(ordered_sum(r.x, rest), int(k));
}

uint f32_exp(uint x)
{
    if (f32_nan(x))
        return QUIET;
    const Exponential e = quick_exponential(clamp(number(x), -200.0, 200.0));

    return pair_round(one_and(e.p), e.k);
}

// A tiny x is the result of the functions that begin with it.
bool is_tiny(uint x)
{
    return (x & 0x7fffffffu) < 0x39000000u;
}

uint f32_sinh(uint x)
{
    if (f32_nan(x) || is_tiny(x))
        return x;
    const Exponential e = exponential(vec2(min(abs(number(x)), 100.0), 0.0));
    const vec2 p = one_and(e.p);

    if (e.k > 20)
        return with_sign(pair_round(p, e.k - 1), x);
    // Over one denominator nothing cancels: ((2^k p)^2 - 1) / (2^k p) / 2.
    const vec2 m = e.k == 0 ? e.p : pair_add(pair_scale(p, e.k), -1.0);
    const vec2 n = pair_add(m, 1.0);

    return with_sign(pair_round(pair_add(m, pair_div(m, n)), -1), x);
}

uint f32_cosh(uint x)
{
    if (f32_nan(x))
        return QUIET;
    const Exponential e = exponential(vec2(min(abs(number(x)), 100.0), 0.0));
    const vec2 p = one_and(e.p);

    if (e.k > 20)
        return pair_round(p, e.k - 1);
    const vec2 n = pair_scale(p, e.k);

    return pair_round(pair_add(n, pair_div(vec2(1.0, 0.0), n)), -1);
}

// 1 / y, off by little more than half a unit in the last place.
float inverse_of(float y)
{
    precise float guess = 1.0 / y;
#ifdef FUSES
    precise float rest = fma(-y, guess, 1.0);
#else
    const vec2 back = exact_product(y, guess);
    precise float rest = (1.0 - back.x) - back.y;
#endif

    return mul_add(rest, guess, guess);
}

// Below 0.55 a minimax polynomial; from there 1 - 2 / (e^(2 |x|) + 1), the sum of which is rounded
// once.  Off by up to 1.3 units in the last place, and so at most one from what is right.
uint f32_tanh(uint x)
{
    const float a = abs(number(x));
    const float z = a * a;
    float tail = -0.00661022784;

    tail = mul_add(tail, z, 0.0213093887);
    tail = mul_add(tail, z, -0.0539094288);
    tail = mul_add(tail, z, 0.133331137);
    tail = mul_add(tail, z, -0.33333332);
    const float small = mul_add(tail, z * a, a);
    const float twice = 2.0 * min(a, 10.0);
    const float k = floor(mul_add(twice, 1.4426950, 0.5));
    const float r = mul_add(-k, 3.19461849453e-05, mul_add(-k, 0.693115234375, twice));
    precise float p = r + exponential_rest(r);
    const float unit = power_of_two(int(k));
    const float large = mul_add(-2.0, inverse_of(mul_add(unit, p, unit + 1.0)), 1.0);

    // What is tiny is returned, and so is NaN.
    return (x & 0x7fffffffu) - 0x39000000u > INFINITE - 0x39000000u
               ? x
               : with_sign(floatBitsToUint(a < 0.55 ? small : large), x);
}

// ---- Logarithms ------------------------------------------------------------

// log(1 + f) + k ln 2, for 1 + f from sqrt(1/2) to sqrt(2).
vec2 log_of(vec2 f, float k)
{
    const vec2 s = pair_div(f, pair_add(f, 2.0));
    const float z = s.x * s.x;
    precise float q = 2.0 / 13.0;

    q = q * z + 2.0 / 11.0;
    q = q * z + 2.0 / 9.0;
    q = q * z + 2.0 / 7.0;
    q = q * z + 2.0 / 5.0;
    q = q * z + 2.0 / 3.0;
    const vec2 y = ordered_sum(2.0 * s.x, 2.0 * s.y + s.x * z * q);

    if (k == 0.0)
        return y;
    precise float high = k * 0.693115234375;
    precise float low = k * 3.194436430931091e-05;
    const vec2 octaves = exact_sum(high, low);

    return pair_add(vec2(octaves.x, octaves.y + k * 1.820635975313678e-09), y);
}

// x = m 2^k, with m from sqrt(1/2) to sqrt(2); of a subnormal number, too.
float split_octave(uint x, out float k)
{
    uint significand;
    int exponent = f32_split(x, significand) - 127;
    uint m = (significand & 0x7fffffu) | 0x3f800000u;

    if (m > 0x3fb504f3u) {
        m -= 0x800000u;
        exponent++;
    }
    k = float(exponent);
    return uintBitsToFloat(m);
}

uint f32_log(uint x)
{
    float k;

    if (f32_nan(x) || (int(x) < 0 && x != 0x80000000u))
        return QUIET;
    if (x << 1 == 0)
        return INFINITE | 0x80000000u;
    if (x == INFINITE)
        return x;
    const float m = split_octave(x, k);

    return pair_round(log_of(vec2(m - 1.0, 0.0), k));
}

// log(1 + y) for 0 <= y < 1e30
vec2 log1p_of(vec2 y)
{
    float k;

    if (y.x < 0.4)
        return log_of(y, 0.0);
    const vec2 sum = pair_add(y, 1.0);
    const float m = split_octave(floatBitsToUint(sum.x), k);

    return log_of(pair_add(vec2(m, sum.y * power_of_two(-int(k))), -1.0), k);
}

uint f32_asinh(uint x)
{
    const float a = abs(number(x));

    if (f32_nan(x) || is_tiny(x) || (x & 0x7fffffffu) == INFINITE)
        return x;
    if (a > 1.0e8) { // log(2 a)
        float k;
        const float m = split_octave(x & 0x7fffffffu, k);

        return with_sign(pair_round(log_of(vec2(m - 1.0, 0.0), k + 1.0)), x);
    }
    const vec2 square = exact_product(a, a);
    const vec2 root = pair_sqrt(pair_add(square, 1.0));

    return with_sign(pair_round(log1p_of(
                         pair_add(pair_div(square, pair_add(root, 1.0)), a))), x);
}

uint f32_acosh(uint x)
{
    const float a = number(x);

    if (f32_nan(x) || f32_less(x, 0x3f800000u) != 0)
        return QUIET;
    if (x == INFINITE || x == 0x3f800000u)
        return x == INFINITE ? x : 0;
    if (a > 1.0e8) {
        float k;
        const float m = split_octave(x, k);

        return pair_round(log_of(vec2(m - 1.0, 0.0), k + 1.0));
    }
    const vec2 t = exact_sum(a, -1.0);
    const vec2 root = pair_sqrt(pair_mul(t, pair_add(t, 2.0)));

    return pair_round(log1p_of(pair_add(t, root)));
}

// log((1 + a) / (1 - a)) / 2
uint f32_atanh(uint x)
{
    const float a = abs(number(x));

    if (f32_nan(x) || is_tiny(x))
        return x;
    if (a >= 1.0)
        return a == 1.0 ? with_sign(INFINITE, x) : QUIET;
    const vec2 rest = exact_sum(1.0, -a);

    return with_sign(pair_round(log1p_of(pair_div(vec2(2.0 * a, 0.0), rest)), -1), x);
}
