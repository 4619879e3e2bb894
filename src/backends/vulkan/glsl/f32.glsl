// f32.glsl - sums, products and comparisons of float32, as bits
//
// SPDX-License-Identifier: Apache-2.0
//
// `precise` keeps a product and a sum apart.  A device that flushes subnormal numbers gets the same
// results from integers (SOFT_F32).

const uint INFINITE = 0x7f800000u;
const uint QUIET = 0x7fc00000u;

bool f32_nan(uint x)
{
    return (x & 0x7fffffffu) > INFINITE;
}

// The order of numbers as that of integers, -0 below +0.
int f32_key(uint x)
{
    return int(x ^ uint(int(x) >> 31) >> 1);
}

#ifndef SOFT_F32
uint f32_add(uint a, uint b)
{
    precise float sum = uintBitsToFloat(a) + uintBitsToFloat(b);

    return floatBitsToUint(sum);
}

uint f32_sub(uint a, uint b)
{
    precise float difference = uintBitsToFloat(a) - uintBitsToFloat(b);

    return floatBitsToUint(difference);
}

uint f32_mul(uint a, uint b)
{
    precise float product = uintBitsToFloat(a) * uintBitsToFloat(b);

    return floatBitsToUint(product);
}
#endif

// ---- By integers -----------------------------------------------------------

// Rounded to nearest, ties to even: the number sig 2^(exponent - 127 - 26), where the leading bit
// of `sig` is 26 or sig is 0, and its last bit stands for all below.
uint f32_pack(uint sign, int exponent, uint sig)
{
    if (exponent < 1) {
        const uint by = uint(min(1 - exponent, 31));

        sig = sig >> by | ((sig & ((1u << by) - 1)) != 0 ? 1 : 0);
        exponent = 1;
    }
    const uint rest = sig & 7;
    const uint near = (sig >> 3) + (rest > 4 || (rest == 4 && (sig & 8) != 0) ? 1 : 0);

    return sign | (exponent >= 255 ? INFINITE : min((uint(exponent - 1) << 23) + near, INFINITE));
}

// The exponent and the significand of a finite number but 0, a subnormal one's brought to 24 bits.
int f32_split(uint x, out uint significand)
{
    const int exponent = int(x >> 23 & 0xff);

    significand = x & 0x7fffffu;
    if (exponent != 0) {
        significand |= 0x800000u;
        return exponent;
    }
    const int by = 23 - findMSB(significand);

    significand <<= by;
    return 1 - by;
}

#ifdef SOFT_F32
uint f32_add(uint a, uint b)
{
    if ((a & 0x7fffffffu) < (b & 0x7fffffffu)) {
        const uint larger = b;

        b = a;
        a = larger;
    }
    const uint sign = a & 0x80000000u;
    const bool minus = ((a ^ b) & 0x80000000u) != 0;

    if ((a & 0x7fffffffu) >= INFINITE)
        return f32_nan(a) || (minus && (b & 0x7fffffffu) == INFINITE) ? QUIET : a;
    if ((b & 0x7fffffffu) == 0)
        return (a & 0x7fffffffu) == 0 ? a & b : a;
    uint large, small;
    int exponent = f32_split(a, large);
    const int by = exponent - f32_split(b, small);

    // Three bits more, the last of them for all that is lost.
    large <<= 3;
    small <<= 3;
    small = by > 26 ? 1 : small >> by | ((small & ((1u << by) - 1)) != 0 ? 1 : 0);
    uint sum = minus ? large - small : large + small;

    if (sum == 0)
        return 0;
    if (sum >> 27 != 0) {
        sum = sum >> 1 | (sum & 1);
        exponent++;
    }
    const int up = 26 - findMSB(sum);

    return f32_pack(sign, exponent - up, sum << up);
}

uint f32_sub(uint a, uint b)
{
    return f32_add(a, b ^ 0x80000000u);
}

uint f32_mul(uint a, uint b)
{
    const uint sign = (a ^ b) & 0x80000000u;
    const uint x = a & 0x7fffffffu;
    const uint y = b & 0x7fffffffu;

    if (max(x, y) >= INFINITE)
        return max(x, y) > INFINITE || min(x, y) == 0 ? QUIET : sign | INFINITE;
    if (min(x, y) == 0)
        return sign;
    uint p, q, high, low;
    int exponent = f32_split(x, p) + f32_split(y, q) - 127;

    // 2^46 to 2^48; 2^26 to 2^28 are kept.
    umulExtended(p, q, high, low);
    uint sig = high << 12 | low >> 20 | ((low & 0xfffffu) != 0 ? 1 : 0);

    if (sig >> 27 != 0) {
        sig = sig >> 1 | (sig & 1);
        exponent++;
    }
    return f32_pack(sign, exponent, sig);
}
#endif

// ---- Whatever the device does ----------------------------------------------

// Some devices keep subnormal numbers in sums and products, and take them for 0 in comparisons.

bool f32_both_zero(uint a, uint b)
{
    return (a | b) << 1 == 0;
}

uint f32_equal(uint a, uint b)
{
    return !f32_nan(a) && (a == b || f32_both_zero(a, b)) ? 1 : 0;
}

uint f32_less(uint a, uint b)
{
    return !f32_nan(a) && !f32_nan(b) && f32_key(a) < f32_key(b) && !f32_both_zero(a, b) ? 1 : 0;
}

uint f32_less_equal(uint a, uint b)
{
    return !f32_nan(a) && !f32_nan(b) && (f32_key(a) <= f32_key(b) || f32_both_zero(a, b)) ? 1 : 0;
}

uint f32_greater(uint a, uint b)
{
    return f32_less(b, a);
}

uint f32_greater_equal(uint a, uint b)
{
    return f32_less_equal(b, a);
}

// IEEE 754-2019: a NaN wins, and +0 is greater than -0.
uint f32_max(uint a, uint b)
{
    const uint greater = f32_key(a) >= f32_key(b) ? a : b;

    return f32_nan(a) || f32_nan(b) ? QUIET : greater;
}

uint f32_min(uint a, uint b)
{
    const uint less = f32_key(a) <= f32_key(b) ? a : b;

    return f32_nan(a) || f32_nan(b) ? QUIET : less;
}
