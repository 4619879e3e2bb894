// circle.glsl - sine, cosine, tangent of float32 and their inverses, in pairs of floats
//
// SPDX-License-Identifier: Apache-2.0
//
// Each is rounded nearly once: within 0.8 of a unit in the last place.

// ---- Circles ---------------------------------------------------------------

// The bits of 2 / pi behind 32 zeros.
const uint TWO_BY_PI[9] = uint[9](0u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u,
                                  0xdb629599u, 0x3c439041u, 0xfe5163abu, 0xdebbc561u);

uint bits_of_two_by_pi(uint at)
{
    const uint word = at >> 5, by = at & 31;

    return by == 0 ? TWO_BY_PI[word]
                   : TWO_BY_PI[word] << by | TWO_BY_PI[word + 1] >> (32 - by);
}

// x less a number of quarter turns: at most pi / 4 in size.  Those bits of 2 / pi that tell whole
// turns do not count, nor those that are too small (Payne and Hanek, 1983).  For a |x| from 1/2.
vec2 less_quarters(uint x, out uint quarters)
{
    const uint exponent = x >> 23 & 0xff;
    const uint significand = (x & 0x7fffffu) | 0x800000u;
    const uint at = exponent - 120; // the first of 96 bits that counts: 2^2 of the product's
    uint high, low, more, unused;

    // The product with 96 bits, modulo 2^96: two bits for quarters, the rest for a fraction.
    umulExtended(significand, bits_of_two_by_pi(at + 32), high, low);
    uint first = significand * bits_of_two_by_pi(at) + high;
    uint second = low;

    umulExtended(significand, bits_of_two_by_pi(at + 64), more, unused);
    second += more;
    first += second < more ? 1 : 0;
    quarters = first >> 30;
    uvec2 fraction = uvec2(second << 2 | unused >> 30, first << 2 | second >> 30);
    const bool minus = fraction.y >> 31 != 0;

    if (minus) {
        fraction = uvec2(~fraction.x, ~fraction.y);
        quarters++;
    }
    // Two floats of 24 bits, then times pi / 2.
    const int top = fraction.y != 0 ? findMSB(fraction.y) : findMSB(fraction.x | 1) - 32;
    const uint by = uint(31 - top);

    if (by >= 32)
        fraction = uvec2(0, fraction.x << (by - 32));
    else if (by > 0)
        fraction = uvec2(fraction.x << by, fraction.y << by | fraction.x >> (32 - by));
    const float upper = float(fraction.y >> 8);
    const float lower = float((fraction.y & 0xff) << 16 | fraction.x >> 16) * power_of_two(-24);
    const vec2 turn = ordered_sum(upper, lower) * power_of_two(-24 - int(by));
    vec2 r = pair_mul(turn, vec2(1.5707963705062866, -4.371138828673793e-08));

    if (minus)
        r = -r;
    if (int(x) < 0) {
        r = -r;
        quarters = 0 - quarters;
    }
    quarters &= 3;
    return r;
}

vec2 sin_of(vec2 r)
{
    const vec2 square = pair_mul(r, r);
    const float z = square.x;
    precise float q = -1.0 / 39916800.0;

    q = q * z + 1.0 / 362880.0;
    q = q * z - 1.0 / 5040.0;
    q = q * z + 1.0 / 120.0;
    const vec2 inner = pair_add(vec2(-0.1666666716337204, 4.967053879312289e-09), q * z);

    return pair_add(r, pair_mul(pair_mul(square, r), inner));
}

vec2 cos_of(vec2 r)
{
    const vec2 square = pair_mul(r, r);
    const float z = square.x;
    precise float q = 1.0 / 479001600.0;

    q = q * z - 1.0 / 3628800.0;
    q = q * z + 1.0 / 40320.0;
    q = q * z - 1.0 / 720.0;
    q = q * z + 1.0 / 24.0;
    precise float tail = z * z * q;

    return pair_add(one_and(square * -0.5), tail);
}

