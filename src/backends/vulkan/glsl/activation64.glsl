// activation64.glsl - erf and the activations of float64, in pairs, rounded at the end
//
// SPDX-License-Identifier: Apache-2.0
//
// The formulas of src/kernels/activation64.h, and the polynomials of polynomials.h.

#ifdef HAS_F64
// ---- The normal distribution -----------------------------------------------

// (erf(x) / x - its value there) / w of w = x^2 - 1/2, x from 0 to 1.
double erf_rest(double w)
{
    double y = 5.957176147748911e-11lf;

    y = step_of(y, w, -7.798543168142326e-10lf);
    y = step_of(y, w, 9.387642467190585e-09lf);
    y = step_of(y, w, -1.0420369437776738e-07lf);
    y = step_of(y, w, 1.053644949301286e-06lf);
    y = step_of(y, w, -9.614808686837411e-06lf);
    y = step_of(y, w, 7.82964952550334e-05lf);
    y = step_of(y, w, -0.0005611894221159957lf);
    y = step_of(y, w, 0.003480274496665589lf);
    y = step_of(y, w, -0.018283884489152906lf);
    y = step_of(y, w, 0.07940998675593483lf);
    y = step_of(y, w, -0.2810721780454342lf);
    return y;
}

// erf(x) / x times a, for 0 <= x < 1
dvec2 erf_near(dvec2 a, double x)
{
    precise double w = x * x - 0.5lf;
    precise double rest = w * erf_rest(w);
    const dvec2 sum = ordered_sum(0.9654687386698673lf, rest);
    precise double low = sum.y + 4.2566798032558066e-17lf;

    return pair_mul(dvec2(sum.x, low), a);
}

// ((1 + 2 y) exp(y^2) erfc(y) - its value there) / t of t = (y - 3.75) / (y + 3.75), y from 1/2 to 28.
double erfc_rest(double t)
{
    double y = -2.819125663086401e-09lf;

    y = step_of(y, t, 2.4650884795239513e-08lf);
    y = step_of(y, t, 2.2156361551057863e-08lf);
    y = step_of(y, t, -2.405381553661818e-07lf);
    y = step_of(y, t, -5.658053403353585e-08lf);
    y = step_of(y, t, 1.7380461262457937e-06lf);
    y = step_of(y, t, -9.7368428239226e-07lf);
    y = step_of(y, t, -1.1437767278950732e-05lf);
    y = step_of(y, t, 2.2384180644872092e-05lf);
    y = step_of(y, t, 5.164717365417525e-05lf);
    y = step_of(y, t, -0.0002901540353336165lf);
    y = step_of(y, t, 0.0002937140375272005lf);
    y = step_of(y, t, 0.0017556258398018613lf);
    y = step_of(y, t, -0.009746579602513314lf);
    y = step_of(y, t, 0.028362277420937457lf);
    y = step_of(y, t, -0.05869339858656682lf);
    y = step_of(y, t, 0.09230432116022246lf);
    y = step_of(y, t, -0.1088039301418558lf);
    y = step_of(y, t, 0.08227673849015059lf);
    y = step_of(y, t, 0.0035854154854658496lf);
    y = step_of(y, t, -0.14024059858554702lf);
    return y;
}

// exp(y^2) erfc(y) for y >= 1/2; what is beyond 28 is not told from 0.
dvec2 erfc_scaled(dvec2 y)
{
    const double near = clamp(y.x, 0.5lf, 28.0lf);
    const double low = near == y.x ? y.y : 0.0lf;
    precise double t = (near - 3.75lf) / (near + 3.75lf);
    precise double rest = t * erfc_rest(t);
    const dvec2 sum = ordered_sum(1.2375126308378275lf, rest);
    precise double more = sum.y + 1.0015417226238743e-16lf;

    return pair_div(dvec2(sum.x, more), pair_add(dvec2(2.0lf * near, 2.0lf * low), 1.0lf));
}

