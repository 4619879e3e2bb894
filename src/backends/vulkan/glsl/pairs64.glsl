// pairs64.glsl - numbers as unevaluated sums of two float64 numbers, the larger first
//
// SPDX-License-Identifier: Apache-2.0
//
// As pairs.glsl, in the operations of src/kernels/pair.h and lanes.h, one for one: where a device's
// float64 is IEEE 754's, what is made of them has the CPU's bits.

#ifdef HAS_F64
double number(uvec2 x)
{
    return packDouble2x32(x);
}

uvec2 bits_of(double x)
{
    return unpackDouble2x32(x);
}

uvec2 with_sign(uvec2 magnitude, uvec2 of)
{
    return uvec2(magnitude.x, (magnitude.y & 0x7fffffffu) | (of.y & 0x80000000u));
}

// a + b without a loss, where |a| >= |b| or a is 0.
dvec2 ordered_sum(double a, double b)
{
    precise double sum = a + b;
    precise double lost = b - (sum - a);

    return dvec2(sum, lost);
}

dvec2 exact_sum(double a, double b)
{
    precise double sum = a + b;
    precise double part = sum - a;
    precise double lost = (a - (sum - part)) + (b - part);

    return dvec2(sum, lost);
}

// The 26 upper bits of the significand.
double upper_half(double x)
{
    const uvec2 bits = bits_of(x);

    return number(uvec2(bits.x & 0xf8000000u, bits.y));
}

dvec2 exact_product(double a, double b)
{
    precise double product = a * b;
    const double a_high = upper_half(a), b_high = upper_half(b);
    precise double a_low = a - a_high;
    precise double b_low = b - b_high;
    precise double lost =
        ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;

    return dvec2(product, lost);
}

dvec2 pair_add(dvec2 a, dvec2 b)
{
    const dvec2 high = exact_sum(a.x, b.x);
    precise double low = high.y + (a.y + b.y);

    return ordered_sum(high.x, low);
}

dvec2 pair_add(dvec2 a, double b)
{
    const dvec2 high = exact_sum(a.x, b);
    precise double low = high.y + a.y;

    return ordered_sum(high.x, low);
}

dvec2 pair_mul(dvec2 a, dvec2 b)
{
    const dvec2 high = exact_product(a.x, b.x);
    precise double low = high.y + (a.x * b.y + a.y * b.x);

    return ordered_sum(high.x, low);
}

dvec2 pair_mul(dvec2 a, double b)
{
    const dvec2 high = exact_product(a.x, b);
    precise double low = high.y + a.y * b;

    return ordered_sum(high.x, low);
}

dvec2 pair_div(dvec2 a, dvec2 b)
{
    precise double q = a.x / b.x;
    const dvec2 back = exact_product(q, b.x);
    precise double rest = ((a.x - back.x) - back.y) + (a.y - q * b.y);
    precise double more = rest / b.x;

    return ordered_sum(q, more);
}

// Of a number that is not negative.
dvec2 pair_sqrt(dvec2 a)
{
    precise double root = sqrt(a.x);
    const dvec2 square = exact_product(root, root);
    precise double rest = ((a.x - square.x) - square.y) + a.y;
    precise double more = rest / (2.0lf * root);

    return ordered_sum(root, root > 0.0lf ? more : 0.0lf);
}

// times a power of two
dvec2 pair_times(dvec2 a, double power)
{
    precise dvec2 scaled = a * power;

    return scaled;
}

dvec2 one_minus(dvec2 x)
{
    return pair_add(-x, 1.0lf);
}

// The sum of a pair, in one number.
double rounded(dvec2 a)
{
    precise double sum = a.x + a.y;

    return sum;
}

// 2^k, for k from -1022 to 1023.
double power_of_two64(int k)
{
    return number(uvec2(0, uint(k + 1023) << 20));
}

// y 2^k, for k from -2040 to 2040, rounded once if it is normal.
double times_power(double y, int k)
{
    const int part = k >> 1;
    precise double scaled = (y * power_of_two64(part)) * power_of_two64(k - part);

    return scaled;
}

// y c + next, rounded twice: a step of a polynomial.
double step_of(double y, double c, double next)
{
    precise double sum = y * c + next;

    return sum;
}

// m 2^k
struct Scaled64 {
    dvec2 m;
    int k;
};

uvec2 round_scaled(Scaled64 x)
{
    return bits_of(times_power(rounded(x.m), x.k));
}

// A number brought nearer to 1, so that neither a product of two overflows nor its low part
// underflows, and the power of two that brings it back.
double balanced(double x, out int k)
{
    const uint magnitude = bits_of(x).y & 0x7fffffffu;

    k = magnitude > 0x5f300000u ? 540 : magnitude < 0x20b00000u ? -540 : 0;
    precise double near = x * power_of_two64(-k);

    return near;
}
#endif
