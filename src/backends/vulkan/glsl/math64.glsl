// math64.glsl - exponentials and logarithms of float64, in pairs, rounded at the end
//
// SPDX-License-Identifier: Apache-2.0
//
// The formulas of src/kernels/math64.h.

#ifdef HAS_F64
const double LOG2_E_64 = 1.4426950408889634lf;

// ln 2: the upper part's product with an exponent is exact.
const double LN2_UPPER_64 = 0.6931471805598903lf;
const double LN2_LOWER_64 = 5.497923018708371e-14lf;

// ---- Exponentials ----------------------------------------------------------

// e^x = 2^k (1 + m).  m is relatively precise, |m| < 0.42.
Scaled64 exponential(dvec2 x)
{
    const double high = clamp(x.x, -1400.0lf, 1400.0lf);
    const double low = high == x.x ? x.y : 0.0lf;
    precise double k = floor(high * LOG2_E_64 + 0.5lf);
    precise double first = high - k * LN2_UPPER_64;
    precise double second = -(k * LN2_LOWER_64);
    const dvec2 near = exact_sum(first, second);
    precise double together = near.y + low;
    const dvec2 r = ordered_sum(near.x, together);
    const dvec2 square = exact_product(r.x, r.x);
    double q = 1.0lf / 6227020800.0lf;

    q = step_of(q, r.x, 1.0lf / 479001600.0lf);
    q = step_of(q, r.x, 1.0lf / 39916800.0lf);
    q = step_of(q, r.x, 1.0lf / 3628800.0lf);
    q = step_of(q, r.x, 1.0lf / 362880.0lf);
    q = step_of(q, r.x, 1.0lf / 40320.0lf);
    q = step_of(q, r.x, 1.0lf / 5040.0lf);
    q = step_of(q, r.x, 1.0lf / 720.0lf);
    q = step_of(q, r.x, 1.0lf / 120.0lf);
    q = step_of(q, r.x, 1.0lf / 24.0lf);
    q = step_of(q, r.x, 1.0lf / 6.0lf);
    precise double rest = square.x * r.x * q;
    precise double half_square = 0.5lf * square.x;
    const dvec2 start = ordered_sum(r.x, half_square);
    precise double low_part = r.y + (0.5lf * square.y + r.x * r.y);
    precise double tail = start.y + (low_part + rest);

    return Scaled64(ordered_sum(start.x, tail), int(k));
}

Scaled64 exp_of(dvec2 x)
{
    const Scaled64 e = exponential(x);

    return Scaled64(pair_add(e.m, 1.0lf), e.k);
}

// The value of e^x, for x <= 0, where less than 2^-200 is as good as 2^-200.
dvec2 power_of(Scaled64 e)
{
    return pair_times(e.m, power_of_two64(clamp(e.k, -200, 0)));
}

// e^x - 1.  One of the powers is 1, and neither overflows.
Scaled64 expm1_of(dvec2 x)
{
    const Scaled64 e = exponential(x);
    const double power = power_of_two64(clamp(e.k, -200, 0));
    const double unit = power_of_two64(-clamp(e.k, 0, 200));

    return Scaled64(pair_add(pair_times(e.m, power), power - unit), max(e.k, 0));
}

uvec2 f64_exp(uvec2 x)
{
    return f64_nan(x) ? D_QUIET : round_scaled(exp_of(dvec2(number(x), 0.0lf)));
}

// sinh and cosh of |x|, over one denominator.
struct Hyperbolic64 {
    dvec2 sinh, cosh, denominator;
    int k;
};

Hyperbolic64 hyperbolic(uvec2 x)
{
    const Scaled64 e = exponential(dvec2(number(f64_magnitude(x)), 0.0lf));
    const double c = power_of_two64(-2 * clamp(e.k, 0, 60)); // less changes nothing
    const dvec2 q = pair_mul(e.m, pair_add(e.m, 2.0lf));

    return Hyperbolic64(pair_add(ordered_sum(1.0lf, -c), q), pair_add(ordered_sum(1.0lf, c), q),
                        pair_add(e.m, 1.0lf), e.k);
}

uvec2 f64_sinh(uvec2 x)
{
    const Hyperbolic64 h = hyperbolic(x);

    if (f64_nan(x))
        return D_QUIET;
    return with_sign(round_scaled(Scaled64(pair_div(h.sinh, h.denominator), h.k - 1)), x);
}

uvec2 f64_cosh(uvec2 x)
{
    const Hyperbolic64 h = hyperbolic(x);

    if (f64_nan(x))
        return D_QUIET;
    return round_scaled(Scaled64(pair_div(h.cosh, h.denominator), h.k - 1));
}

uvec2 f64_tanh(uvec2 x)
{
    const Hyperbolic64 h = hyperbolic(x);

    if (f64_nan(x))
        return D_QUIET;
    return with_sign(bits_of(rounded(pair_div(h.sinh, h.cosh))), x);
}

