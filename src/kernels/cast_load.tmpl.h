/*
 * cast_load.tmpl.h - elements of any type into one of the three that Cast works with
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * No parameters; needs convert.tmpl.h.  Elements lie side by side.
 */

/* y[i] = (C)x[i] for x of T */
#define LOAD(T, C)                     \
    do {                               \
        const T *from = x;             \
                                       \
        BL_LANEWISE                    \
        for (size_t i = 0; i < n; i++) \
            y[i] = (C)from[i];         \
        return;                        \
    } while (0)

/* The types whose every value is a float32. */
static void load_float(bl_dtype dtype, size_t n, const void *x, float *y)
{
    const uint8_t *bytes = x;

    switch (dtype) {
    case BL_FLOAT32:
        memmove(y, x, n * sizeof *y);
        return;
    case BL_FLOAT16:
        widen_f16(n, y, x, 1);
        return;
    case BL_BFLOAT16:
        widen_bf16(n, y, x, 1);
        return;
    case BL_UINT8:
        LOAD(uint8_t, float);
    case BL_INT8:
        LOAD(int8_t, float);
    case BL_UINT16:
        LOAD(uint16_t, float);
    case BL_INT16:
        LOAD(int16_t, float);
    case BL_BOOL:
        for (size_t i = 0; i < n; i++)
            y[i] = bytes[i] != 0 ? 1 : 0;
        return;
    default:
        for (size_t i = 0; i < n; i++)
            y[i] = small_value(dtype, bytes[i]);
    }
}

/* A double that rounds to every narrower type as the integer itself does: beyond 53 bits,
 * rounded to odd. */
static inline double odd_of_magnitude(uint64_t x)
{
    const uint64_t upper = x >> 11 | ((x & 0x7FF) != 0);

    return x >> 53 != 0 ? (double)upper * 2048 : (double)x;
}

static inline double odd_of_signed(int64_t x)
{
    const double magnitude = odd_of_magnitude(x < 0 ? 0 - (uint64_t)x : (uint64_t)x);

    return x < 0 ? -magnitude : magnitude;
}

/* Any type: exact, or an integer of 64 bits rounded to odd. */
static void load_double(bl_dtype dtype, size_t n, const void *x, double *y)
{
    float floats[BLOCK];

    switch (dtype) {
    case BL_FLOAT64:
        memmove(y, x, n * sizeof *y);
        return;
    case BL_UINT32:
        LOAD(uint32_t, double);
    case BL_INT32:
        LOAD(int32_t, double);
    case BL_UINT64:
        for (size_t i = 0; i < n; i++)
            y[i] = odd_of_magnitude(((const uint64_t *)x)[i]);
        return;
    case BL_INT64:
        for (size_t i = 0; i < n; i++)
            y[i] = odd_of_signed(((const int64_t *)x)[i]);
        return;
    default:
        load_float(dtype, n, x, floats);
        for (size_t i = 0; i < n; i++)
            y[i] = (double)floats[i];
    }
}

/* An integer of 64 bits, rounded once. */
static void load_rounded(bl_dtype dtype, size_t n, const void *x, double *y)
{
    if (dtype == BL_UINT64)
        LOAD(uint64_t, double);
    else
        LOAD(int64_t, double);
}

/* The integers and bool, modulo 2^64. */
static void load_bits(bl_dtype dtype, size_t n, const void *x, uint64_t *y)
{
    const uint8_t *bytes = x;

    switch (dtype) {
    case BL_UINT8:
        LOAD(uint8_t, uint64_t);
    case BL_INT8:
        LOAD(int8_t, uint64_t);
    case BL_UINT16:
        LOAD(uint16_t, uint64_t);
    case BL_INT16:
        LOAD(int16_t, uint64_t);
    case BL_UINT32:
        LOAD(uint32_t, uint64_t);
    case BL_INT32:
        LOAD(int32_t, uint64_t);
    case BL_UINT64:
    case BL_INT64:
        memmove(y, x, n * sizeof *y);
        return;
    case BL_BOOL:
        for (size_t i = 0; i < n; i++)
            y[i] = bytes[i] != 0;
        return;
    default:
        for (size_t i = 0; i < n; i++) {
            const uint8_t byte = wrapped_small(dtype, bytes[i]);

            y[i] = is_small_signed(dtype) ? (uint64_t)(int8_t)byte : byte;
        }
    }
}

#undef LOAD
