/*
 * pow.c - Pow element by element: six types of base, twelve types of exponent
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The C library's pow takes tens of times longer than a choice between types, so elements
 * are read by type, one at a time.
 */
#include "kernels/pow.h"

#include <math.h>

#include "base/half.h"
#include "kernels/row.h"

/* An integer exponent of any type. */
struct whole {
    uint64_t magnitude;
    bool negative;
};

/* ---- Elements by type --------------------------------------------------------- */

static inline struct whole whole_of(int64_t x)
{
    return (struct whole){x < 0 ? 0 - (uint64_t)x : (uint64_t)x, x < 0};
}

/* Element i of an integer type. */
static inline struct whole whole_at(bl_dtype dtype, const void *data, ptrdiff_t i)
{
    switch (dtype) {
    case BL_UINT8:
        return whole_of(((const uint8_t *)data)[i]);
    case BL_UINT16:
        return whole_of(((const uint16_t *)data)[i]);
    case BL_UINT32:
        return whole_of(((const uint32_t *)data)[i]);
    case BL_UINT64:
        return (struct whole){((const uint64_t *)data)[i], false};
    case BL_INT8:
        return whole_of(((const int8_t *)data)[i]);
    case BL_INT16:
        return whole_of(((const int16_t *)data)[i]);
    case BL_INT32:
        return whole_of(((const int32_t *)data)[i]);
    default: /* BL_INT64 */
        return whole_of(((const int64_t *)data)[i]);
    }
}

static inline bool is_floating(bl_dtype dtype)
{
    return dtype == BL_FLOAT16 || dtype == BL_BFLOAT16 || dtype == BL_FLOAT32 ||
           dtype == BL_FLOAT64;
}

/* Element i of a floating type; exact. */
static inline double real_at(bl_dtype dtype, const void *data, ptrdiff_t i)
{
    switch (dtype) {
    case BL_FLOAT16:
        return bl_f16_to_f32(((const uint16_t *)data)[i]);
    case BL_BFLOAT16:
        return bl_bf16_to_f32(((const uint16_t *)data)[i]);
    case BL_FLOAT32:
        return ((const float *)data)[i];
    default: /* BL_FLOAT64 */
        return ((const double *)data)[i];
    }
}

/* ---- Floating bases -------------------------------------------------------------- */

/* Squares are most of what models ask for, and a product is at least as near as pow.
 * x^0 and 1^y are 1 for every x and y; with a signalling NaN, C libraries differ. */
static inline double power(double x, double exponent)
{
    if (exponent == 0 || x == 1)
        return 1;
    return exponent == 2 ? x * x : pow(x, exponent);
}

/*
 * x to an integer of up to 64 bits, of which a double holds but the upper ones.
 *
 * With exponent = high + low, high a multiple of 2^11 and low below it: x^low is 1 + t +
 * t^2/2 + ..., t = low * log|x|.  Where x^high neither overflows nor vanishes, |log|x|| <
 * 746 / high, and so |t| < 746 * 2^11 / 2^53 < 2^-32: the terms from t^2/2 on lie below
 * half a unit of the last place.
 */
static double power_whole(double x, struct whole exponent)
{
    const uint64_t low = exponent.magnitude >> 53 == 0 ? 0 : exponent.magnitude & 0x7FF;
    const double sign = exponent.negative ? -1 : 1;
    double result = power(x, sign * (double)(exponent.magnitude - low));

    if (low == 0)
        return result;
    if (result != 0 && isfinite(result))
        result += result * (sign * (double)low * log(fabs(x)));
    return (low & 1) != 0 && signbit(x) ? -result : result;
}

static inline double value_at(const struct bl_row *row, bl_dtype base, size_t i)
{
    const double x = real_at(base, row->in[0], (ptrdiff_t)i * row->stride[0]);
    const ptrdiff_t j = (ptrdiff_t)i * row->stride[1];

    return is_floating(row->second) ? power(x, real_at(row->second, row->in[1], j))
                                    : power_whole(x, whole_at(row->second, row->in[1], j));
}

double bl_pow_value(const struct bl_row *row, bl_dtype base, size_t i)
{
    return value_at(row, base, i);
}

size_t bl_pow_doubles(const struct bl_row *row)
{
    for (size_t i = 0; i < row->n; i++)
        ((double *)row->out)[i] = value_at(row, BL_FLOAT64, i);
    return row->n;
}

void bl_pow_exponents(const struct bl_row *row, size_t at, size_t n, double *y)
{
    const bool real = is_floating(row->second);

    for (size_t i = 0; i < n; i++) {
        const ptrdiff_t j = (ptrdiff_t)(at + i) * row->stride[1];

        if (real) {
            y[i] = real_at(row->second, row->in[1], j);
        } else {
            const struct whole whole = whole_at(row->second, row->in[1], j);
            const double magnitude = (double)whole.magnitude;

            y[i] = whole.magnitude >> 53 != 0 ? NAN
                   : whole.negative           ? -magnitude
                                              : magnitude;
        }
    }
}

/* ---- Integer bases ---------------------------------------------------------------- */

/* Modulo 2^64, by squaring. */
static uint64_t power_wrapped(uint64_t x, uint64_t exponent)
{
    uint64_t result = 1;

    for (; exponent != 0; exponent >>= 1, x *= x)
        if (exponent & 1)
            result *= x;
    return result;
}

/* x to a negative power, truncated; x is not 0. */
static int64_t power_negative(int64_t x, uint64_t magnitude)
{
    if (x == 1 || x == -1)
        return (magnitude & 1) != 0 ? x : 1;
    return 0;
}

/* Truncated, saturated; NaN is 0. */
static int64_t truncated(double x, int64_t min, int64_t max)
{
    if (isnan(x))
        return 0;
    if (x >= (double)max)
        return max;
    return x <= (double)min ? min : (int64_t)x;
}

size_t bl_pow_integers(const struct bl_row *row, bl_dtype base, size_t from, size_t to)
{
    const bool real = is_floating(row->second);
    const bool narrow = base == BL_INT32;

    for (size_t i = from; i < to; i++) {
        const ptrdiff_t at = (ptrdiff_t)i * row->stride[0];
        const ptrdiff_t j = (ptrdiff_t)i * row->stride[1];
        const int64_t x =
            narrow ? ((const int32_t *)row->in[0])[at] : ((const int64_t *)row->in[0])[at];
        int64_t y;

        if (real) {
            y = truncated(pow((double)x, real_at(row->second, row->in[1], j)),
                          narrow ? INT32_MIN : INT64_MIN, narrow ? INT32_MAX : INT64_MAX);
        } else {
            const struct whole exponent = whole_at(row->second, row->in[1], j);

            if (x == 0 && exponent.negative)
                return i;
            y = exponent.negative ? power_negative(x, exponent.magnitude)
                                  : (int64_t)power_wrapped((uint64_t)x, exponent.magnitude);
        }
        if (narrow)
            ((int32_t *)row->out)[i] = (int32_t)y;
        else
            ((int64_t *)row->out)[i] = y;
    }
    return to;
}

bool bl_pow_whole_exponents(const struct bl_row *row, size_t at, size_t n, int64_t *y)
{
    uint64_t outside = 0;

    for (size_t i = 0; i < n; i++) {
        const struct whole whole =
            whole_at(row->second, row->in[1], (ptrdiff_t)(at + i) * row->stride[1]);

        outside |= whole.magnitude >> 63 | whole.negative;
        y[i] = (int64_t)(whole.magnitude & INT64_MAX);
    }
    return outside == 0;
}
