// u32.glsl - integers of 32 bits; narrower ones are widened before and cut after
//
// SPDX-License-Identifier: Apache-2.0
//
// The bits of a signed integer, too, are a uint: i32_ is where the sign counts.

uint u32_add(uint a, uint b)
{
    return a + b;
}

uint u32_sub(uint a, uint b)
{
    return a - b;
}

uint u32_mul(uint a, uint b)
{
    return a * b;
}

uint u32_and(uint a, uint b)
{
    return a & b;
}

uint u32_or(uint a, uint b)
{
    return a | b;
}

uint u32_xor(uint a, uint b)
{
    return a ^ b;
}

uint u32_not(uint a)
{
    return ~a;
}

uint u32_neg(uint a)
{
    return 0 - a;
}

// Not, of bool
uint u32_is_zero(uint a)
{
    return a == 0 ? 1 : 0;
}

// ---- Comparison ------------------------------------------------------------

uint u32_equal(uint a, uint b)
{
    return a == b ? 1 : 0;
}

uint u32_less(uint a, uint b)
{
    return a < b ? 1 : 0;
}

uint i32_less(uint a, uint b)
{
    return int(a) < int(b) ? 1 : 0;
}

uint u32_greater(uint a, uint b)
{
    return u32_less(b, a);
}

uint i32_greater(uint a, uint b)
{
    return i32_less(b, a);
}

uint u32_less_equal(uint a, uint b)
{
    return 1 - u32_less(b, a);
}

uint i32_less_equal(uint a, uint b)
{
    return 1 - i32_less(b, a);
}

uint u32_greater_equal(uint a, uint b)
{
    return 1 - u32_less(a, b);
}

uint i32_greater_equal(uint a, uint b)
{
    return 1 - i32_less(a, b);
}

uint u32_max(uint a, uint b)
{
    return max(a, b);
}

uint i32_max(uint a, uint b)
{
    return uint(max(int(a), int(b)));
}

uint u32_min(uint a, uint b)
{
    return min(a, b);
}

uint i32_min(uint a, uint b)
{
    return uint(min(int(a), int(b)));
}

// ---- One operand -----------------------------------------------------------

uint u32_abs(uint x)
{
    return x;
}

uint i32_abs(uint x)
{
    return int(x) < 0 ? 0 - x : x;
}

uint u32_sign(uint x)
{
    return x != 0 ? 1 : 0;
}

uint i32_sign(uint x)
{
    return int(x) < 0 ? 0xffffffffu : x != 0 ? 1 : 0;
}

uint u32_relu(uint x)
{
    return x;
}

uint i32_relu(uint x)
{
    return int(x) < 0 ? 0 : x;
}

uint u32_prelu(uint x, uint slope)
{
    return x;
}

uint i32_prelu(uint x, uint slope)
{
    return int(x) < 0 ? x * slope : x;
}

// ---- Shifts: by the width or more give 0 -----------------------------------

uint u32_shift_left(uint x, uint by, uint width)
{
    return by >= width ? 0 : x << by;
}

uint u32_shift_right(uint x, uint by, uint width)
{
    return by >= width ? 0 : x >> by;
}

// ---- erf, truncated: 1 from 6 on -------------------------------------------

uint u32_erf(uint x)
{
    return x >= 6 ? 1 : 0;
}

uint i32_erf(uint x)
{
    return int(x) >= 6 ? 1 : int(x) <= -6 ? 0xffffffffu : 0;
}
