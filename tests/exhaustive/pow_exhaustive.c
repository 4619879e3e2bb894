/*
 * pow_exhaustive.c - Pow's vectors against the C library's pow, bit for bit
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Usage: pow_exhaustive [--sample STEP] [--pairs MILLIONS]
 *
 * On each tier: every float32 (each STEPth) to the exponents that have a short way of their
 * own, alone and in a tensor; random pairs, many of them where results are tiny, huge, exact,
 * or halfway between two numbers; and every 16-bit float to a few exponents.
 */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/half.h"
#include "kernels/kernel.h"

#define COUNT 4096

static const float fixed[] = {2, 3, 0.5F, -1};

struct trial {
    bl_row_fn fn, f16, bf16;
    const char *tier;
    uint64_t random;
    uint64_t wrong;
};

static uint64_t next(struct trial *trial)
{
    trial->random ^= trial->random << 13;
    trial->random ^= trial->random >> 7;
    trial->random ^= trial->random << 17;
    return trial->random * UINT64_C(0x2545F4914F6CDD1D);
}

/* What Pow means, to be rounded once: the C library's pow in double. */
static double expected(double x, double y)
{
    if (y == 0 || x == 1)
        return 1;
    return y == 2 ? x * x : pow(x, y);
}

static bool same(float a, float b)
{
    return (isnan(a) && isnan(b)) || bl_f32_bits(a) == bl_f32_bits(b);
}

static void check(struct trial *trial, const char *how, const float *x, const float *y,
                  ptrdiff_t stride, const float *want)
{
    float out[COUNT];
    const struct bl_row row = {.n = COUNT,
                               .out = out,
                               .in = (const void *const[]){x, y},
                               .stride = (const ptrdiff_t[]){1, stride},
                               .inputs = 2,
                               .second = BL_FLOAT32};

    trial->fn(&row);
    for (size_t i = 0; i < COUNT; i++) {
        const float exponent = y[(ptrdiff_t)i * stride];

        if (same(out[i], want[i]))
            continue;
        if (trial->wrong++ < 20)
            printf("%s, %s: %a ^ %a is %a, not %a\n", trial->tier, how, (double)x[i],
                   (double)exponent, (double)out[i], (double)want[i]);
    }
}

/* ---- Every base ----------------------------------------------------------------------- */

static void try_bases(struct trial *trial, float exponent, uint64_t step)
{
    float x[COUNT], y[COUNT], want[COUNT];
    uint64_t bits = 0;

    for (size_t i = 0; i < COUNT; i++)
        y[i] = exponent;
    while (bits >> 32 == 0) {
        for (size_t i = 0; i < COUNT; i++, bits += step) {
            x[i] = bl_f32_from_bits((uint32_t)bits);
            want[i] = (float)expected(x[i], exponent);
        }
        check(trial, "a scalar", x, y, 0, want);
        check(trial, "a tensor", x, y, 1, want);
    }
}

/* ---- Random pairs ---------------------------------------------------------------------- */

static float any_float(struct trial *trial)
{
    return bl_f32_from_bits((uint32_t)(next(trial) >> 32));
}

/* A number from -size to size. */
static float below(struct trial *trial, double size)
{
    return (float)(size * ((double)(next(trial) >> 11) * 0x1p-52 - 1));
}

/* A few bits times a power of two: such powers are exact, or ties. */
static float few_bits(struct trial *trial)
{
    const unsigned width = 1 + (unsigned)(next(trial) >> 60);
    const int64_t whole = (int64_t)(next(trial) >> (63 - width)) - (INT64_C(1) << width);

    return ldexpf((float)whole, (int)(next(trial) >> 59) - 16);
}

static void choose(struct trial *trial, float *x, float *y)
{
    static const float odd[] = {0,   -0.0F,     1,         -1,       INFINITY, -INFINITY,
                                NAN, 0x1p-149F, 0x1p-126F, 0.5F,     2,        3,
                                -2,  0x1p24F,   0x1p31F,   -0x1p63F, 1e38F,    1e-38F};
    const size_t kinds = sizeof odd / sizeof odd[0];

    *x = fabsf(any_float(trial));
    switch (next(trial) >> 61) {
    case 0: /* anything */
        *x = any_float(trial);
        *y = any_float(trial);
        break;
    case 1: /* all results, from below the subnormal numbers to beyond infinity */
        *y = (float)(below(trial, 152) / log2(*x));
        break;
    case 2: /* about 1 */
        *x = 1 + below(trial, ldexp(1, -(int)(next(trial) >> 59) % 24));
        *y = (float)(below(trial, 152) / log2(fabs(*x)));
        break;
    case 3: /* exact results and ties */
        *x = few_bits(trial);
        *y = (float)(int)(next(trial) >> 61) * (next(trial) >> 63 != 0 ? 1 : 0.25F);
        break;
    case 4: /* negative bases */
        *x = below(trial, 10);
        *y = (float)(int)below(trial, 40);
        break;
    case 5: /* what models have */
        *x = below(trial, 4);
        *y = below(trial, 4);
        break;
    case 6:
        *x = fabsf(below(trial, 2));
        *y = below(trial, 20);
        break;
    default:
        *x = next(trial) >> 63 != 0 ? odd[next(trial) % kinds] : *x;
        *y = odd[next(trial) % kinds];
    }
}

