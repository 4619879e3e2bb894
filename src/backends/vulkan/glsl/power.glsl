// power.glsl - powers: of integers exactly, of float32 in pairs of floats
//
// SPDX-License-Identifier: Apache-2.0

// ---- Integer powers of integers --------------------------------------------

uint u32_power(uint base, uvec2 n)
{
    uint y = 1;

    while ((n.x | n.y) != 0) {
        if ((n.x & 1) != 0)
            y *= base;
        base *= base;
        n = u64_right(n, 1);
    }
    return y;
}

uvec2 u64_power(uvec2 base, uvec2 n)
{
    uvec2 y = uvec2(1, 0);

    while ((n.x | n.y) != 0) {
        if ((n.x & 1) != 0)
            y = u64_mul(y, base);
        base = u64_mul(base, base);
        n = u64_right(n, 1);
    }
    return y;
}

// A negative power is 1 / x^n, truncated; there is none of 0.
uvec2 i64_pow(uvec2 base, uvec2 n, bool minus)
{
    const bool minus_one = base == uvec2(0xffffffffu);

    if (!minus)
        return u64_power(base, n);
    failed_here = failed_here || (base.x | base.y) == 0;
    if (minus_one)
        return (n.x & 1) != 0 ? base : uvec2(1, 0);
    return base == uvec2(1, 0) ? base : uvec2(0);
}

uint i32_pow(uint base, uvec2 n, bool minus)
{
    return minus ? i64_pow(uvec2(base, uint(int(base) >> 31)), n, true).x : u32_power(base, n);
}

// ---- What an exponent is ---------------------------------------------------

// Of any type: two floats, cut where nothing depends on it; a float64's or integer's own bits.
struct Exponent {
    vec2 near;
    bool nan, infinite, whole, odd;
};

// Whether a float64 is whole, and odd.
void parity_of(uvec2 y, out bool whole, out bool odd)
{
    const int exponent = int(y.y >> 20 & 0x7ff) - 1023;
    uvec2 significand;

    whole = f64_zero(y) || exponent >= 52;
    odd = false;
    if (exponent < 0 || exponent > 52)
        return;
    f64_split(y, significand);
    const uvec2 unit = u64_left(uvec2(1, 0), uint(52 - exponent));

    whole = (significand & u64_sub(unit, uvec2(1, 0))) == uvec2(0);
    odd = whole && (significand & unit) != uvec2(0);
}

Exponent exponent_of_f64(uvec2 y)
{
    Exponent e;
    const uvec2 magnitude = f64_magnitude(y);
    const bool large = magnitude.y >= 0x46000000u; // 2^97
    const uint near = large || magnitude.y < 0x38800000u ? 0 : f64_to_f32(y);

    e.nan = f64_nan(y);
    e.infinite = f64_infinite(y);
    parity_of(y, e.whole, e.odd);
    e.near = vec2(uintBitsToFloat(near), 0.0);
    if (near != 0)
        e.near.y = uintBitsToFloat(f64_to_f32(f64_sub(y, f32_to_f64(near))));
    if (large)
        e.near.x = int(y.y) < 0 ? -1.0e29 : 1.0e29;
    else if (near == 0 && !f64_zero(y))
        e.near.x = int(y.y) < 0 ? -1.0e-30 : 1.0e-30;
    return e;
}

Exponent exponent_of_f32(uint y)
{
    const uint magnitude = y & 0x7fffffffu;
    const int exponent = int(magnitude >> 23) - 127;
    const uint unit = 0x800000u >> clamp(exponent, 0, 23);
    const uint significand = (y & 0x7fffffu) | 0x800000u;
    Exponent e;

    // Beyond 1e29 and below 1e-30 nothing changes.
    e.near = vec2(clamp(uintBitsToFloat(y), -1.0e29, 1.0e29), 0.0);
    if (exponent < -99 && magnitude != 0)
        e.near.x = int(y) < 0 ? -1.0e-30 : 1.0e-30;
    e.nan = magnitude > INFINITE;
    e.infinite = magnitude == INFINITE;
    e.whole = magnitude == 0 || (exponent >= 0 && (significand & (unit - 1)) == 0);
    e.odd = e.whole && exponent >= 0 && exponent <= 23 && (significand & unit) != 0;
    return e;
}

Exponent exponent_of_u64(uvec2 y)
{
    const uint near = f32_of_magnitude(0, y, true) & 0xffffff00u;
    const uvec2 rest = u64_sub(y, f64_low_bits(f32_to_f64(near)));

    return Exponent(vec2(uintBitsToFloat(near), uintBitsToFloat(f32_of_magnitude(0, rest, false))),
                    false, false, true, (y.x & 1) != 0);
}

Exponent exponent_of_i64(uvec2 y)
{
    Exponent e = exponent_of_u64(i64_abs(y));

    if (int(y.y) < 0)
        e.near = -e.near;
    return e;
}

Exponent exponent_of_u32(uint y)
{
    return exponent_of_u64(uvec2(y, 0));
}

Exponent exponent_of_i32(uint y)
{
    return exponent_of_i64(i32_to_pair(y));
}

// ---- A power of a float32 --------------------------------------------------

