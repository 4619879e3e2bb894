// f32_exact.glsl - the other exact operators of float32, as bits
//
// SPDX-License-Identifier: Apache-2.0
//
// Where an operator is a formula, each step is rounded.

const uint ONE = 0x3f800000u;

bool f32_negative(uint x)
{
    return x > 0x80000000u && x <= 0xff800000u;
}

uint f32_abs(uint x)
{
    return x & 0x7fffffffu;
}

uint f32_neg(uint x)
{
    return x ^ 0x80000000u;
}

uint f32_isnan(uint x)
{
    return f32_nan(x) ? 1 : 0;
}

uint f32_isinf(uint x, bool negative, bool positive)
{
    return (x == INFINITE && positive) || (x == (INFINITE | 0x80000000u) && negative) ? 1 : 0;
}

uint f32_sign(uint x)
{
    const uint magnitude = x & 0x7fffffffu;

    return magnitude == 0 ? 0 : magnitude > INFINITE ? QUIET : (x & 0x80000000u) | ONE;
}

uint f32_relu(uint x)
{
    return f32_nan(x) ? QUIET : int(x) < 0 ? 0 : x;
}

// ---- To integers -----------------------------------------------------------

// x without its fraction, which is put in `rest` with `unit` for 1; nothing is left of a number
// below 1 but its sign.
uint f32_whole(uint x, out uint rest, out uint unit)
{
    const uint exponent = x >> 23 & 0xff;

    unit = 0;
    rest = 0;
    if (exponent >= 150)
        return x;
    unit = exponent < 127 ? INFINITE : 1u << (150 - exponent);
    rest = x & 0x7fffffffu & (exponent < 127 ? 0x7fffffffu : unit - 1);
    return x - rest;
}

// The next whole number away from zero.
uint f32_away(uint whole)
{
    const uint exponent = whole >> 23 & 0xff;

    return exponent == 0 ? whole | ONE : whole + (1u << (150 - exponent));
}

uint f32_floor(uint x)
{
    uint rest, unit;
    const uint whole = f32_whole(x, rest, unit);

    return int(x) < 0 && rest != 0 ? f32_away(whole) : whole;
}

uint f32_ceil(uint x)
{
    uint rest, unit;
    const uint whole = f32_whole(x, rest, unit);

    return int(x) >= 0 && rest != 0 ? f32_away(whole) : whole;
}

// To nearest, halves to even.  The last bit of a whole number in [1, 2) is that of its exponent's
// 127.
uint f32_round(uint x)
{
    uint rest, unit;
    const uint whole = f32_whole(x, rest, unit);

    if (rest == 0)
        return whole;
    if (unit == INFINITE)
        return rest > 0x3f000000u ? f32_away(whole) : whole;
    const uint half_way = unit >> 1;

    return rest > half_way || (rest == half_way && (whole & unit) != 0) ? f32_away(whole) : whole;
}

// ---- Quotients and roots ---------------------------------------------------

// By integers: what the device divides is a first guess, the remainder tells the rest.
uint f32_long_div(uint a, uint b)
{
    const uint sign = (a ^ b) & 0x80000000u;
    const uint x = a & 0x7fffffffu;
    const uint y = b & 0x7fffffffu;

    if (max(x, y) > INFINITE || (x == y && (x == 0 || x == INFINITE)))
        return QUIET;
    if (x == 0 || y == INFINITE)
        return sign;
    if (y == 0 || x == INFINITE)
        return sign | INFINITE;
    uint p, q;
    int exponent = f32_split(x, p) - f32_split(y, q) + 127;
    uint by = 26;

    if (p < q) {
        by = 27;
        exponent--;
    }
    // The quotient p 2^by / q lies from 2^26 to 2^27; remainders are small, modulo 2^32.
    uint quotient = uint(float(p) / float(q) * float(1u << by));
    int rest = int((p << by) - quotient * q);
    const int more = int(floor(float(rest) / float(q)));

    quotient += uint(more);
    rest -= more * int(q);
    if (rest < 0) {
        quotient--;
        rest += int(q);
    } else if (rest >= int(q)) {
        quotient++;
        rest -= int(q);
    }
    return f32_pack(sign, exponent, quotient | (rest != 0 ? 1 : 0));
}

#if defined(FUSES) && !defined(SOFT_F32)
// An exponent from which nothing on the way is subnormal or overflows.
bool f32_moderate(uint x)
{
    return (x >> 23 & 0xff) - 67 < 121;
}

