// f64.glsl - float64 as two words, the low one first
//
// SPDX-License-Identifier: Apache-2.0
//
// Sums and products by the device where it has float64, else by integers.  All else is integers.

const uvec2 D_QUIET = uvec2(0, 0x7ff80000u);
const uvec2 D_INFINITE = uvec2(0, 0x7ff00000u);
const uvec2 D_ONE = uvec2(0, 0x3ff00000u);

uvec2 f64_magnitude(uvec2 x)
{
    return uvec2(x.x, x.y & 0x7fffffffu);
}

bool f64_nan(uvec2 x)
{
    return u64_less(D_INFINITE, f64_magnitude(x)) != 0;
}

bool f64_zero(uvec2 x)
{
    return (x.x | x.y << 1) == 0;
}

bool f64_infinite(uvec2 x)
{
    return f64_magnitude(x) == D_INFINITE;
}

// The order of numbers as that of signed integers, -0 below +0.
uvec2 f64_key(uvec2 x)
{
    return int(x.y) < 0 ? uvec2(~x.x, x.y ^ 0x7fffffffu) : x;
}

// Rounded to nearest, ties to even: the number sig 2^(exponent - 1023 - 55), where the leading bit
// of `sig` is 55 or sig is 0, and its last bit stands for all below.
uvec2 f64_pack(uint sign, int exponent, uvec2 sig)
{
    if (exponent < 1) {
        sig = u64_right_odd(sig, uint(min(1 - exponent, 64)));
        exponent = 1;
    }
    if (exponent >= 2047)
        return uvec2(0, sign | D_INFINITE.y);
    const uint rest = sig.x & 7;
    uvec2 near = u64_right(sig, 3);

    if (rest > 4 || (rest == 4 && (sig.x & 8) != 0))
        near = u64_add(near, uvec2(1, 0));
    near.y += uint(exponent - 1) << 20;
    return uvec2(near.x, near.y | sign);
}

// The exponent and the significand of a finite number but 0, a subnormal one's brought to 53 bits.
int f64_split(uvec2 x, out uvec2 significand)
{
    const int exponent = int(x.y >> 20 & 0x7ff);

    significand = uvec2(x.x, x.y & 0xfffffu);
    if (exponent != 0) {
        significand.y |= 0x100000u;
        return exponent;
    }
    const int by = 52 - u64_top(significand);

    significand = u64_left(significand, uint(by));
    return 1 - by;
}

// As f64_pack, of any `sig` below 2^63 that is not 0: the number sig 2^(exponent - 1023 - 55).
uvec2 f64_pack_any(uint sign, int exponent, uvec2 sig)
{
    const int up = 55 - u64_top(sig);

    sig = up < 0 ? u64_right_odd(sig, uint(-up)) : u64_left(sig, uint(up));
    return f64_pack(sign, exponent - up, sig);
}

#ifdef HAS_F64
uvec2 f64_add(uvec2 a, uvec2 b)
{
    precise double sum = packDouble2x32(a) + packDouble2x32(b);

    return unpackDouble2x32(sum);
}

uvec2 f64_mul(uvec2 a, uvec2 b)
{
    precise double product = packDouble2x32(a) * packDouble2x32(b);

    return unpackDouble2x32(product);
}
#else
uvec2 f64_add(uvec2 a, uvec2 b)
{
    if (u64_less(f64_magnitude(a), f64_magnitude(b)) != 0) {
        const uvec2 larger = b;

        b = a;
        a = larger;
    }
    const uint sign = a.y & 0x80000000u;
    const bool minus = ((a.y ^ b.y) & 0x80000000u) != 0;

    if (f64_nan(a) || f64_infinite(a))
        return f64_nan(a) || (minus && f64_infinite(b)) ? D_QUIET : a;
    if (f64_zero(b))
        return f64_zero(a) ? a & b : a;
    uvec2 large, small;
    const int exponent = f64_split(a, large);
    const int by = exponent - f64_split(b, small);

    large = u64_left(large, 3);
    small = u64_right_odd(u64_left(small, 3), uint(by));
    const uvec2 sum = minus ? u64_sub(large, small) : u64_add(large, small);

    return (sum.x | sum.y) == 0 ? uvec2(0) : f64_pack_any(sign, exponent, sum);
}

uvec2 f64_mul(uvec2 a, uvec2 b)
{
    const uint sign = (a.y ^ b.y) & 0x80000000u;

    if (f64_nan(a) || f64_nan(b))
        return D_QUIET;
    if (f64_infinite(a) || f64_infinite(b))
        return f64_zero(a) || f64_zero(b) ? D_QUIET : uvec2(0, sign | D_INFINITE.y);
    if (f64_zero(a) || f64_zero(b))
        return uvec2(0, sign);
    uvec2 p, q;
    const int exponent = f64_split(a, p) + f64_split(b, q) - 1023;

    // 2^104 to 2^106, in two halves; 2^49 of it are lost.
    const uvec2 low = u64_product(p.x, q.x);
    const uvec2 middle = u64_add(u64_product(p.x, q.y), u64_product(p.y, q.x));
    const uvec2 lower = u64_add(middle, uvec2(low.y, 0));
    const uvec2 high = u64_add(u64_product(p.y, q.y), uvec2(lower.y, 0));
    uvec2 sig = u64_add(u64_left(high, 15), uvec2(lower.x >> 17, 0));

    if ((low.x | lower.x << 15) != 0)
        sig.x |= 1;
    return f64_pack_any(sign, exponent, sig);
}
#endif

uvec2 f64_sub(uvec2 a, uvec2 b)
{
    return f64_add(a, uvec2(b.x, b.y ^ 0x80000000u));
}

// ---- Comparison ------------------------------------------------------------

bool f64_either_nan(uvec2 a, uvec2 b)
{
    return f64_nan(a) || f64_nan(b);
}

bool f64_both_zero(uvec2 a, uvec2 b)
{
    return f64_zero(a) && f64_zero(b);
}

uint f64_equal(uvec2 a, uvec2 b)
{
    return !f64_nan(a) && (a == b || f64_both_zero(a, b)) ? 1 : 0;
}

uint f64_less(uvec2 a, uvec2 b)
{
    if (f64_either_nan(a, b) || f64_both_zero(a, b))
        return 0;
    return i64_less(f64_key(a), f64_key(b));
}

uint f64_less_equal(uvec2 a, uvec2 b)
{
    return f64_less(a, b) | f64_equal(a, b);
}

uint f64_greater(uvec2 a, uvec2 b)
{
    return f64_less(b, a);
}

uint f64_greater_equal(uvec2 a, uvec2 b)
{
    return f64_less_equal(b, a);
}

uvec2 f64_max(uvec2 a, uvec2 b)
{
    return f64_either_nan(a, b) ? D_QUIET : i64_less(f64_key(a), f64_key(b)) != 0 ? b : a;
}

uvec2 f64_min(uvec2 a, uvec2 b)
{
    return f64_either_nan(a, b) ? D_QUIET : i64_less(f64_key(b), f64_key(a)) != 0 ? b : a;
}