uvec2 f64_erf(uvec2 x)
{
    const double a = min(number(f64_magnitude(x)), 6.5lf);
    int k;

    if (f64_nan(x))
        return D_QUIET;
    if (a < 1.0lf) {
        const double near = balanced(a, k);

        return with_sign(round_scaled(Scaled64(erf_near(dvec2(near, 0.0lf), a), k)), x);
    }
    const dvec2 tail = pair_mul(erfc_scaled(dvec2(a, 0.0lf)), power_of(exp_of(exact_product(a, -a))));

    return with_sign(bits_of(rounded(one_minus(tail))), x);
}

// x m 2^k
uvec2 scaled_by(double x, dvec2 m, int k)
{
    int own;
    const double near = balanced(x, own);

    return round_scaled(Scaled64(pair_mul(m, near), own + k));
}

// x times the normal distribution at x: x erfc(-x / sqrt(2)) / 2
uvec2 f64_gelu(uvec2 x)
{
    const double size = number(f64_magnitude(x));
    const bool above = int(x.y) >= 0;

    if (f64_nan(x) || (f64_infinite(x) && !above))
        return D_QUIET;
    if (size > 50.0lf)
        return above ? x : uvec2(0, 0x80000000u);
    const dvec2 root_half = dvec2(0.7071067811865476lf, -4.833646656726457e-17lf);
    const dvec2 y = pair_mul(root_half, size);

    if (size < 0.75lf) {
        const dvec2 tail = pair_times(one_minus(erf_near(y, y.x)), 0.5lf);

        return with_sign(scaled_by(number(x), above ? one_minus(tail) : tail, 0), x);
    }
    const Scaled64 e = exp_of(exact_product(size, -0.5lf * size));
    const dvec2 tail = pair_mul(pair_times(erfc_scaled(y), 0.5lf), e.m);

    if (!above)
        return with_sign(scaled_by(number(x), tail, e.k), x);
    return scaled_by(number(x),
                     one_minus(pair_times(tail, power_of_two64(clamp(e.k, -200, 0)))), 0);
}

// ---- Gates -----------------------------------------------------------------

// 1 / (1 + e^-u)
Scaled64 sigmoid_of(dvec2 u)
{
    const Scaled64 e = exp_of(u.x > 0.0lf ? -u : u);
    const dvec2 denominator = pair_add(power_of(e), 1.0lf);

    return u.x < 0.0lf ? Scaled64(pair_div(e.m, denominator), e.k)
                       : Scaled64(pair_div(dvec2(1.0lf, 0.0lf), denominator), 0);
}

uvec2 f64_sigmoid(uvec2 x)
{
    return f64_nan(x) ? D_QUIET : round_scaled(sigmoid_of(dvec2(number(x), 0.0lf)));
}

// x sigmoid(u) b.  Where u is below -1400 that is 0, and below -11356 NaN if it is 0 times infinity.
uvec2 gated(uvec2 x, dvec2 u, uvec2 b)
{
    const uint sign = (x.y ^ b.y) & 0x80000000u;
    int x_k, b_k;

    if (f64_nan(x) || f64_nan(b) || f64_nan(bits_of(u.x)))
        return D_QUIET;
    if (f64_infinite(x) || f64_infinite(b))
        return u.x >= -11356.0lf ? f64_mul(x, b) : D_QUIET;
    if (u.x < -1400.0lf)
        return uvec2(0, sign);
    const Scaled64 gate = sigmoid_of(u);
    const dvec2 left = pair_mul(gate.m, balanced(number(x), x_k));
    const dvec2 product = pair_mul(left, balanced(number(b), b_k));
    const uvec2 y = round_scaled(Scaled64(product, clamp(gate.k + x_k + b_k, -2040, 2040)));

    return with_sign(y, uvec2(0, sign));
}

uvec2 f64_swiglu(uvec2 a, uvec2 b, uvec2 alpha)
{
    return gated(a, exact_product(number(a), number(alpha)), b);
}

uvec2 f64_swish(uvec2 x, uvec2 alpha)
{
    return f64_swiglu(x, D_ONE, alpha);
}

