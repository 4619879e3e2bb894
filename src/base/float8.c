/*
 * float8.c - the bits of the floating types of 8 bits and of 4, to and from float32 and
 * float64
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/float8.h"

#include "base/half.h"

struct format {
    unsigned fraction; /* bits */
    unsigned bias;
    uint8_t sign;     /* its bit */
    uint8_t largest;  /* code of the largest finite value */
    uint8_t infinity; /* code; that of NaN where there is no infinity */
    uint8_t nan;      /* code; 0x80 is a NaN without a sign */
};

static const struct format e4m3fn = {3, 7, 0x80, 0x7E, 0x7F, 0x7F};
static const struct format e4m3fnuz = {3, 8, 0x80, 0x7F, 0x80, 0x80};
static const struct format e5m2 = {2, 15, 0x80, 0x7B, 0x7C, 0x7E};
static const struct format e5m2fnuz = {2, 16, 0x80, 0x7F, 0x80, 0x80};
static const struct format e2m1 = {1, 1, 0x08, 0x07, 0x07, 0x08};

static const struct format *format_of(bl_dtype dtype)
{
    switch (dtype) {
    case BL_FLOAT8E4M3FN:
        return &e4m3fn;
    case BL_FLOAT8E4M3FNUZ:
        return &e4m3fnuz;
    case BL_FLOAT8E5M2:
        return &e5m2;
    case BL_FLOAT8E5M2FNUZ:
        return &e5m2fnuz;
    default:
        return &e2m1;
    }
}

#define F32_NAN 0x7FC00000u
#define F32_INFINITY 0x7F800000u

/* float8e8m0's code 0 is 2^-127, a subnormal float32. */
static uint32_t bits_of_power(uint8_t code)
{
    if (code == 255)
        return F32_NAN;
    return code == 0 ? UINT32_C(1) << 22 : (uint32_t)code << 23;
}

/* The bits of a code without its sign that is a number. */
static uint32_t bits_of_magnitude(const struct format *f, uint32_t magnitude)
{
    uint32_t exponent = magnitude >> f->fraction;
    uint32_t fraction = magnitude & ((1u << f->fraction) - 1);

    if (magnitude == 0)
        return 0;
    if (exponent == 0) { /* subnormal: shift its leading one to where it is left out */
        exponent = 1;
        while (fraction >> f->fraction == 0) {
            fraction <<= 1;
            exponent--; /* may wrap below 0, and comes back with the bias */
        }
        fraction &= (1u << f->fraction) - 1;
    }
    return (exponent + 127 - f->bias) << 23 | fraction << (23 - f->fraction);
}

float bl_float8_to_f32(bl_dtype dtype, uint8_t code)
{
    const struct format *f = format_of(dtype);
    const uint32_t sign = (code & f->sign) != 0 ? UINT32_C(0x80000000) : 0;
    const uint32_t magnitude = code & (f->sign - 1u);

    if (dtype == BL_FLOAT8E8M0)
        return bl_f32_from_bits(bits_of_power(code));
    if (f->nan == 0x80 && code == 0x80)
        return bl_f32_from_bits(F32_NAN);
    if (magnitude > f->largest)
        return bl_f32_from_bits(
            sign |
            (f->infinity != f->nan && magnitude == f->infinity ? F32_INFINITY : F32_NAN));
    return bl_f32_from_bits(sign | bits_of_magnitude(f, magnitude));
}

/* A finite magnitude, rounded as if the exponents had no upper end. */
static uint32_t rounded_code(const struct format *f, uint32_t bits)
{
    const uint32_t exponent = bits >> 23;
    const uint32_t least = 128 - f->bias; /* the exponent of the smallest normal number */
    const uint32_t significand = (bits & 0x7FFFFF) | 0x800000;
    const uint32_t below = exponent < least ? least - exponent : 0;
    const uint32_t shift = 23 - f->fraction + below;

    if (shift > 25) /* less than half of the smallest subnormal */
        return 0;
    const uint32_t kept = significand >> shift;
    const uint32_t lost = significand & ((1u << shift) - 1);
    const uint32_t half = 1u << (shift - 1);
    const uint32_t rounded = kept + (lost > half || (lost == half && (kept & 1) != 0));

    /* The significand's leading one adds 1 to the exponent field; so do carries. */
    return below > 0 ? rounded : rounded + ((exponent - least) << f->fraction);
}

uint8_t bl_f32_to_float8(bl_dtype dtype, float x, bool saturate)
{
    const struct format *f = format_of(dtype);
    const uint32_t bits = bl_f32_bits(x) & 0x7FFFFFFF;
    const uint8_t sign = bl_f32_bits(x) >> 31 != 0 ? f->sign : 0;
    const bool unsigned_nan = f->nan == f->sign;

    if (bits > F32_INFINITY)
        return unsigned_nan ? f->nan : sign | f->nan;

    const uint32_t code = bits == F32_INFINITY ? UINT32_MAX : rounded_code(f, bits);

    if (code > f->largest) {
        if (saturate || dtype == BL_FLOAT4E2M1)
            return sign | f->largest;
        return unsigned_nan ? f->nan : sign | f->infinity;
    }
    if (code == 0 && f->nan == 0x80)
        return 0;
    return sign | (uint8_t)code;
}

uint8_t bl_f64_to_float8e8m0(double x, bool saturate, enum bl_power_round round)
{
    const uint64_t magnitude = bl_f64_bits(x) & UINT64_C(0x7FFFFFFFFFFFFFFF);
    const uint64_t fraction = magnitude & UINT64_C(0xFFFFFFFFFFFFF);
    const bool up = round == BL_POWER_UP        ? fraction != 0
                    : round == BL_POWER_NEAREST ? fraction >> 51 != 0
                                                : false;
    /* Of a subnormal, as of 0, the exponent is far too low, whatever its fraction. */
    const int code = (int)(magnitude >> 52) + up - 1023 + 127;

    if (magnitude > UINT64_C(0x7FF0000000000000))
        return 255;
    if (code < 0)
        return saturate ? 0 : 255;
    if (code > 254)
        return saturate ? 254 : 255;
    return (uint8_t)code;
}
