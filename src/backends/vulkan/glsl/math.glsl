// math.glsl - transcendental functions of float32, in pairs of floats
//
// SPDX-License-Identifier: Apache-2.0
//
// Each is rounded nearly once: within 0.8 of a unit in the last place.  Formulas count as a whole.
// The polynomials of arc tangent, erf and erfc are those of src/kernels/polynomials.h.

float number(uint x)
{
    return uintBitsToFloat(x);
}

uint with_sign(uint magnitude, uint of)
{
    return (magnitude & 0x7fffffffu) | (of & 0x80000000u);
}

// (atan(s) / s - 1) / z of z = s^2, s from 0 to tan(pi / 8).
float atan_rest(float z)
{
    precise float y = 0.032956795;

    y = y * z + -0.060273075;
    y = y * z + 0.076048;
    y = y * z + -0.09084102;
    y = y * z + 0.1111082;
    y = y * z + -0.14285708;
    y = y * z + 0.2;
    y = y * z + -0.33333333;
    return y;
}

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

uint f32_exp(uint x)
{
    if (f32_nan(x))
        return QUIET;
    const Exponential e = exponential(vec2(clamp(number(x), -200.0, 200.0), 0.0));

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

uint f32_tanh(uint x)
{
    if (f32_nan(x) || is_tiny(x))
        return x;
    const vec2 m = expm1_of(vec2(2.0 * min(abs(number(x)), 12.0), 0.0));

    return with_sign(pair_round(pair_div(m, pair_add(m, 2.0))), x);
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

// ---- Circles ---------------------------------------------------------------

// The bits of 2 / pi behind 32 zeros.
const uint TWO_BY_PI[9] = uint[9](0u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u,
                                  0xdb629599u, 0x3c439041u, 0xfe5163abu, 0xdebbc561u);

uint bits_of_two_by_pi(uint at)
{
    const uint word = at >> 5, by = at & 31;

    return by == 0 ? TWO_BY_PI[word]
                   : TWO_BY_PI[word] << by | TWO_BY_PI[word + 1] >> (32 - by);
}

// x less a number of quarter turns: at most pi / 4 in size.  Those bits of 2 / pi that tell whole
// turns do not count, nor those that are too small (Payne and Hanek, 1983).  For a |x| from 1/2.
vec2 less_quarters(uint x, out uint quarters)
{
    const uint exponent = x >> 23 & 0xff;
    const uint significand = (x & 0x7fffffu) | 0x800000u;
    const uint at = exponent - 120; // the first of 96 bits that counts: 2^2 of the product's
    uint high, low, more, unused;

    // The product with 96 bits, modulo 2^96: two bits for quarters, the rest for a fraction.
    umulExtended(significand, bits_of_two_by_pi(at + 32), high, low);
    uint first = significand * bits_of_two_by_pi(at) + high;
    uint second = low;

    umulExtended(significand, bits_of_two_by_pi(at + 64), more, unused);
    second += more;
    first += second < more ? 1 : 0;
    quarters = first >> 30;
    uvec2 fraction = uvec2(second << 2 | unused >> 30, first << 2 | second >> 30);
    const bool minus = fraction.y >> 31 != 0;

    if (minus) {
        fraction = uvec2(~fraction.x, ~fraction.y);
        quarters++;
    }
    // Two floats of 24 bits, then times pi / 2.
    const int top = fraction.y != 0 ? findMSB(fraction.y) : findMSB(fraction.x | 1) - 32;
    const uint by = uint(31 - top);

    if (by >= 32)
        fraction = uvec2(0, fraction.x << (by - 32));
    else if (by > 0)
        fraction = uvec2(fraction.x << by, fraction.y << by | fraction.x >> (32 - by));
    const float upper = float(fraction.y >> 8);
    const float lower = float((fraction.y & 0xff) << 16 | fraction.x >> 16) * power_of_two(-24);
    const vec2 turn = ordered_sum(upper, lower) * power_of_two(-24 - int(by));
    vec2 r = pair_mul(turn, vec2(1.5707963705062866, -4.371138828673793e-08));

    if (minus)
        r = -r;
    if (int(x) < 0) {
        r = -r;
        quarters = 0 - quarters;
    }
    quarters &= 3;
    return r;
}

vec2 sin_of(vec2 r)
{
    const vec2 square = pair_mul(r, r);
    const float z = square.x;
    precise float q = -1.0 / 39916800.0;

    q = q * z + 1.0 / 362880.0;
    q = q * z - 1.0 / 5040.0;
    q = q * z + 1.0 / 120.0;
    const vec2 inner = pair_add(vec2(-0.1666666716337204, 4.967053879312289e-09), q * z);

    return pair_add(r, pair_mul(pair_mul(square, r), inner));
}

vec2 cos_of(vec2 r)
{
    const vec2 square = pair_mul(r, r);
    const float z = square.x;
    precise float q = 1.0 / 479001600.0;

    q = q * z - 1.0 / 3628800.0;
    q = q * z + 1.0 / 40320.0;
    q = q * z - 1.0 / 720.0;
    q = q * z + 1.0 / 24.0;
    precise float tail = z * z * q;

    return pair_add(one_and(square * -0.5), tail);
}

// What is less than 1/2 is not reduced.
vec2 reduced(uint x, out uint quarters)
{
    quarters = 0;
    return (x & 0x7fffffffu) < 0x3f000000u ? vec2(number(x), 0.0) : less_quarters(x, quarters);
}

uint f32_sin(uint x)
{
    uint quarters;

    if ((x & 0x7fffffffu) >= INFINITE)
        return QUIET;
    if (is_tiny(x))
        return x;
    const vec2 r = reduced(x, quarters);
    const vec2 y = (quarters & 1) != 0 ? cos_of(r) : sin_of(r);

    return pair_round((quarters & 2) != 0 ? -y : y);
}

uint f32_cos(uint x)
{
    uint quarters;

    if ((x & 0x7fffffffu) >= INFINITE)
        return QUIET;
    if (is_tiny(x))
        return 0x3f800000u;
    const vec2 r = reduced(x, quarters);
    const vec2 y = (quarters & 1) != 0 ? sin_of(r) : cos_of(r);

    return pair_round(quarters == 1 || quarters == 2 ? -y : y);
}

uint f32_tan(uint x)
{
    uint quarters;

    if ((x & 0x7fffffffu) >= INFINITE)
        return QUIET;
    if (is_tiny(x))
        return x;
    const vec2 r = reduced(x, quarters);
    const vec2 s = sin_of(r), c = cos_of(r);

    return pair_round((quarters & 1) != 0 ? pair_div(-c, s) : pair_div(s, c));
}

// ---- Their inverses --------------------------------------------------------

// The angle of a / b, both 0 or more: turned by 0, 45 or 90 degrees.
vec2 angle_of(vec2 a, vec2 b)
{
    vec2 base = vec2(0.0), s;

    if (a.x > 2.4142135 * b.x) {
        base = vec2(1.5707963705062866, -4.371138828673793e-08);
        s = pair_div(-b, a);
    } else if (a.x > 0.41421356 * b.x) {
        base = vec2(0.7853981852531433, -2.1855694143368964e-08);
        s = pair_div(pair_add(a, -b), pair_add(a, b));
    } else {
        s = pair_div(a, b);
    }
    const float z = s.x * s.x;
    precise float tail = s.x * (z * atan_rest(z));

    return pair_add(base, ordered_sum(s.x, s.y + tail));
}

uint f32_atan(uint x)
{
    if (f32_nan(x) || is_tiny(x))
        return x;
    const float a = abs(number(x));

    if (a > 1.0e9) // pi / 2
        return with_sign(0x3fc90fdbu, x);
    return with_sign(pair_round(angle_of(vec2(a, 0.0), vec2(1.0, 0.0))), x);
}

// sqrt(1 - a^2)
vec2 other_leg(float a)
{
    const vec2 product = pair_mul(exact_sum(1.0, -a), exact_sum(1.0, a));

    return product.x > 0.0 ? pair_sqrt(product) : vec2(0.0);
}

uint f32_asin(uint x)
{
    const float a = abs(number(x));

    if (f32_nan(x) || a > 1.0)
        return QUIET;
    if (is_tiny(x))
        return x;
    return with_sign(pair_round(angle_of(vec2(a, 0.0), other_leg(a))), x);
}

uint f32_acos(uint x)
{
    const float a = abs(number(x));

    if (f32_nan(x) || a > 1.0)
        return QUIET;
    if (is_tiny(x))
        return pair_round(pair_add(vec2(1.5707963705062866, -4.371138828673793e-08), -number(x)));
    const vec2 angle = angle_of(other_leg(a), vec2(a, 0.0));

    if (int(x) >= 0)
        return pair_round(angle);
    return pair_round(pair_add(vec2(3.1415927410125732, -8.742277657347586e-08), -angle));
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
        return f32_negative(x) ? 0 : x;
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