// ---- Logarithms ------------------------------------------------------------

// log(1 + f) + k ln 2: with s = 2 f / (2 + f) the first is 2 atanh(s / 2).  1 + f is from sqrt(1/2) to
// sqrt(2).
dvec2 log_of(dvec2 f, int k)
{
    const dvec2 s = pair_div(pair_times(f, 2.0lf), pair_add(f, 2.0lf));
    precise double z = 0.25lf * (s.x * s.x);
    double q = 1.0lf / 25.0lf;

    q = step_of(q, z, 1.0lf / 23.0lf);
    q = step_of(q, z, 1.0lf / 21.0lf);
    q = step_of(q, z, 1.0lf / 19.0lf);
    q = step_of(q, z, 1.0lf / 17.0lf);
    q = step_of(q, z, 1.0lf / 15.0lf);
    q = step_of(q, z, 1.0lf / 13.0lf);
    q = step_of(q, z, 1.0lf / 11.0lf);
    q = step_of(q, z, 1.0lf / 9.0lf);
    q = step_of(q, z, 1.0lf / 7.0lf);
    q = step_of(q, z, 1.0lf / 5.0lf);
    q = step_of(q, z, 1.0lf / 3.0lf);
    const double octaves = double(k);
    precise double upper = octaves * LN2_UPPER_64;
    const dvec2 sum = exact_sum(upper, s.x);
    precise double low = sum.y + (octaves * LN2_LOWER_64 + (s.y + s.x * z * q));

    return ordered_sum(sum.x, low);
}

// A positive, finite x = m 2^k, with m from sqrt(1/2) to sqrt(2).
double split_octave(uvec2 x, out int k)
{
    uvec2 m;

    k = f64_split(x, m) - 1023;
    m.y = (m.y & 0xfffffu) | 0x3ff00000u;
    if (u64_less(uvec2(0x667f3bcdu, 0x3ff6a09eu), m) != 0) { // sqrt(2)
        m.y -= 0x100000u;
        k++;
    }
    return number(m);
}

dvec2 log_of(uvec2 x, int more)
{
    int k;
    const double m = split_octave(x, k);
    precise double f = m - 1.0lf;

    return log_of(dvec2(f, 0.0lf), k + more);
}

uvec2 f64_log(uvec2 x)
{
    if (f64_zero(x))
        return uvec2(0, 0x80000000u | D_INFINITE.y);
    if (f64_nan(x) || int(x.y) < 0)
        return D_QUIET;
    return x == D_INFINITE ? x : bits_of(rounded(log_of(x, 0)));
}

// log(1 + y) for 0 <= y < 2^1000
dvec2 log1p_of(dvec2 y)
{
    int k;
    const dvec2 sum = pair_add(y, 1.0lf);
    const double m = split_octave(bits_of(sum.x), k);
    precise double f = m - 1.0lf;
    precise double low = sum.y * power_of_two64(-k);
    const dvec2 near = ordered_sum(f, low);

    return log_of(k == 0 ? y : exact_sum(near.x, near.y), k);
}

bool is_large(uvec2 x)
{
    return (x.y & 0x7fffffffu) >= 0x41d00000u; // 2^30
}

// log(1 + y), or log(2 x) where x is so large that the two are the same.
uvec2 log_or_double(dvec2 y, uvec2 x)
{
    return bits_of(rounded(is_large(x) ? log_of(x, 1) : log1p_of(y)));
}

uvec2 f64_asinh(uvec2 x)
{
    const uvec2 size = f64_magnitude(x);
    const double a = is_large(x) ? 1.0lf : number(size);
    const dvec2 square = exact_product(a, a);
    const dvec2 root = pair_sqrt(pair_add(square, 1.0lf));
    const dvec2 rest = pair_div(square, pair_add(root, 1.0lf));

    if (f64_nan(x) || size == D_INFINITE)
        return f64_nan(x) ? D_QUIET : x;
    return with_sign(log_or_double(pair_add(rest, a), size), x);
}

uvec2 f64_acosh(uvec2 x)
{
    if (f64_nan(x) || f64_less(x, D_ONE) != 0)
        return D_QUIET;
    if (x == D_INFINITE)
        return x;
    const dvec2 t = exact_sum(is_large(x) ? 1.0lf : number(x), -1.0lf);
    const dvec2 root = pair_sqrt(pair_mul(t, pair_add(t, 2.0lf)));

    return log_or_double(pair_add(t, root), x);
}

uvec2 f64_atanh(uvec2 x)
{
    const uvec2 size = f64_magnitude(x);

    if (size == D_ONE)
        return with_sign(D_INFINITE, x);
    if (u64_less(D_ONE, size) != 0) // NaN, too
        return D_QUIET;
    const double a = number(size);
    const dvec2 y = log1p_of(pair_div(dvec2(2.0lf * a, 0.0lf), exact_sum(1.0lf, -a)));

    return with_sign(bits_of(0.5lf * rounded(y)), x);
}
#endif