// log(x) of a number above 0, to some 35 bits: 2 s + s^3 (2 / 3 + z q), where z q need not be a pair,
// for it is below 1/50 of 2 / 3, and the cube below 1/100 of the whole.
vec2 fine_log(uint x)
{
    float k;
    const float m = split_octave(x, k);
    const vec2 f = vec2(m - 1.0, 0.0);
    const vec2 s = pair_div(f, exact_sum(m, 1.0));
    const vec2 square = pair_mul(s, s);
    const float z = square.x;
    float q = 2.0 / 13.0;

    q = mul_add(q, z, 2.0 / 11.0);
    q = mul_add(q, z, 2.0 / 9.0);
    q = mul_add(q, z, 2.0 / 7.0);
    q = mul_add(q, z, 2.0 / 5.0);
    precise float tail = z * q;
    const vec2 p = pair_add(vec2(0.6666666865348816, -1.9868215517249155e-08), tail);
    const vec2 y = pair_add(s * 2.0, pair_mul(pair_mul(s, square), p));
    precise float high = k * 0.693115234375;
    precise float low = k * 3.194436430931091e-05;
    const vec2 octaves = exact_sum(high, low);

    return pair_add(pair_add(octaves, k * 1.820635975313678e-09), y);
}

// The special values are those of C's pow.
uint f32_pow(uint x, Exponent y)
{
    const uint size = x & 0x7fffffffu;
    const bool down = y.near.x < 0.0;
    const uint sign = int(x) < 0 && y.odd ? 0x80000000u : 0;

    if (x == 0x3f800000u || (!y.nan && !y.infinite && y.near.x == 0.0))
        return 0x3f800000u;
    if (y.nan || f32_nan(x))
        return QUIET;
    if (y.infinite)
        return size == 0x3f800000u ? size : (size > 0x3f800000u) == down ? 0 : INFINITE;
    if (size == 0 || size == INFINITE)
        return sign | ((size == 0) == down ? INFINITE : 0);
    if (int(x) < 0 && !y.whole)
        return QUIET;
    const vec2 log = pair_mul(fine_log(size), y.near);

    if (abs(log.x) > 200.0)
        return sign | (log.x > 0.0 ? INFINITE : 0);
    const Exponential e = quick_exponential(log);

    return sign | pair_round(one_and(e.p), e.k);
}

#if defined(FUSES) && !defined(SOFT_F32)
// log(x) of a positive, normal x, to some 32 bits: with s = f / (2 + f) of 1 + f = m it is k ln 2 +
// 2 s + 2 s^3 (1 / 3 + z q).  Each low part is what rounding took from the high one before it.
vec2 quick_log(uint x)
{
    const int k = int(x - 0x3f3504f3u) >> 23; // m is from sqrt(1/2) to sqrt(2)
    const float octaves = float(k);
    const float m = uintBitsToFloat(x - (uint(k) << 23));
    precise float f = m - 1.0;
    precise float inverse = 1.0 / (m + 1.0);
    precise float s = f * inverse;
    precise float s_low = fma(-s, f, fma(s, -2.0, f)) * inverse;
    precise float z = s * s;
    precise float z_low = fma(s, s, -z) + 2.0 * s * s_low;
    precise float rest = z * fma(fma(0.115241162, z, 0.142811181), z, 0.200000075);
    precise float p = 0.33333334 + rest;
    precise float p_low = (0.33333334 - p) + rest;
    precise float cube = z * s;
    precise float cube_low = fma(z, s, -cube) + fma(z, s_low, z_low * s);
    precise float tail = cube * p;
    precise float tail_low = fma(cube, p, -tail) + fma(cube, p_low, cube_low * p);
    precise float half_log = s + tail;
    precise float half_low = ((s - half_log) + tail) + (s_low + tail_low);
    precise float whole = octaves * 0.693115234375;
    precise float log = fma(2.0, half_log, whole);
    precise float log_low = fma(2.0, half_log, whole - log) +
                            fma(2.0, half_low, octaves * 3.19461849453e-05);

    return vec2(log, log_low);
}

// x^y where x is positive and normal and the result is neither large nor small: off by up to 1.1 units
// in the last place, and so at most one from what is right.
bool quick_power(uint x, float y, out uint power)
{
    const vec2 log = quick_log(x);
    precise float w = log.x * y;
    precise float w_low = fma(log.y, y, fma(log.x, y, -w));
    const float k = floor(fma(w, 1.4426950, 0.5));
    precise float r = fma(k, -0.693115234375, w);
    precise float r_low = fma(k, -3.19461849453e-05, w_low);
    precise float near = r + r_low;
    precise float rest = (r - near) + r_low + exponential_rest(near);
    precise float result = 1.0 + (near + rest);

    power = floatBitsToUint(result) + (uint(int(k)) << 23);
    return x - 0x800000u < 0x7f000000u && abs(w) < 87.0;
}

uint f32_pow_f32(uint x, uint y)
{
    uint power;

    if (quick_power(x, uintBitsToFloat(y), power))
        return power;
    return f32_pow(x, exponent_of_f32(y));
}
#else
uint f32_pow_f32(uint x, uint y)
{
    return f32_pow(x, exponent_of_f32(y));
}
#endif
