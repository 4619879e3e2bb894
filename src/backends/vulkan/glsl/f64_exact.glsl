// f64_exact.glsl - the other exact operators of float64
//
// SPDX-License-Identifier: Apache-2.0

bool f64_negative(uvec2 x)
{
    return int(x.y) < 0 && !f64_nan(x) && !f64_zero(x);
}

uvec2 f64_abs(uvec2 x)
{
    return f64_magnitude(x);
}

uvec2 f64_neg(uvec2 x)
{
    return uvec2(x.x, x.y ^ 0x80000000u);
}

uint f64_isnan(uvec2 x)
{
    return f64_nan(x) ? 1 : 0;
}

uint f64_isinf(uvec2 x, bool negative, bool positive)
{
    return f64_infinite(x) && (int(x.y) < 0 ? negative : positive) ? 1 : 0;
}

uvec2 f64_sign(uvec2 x)
{
    if (f64_nan(x))
        return D_QUIET;
    return f64_zero(x) ? uvec2(0) : uvec2(0, (x.y & 0x80000000u) | D_ONE.y);
}

uvec2 f64_relu(uvec2 x)
{
    return f64_nan(x) ? D_QUIET : int(x.y) < 0 ? uvec2(0) : x;
}

// ---- To integers: as f32_exact.glsl has it ---------------------------------

// x without its fraction, which is put in `rest`; `unit` is the bit of 1, 0 of a number below 1.
uvec2 f64_whole(uvec2 x, out uvec2 rest, out uvec2 unit)
{
    const uint exponent = x.y >> 20 & 0x7ff;

    unit = uvec2(0);
    rest = uvec2(0);
    if (exponent >= 1075)
        return x;
    if (exponent < 1023) {
        rest = f64_magnitude(x);
        return uvec2(0, x.y & 0x80000000u);
    }
    unit = u64_left(uvec2(1, 0), 1075 - exponent);
    rest = x & u64_sub(unit, uvec2(1, 0));
    return u64_sub(x, rest);
}

uvec2 f64_away(uvec2 whole, uvec2 unit)
{
    return (unit.x | unit.y) == 0 ? uvec2(0, whole.y | D_ONE.y) : u64_add(whole, unit);
}

uvec2 f64_floor(uvec2 x)
{
    uvec2 rest, unit;
    const uvec2 whole = f64_whole(x, rest, unit);

    return int(x.y) < 0 && (rest.x | rest.y) != 0 ? f64_away(whole, unit) : whole;
}

uvec2 f64_ceil(uvec2 x)
{
    uvec2 rest, unit;
    const uvec2 whole = f64_whole(x, rest, unit);

    return int(x.y) >= 0 && (rest.x | rest.y) != 0 ? f64_away(whole, unit) : whole;
}

uvec2 f64_round(uvec2 x)
{
    uvec2 rest, unit;
    const uvec2 whole = f64_whole(x, rest, unit);
    const bool small = (unit.x | unit.y) == 0;
    const uvec2 half_way = small ? uvec2(0, 0x3fe00000u) : u64_right(unit, 1);
    const bool odd = (whole & unit) != uvec2(0);

    if ((rest.x | rest.y) == 0)
        return whole;
    return u64_less(half_way, rest) != 0 || (rest == half_way && odd) ? f64_away(whole, unit)
                                                                      : whole;
}

// ---- Quotients and roots, bit by bit ---------------------------------------

uvec2 f64_div(uvec2 a, uvec2 b)
{
    const uint sign = (a.y ^ b.y) & 0x80000000u;

    if (f64_either_nan(a, b) || (f64_zero(a) && f64_zero(b)) ||
        (f64_infinite(a) && f64_infinite(b)))
        return D_QUIET;
    if (f64_zero(a) || f64_infinite(b))
        return uvec2(0, sign);
    if (f64_zero(b) || f64_infinite(a))
        return uvec2(0, sign | D_INFINITE.y);
    uvec2 rest, divisor, q = uvec2(0);
    int exponent = f64_split(a, rest) - f64_split(b, divisor) + 1023;

    if (u64_less(rest, divisor) != 0) {
        rest = u64_add(rest, rest);
        exponent--;
    }
    for (int bit = 55; bit >= 0; bit--) {
        q = u64_add(q, q);
        if (u64_less(rest, divisor) == 0) {
            rest = u64_sub(rest, divisor);
            q.x |= 1;
        }
        rest = u64_add(rest, rest);
    }
    return f64_pack(sign, exponent, uvec2(q.x | ((rest.x | rest.y) != 0 ? 1 : 0), q.y));
}

