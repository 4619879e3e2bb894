/*
 * cast_store.tmpl.h - elements of any type out of one of the three that Cast works with
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * No parameters; needs convert.tmpl.h.
 */

/* y[i] = each(x[i]) for y of T; `x` is a name in it. */
#define STORE(T, ...)                  \
    do {                               \
        T *to = y;                     \
                                       \
        BL_LANEWISE                    \
        for (size_t i = 0; i < n; i++) \
            to[i] = (T)(__VA_ARGS__);  \
        return;                        \
    } while (0)

/* What float32 is to become: another float. */
static void store_float(bl_dtype dtype, size_t n, const float *x, void *y,
                        const struct bl_params *params)
{
    switch (dtype) {
    case BL_FLOAT32:
        memmove(y, x, n * sizeof *x);
        return;
    case BL_FLOAT16:
        narrow_f16(n, y, x, 1);
        return;
    case BL_BFLOAT16:
        narrow_bf16(n, y, x, 1);
        return;
    default:
        for (size_t i = 0; i < n; i++)
            ((uint8_t *)y)[i] = bl_f32_to_float8(dtype, x[i], params->saturate);
    }
}

/* As bl_f64_to_f32_odd, but for the payload of a NaN, without branches: step back where
 * rounding stepped up, then set the last bit. */
static inline float odd_float(double x)
{
    const float near = (float)x;
    const float size = bl_f32_from_bits(bl_f32_bits(near) & 0x7FFFFFFF);
    const uint32_t up = (double)size > magnitude(x) ? 1 : 0;
    const uint32_t inexact = (double)near != x ? 1 : 0;

    return bl_f32_from_bits((bl_f32_bits(near) - up) | inexact);
}

/* An integer of 32 bits or fewer from `low` to `high`: truncated, saturated, 0 of NaN.
 * Processors whose vectors have no such conversion do it by additions. */
static inline uint32_t truncated(double x, double low, double high)
{
    const double y = within(x == x ? x : 0, low, high);
    const double size = magnitude(y);
    const double near = nearest(size);
    const double floor = near > size ? near - 1 : near;

    return (uint32_t)integer_bits(with_sign(floor, y));
}

static inline int64_t truncated_i64(double x)
{
    const double y = within(x == x ? x : 0, -0x1p63, 0x1.fffffffffffffp62);

    return x >= 0x1p63 ? INT64_MAX : (int64_t)y;
}

static inline uint64_t truncated_u64(double x)
{
    const double y = within(x == x ? x : 0, 0, 0x1.fffffffffffffp63);

    return x >= 0x1p64 ? UINT64_MAX : (uint64_t)y;
}

static enum bl_power_round power_round(enum bl_round round)
{
    switch (round) {
    case BL_ROUND_DOWN:
        return BL_POWER_DOWN;
    case BL_ROUND_NEAREST:
        return BL_POWER_NEAREST;
    default:
        return BL_POWER_UP;
    }
}

/* A number, exact or rounded to odd, to any type; exact to float64. */
static void store_double(bl_dtype dtype, size_t n, const double *x, void *y,
                         const struct bl_params *params)
{
    float floats[BLOCK];

    switch (dtype) {
    case BL_FLOAT64:
        memmove(y, x, n * sizeof *x);
        return;
    case BL_FLOAT32:
        STORE(float, x[i]);
    case BL_UINT8:
        STORE(uint8_t, truncated(x[i], 0, UINT8_MAX));
    case BL_INT8:
        STORE(int8_t, truncated(x[i], INT8_MIN, INT8_MAX));
    case BL_UINT16:
        STORE(uint16_t, truncated(x[i], 0, UINT16_MAX));
    case BL_INT16:
        STORE(int16_t, truncated(x[i], INT16_MIN, INT16_MAX));
    case BL_UINT32:
        STORE(uint32_t, truncated(x[i], 0, UINT32_MAX));
    case BL_INT32:
        STORE(int32_t, truncated(x[i], INT32_MIN, INT32_MAX));
    case BL_UINT64:
        STORE(uint64_t, truncated_u64(x[i]));
    case BL_INT64:
        STORE(int64_t, truncated_i64(x[i]));
    case BL_BOOL:
        STORE(uint8_t, x[i] != 0);
    case BL_UINT4:
    case BL_INT4:
    case BL_UINT2:
    case BL_INT2:
        STORE(uint8_t, small_integer(dtype, x[i]));
    case BL_FLOAT8E8M0:
        STORE(uint8_t, bl_f64_to_float8e8m0(x[i], params->saturate,
                                            power_round(params->round_mode)));
    default:
        BL_LANEWISE
        for (size_t i = 0; i < n; i++)
            floats[i] = odd_float(x[i]);
        store_float(dtype, n, floats, y, params);
    }
}

/* Integers, modulo 2^n; bool is whether they are not 0. */
static void store_bits(bl_dtype dtype, size_t n, const uint64_t *x, void *y)
{
    switch (dtype) {
    case BL_UINT8:
    case BL_INT8:
        STORE(uint8_t, x[i]);
    case BL_UINT16:
    case BL_INT16:
        STORE(uint16_t, x[i]);
    case BL_UINT32:
    case BL_INT32:
        STORE(uint32_t, x[i]);
    case BL_UINT64:
    case BL_INT64:
        memmove(y, x, n * sizeof *x);
        return;
    case BL_BOOL:
        STORE(uint8_t, x[i] != 0);
    default:
        STORE(uint8_t, wrapped_small(dtype, x[i]));
    }
}

#undef STORE
