// cast.glsl - numbers of one kind as those of another
//
// SPDX-License-Identifier: Apache-2.0
//
// Integers alone, so that no mode of the device matters.  "Odd" means rounded to odd: cut, with the
// last bit set where something was lost; rounding that again to fewer bits is rounding once.

// ---- Integers of 32 bits and 64, and bool ----------------------------------

uvec2 i32_to_pair(uint x)
{
    return uvec2(x, uint(int(x) >> 31));
}

uvec2 u32_to_pair(uint x)
{
    return uvec2(x, 0);
}

uint low_word(uvec2 x)
{
    return x.x;
}

uint f32_to_bool(uint x)
{
    return x << 1 != 0 ? 1 : 0;
}

uint f64_to_bool(uvec2 x)
{
    return f64_zero(x) ? 0 : 1;
}

uint pair_to_bool(uvec2 x)
{
    return (x.x | x.y) != 0 ? 1 : 0;
}

// ---- Integers to floats ----------------------------------------------------

// The bits of a float32 of so much, to nearest or to odd.
uint f32_of_magnitude(uint sign, uvec2 x, bool odd)
{
    if ((x.x | x.y) == 0)
        return 0;
    const int top = u64_top(x);

    if (top <= 23)
        return sign | ((uint(top + 126) << 23) + (x.x << (23 - top)));
    const uvec2 cut = u64_right_odd(x, uint(top - 23));

    if (odd)
        return sign | ((uint(top + 126) << 23) + cut.x);
    if (top < 26)
        x = u64_left(x, uint(26 - top));
    const uint sig = top < 26 ? x.x : u64_right_odd(x, uint(top - 26)).x;

    return f32_pack(sign, top + 127, sig);
}

uvec2 f64_of_magnitude(uint sign, uvec2 x)
{
    if ((x.x | x.y) == 0)
        return uvec2(0);
    const int top = u64_top(x);

    return f64_pack(sign, top + 1023,
                    top <= 55 ? u64_left(x, uint(55 - top)) : u64_right_odd(x, uint(top - 55)));
}

uint i64_signbit(uvec2 x)
{
    return x.y & 0x80000000u;
}

uint u64_to_f32(uvec2 x)
{
    return f32_of_magnitude(0, x, false);
}

uint i64_to_f32(uvec2 x)
{
    return f32_of_magnitude(i64_signbit(x), i64_abs(x), false);
}

uint u64_to_f32_odd(uvec2 x)
{
    return f32_of_magnitude(0, x, true);
}

uint i64_to_f32_odd(uvec2 x)
{
    return f32_of_magnitude(i64_signbit(x), i64_abs(x), true);
}

uvec2 u64_to_f64(uvec2 x)
{
    return f64_of_magnitude(0, x);
}

uvec2 i64_to_f64(uvec2 x)
{
    return f64_of_magnitude(i64_signbit(x), i64_abs(x));
}

// ---- Floats to floats ------------------------------------------------------

uvec2 f32_to_f64(uint x)
{
    const uint sign = x & 0x80000000u;
    const uint magnitude = x & 0x7fffffffu;

    if (magnitude >= INFINITE)
        return magnitude > INFINITE ? D_QUIET : uvec2(0, sign | D_INFINITE.y);
    if (magnitude == 0)
        return uvec2(0, sign);
    uint significand;
    const int exponent = f32_split(magnitude, significand);

    return uvec2(significand << 29, sign | (uint(exponent + 895) << 20) + (significand >> 3));
}

// To 27 bits, the last of them for all below.
uint f64_to_f32_any(uvec2 x, bool odd)
{
    const uint sign = x.y & 0x80000000u;

    if (f64_nan(x))
        return QUIET;
    if (f64_infinite(x))
        return sign | INFINITE;
    if (f64_zero(x))
        return sign;
    uvec2 significand;
    const int exponent = f64_split(x, significand) - 896;

    if (!odd)
        return f32_pack(sign, exponent, u64_right_odd(significand, 26).x);
    if (exponent >= 255)
        return sign | 0x7f7fffffu;
    const uint by = exponent < 1 ? uint(min(1 - exponent, 30)) : 0;
    const uint cut = u64_right_odd(significand, 29 + by).x;

    return sign | ((by > 0 ? 0 : uint(exponent - 1) << 23) + cut);
}

uint f64_to_f32(uvec2 x)
{
    return f64_to_f32_any(x, false);
}

uint f64_to_f32_odd(uvec2 x)
{
    return f64_to_f32_any(x, true);
}

// ---- Floats to integers ----------------------------------------------------

// |x| without its fraction, modulo 2^64; 0 of an infinity or a NaN.
uvec2 f64_low_bits(uvec2 x)
{
    const int exponent = int(x.y >> 20 & 0x7ff) - 1023;
    uvec2 significand;

    if (exponent < 0 || exponent >= 1024)
        return uvec2(0);
    f64_split(x, significand);
    if (exponent < 52)
        return u64_right(significand, uint(52 - exponent));
    return exponent >= 116 ? uvec2(0) : u64_left(significand, uint(exponent - 52));
}

// Truncated; out of range the nearest, 0 of a NaN.  `bits` are those of the type.
uvec2 f64_to_u64(uvec2 x, uint bits)
{
    const uvec2 most = u64_right(uvec2(0xffffffffu), 64 - bits);

    if (f64_nan(x) || int(x.y) < 0)
        return uvec2(0);
    return (x.y >> 20) >= 1023 + bits ? most : u64_min(f64_low_bits(x), most);
}