uvec2 f64_reciprocal(uvec2 x)
{
    return f64_div(D_ONE, x);
}

// The root of p, two bits of it for each of the root's.
uvec2 f64_sqrt(uvec2 x)
{
    if (f64_zero(x) || x == D_INFINITE)
        return x;
    if (f64_nan(x) || int(x.y) < 0)
        return D_QUIET;
    uvec2 p, root = uvec2(0), rest = uvec2(0);
    const int exponent = f64_split(x, p) - 1023;

    // 54 bits of p, two at a time, then zeros: 56 bits of the root.
    p = u64_left(p, (exponent & 1) != 0 ? 11 : 10);
    for (int bit = 0; bit < 56; bit++) {
        rest = u64_add(u64_left(rest, 2), uvec2(p.y >> 30, 0));
        p = u64_left(p, 2);
        const uvec2 trial = u64_add(u64_left(root, 2), uvec2(1, 0));

        root = u64_add(root, root);
        if (u64_less(rest, trial) == 0) {
            rest = u64_sub(rest, trial);
            root.x |= 1;
        }
    }
    if ((rest.x | rest.y) != 0)
        root.x |= 1;
    return f64_pack(0, (exponent >> 1) + 1023, root);
}

// ---- Remainders ------------------------------------------------------------

// Exact, with the dividend's sign: long division, bit by bit.
uvec2 f64_fmod(uvec2 a, uvec2 b)
{
    const uint sign = a.y & 0x80000000u;

    if (f64_either_nan(a, b) || f64_infinite(a) || f64_zero(b))
        return D_QUIET;
    if (u64_less(f64_magnitude(a), f64_magnitude(b)) != 0)
        return a;
    uvec2 rest, divisor;
    int by = f64_split(a, rest);
    const int exponent = f64_split(b, divisor);

    for (by -= exponent; by >= 0; by--) {
        if (u64_less(rest, divisor) == 0)
            rest = u64_sub(rest, divisor);
        if (by > 0)
            rest = u64_add(rest, rest);
    }
    if ((rest.x | rest.y) == 0)
        return uvec2(0, sign);
    return f64_pack_any(sign, exponent + 3, rest);
}

uvec2 f64_mod(uvec2 a, uvec2 b)
{
    const uvec2 rest = f64_fmod(a, b);

    if (f64_nan(rest))
        return rest;
    if (f64_zero(rest))
        return uvec2(0, b.y & 0x80000000u);
    return ((rest.y ^ b.y) & 0x80000000u) != 0 ? f64_add(rest, b) : rest;
}

// ---- Activations -----------------------------------------------------------

uvec2 f64_prelu(uvec2 x, uvec2 slope)
{
    return f64_negative(x) ? f64_mul(slope, x) : x;
}

uvec2 f64_leakyrelu(uvec2 x, uvec2 alpha)
{
    return f64_prelu(x, alpha);
}

uvec2 f64_thresholdedrelu(uvec2 x, uvec2 alpha)
{
    return f64_less(alpha, x) != 0 ? x : uvec2(0);
}

uvec2 f64_softsign(uvec2 x)
{
    return f64_div(x, f64_add(D_ONE, f64_abs(x)));
}

uvec2 f64_hardsigmoid(uvec2 x, uvec2 alpha, uvec2 beta)
{
    return f64_max(uvec2(0), f64_min(D_ONE, f64_add(f64_mul(alpha, x), beta)));
}

// alpha is the float32 next to 1/6, beta 1/2.
uvec2 f64_hardswish(uvec2 x)
{
    return f64_mul(x, f64_hardsigmoid(x, uvec2(0x60000000u, 0x3fc55555u), uvec2(0, 0x3fe00000u)));
}

uvec2 f64_shrink(uvec2 x, uvec2 lambd, uvec2 bias)
{
    if (f64_less(x, f64_neg(lambd)) != 0)
        return f64_add(x, bias);
    return f64_less(lambd, x) != 0 ? f64_sub(x, bias) : uvec2(0);
}