// The inverse is refined to half a unit and a little more; then a quotient that is next to the
// exact one, corrected by its exact remainder, is that rounded (Markstein, 1990).  Without a branch
// before it the inverse of a divisor that several elements share is computed once.
uint f32_div(uint a, uint b)
{
    precise float x = uintBitsToFloat(a);
    precise float y = uintBitsToFloat(b);
    precise float inverse = 1.0 / y;

    inverse = fma(fma(-y, inverse, 1.0), inverse, inverse);
    precise float q = x * inverse;

    q = fma(fma(-y, q, x), inverse, q);
    q = fma(fma(-y, q, x), inverse, q);
    return f32_moderate(a) && f32_moderate(b) ? floatBitsToUint(q) : f32_long_div(a, b);
}
#else
uint f32_div(uint a, uint b)
{
    return f32_long_div(a, b);
}
#endif

uint f32_reciprocal(uint x)
{
    return f32_div(ONE, x);
}

// By integers, as quotients are.
uint f32_sqrt(uint x)
{
    if ((x & 0x7fffffffu) == 0 || x == INFINITE)
        return x;
    if (x > INFINITE)
        return QUIET;
    uint p;
    const int exponent = f32_split(x, p) - 127;

    // The root of p 2^25 or p 2^26 lies from 2^24 to 2^25; remainders are small, modulo 2^32.
    const uint by = (exponent & 1) != 0 ? 26 : 25;
    uint root = uint(sqrt(float(p) * float(1u << by)));
    int rest = int((p << by) - root * root);
    const int more = int(floor(float(rest) / float(2 * root)));

    root += uint(more);
    rest = int((p << by) - root * root);
    if (rest < 0) {
        root--;
        rest += int(2 * root + 1);
    } else if (rest > int(2 * root)) {
        rest -= int(2 * root + 1);
        root++;
    }
    return f32_pack(0, (exponent >> 1) + 127, root << 2 | (rest != 0 ? 1 : 0));
}

// ---- Remainders ------------------------------------------------------------

// Exact, with the dividend's sign: long division, 8 bits at a time.
uint f32_fmod(uint a, uint b)
{
    const uint sign = a & 0x80000000u;
    const uint x = a & 0x7fffffffu;
    const uint y = b & 0x7fffffffu;

    if (x >= INFINITE || y > INFINITE || y == 0)
        return QUIET;
    if (x < y)
        return a;
    uint rest, divisor;
    int by = f32_split(x, rest);
    const int exponent = f32_split(y, divisor);

    rest %= divisor;
    for (by -= exponent; by > 0; by -= 8)
        rest = (rest << min(by, 8)) % divisor;
    if (rest == 0)
        return sign;
    const int up = 26 - findMSB(rest);

    return f32_pack(sign, exponent - up + 3, rest << up);
}

// With the divisor's sign.
uint f32_mod(uint a, uint b)
{
    const uint rest = f32_fmod(a, b);

    if (f32_nan(rest))
        return rest;
    if (rest << 1 == 0)
        return b & 0x80000000u;
    return ((rest ^ b) & 0x80000000u) != 0 ? f32_add(rest, b) : rest;
}

// ---- Activations -----------------------------------------------------------

uint f32_prelu(uint x, uint slope)
{
    return f32_negative(x) ? f32_mul(slope, x) : x;
}

uint f32_leakyrelu(uint x, uint alpha)
{
    return f32_prelu(x, alpha);
}

uint f32_thresholdedrelu(uint x, uint alpha)
{
    return f32_less(alpha, x) != 0 ? x : 0;
}

uint f32_softsign(uint x)
{
    return f32_div(x, f32_add(ONE, f32_abs(x)));
}

uint f32_hardsigmoid(uint x, uint alpha, uint beta)
{
    return f32_max(0, f32_min(ONE, f32_add(f32_mul(alpha, x), beta)));
}

// alpha is the float32 next to 1/6, beta 1/2.
uint f32_hardswish(uint x)
{
    return f32_mul(x, f32_hardsigmoid(x, 0x3e2aaaabu, 0x3f000000u));
}

uint f32_shrink(uint x, uint lambd, uint bias)
{
    if (f32_less(x, f32_neg(lambd)) != 0)
        return f32_add(x, bias);
    return f32_less(lambd, x) != 0 ? f32_sub(x, bias) : 0;
}