uvec2 f64_to_i64(uvec2 x, uint bits)
{
    const uvec2 most = u64_right(uvec2(0xffffffffu), 65 - bits);
    const bool minus = int(x.y) < 0;

    if (f64_nan(x))
        return uvec2(0);
    if ((x.y >> 20 & 0x7ff) >= 1022 + bits)
        return minus ? u64_not(most) : most;
    const uvec2 magnitude = f64_low_bits(x);

    return minus ? u64_neg(magnitude) : magnitude;
}

// Truncated, then the low bits: what types of 4 bits and less hold.
uvec2 f64_to_bits(uvec2 x)
{
    const uvec2 magnitude = f64_low_bits(x);

    return int(x.y) < 0 ? u64_neg(magnitude) : magnitude;
}

// ---- Types of a byte and less ----------------------------------------------

// A float32 with so many bits of fraction and that bias, as if exponents had no upper end.
uint mini_code(uint magnitude, uint fraction_bits, uint bias)
{
    const uint exponent = magnitude >> 23;
    const uint least = 128 - bias;
    const uint significand = (magnitude & 0x7fffffu) | 0x800000u;
    const uint below = exponent < least ? least - exponent : 0;
    const uint by = 23 - fraction_bits + below;

    if (by > 25)
        return 0;
    const uint kept = significand >> by;
    const uint lost = significand & ((1u << by) - 1);
    const uint half_way = 1u << (by - 1);
    const uint near = kept + (lost > half_way || (lost == half_way && (kept & 1) != 0) ? 1 : 0);

    return below > 0 ? near : near + ((exponent - least) << fraction_bits);
}

// With codes for the largest number, for what is beyond it, and for NaN.
uint mini_narrow(uint x, uint fraction_bits, uint bias, uint largest, uint beyond, uint nan)
{
    const uint magnitude = x & 0x7fffffffu;
    const uint sign = x >> 24 & 0x80u;

    if (magnitude > INFINITE)
        return nan;
    const uint code = magnitude == INFINITE ? 0xffffu : mini_code(magnitude, fraction_bits, bias);

    if (code > largest)
        return beyond >= 0x80u ? beyond : sign | beyond;
    return code == 0 && nan == 0x80u ? 0 : sign | code;
}

uint f8e4m3fn_narrow(uint x, bool saturate)
{
    return mini_narrow(x, 3, 7, 0x7eu, saturate ? 0x7eu : 0x7fu, 0x7fu);
}

uint f8e4m3fnuz_narrow(uint x, bool saturate)
{
    return mini_narrow(x, 3, 8, 0x7fu, saturate ? 0x7fu : 0x80u, 0x80u);
}

uint f8e5m2_narrow(uint x, bool saturate)
{
    return mini_narrow(x, 2, 15, 0x7bu, saturate ? 0x7bu : 0x7cu, 0x7eu);
}

uint f8e5m2fnuz_narrow(uint x, bool saturate)
{
    return mini_narrow(x, 2, 16, 0x7fu, saturate ? 0x7fu : 0x80u, 0x80u);
}

// The sign is bit 3; -0 of a NaN.
uint f4e2m1_narrow(uint x)
{
    const uint magnitude = x & 0x7fffffffu;

    if (magnitude > INFINITE)
        return 8;
    return (x >> 28 & 8) | (magnitude == INFINITE ? 7 : min(mini_code(magnitude, 1, 1), 7));
}

// A power of two: `round` is 0 up, 1 down, 2 to nearest with ties up.
uint f8e8m0_narrow(uvec2 x, bool saturate, uint round)
{
    const uvec2 magnitude = f64_magnitude(x);
    const bool up = round == 0 ? (magnitude.x | (magnitude.y & 0xfffffu)) != 0
                               : round == 2 && (magnitude.y & 0x80000u) != 0;
    const int code = int(magnitude.y >> 20) + (up ? 1 : 0) - 896;

    if (f64_nan(x))
        return 0xffu;
    if (code < 0)
        return saturate ? 0 : 0xffu;
    return code > 254 ? (saturate ? 254u : 0xffu) : uint(code);
}

// The low bits of an integer as one of 4 or 2, which lies in a byte.
uint i4_narrow(uint x)
{
    return ((x & 15) ^ 8) - 8 & 0xffu;
}

uint u4_narrow(uint x)
{
    return x & 15;
}

uint i2_narrow(uint x)
{
    return ((x & 3) ^ 2) - 2 & 0xffu;
}

uint u2_narrow(uint x)
{
    return x & 3;
}

// ---- Shrink of integers is computed in float64 -----------------------------

// `width` is that of the type, within which the result is kept.
uvec2 i64_shrink(uvec2 x, uvec2 lambd, uvec2 bias, uint width)
{
    return f64_to_i64(f64_shrink(i64_to_f64(x), lambd, bias), width);
}

uvec2 u64_shrink(uvec2 x, uvec2 lambd, uvec2 bias, uint width)
{
    return f64_to_u64(f64_shrink(u64_to_f64(x), lambd, bias), width);
}

uint i32_shrink(uint x, uvec2 lambd, uvec2 bias, uint width)
{
    return i64_shrink(i32_to_pair(x), lambd, bias, width).x;
}

uint u32_shrink(uint x, uvec2 lambd, uvec2 bias, uint width)
{
    return u64_shrink(u32_to_pair(x), lambd, bias, width).x;
}
