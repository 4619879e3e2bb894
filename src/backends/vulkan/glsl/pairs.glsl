// pairs.glsl - numbers as unevaluated sums of two floats, the larger first
//
// SPDX-License-Identifier: Apache-2.0
//
// Some 45 bits, for functions whose results are to be rounded nearly once.  Nothing here may be
// subnormal; a result that is, is made by pair_round.  Source: T. J. Dekker, A floating-point
// technique for extending the available precision, 1971.

// a + b without a loss, where |a| >= |b| or a is 0.
vec2 ordered_sum(float a, float b)
{
    precise float sum = a + b;
    precise float lost = b - (sum - a);

    return vec2(sum, lost);
}

vec2 exact_sum(float a, float b)
{
    precise float sum = a + b;
    precise float part = sum - a;
    precise float lost = (a - (sum - part)) + (b - part);

    return vec2(sum, lost);
}

vec2 exact_product(float a, float b)
{
    precise float product = a * b;
#ifdef FUSES
    precise float lost = fma(a, b, -product);
#else
    precise float a_part = a * 4097.0;
    precise float b_part = b * 4097.0;
    precise float a_high = a_part - (a_part - a);
    precise float b_high = b_part - (b_part - b);
    precise float a_low = a - a_high;
    precise float b_low = b - b_high;
    precise float lost =
        ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
#endif

    return vec2(product, lost);
}

// a b + c, rounded once where the device can.
float mul_add(float a, float b, float c)
{
#ifdef FUSES
    precise float sum = fma(a, b, c);
#else
    precise float sum = a * b + c;
#endif

    return sum;
}

vec2 pair_add(vec2 a, vec2 b)
{
    const vec2 high = exact_sum(a.x, b.x);
    precise float low = high.y + (a.y + b.y);

    return ordered_sum(high.x, low);
}

vec2 pair_add(vec2 a, float b)
{
    const vec2 high = exact_sum(a.x, b);
    precise float low = high.y + a.y;

    return ordered_sum(high.x, low);
}

vec2 pair_mul(vec2 a, vec2 b)
{
    const vec2 high = exact_product(a.x, b.x);
    precise float low = high.y + (a.x * b.y + a.y * b.x);

    return ordered_sum(high.x, low);
}

vec2 pair_mul(vec2 a, float b)
{
    const vec2 high = exact_product(a.x, b);
    precise float low = high.y + a.y * b;

    return ordered_sum(high.x, low);
}

vec2 pair_div(vec2 a, vec2 b)
{
    precise float q = a.x / b.x;
    const vec2 back = pair_mul(b, q);
    precise float rest = ((a.x - back.x) - back.y) + a.y;
    precise float more = rest / b.x;

    return ordered_sum(q, more);
}

// Of a number above 0.
vec2 pair_sqrt(vec2 a)
{
    precise float root = sqrt(a.x);
    const vec2 square = exact_product(root, root);
    precise float rest = ((a.x - square.x) - square.y) + a.y;
    precise float more = rest / (2.0 * root);

    return ordered_sum(root, more);
}

vec2 pair_neg(vec2 a)
{
    return -a;
}

// 2^k, for k from -126 to 127.
float power_of_two(int k)
{
    return uintBitsToFloat(uint(k + 127) << 23);
}

vec2 pair_scale(vec2 a, int k)
{
    return a * power_of_two(k);
}

// a 2^k rounded once, whatever it becomes: the bits of a float32.
uint pair_round(vec2 a, int k)
{
    const uint bits = floatBitsToUint(a.x);
    const uint magnitude = bits & 0x7fffffffu;

    if (magnitude == 0 || magnitude >= INFINITE)
        return bits;
    const int exponent = int(magnitude >> 23);

    // a.x is the sum rounded, and so the result where that is normal.
    if (exponent + k > 1 && exponent + k < 255)
        return bits + (uint(k) << 23);
    const float unit = power_of_two(clamp(exponent - 150, -126, 104));
    const float lost = (a.x < 0.0 ? -a.y : a.y) / unit * 8.0;
    const float whole = floor(lost);
    uint sig = uint(int((magnitude & 0x7fffffu | 0x800000u) << 3) + int(whole));
    const uint more = lost != whole ? 1 : 0;
    const bool short_of = sig >> 26 == 0;

    sig = short_of ? sig << 1 | more : sig | more;
    return f32_pack(bits & 0x80000000u, clamp(exponent + k - (short_of ? 1 : 0), -1000, 1000), sig);
}

uint pair_round(vec2 a)
{
    return pair_round(a, 0);
}
