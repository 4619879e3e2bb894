// u64.glsl - integers of 64 bits as two words, the low one first
//
// SPDX-License-Identifier: Apache-2.0
//
// The bits of a signed integer, too: i64_ is where the sign counts.

uvec2 u64_add(uvec2 a, uvec2 b)
{
    const uint low = a.x + b.x;

    return uvec2(low, a.y + b.y + (low < a.x ? 1 : 0));
}

uvec2 u64_sub(uvec2 a, uvec2 b)
{
    return uvec2(a.x - b.x, a.y - b.y - (a.x < b.x ? 1 : 0));
}

// a * b, all 64 bits of it.
uvec2 u64_product(uint a, uint b)
{
    uint high, low;

    umulExtended(a, b, high, low);
    return uvec2(low, high);
}

uvec2 u64_mul(uvec2 a, uvec2 b)
{
    const uvec2 low = u64_product(a.x, b.x);

    return uvec2(low.x, low.y + a.x * b.y + a.y * b.x);
}

uvec2 u64_neg(uvec2 a)
{
    return u64_sub(uvec2(0), a);
}

uvec2 u64_and(uvec2 a, uvec2 b)
{
    return a & b;
}

uvec2 u64_or(uvec2 a, uvec2 b)
{
    return a | b;
}

uvec2 u64_xor(uvec2 a, uvec2 b)
{
    return a ^ b;
}

uvec2 u64_not(uvec2 a)
{
    return ~a;
}

// ---- Comparison ------------------------------------------------------------

uint u64_equal(uvec2 a, uvec2 b)
{
    return a == b ? 1 : 0;
}

uint u64_less(uvec2 a, uvec2 b)
{
    return a.y < b.y || (a.y == b.y && a.x < b.x) ? 1 : 0;
}

uint i64_less(uvec2 a, uvec2 b)
{
    return int(a.y) < int(b.y) || (a.y == b.y && a.x < b.x) ? 1 : 0;
}

uint u64_greater(uvec2 a, uvec2 b)
{
    return u64_less(b, a);
}

uint i64_greater(uvec2 a, uvec2 b)
{
    return i64_less(b, a);
}

uint u64_less_equal(uvec2 a, uvec2 b)
{
    return 1 - u64_less(b, a);
}

uint i64_less_equal(uvec2 a, uvec2 b)
{
    return 1 - i64_less(b, a);
}

uint u64_greater_equal(uvec2 a, uvec2 b)
{
    return 1 - u64_less(a, b);
}

uint i64_greater_equal(uvec2 a, uvec2 b)
{
    return 1 - i64_less(a, b);
}

uvec2 u64_max(uvec2 a, uvec2 b)
{
    return u64_less(a, b) != 0 ? b : a;
}

uvec2 i64_max(uvec2 a, uvec2 b)
{
    return i64_less(a, b) != 0 ? b : a;
}

uvec2 u64_min(uvec2 a, uvec2 b)
{
    return u64_less(b, a) != 0 ? b : a;
}

uvec2 i64_min(uvec2 a, uvec2 b)
{
    return i64_less(b, a) != 0 ? b : a;
}

// ---- One operand -----------------------------------------------------------

uvec2 u64_abs(uvec2 x)
{
    return x;
}

uvec2 i64_abs(uvec2 x)
{
    return int(x.y) < 0 ? u64_neg(x) : x;
}

uvec2 u64_sign(uvec2 x)
{
    return uvec2((x.x | x.y) != 0 ? 1 : 0, 0);
}

uvec2 i64_sign(uvec2 x)
{
    return int(x.y) < 0 ? uvec2(0xffffffffu) : u64_sign(x);
}

uvec2 u64_relu(uvec2 x)
{
    return x;
}

uvec2 i64_relu(uvec2 x)
{
    return int(x.y) < 0 ? uvec2(0) : x;
}

uvec2 u64_prelu(uvec2 x, uvec2 slope)
{
    return x;
}

uvec2 i64_prelu(uvec2 x, uvec2 slope)
{
    return int(x.y) < 0 ? u64_mul(x, slope) : x;
}

// ---- Shifts ----------------------------------------------------------------

// By 0 to 63.
uvec2 u64_left(uvec2 x, uint by)
{
    if (by >= 32)
        return uvec2(0, x.x << (by - 32));
    return by == 0 ? x : uvec2(x.x << by, x.y << by | x.x >> (32 - by));
}

uvec2 u64_right(uvec2 x, uint by)
{
    if (by >= 32)
        return uvec2(x.y >> (by - 32), 0);
    return by == 0 ? x : uvec2(x.x >> by | x.y << (32 - by), x.y >> by);
}

// By any number; the last bit is also set where one that is lost was.
uvec2 u64_right_odd(uvec2 x, uint by)
{
    if (by > 63)
        return uvec2((x.x | x.y) != 0 ? 1 : 0, 0);
    const uvec2 y = u64_right(x, by);

    return u64_left(y, by) != x ? uvec2(y.x | 1, y.y) : y;
}

// The place of the highest bit that is set, -1 of 0.
int u64_top(uvec2 x)
{
    return x.y != 0 ? findMSB(x.y) + 32 : findMSB(x.x);
}

uvec2 u64_shift_left(uvec2 x, uvec2 by, uint width)
{
    return by.y != 0 || by.x >= width ? uvec2(0) : u64_left(x, by.x);
}

uvec2 u64_shift_right(uvec2 x, uvec2 by, uint width)
{
    return by.y != 0 || by.x >= width ? uvec2(0) : u64_right(x, by.x);
}

// ---- erf, truncated --------------------------------------------------------

uvec2 u64_erf(uvec2 x)
{
    return uvec2(x.y != 0 || x.x >= 6 ? 1 : 0, 0);
}

uvec2 i64_erf(uvec2 x)
{
    const uint far = u64_erf(i64_abs(x)).x;

    return int(x.y) < 0 ? u64_neg(uvec2(far, 0)) : uvec2(far, 0);
}
