/*
 * value.c - single elements as numbers, by plain arithmetic on doubles
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "conform/value.h"

#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "tensor/dtype.h"

const void *bl_value_at(const bl_tensor *tensor, int64_t index)
{
    const bl_shape *shape = bl_tensor_shape(tensor);
    const int64_t *stride = bl_tensor_strides(tensor);
    const int64_t bytes = (int64_t)bl_dtype_size(bl_tensor_dtype(tensor));
    int64_t offset = 0;

    for (int axis = shape->rank - 1; axis >= 0; axis--) {
        offset += index % shape->dim[axis] * stride[axis];
        index /= shape->dim[axis];
    }
    return (const unsigned char *)bl_tensor_data(tensor) + offset * bytes;
}

/* ---- Small floating types ------------------------------------------------ */

#define NONE 0xFFFFFFFF

/*
 * A type of at most 16 bits: sign, exponent, fraction.  `largest` is the code of the
 * largest finite value; `infinity` and `nan` are codes (sign bit clear, but for the FNUZ
 * types, whose NaN takes the place of -0), NONE where there is none. Source: IEEE 754 for
 * float16, ONNX docs/docsgen/source/technical/float8.md and float4.md.
 */
struct layout {
    bl_dtype dtype;
    int exponent_bits;
    int fraction_bits;
    int bias;
    uint32_t largest;
    uint32_t infinity;
    uint32_t nan;
};

static const struct layout layouts[] = {
    {BL_FLOAT16, 5, 10, 15, 0x7BFF, 0x7C00, 0x7E00},
    {BL_BFLOAT16, 8, 7, 127, 0x7F7F, 0x7F80, 0x7FC0},
    {BL_FLOAT8E4M3FN, 4, 3, 7, 0x7E, NONE, 0x7F},
    {BL_FLOAT8E4M3FNUZ, 4, 3, 8, 0x7F, NONE, 0x80},
    {BL_FLOAT8E5M2, 5, 2, 15, 0x7B, 0x7C, 0x7E},
    {BL_FLOAT8E5M2FNUZ, 5, 2, 16, 0x7F, NONE, 0x80},
    {BL_FLOAT4E2M1, 2, 1, 1, 0x7, NONE, NONE},
};

static const struct layout *layout_of(bl_dtype dtype)
{
    for (size_t i = 0; i < BL_COUNT_OF(layouts); i++)
        if (layouts[i].dtype == dtype)
            return &layouts[i];
    return NULL;
}

static uint32_t sign_bit(const struct layout *type)
{
    return UINT32_C(1) << (type->exponent_bits + type->fraction_bits);
}

static double decode(const struct layout *type, uint32_t code)
{
    const uint32_t magnitude = code & (sign_bit(type) - 1);
    const uint32_t implied = UINT32_C(1) << type->fraction_bits;
    const int exponent = (int)(magnitude >> type->fraction_bits);
    const uint32_t fraction = magnitude & (implied - 1);
    double value;

    if (code == type->nan || (type->nan < sign_bit(type) && magnitude > type->largest &&
                              magnitude != type->infinity))
        value = NAN;
    else if (magnitude == type->infinity)
        value = INFINITY;
    else if (exponent == 0)
        value = ldexp(fraction, 1 - type->bias - type->fraction_bits);
    else
        value = ldexp(implied + fraction, exponent - type->bias - type->fraction_bits);
    return code & sign_bit(type) ? -value : value;
}

static uint32_t encode(const struct layout *type, double value)
{
    const uint32_t sign = signbit(value) ? sign_bit(type) : 0;
    const double magnitude = fabs(value);
    int exponent;

    if (isnan(value))
        return type->nan != NONE ? type->nan : type->largest;
    if (isinf(value) && type->infinity == NONE)
        return type->nan != NONE ? type->nan : type->largest | sign;
    if (isinf(value))
        return type->infinity | sign;

    /* magnitude = units * 2^(exponent - fraction_bits), with 2^fraction_bits <= units for
     * normal numbers; below the smallest normal number the exponent stays. */
    frexp(magnitude, &exponent);
    exponent -= 1;
    if (magnitude == 0 || exponent < 1 - type->bias)
        exponent = 1 - type->bias;
    const double units = nearbyint(ldexp(magnitude, type->fraction_bits - exponent));
    /* The implied one of a normal number carries 1 into the exponent field, and so does
     * rounding up. */
    const int64_t below = (int64_t)(exponent + type->bias - 1) << type->fraction_bits;
    const int64_t code = below + (int64_t)units;

    if (code > type->largest)
        return (type->infinity != NONE ? type->infinity : type->largest) | sign;
    if (code == 0 && type->nan == sign_bit(type))
        return 0; /* FNUZ: there is no -0 */
    return (uint32_t)code | sign;
}

