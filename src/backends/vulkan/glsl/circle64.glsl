// circle64.glsl - sine, cosine, tangent of float64 and their inverses, in pairs, rounded at the end
//
// SPDX-License-Identifier: Apache-2.0
//
// The formulas of src/kernels/circle64.h, but for the reduction, which is as in circle.glsl.

#ifdef HAS_F64
const dvec2 HALF_PI_64 = dvec2(1.5707963267948966lf, 6.123233995736766e-17lf);

// ---- Circles ---------------------------------------------------------------

// The bits of 2 / pi behind 64 zeros.
const uint TWO_BY_PI_64[40] = uint[40](
    0u, 0u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u,
    0x3c439041u, 0xfe5163abu, 0xdebbc561u, 0xb7246e3au, 0x424dd2e0u, 0x06492eeau, 0x09d1921cu,
    0xfe1deb1cu, 0xb129a73eu, 0xe88235f5u, 0x2ebb4484u, 0xe99c7026u, 0xb45f7e41u, 0x3991d639u,
    0x835339f4u, 0x9c845f8bu, 0xbdf9283bu, 0x1ff897ffu, 0xde05980fu, 0xef2f118bu, 0x5a0a6d1fu,
    0x6d367ecfu, 0x27cb09b7u, 0x4f463f66u, 0x9e5fea2du, 0x7527bac7u, 0xebe5f17bu, 0x3d0739f7u,
    0x8a5292eau, 0x6bfb5fb1u, 0x1f8d5d08u, 0x56033046u, 0xfc7b6babu);

uint word_of_two_by_pi(uint at)
{
    const uint word = at >> 5, by = at & 31;

    return by == 0 ? TWO_BY_PI_64[word]
                   : TWO_BY_PI_64[word] << by | TWO_BY_PI_64[word + 1] >> (32 - by);
}

// The upper 106 of 128 bits, the highest of which is set, as a number below 1.
dvec2 fraction_of(uvec4 words)
{
    const double high = double(words.w) * 2097152.0lf + double(words.z >> 11);
    const double low = (double(words.z & 0x7ffu) * 4294967296.0lf + double(words.y)) * 1024.0lf +
                       double(words.x >> 22);

    return dvec2(high * power_of_two64(-53), low * power_of_two64(-106));
}

// x less a number of quarter turns: at most pi / 4 in size.  Of the product with 2 / pi the 192 bits
// from 2^1 on are computed: two for quarters, the rest for a fraction, which is never less than 2^-62
// (Payne and Hanek, 1983).  For a |x| from 1/2.
dvec2 less_quarters(uvec2 x, out uint quarters)
{
    uvec2 significand;
    const uint at = uint(f64_split(x, significand) - 1013); // the first bit that counts
    uint part[6] = uint[6](0u, 0u, 0u, 0u, 0u, 0u); // the lowest first

    for (uint f = 0; f < 2; f++) {
        uint carry = 0;

        for (uint i = 0; i + f < 6; i++) {
            uint high, low;

            umulExtended(significand[f], word_of_two_by_pi(at + 32 * (5 - i)), high, low);
            low += carry;
            carry = high + (low < carry ? 1 : 0);
            part[i + f] += low;
            carry += part[i + f] < low ? 1 : 0;
        }
    }
    quarters = part[5] >> 30;
    for (uint i = 5; i > 0; i--)
        part[i] = part[i] << 2 | part[i - 1] >> 30;
    part[0] <<= 2;
    const bool minus = part[5] >> 31 != 0;

    if (minus) {
        for (uint i = 0; i < 6; i++)
            part[i] = ~part[i];
        quarters++;
    }
    // Its leading bit to the top.
    uvec4 words = uvec4(part[2], part[3], part[4], part[5]);
    uvec2 rest = uvec2(part[0], part[1]);
    int k = 0;

    for (; k > -64 && words.w == 0; k -= 32) {
        words = uvec4(rest.y, words.xyz);
        rest = uvec2(0, rest.x);
    }
    const uint by = uint(31 - findMSB(words.w | 1));

    if (by > 0)
        words = words << by | uvec4(rest.y, words.xyz) >> (32 - by);
    const dvec2 turn = pair_times(fraction_of(words), power_of_two64(k - int(by)));
    dvec2 r = pair_mul(turn, HALF_PI_64);

    if (minus)
        r = -r;
    if (int(x.y) < 0) {
        r = -r;
        quarters = 0 - quarters;
    }
    quarters &= 3;
    return r;
}

