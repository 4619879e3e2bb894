// divide.glsl - division of integers, of 32 bits and 64
//
// SPDX-License-Identifier: Apache-2.0
//
// By unsigned numbers, and nothing that an API leaves open; 0 as a divisor sets failed_here.

uint u32_div(uint a, uint b)
{
    failed_here = failed_here || b == 0;
    return a / (b == 0 ? 1 : b);
}

uint u32_mod(uint a, uint b)
{
    failed_here = failed_here || b == 0;
    return a % (b == 0 ? 1 : b);
}

uint u32_fmod(uint a, uint b)
{
    return u32_mod(a, b);
}

uint i32_magnitude(uint x)
{
    return int(x) < 0 ? 0 - x : x;
}

// Toward zero; the least number by -1 is itself.
uint i32_div(uint a, uint b)
{
    const uint q = u32_div(i32_magnitude(a), i32_magnitude(b));

    return int(a ^ b) < 0 ? 0 - q : q;
}

// With the dividend's sign.
uint i32_fmod(uint a, uint b)
{
    const uint rest = u32_mod(i32_magnitude(a), i32_magnitude(b));

    return int(a) < 0 ? 0 - rest : rest;
}

// With the divisor's sign.
uint i32_mod(uint a, uint b)
{
    const uint rest = i32_fmod(a, b);

    return rest != 0 && int(a ^ b) < 0 ? rest + b : rest;
}

#ifdef HAS_I64
uvec2 u64_div(uvec2 a, uvec2 b)
{
    const bool zero = (b.x | b.y) == 0;

    failed_here = failed_here || zero;
    return unpackUint2x32(packUint2x32(a) / (zero ? uint64_t(1) : packUint2x32(b)));
}
#else
// Bit by bit, from the first that the dividend has.
uvec2 u64_div(uvec2 a, uvec2 b)
{
    uvec2 rest = uvec2(0), q = uvec2(0);

    failed_here = failed_here || (b.x | b.y) == 0;
    if (a.y == 0 && b.y == 0)
        return uvec2(a.x / (b.x == 0 ? 1 : b.x), 0);
    for (int bit = a.y != 0 ? 63 : 31; bit >= 0; bit--) {
        const bool out_of_range = rest.y >> 31 != 0;

        rest = u64_add(u64_add(rest, rest), uvec2((bit >= 32 ? a.y : a.x) >> (bit & 31) & 1, 0));
        if (out_of_range || u64_less(rest, b) == 0) {
            rest = u64_sub(rest, b);
            if (bit >= 32)
                q.y |= 1u << (bit - 32);
            else
                q.x |= 1u << bit;
        }
    }
    return q;
}
#endif

uvec2 u64_mod(uvec2 a, uvec2 b)
{
    return u64_sub(a, u64_mul(u64_div(a, b), b));
}

uvec2 u64_fmod(uvec2 a, uvec2 b)
{
    return u64_mod(a, b);
}

uvec2 i64_div(uvec2 a, uvec2 b)
{
    const uvec2 q = u64_div(i64_abs(a), i64_abs(b));

    return int(a.y ^ b.y) < 0 ? u64_neg(q) : q;
}

uvec2 i64_fmod(uvec2 a, uvec2 b)
{
    const uvec2 rest = u64_mod(i64_abs(a), i64_abs(b));

    return int(a.y) < 0 ? u64_neg(rest) : rest;
}

uvec2 i64_mod(uvec2 a, uvec2 b)
{
    const uvec2 rest = i64_fmod(a, b);

    return (rest.x | rest.y) != 0 && int(a.y ^ b.y) < 0 ? u64_add(rest, b) : rest;
}