/* ---- float8e8m0: a power of two, 2^(code - 127), nothing else ------------ */

#define E8M0_BIAS 127
#define E8M0_NAN 0xFF

static double decode_e8m0(uint32_t code)
{
    return code == E8M0_NAN ? NAN : ldexp(1, (int)code - E8M0_BIAS);
}

static uint32_t encode_e8m0(double value)
{
    int exponent;

    if (isnan(value) || isinf(value) || value < 0)
        return E8M0_NAN;
    if (value <= ldexp(1, -E8M0_BIAS))
        return 0;
    const double fraction = 2 * frexp(value, &exponent); /* 1 <= fraction < 2 */
    const int down = exponent - 1 + E8M0_BIAS;
    const int code = fraction > 1.5 || (fraction == 1.5 && down % 2 != 0) ? down + 1 : down;

    return code < E8M0_NAN ? (uint32_t)code : E8M0_NAN - 1;
}

/* ---- Integers ------------------------------------------------------------ */

static unsigned bits_of(bl_dtype dtype)
{
    return dtype == BL_BOOL ? 1 : bl_dtype_info(dtype)->bits;
}

static bool is_signed(bl_dtype dtype)
{
    return bl_dtype_info(dtype)->kind == BL_KIND_INT;
}

/* The unsigned number that an element of 1, 2, 4 or 8 bytes is. */
static uint64_t load(const void *element, size_t bytes)
{
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;

    switch (bytes) {
    case 1:
        return memcpy(&u8, element, 1), u8;
    case 2:
        return memcpy(&u16, element, 2), u16;
    case 4:
        return memcpy(&u32, element, 4), u32;
    default:
        return memcpy(&u64, element, 8), u64;
    }
}

static void store(uint64_t value, void *element, size_t bytes)
{
    const uint8_t u8 = (uint8_t)value;
    const uint16_t u16 = (uint16_t)value;
    const uint32_t u32 = (uint32_t)value;

    switch (bytes) {
    case 1:
        memcpy(element, &u8, 1);
        break;
    case 2:
        memcpy(element, &u16, 2);
        break;
    case 4:
        memcpy(element, &u32, 4);
        break;
    default:
        memcpy(element, &value, 8);
        break;
    }
}

uint64_t bl_value_raw(bl_dtype dtype, const void *element)
{
    return load(element, bl_dtype_size(dtype));
}

/* The low `bits` bits, with the uppermost of them repeated above if the type is signed. */
static uint64_t extend(bl_dtype dtype, uint64_t value)
{
    const uint64_t top = UINT64_C(1) << (bits_of(dtype) - 1);

    value &= top | (top - 1);
    return is_signed(dtype) ? (value ^ top) - top : value;
}

uint64_t bl_value_to_bits(bl_dtype dtype, const void *element)
{
    const uint64_t raw = load(element, bl_dtype_size(dtype));

    return dtype == BL_BOOL ? raw != 0 : extend(dtype, raw);
}

void bl_value_from_bits(bl_dtype dtype, uint64_t bits, void *element)
{
    store(extend(dtype, bits), element, bl_dtype_size(dtype));
}

static double integer_to_double(bl_dtype dtype, uint64_t bits)
{
    if (is_signed(dtype) && bits >> 63)
        return -(double)(0 - bits);
    return (double)bits;
}

/* The first number above the type's range, a power of two; the range starts at minus this,
 * or at 0. */
static double integer_end(bl_dtype dtype)
{
    return ldexp(1, (int)bits_of(dtype) - (is_signed(dtype) ? 1 : 0));
}