// Both for |r| < 0.79.
dvec2 sin_of(dvec2 r)
{
    const dvec2 z = exact_product(r.x, r.x);
    double q = -1.0lf / 121645100408832000.0lf;

    q = step_of(q, z.x, 1.0lf / 355687428096000.0lf);
    q = step_of(q, z.x, -1.0lf / 1307674368000.0lf);
    q = step_of(q, z.x, 1.0lf / 6227020800.0lf);
    q = step_of(q, z.x, -1.0lf / 39916800.0lf);
    q = step_of(q, z.x, 1.0lf / 362880.0lf);
    q = step_of(q, z.x, -1.0lf / 5040.0lf);
    q = step_of(q, z.x, 1.0lf / 120.0lf);
    // -r^3 / 6 as a pair; its low part also serves for r's own, by sin' = cos.
    const dvec2 cube =
        pair_mul(pair_mul(z, dvec2(-1.0lf / 6.0lf, -9.25185853854297e-18lf)), r.x);
    precise double rest = r.y * (1.0lf - 0.5lf * z.x) + z.x * z.x * r.x * q;
    const dvec2 start = ordered_sum(r.x, cube.x);
    precise double low = start.y + (cube.y + rest);

    return ordered_sum(start.x, low);
}

dvec2 cos_of(dvec2 r)
{
    const dvec2 z = exact_product(r.x, r.x);
    double q = 1.0lf / 2432902008176640000.0lf;

    q = step_of(q, z.x, -1.0lf / 6402373705728000.0lf);
    q = step_of(q, z.x, 1.0lf / 20922789888000.0lf);
    q = step_of(q, z.x, -1.0lf / 87178291200.0lf);
    q = step_of(q, z.x, 1.0lf / 479001600.0lf);
    q = step_of(q, z.x, -1.0lf / 3628800.0lf);
    q = step_of(q, z.x, 1.0lf / 40320.0lf);
    q = step_of(q, z.x, -1.0lf / 720.0lf);
    q = step_of(q, z.x, 1.0lf / 24.0lf);
    precise double half_square = -0.5lf * z.x;
    const dvec2 start = ordered_sum(1.0lf, half_square);
    precise double rest = z.x * z.x * q - (0.5lf * z.y + r.x * r.y);
    precise double low = start.y + rest;

    return ordered_sum(start.x, low);
}

// What is less than 1/2 is not reduced.
dvec2 reduced(uvec2 x, out uint quarters)
{
    quarters = 0;
    return (x.y & 0x7fffffffu) < 0x3fe00000u ? dvec2(number(x), 0.0lf)
                                              : less_quarters(x, quarters);
}

// The sine of `quarters` quarter turns and r; that of -0 is -0.
uvec2 sin_turned(dvec2 r, uint quarters)
{
    const double y = rounded((quarters & 1) != 0 ? cos_of(r) : sin_of(r));
    const uvec2 bits = (quarters & 1) != 0 ? bits_of(y) : with_sign(bits_of(y), bits_of(r.x));

    return uvec2(bits.x, bits.y ^ (quarters & 2) << 30);
}

// NaN and the infinities have no sine.
bool has_no_sine(uvec2 x)
{
    return (x.y & 0x7fffffffu) >= D_INFINITE.y;
}

uvec2 f64_sin(uvec2 x)
{
    uint quarters;

    if (has_no_sine(x))
        return D_QUIET;
    const dvec2 r = reduced(x, quarters);

    return sin_turned(r, quarters);
}

