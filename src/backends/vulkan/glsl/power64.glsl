// power64.glsl - powers of float64, and of integers with a floating exponent
//
// SPDX-License-Identifier: Apache-2.0
//
// In unevaluated sums of two float64 numbers, the larger first: series with more than 100 bits, so
// that what is exact comes out exact.  Slow, and needed seldom.

struct Twin {
    uvec2 high, low;
};

Twin twin_ordered(uvec2 a, uvec2 b)
{
    const uvec2 sum = f64_add(a, b);

    return Twin(sum, f64_sub(b, f64_sub(sum, a)));
}

Twin twin_sum(uvec2 a, uvec2 b)
{
    const uvec2 sum = f64_add(a, b);
    const uvec2 part = f64_sub(sum, a);

    return Twin(sum, f64_add(f64_sub(a, f64_sub(sum, part)), f64_sub(b, part)));
}

// The upper 26 bits of a number.
uvec2 upper_half(uvec2 x)
{
    return uvec2(x.x & 0xf8000000u, x.y);
}

Twin twin_product(uvec2 a, uvec2 b)
{
    const uvec2 product = f64_mul(a, b);
    const uvec2 a_high = upper_half(a), b_high = upper_half(b);
    const uvec2 a_low = f64_sub(a, a_high), b_low = f64_sub(b, b_high);
    const uvec2 first = f64_sub(f64_mul(a_high, b_high), product);
    const uvec2 second = f64_add(first, f64_mul(a_high, b_low));
    const uvec2 third = f64_add(second, f64_mul(a_low, b_high));

    return Twin(product, f64_add(third, f64_mul(a_low, b_low)));
}

Twin twin_add(Twin a, Twin b)
{
    const Twin high = twin_sum(a.high, b.high);

    return twin_ordered(high.high, f64_add(high.low, f64_add(a.low, b.low)));
}

Twin twin_mul(Twin a, Twin b)
{
    const Twin high = twin_product(a.high, b.high);
    const uvec2 low = f64_add(f64_mul(a.high, b.low), f64_mul(a.low, b.high));

    return twin_ordered(high.high, f64_add(high.low, low));
}

Twin twin_neg(Twin a)
{
    return Twin(f64_neg(a.high), f64_neg(a.low));
}

Twin twin_div(Twin a, Twin b)
{
    const uvec2 q = f64_div(a.high, b.high);
    const Twin rest = twin_add(a, twin_neg(twin_mul(b, Twin(q, uvec2(0)))));

    return twin_ordered(q, f64_div(rest.high, b.high));
}

Twin twin_of(int n)
{
    return Twin(i64_to_f64(i32_to_pair(uint(n))), uvec2(0));
}

const Twin LN_2 = Twin(uvec2(0xfefa39efu, 0x3fe62e42u), uvec2(0x3b39803fu, 0x3c7abc9eu));

// log(x) of a number above 0
Twin twin_log(uvec2 x)
{
    uvec2 significand;
    int k = f64_split(x, significand) - 1023;
    uvec2 m = uvec2(significand.x, (significand.y & 0xfffffu) | 0x3ff00000u);

    if (m.y >= 0x3ff6a09eu) { // sqrt(2)
        m.y -= 0x100000u;
        k++;
    }
    const Twin s = twin_div(twin_sum(m, uvec2(0, 0xbff00000u)), twin_sum(m, D_ONE));
    const Twin z = twin_mul(s, s);
    Twin sum = twin_div(twin_of(2), twin_of(41));

    for (int n = 39; n > 0; n -= 2)
        sum = twin_add(twin_mul(sum, z), twin_div(twin_of(2), twin_of(n)));
    return twin_add(twin_mul(LN_2, twin_of(k)), twin_mul(sum, s));
}