// x / (1 + e^(-2 u)), u = sqrt(2 / pi) (x + 0.044715 x^3)
uvec2 f64_gelu_tanh(uvec2 x)
{
    const double near = clamp(number(x), -100.0lf, 100.0lf);
    const dvec2 third = dvec2(0.07135481627260025lf, -6.175149918155315e-19lf);
    const dvec2 first = dvec2(1.5957691216057308lf, -9.96930880911092e-17lf);
    const dvec2 slope = pair_add(pair_mul(exact_product(near, near), third), first);

    return gated(x, pair_mul(slope, near), D_ONE);
}

// ---- Softplus, Mish, and the Elus ------------------------------------------

// max(x, 0) + log(1 + e^-|x|)
uvec2 f64_softplus(uvec2 x)
{
    const double size = number(f64_magnitude(x));
    const bool above = int(x.y) >= 0;
    const Scaled64 e = exp_of(dvec2(-size, 0.0lf));

    if (f64_nan(x))
        return D_QUIET;
    if (size > 45.0lf) // log(1 + e^x) is e^x
        return above ? x : round_scaled(e);
    return bits_of(rounded(pair_add(log1p_of(power_of(e)), above ? size : 0.0lf)));
}

// x tanh(log(1 + e^x)) = x n / (n + 2), n = e^x (e^x + 2); below 0 the common factor e^x is left to the
// last.
uvec2 f64_mish(uvec2 x)
{
    const double size = number(f64_magnitude(x));
    const bool above = int(x.y) >= 0;

    if (f64_nan(x) || (f64_infinite(x) && !above))
        return D_QUIET;
    if (above && size > 100.0lf)
        return x;
    if (size > 1400.0lf)
        return uvec2(0, 0x80000000u);
    const Scaled64 scaled = exp_of(dvec2(-size, 0.0lf));
    const dvec2 e = power_of(scaled);
    const dvec2 square = pair_mul(e, e);
    dvec2 factor;

    if (above) {
        const dvec2 n = pair_add(pair_times(e, 2.0lf), 1.0lf);

        factor = pair_div(n, pair_add(n, pair_times(square, 2.0lf)));
    } else {
        const dvec2 n = pair_add(square, pair_times(e, 2.0lf));

        factor = pair_div(pair_mul(scaled.m, pair_add(e, 2.0lf)), pair_add(n, 2.0lf));
    }
    return with_sign(scaled_by(number(x), factor, above ? 0 : scaled.k), x);
}

// alpha (e^x - 1)
uvec2 expm1_times(dvec2 x, double alpha)
{
    const Scaled64 e = expm1_of(x);
    const bool small = (bits_of(e.m.x).y & 0x7fffffffu) < 0x20b00000u; // as in balanced
    const dvec2 m = pair_times(e.m, small ? power_of_two64(540) : 1.0lf);

    return round_scaled(Scaled64(pair_mul(m, alpha), small ? -540 : e.k));
}

uvec2 f64_elu(uvec2 x, uvec2 alpha)
{
    if (!f64_negative(x))
        return x;
    return with_sign(expm1_times(dvec2(number(x), 0.0lf), number(alpha)), f64_neg(alpha));
}

// The product of two float32 is exact.
uvec2 f64_selu(uvec2 x, uvec2 alpha, uvec2 gamma)
{
    const uvec2 factor = f64_mul(alpha, gamma);

    return f64_negative(x) ? f64_elu(x, factor) : f64_mul(gamma, x);
}

// max(x, 0) + min(alpha (e^(x / alpha) - 1), 0): the latter has the sign of x, whatever alpha's.
uvec2 f64_celu(uvec2 x, uvec2 alpha)
{
    const uvec2 inner = f64_div(x, alpha);
    const uint size = inner.y & 0x7fffffffu;

    if (f64_nan(x) || f64_nan(inner) || (f64_zero(alpha) && !f64_negative(x)))
        return D_QUIET;
    if (!f64_negative(x) || f64_zero(alpha))
        return int(x.y) < 0 ? uvec2(0) : x;
    if (size < 0x3c300000u) // 2^-60: x / alpha times alpha
        return x;
    const double quotient = number(inner), a = number(alpha);
    const dvec2 back = exact_product(quotient, a);
    precise double rest = ((number(x) - back.x) - back.y) / a;

    return expm1_times(dvec2(quotient, size < 0x40960000u ? rest : 0.0lf), a); // 1408
}
#endif