uvec2 f64_cos(uvec2 x)
{
    uint quarters;

    if (has_no_sine(x))
        return D_QUIET;
    const dvec2 r = reduced(x, quarters);

    return sin_turned(r, quarters + 1);
}

uvec2 f64_tan(uvec2 x)
{
    uint quarters;

    if (has_no_sine(x))
        return D_QUIET;
    const dvec2 r = reduced(x, quarters);
    const dvec2 s = sin_of(r), c = cos_of(r);

    if ((quarters & 1) != 0)
        return f64_neg(bits_of(rounded(pair_div(c, s))));
    return with_sign(bits_of(rounded(pair_div(s, c))), bits_of(r.x));
}

// ---- Their inverses --------------------------------------------------------

// (atan(s) / s - 1) / z of z = s^2, s from 0 to tan(pi / 8).
double atan_rest(double z)
{
    double y = 0.016285756855221028lf;

    y = step_of(y, z, -0.034570561981427744lf);
    y = step_of(y, z, 0.04551593220626549lf);
    y = step_of(y, z, -0.05230454270650244lf);
    y = step_of(y, z, 0.05878928997834775lf);
    y = step_of(y, z, -0.06666424885738255lf);
    y = step_of(y, z, 0.07692296375032143lf);
    y = step_of(y, z, -0.09090908753500877lf);
    y = step_of(y, z, 0.11111111105155447lf);
    y = step_of(y, z, -0.14285714285659828lf);
    y = step_of(y, z, 0.19999999999999804lf);
    y = step_of(y, z, -0.3333333333333333lf);
    return y;
}

// The angle whose tangent is a / b, for a and b of which neither is negative nor both are 0.
dvec2 angle_of(dvec2 a, dvec2 b)
{
    const double edge = 0.41421356237309503lf; // tan(pi / 8)
    const bool shallow = a.x <= b.x * edge, steep = b.x <= a.x * edge;
    const dvec2 s = shallow   ? pair_div(a, b)
                    : steep ? pair_div(-b, a)
                            : pair_div(pair_add(a, -b), pair_add(a, b));
    const double quarter = shallow ? 0.0lf : steep ? 1.0lf : 0.5lf;
    precise double z = s.x * s.x;
    precise double turn = quarter * HALF_PI_64.x;
    const dvec2 start = exact_sum(turn, s.x);
    precise double low =
        start.y + (quarter * HALF_PI_64.y + (s.y + s.x * z * atan_rest(z)));

    return ordered_sum(start.x, low);
}

uvec2 f64_atan(uvec2 x)
{
    const double a = min(number(f64_magnitude(x)), 1.2676506002282294e30lf); // 2^100: pi / 2

    if (f64_nan(x))
        return D_QUIET;
    return with_sign(bits_of(rounded(angle_of(dvec2(a, 0.0lf), dvec2(1.0lf, 0.0lf)))), x);
}

// sqrt(1 - a^2) for a from 0 to 1
dvec2 other_leg(double a)
{
    return pair_sqrt(pair_mul(exact_sum(1.0lf, -a), exact_sum(1.0lf, a)));
}

uvec2 f64_asin(uvec2 x)
{
    const double a = number(f64_magnitude(x));

    if (u64_less(D_ONE, f64_magnitude(x)) != 0) // NaN, too
        return D_QUIET;
    return with_sign(bits_of(rounded(angle_of(dvec2(a, 0.0lf), other_leg(a)))), x);
}

uvec2 f64_acos(uvec2 x)
{
    const double a = number(f64_magnitude(x));

    if (u64_less(D_ONE, f64_magnitude(x)) != 0)
        return D_QUIET;
    const dvec2 y = angle_of(other_leg(a), dvec2(a, 0.0lf));

    return bits_of(rounded(f64_negative(x) ? pair_add(HALF_PI_64 * 2.0lf, -y) : y));
}
#endif