// e^x for |x| < 800, rounded once.
uvec2 twin_exp(Twin x)
{
    const float turns = floor(uintBitsToFloat(f64_to_f32(x.high)) * 1.4426950 + 0.5);
    const int k = int(turns);
    const Twin r = twin_add(x, twin_neg(twin_mul(LN_2, twin_of(k))));
    Twin sum = twin_of(1);

    for (int n = 26; n > 0; n--)
        sum = twin_add(twin_mul(sum, twin_div(r, twin_of(n))), twin_of(1));
    // 53 bits and three more, of which the last stands for all below.
    uvec2 significand;
    const int exponent = f64_split(sum.high, significand);
    const uvec2 units = uvec2(0, uint(2101 - exponent) << 20); // 8 / (the last bit's value)
    const float lost = uintBitsToFloat(f64_to_f32(f64_mul(sum.low, units)));
    const float whole = floor(lost);
    uvec2 sig = u64_add(u64_left(significand, 3), i32_to_pair(uint(int(whole))));

    if (lost != whole)
        sig.x |= 1;
    return f64_pack_any(0, exponent + k, sig);
}

// An exponent of more bits: see struct Exponent.
uvec2 f64_power(uvec2 x, Exponent y, Twin value)
{
    const uvec2 size = f64_magnitude(x);
    const bool down = int(value.high.y) < 0;
    const uint sign = int(x.y) < 0 && y.odd ? 0x80000000u : 0;
    const bool above = u64_less(D_ONE, size) != 0;

    if (x == D_ONE || f64_zero(value.high))
        return D_ONE;
    if (y.nan || f64_nan(x))
        return D_QUIET;
    if (y.infinite)
        return size == D_ONE ? D_ONE : above == down ? uvec2(0) : D_INFINITE;
    if (f64_zero(x) || size == D_INFINITE)
        return uvec2(0, sign | (f64_zero(x) == down ? D_INFINITE.y : 0));
    if (int(x.y) < 0 && !y.whole)
        return D_QUIET;
    if ((value.high.y & 0x7fffffffu) >= 0x43f00000u) { // 2^64: no log is that small
        if (size == D_ONE)
            return uvec2(0, sign | D_ONE.y);
        return uvec2(0, sign | (above == down ? 0 : D_INFINITE.y));
    }
    if ((value.high.y & 0x7fffffffu) < 0x3b000000u) // 2^-79
        return uvec2(0, sign | D_ONE.y);
    const Twin log = twin_mul(twin_log(size), value);

    if ((log.high.y & 0x7fffffffu) >= 0x40890000u) // 800
        return uvec2(0, sign | (int(log.high.y) < 0 ? 0 : D_INFINITE.y));
    const uvec2 power = twin_exp(log);

    return uvec2(power.x, power.y | sign);
}

uvec2 f64_pow_f64(uvec2 x, uvec2 y)
{
    return f64_power(x, exponent_of_f64(y), Twin(y, uvec2(0)));
}

uvec2 f64_pow_u64(uvec2 x, uvec2 y)
{
    const uvec2 high = u64_to_f64(uvec2(y.x & 0xfffff800u, y.y));

    return f64_power(x, exponent_of_u64(y), twin_ordered(high, u64_to_f64(uvec2(y.x & 0x7ffu, 0))));
}

uvec2 f64_pow_i64(uvec2 x, uvec2 y)
{
    const uvec2 size = i64_abs(y);
    const Twin value = twin_ordered(u64_to_f64(uvec2(size.x & 0xfffff800u, size.y)),
                                    u64_to_f64(uvec2(size.x & 0x7ffu, 0)));

    return f64_power(x, exponent_of_i64(y), int(y.y) < 0 ? twin_neg(value) : value);
}

// C's pow(1, y) is 1 of a quiet NaN, and a NaN of one that signals.
bool f64_signals(uvec2 y)
{
    return f64_nan(y) && (y.y & 0x80000u) == 0;
}

// Truncated and saturated, as a float is that becomes an integer.
uint i32_pow_f64(uint base, uvec2 y)
{
    if (f64_signals(y))
        return 0;
    return f64_to_i64(f64_pow_f64(i64_to_f64(i32_to_pair(base)), y), 32).x;
}

uvec2 i64_pow_f64(uvec2 base, uvec2 y)
{
    if (f64_signals(y))
        return uvec2(0);
    return f64_to_i64(f64_pow_f64(i64_to_f64(base), y), 64);
}