static uint64_t integer_from_double(bl_dtype dtype, double value)
{
    const double end = integer_end(dtype);
    const double whole = trunc(value);
    const double lowest = is_signed(dtype) ? -end : 0;

    if (isnan(value))
        return 0;
    if (whole >= end)
        return is_signed(dtype) ? (UINT64_C(1) << (bits_of(dtype) - 1)) - 1 : ~UINT64_C(0);
    if (whole <= lowest)
        return is_signed(dtype) ? 0 - (UINT64_C(1) << (bits_of(dtype) - 1)) : 0;
    return whole < 0 ? 0 - (uint64_t)-whole : (uint64_t)whole;
}

/* ---- All types ----------------------------------------------------------- */

static double float_to_double(bl_dtype dtype, const void *element)
{
    const struct layout *type = layout_of(dtype);
    float f32;
    double f64;

    if (dtype == BL_FLOAT64)
        return memcpy(&f64, element, sizeof f64), f64;
    if (dtype == BL_FLOAT32)
        return memcpy(&f32, element, sizeof f32), f32;
    if (dtype == BL_FLOAT8E8M0)
        return decode_e8m0((uint32_t)load(element, 1));
    return decode(type,
                  (uint32_t)load(element, bl_dtype_size(dtype)) & (2 * sign_bit(type) - 1));
}

static void float_from_double(bl_dtype dtype, double value, void *element)
{
    const float f32 = (float)value;

    if (dtype == BL_FLOAT64)
        memcpy(element, &value, sizeof value);
    else if (dtype == BL_FLOAT32)
        memcpy(element, &f32, sizeof f32);
    else if (dtype == BL_FLOAT8E8M0)
        store(encode_e8m0(value), element, 1);
    else
        store(encode(layout_of(dtype), value), element, bl_dtype_size(dtype));
}

bl_dtype bl_value_part(bl_dtype complex_dtype)
{
    return complex_dtype == BL_COMPLEX64 ? BL_FLOAT32 : BL_FLOAT64;
}

double bl_value_to_double(bl_dtype dtype, const void *element)
{
    const struct bl_dtype_info *info = bl_dtype_info(dtype);

    if (info == NULL || info->kind == BL_KIND_STRING)
        return 0;
    if (info->kind == BL_KIND_COMPLEX)
        return float_to_double(bl_value_part(dtype), element);
    if (info->kind == BL_KIND_FLOAT)
        return float_to_double(dtype, element);
    return integer_to_double(dtype, bl_value_to_bits(dtype, element));
}

void bl_value_from_double(bl_dtype dtype, double value, void *element)
{
    const struct bl_dtype_info *info = bl_dtype_info(dtype);

    if (info == NULL || info->kind == BL_KIND_STRING)
        return;
    if (info->kind == BL_KIND_COMPLEX) {
        memset(element, 0, info->bytes);
        float_from_double(bl_value_part(dtype), value, element);
    } else if (info->kind == BL_KIND_FLOAT) {
        float_from_double(dtype, value, element);
    } else {
        bl_value_from_bits(dtype, integer_from_double(dtype, value), element);
    }
}

bool bl_value_in_range(bl_dtype dtype, double value)
{
    const struct bl_dtype_info *info = bl_dtype_info(dtype);
    const struct layout *type = layout_of(dtype);

    if (info == NULL || info->kind == BL_KIND_STRING)
        return false;
    if (info->kind != BL_KIND_FLOAT && info->kind != BL_KIND_COMPLEX) {
        const double end = integer_end(dtype);

        return value == trunc(value) && value < end &&
               value >= (is_signed(dtype) ? -end : 0);
    }
    if (dtype == BL_FLOAT8E8M0)
        return isnan(value) ||
               (value >= ldexp(1, -E8M0_BIAS) && value <= ldexp(1, E8M0_BIAS));
    if (type == NULL || type->infinity != NONE)
        return true;
    if (isnan(value))
        return type->nan != NONE;
    /* What rounds down to the largest value is in range; the tie does if that is even. */
    const double half_step = ldexp(1, (int)(type->largest >> type->fraction_bits) -
                                          type->bias - type->fraction_bits - 1);
    const double end = decode(type, type->largest) + half_step;

    return fabs(value) < end || (fabs(value) == end && type->largest % 2 == 0);
}