static void try_pairs(struct trial *trial, uint64_t count)
{
    float x[COUNT], y[COUNT], want[COUNT];

    for (uint64_t done = 0; done < count; done += COUNT) {
        for (size_t i = 0; i < COUNT; i++) {
            choose(trial, &x[i], &y[i]);
            want[i] = (float)expected(x[i], y[i]);
        }
        check(trial, "a pair", x, y, 1, want);
    }
}

/* ---- 16-bit floats ----------------------------------------------------------------------- */

#define HALVES 65536

static uint64_t half_faults(bl_dtype dtype, const uint16_t *x, float y, const uint16_t *out)
{
    uint64_t faults = 0;

    for (size_t i = 0; i < HALVES; i++) {
        const bool f16 = dtype == BL_FLOAT16;
        const double want = expected(f16 ? bl_f16_to_f32(x[i]) : bl_bf16_to_f32(x[i]), y);
        const float got = f16 ? bl_f16_to_f32(out[i]) : bl_bf16_to_f32(out[i]);
        const uint16_t bits = f16 ? bl_f64_to_f16(want) : bl_f64_to_bf16(want);

        faults += isnan(want) ? !isnan(got) : bits != out[i];
    }
    return faults;
}

/* Every base to one exponent, alone and in a tensor. */
static void try_halves(struct trial *trial, bl_row_fn fn, bl_dtype dtype, float exponent)
{
    static uint16_t x[HALVES], out[HALVES];
    static float y[HALVES];

    for (size_t i = 0; i < HALVES; i++) {
        x[i] = (uint16_t)i;
        y[i] = exponent;
    }
    for (ptrdiff_t stride = 0; stride < 2; stride++) {
        const struct bl_row row = {.n = HALVES,
                                   .out = out,
                                   .in = (const void *const[]){x, y},
                                   .stride = (const ptrdiff_t[]){1, stride},
                                   .inputs = 2,
                                   .second = BL_FLOAT32};

        fn(&row);
        const uint64_t faults = half_faults(dtype, x, exponent, out);

        trial->wrong += faults;
        if (faults != 0)
            printf("%s, %s: %" PRIu64 " wrong of exponent %a\n", trial->tier,
                   bl_dtype_name(dtype), faults, (double)exponent);
    }
}

static void try_types(struct trial *trial)
{
    for (size_t i = 0; i < 40; i++) {
        const float exponent = i < 4        ? fixed[i]
                               : i % 2 == 0 ? few_bits(trial)
                                            : below(trial, 9);

        try_halves(trial, trial->f16, BL_FLOAT16, exponent);
        try_halves(trial, trial->bf16, BL_BFLOAT16, exponent);
    }
}

/* ---- The program ------------------------------------------------------------------------ */

int main(int argc, char **argv)
{
    uint64_t step = 1, pairs = 1000, wrong = 0;

    for (int i = 1; i + 1 < argc; i += 2)
        if (strcmp(argv[i], "--sample") == 0)
            step = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--pairs") == 0)
            pairs = strtoull(argv[i + 1], NULL, 10);
    for (int tier = 0; tier < BL_TIER_COUNT; tier++) {
        struct trial trial = {.tier = bl_tier_name((enum bl_isa)tier),
                              .random = 88172645463325252};
        struct bl_kernels kernels;

        if (!(bl_cpu_tiers() >> tier & 1))
            continue;
        bl_kernels_resolve(&kernels, (UINT32_C(2) << tier) - 1);
        trial.fn = kernels.row[BL_OP_POW][BL_FLOAT32];
        for (size_t i = 0; step != 0 && i < sizeof fixed / sizeof fixed[0]; i++)
            try_bases(&trial, fixed[i], step);
        try_pairs(&trial, pairs * 1000000);
        trial.f16 = kernels.row[BL_OP_POW][BL_FLOAT16];
        trial.bf16 = kernels.row[BL_OP_POW][BL_BFLOAT16];
        try_types(&trial);
        printf("%s: %" PRIu64 " wrong\n", trial.tier, trial.wrong);
        wrong += trial.wrong;
    }
    return wrong != 0;
}