// What is less than 1/2 is not reduced.
vec2 reduced(uint x, out uint quarters)
{
    quarters = 0;
    return (x & 0x7fffffffu) < 0x3f000000u ? vec2(number(x), 0.0) : less_quarters(x, quarters);
}

uint f32_sin(uint x)
{
    uint quarters;

    if ((x & 0x7fffffffu) >= INFINITE)
        return QUIET;
    if (is_tiny(x))
        return x;
    const vec2 r = reduced(x, quarters);
    const vec2 y = (quarters & 1) != 0 ? cos_of(r) : sin_of(r);

    return pair_round((quarters & 2) != 0 ? -y : y);
}

uint f32_cos(uint x)
{
    uint quarters;

    if ((x & 0x7fffffffu) >= INFINITE)
        return QUIET;
    if (is_tiny(x))
        return 0x3f800000u;
    const vec2 r = reduced(x, quarters);
    const vec2 y = (quarters & 1) != 0 ? sin_of(r) : cos_of(r);

    return pair_round(quarters == 1 || quarters == 2 ? -y : y);
}

uint f32_tan(uint x)
{
    uint quarters;

    if ((x & 0x7fffffffu) >= INFINITE)
        return QUIET;
    if (is_tiny(x))
        return x;
    const vec2 r = reduced(x, quarters);
    const vec2 s = sin_of(r), c = cos_of(r);

    return pair_round((quarters & 1) != 0 ? pair_div(-c, s) : pair_div(s, c));
}

// ---- Their inverses --------------------------------------------------------

// (atan(s) / s - 1) / z of z = s^2, s from 0 to tan(pi / 8).
float atan_rest(float z)
{
    precise float y = 0.032956795;

    y = y * z + -0.060273075;
    y = y * z + 0.076048;
    y = y * z + -0.09084102;
    y = y * z + 0.1111082;
    y = y * z + -0.14285708;
    y = y * z + 0.2;
    y = y * z + -0.33333333;
    return y;
}

// The angle of a / b, both 0 or more: turned by 0, 45 or 90 degrees.
vec2 angle_of(vec2 a, vec2 b)
{
    vec2 base = vec2(0.0), s;

    if (a.x > 2.4142135 * b.x) {
        base = vec2(1.5707963705062866, -4.371138828673793e-08);
        s = pair_div(-b, a);
    } else if (a.x > 0.41421356 * b.x) {
        base = vec2(0.7853981852531433, -2.1855694143368964e-08);
        s = pair_div(pair_add(a, -b), pair_add(a, b));
    } else {
        s = pair_div(a, b);
    }
    const float z = s.x * s.x;
    precise float tail = s.x * (z * atan_rest(z));

    return pair_add(base, ordered_sum(s.x, s.y + tail));
}

uint f32_atan(uint x)
{
    if (f32_nan(x) || is_tiny(x))
        return x;
    const float a = abs(number(x));

    if (a > 1.0e9) // pi / 2
        return with_sign(0x3fc90fdbu, x);
    return with_sign(pair_round(angle_of(vec2(a, 0.0), vec2(1.0, 0.0))), x);
}

// sqrt(1 - a^2)
vec2 other_leg(float a)
{
    const vec2 product = pair_mul(exact_sum(1.0, -a), exact_sum(1.0, a));

    return product.x > 0.0 ? pair_sqrt(product) : vec2(0.0);
}

uint f32_asin(uint x)
{
    const float a = abs(number(x));

    if (f32_nan(x) || a > 1.0)
        return QUIET;
    if (is_tiny(x))
        return x;
    return with_sign(pair_round(angle_of(vec2(a, 0.0), other_leg(a))), x);
}

uint f32_acos(uint x)
{
    const float a = abs(number(x));

    if (f32_nan(x) || a > 1.0)
        return QUIET;
    if (is_tiny(x))
        return pair_round(pair_add(vec2(1.5707963705062866, -4.371138828673793e-08), -number(x)));
    const vec2 angle = angle_of(other_leg(a), vec2(a, 0.0));

    if (int(x) >= 0)
        return pair_round(angle);
    return pair_round(pair_add(vec2(3.1415927410125732, -8.742277657347586e-08), -angle));
}
