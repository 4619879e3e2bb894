/*
 * resolve.c - choose each kernel from the tables of the tiers that may be used
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kernels/kernel.h"

#include "base/compiler.h"
#include "kernels/bitcast.h"
#include "kernels/tables.h"

/* Slowest tier first, here and below: a later row overwrites an earlier one. */
static const struct {
    enum bl_isa tier;
    const struct bl_kernels *kernels;
} tiers[] = {
    {BL_TIER_BASELINE, &bl_kernels_pairs},
    {BL_TIER_BASELINE, &bl_kernels_baseline},
#if defined(__x86_64__) || defined(__i386__)
    {BL_TIER_AVX2, &bl_kernels_avx2},
    {BL_TIER_AVX512, &bl_kernels_avx512},
#endif
};

static const struct {
    enum bl_isa tier;
    const struct bl_op_table *table;
} families[] = {
    {BL_TIER_BASELINE, &bl_float_mod},     {BL_TIER_BASELINE, &bl_exact_baseline},
    {BL_TIER_BASELINE, &bl_cast_baseline}, {BL_TIER_BASELINE, &bl_math_baseline},
    {BL_TIER_BASELINE, &bl_pow_baseline},
#ifdef BL_BIG_ENDIAN
    {BL_TIER_BASELINE, &bl_bitcast_64},
#endif
#if defined(__x86_64__) || defined(__i386__)
    {BL_TIER_AVX2, &bl_exact_avx2},        {BL_TIER_AVX2, &bl_cast_avx2},
    {BL_TIER_AVX2, &bl_math_avx2},         {BL_TIER_AVX512, &bl_exact_avx512},
    {BL_TIER_AVX512, &bl_cast_avx512},     {BL_TIER_AVX512, &bl_math_avx512},
    {BL_TIER_AVX2, &bl_pow_avx2},          {BL_TIER_AVX512, &bl_pow_avx512},
#endif
};

static const struct {
    enum bl_isa tier;
    const struct bl_movers *movers;
} movers[] = {
    {BL_TIER_BASELINE, &bl_movers_baseline},
#if defined(__x86_64__) || defined(__i386__)
    {BL_TIER_AVX2, &bl_movers_avx2},
    {BL_TIER_AVX512, &bl_movers_avx512},
#endif
};

static void overwrite_rows(struct bl_kernels *kernels, const struct bl_op_table *better)
{
    for (size_t i = 0; i < better->count; i++)
        for (int dtype = 0; dtype < BL_DTYPE_COUNT; dtype++)
            if (better->ops[i].row[dtype] != NULL)
                kernels->row[better->ops[i].op][dtype] = better->ops[i].row[dtype];
}

static void overwrite(struct bl_kernels *kernels, const struct bl_kernels *better)
{
    for (int dtype = 0; dtype < BL_DTYPE_COUNT; dtype++) {
        for (int op = 0; op < BL_OP_ID_COUNT; op++)
            if (better->row[op][dtype] != NULL)
                kernels->row[op][dtype] = better->row[op][dtype];
        if (better->product[dtype] != NULL)
            kernels->product[dtype] = better->product[dtype];
        if (better->widen[dtype] != NULL)
            kernels->widen[dtype] = better->widen[dtype];
        if (better->narrow[dtype] != NULL)
            kernels->narrow[dtype] = better->narrow[dtype];
    }
}

void bl_kernels_resolve(struct bl_kernels *kernels, uint32_t mask)
{
    mask |= UINT32_C(1) << BL_TIER_BASELINE;
    *kernels = (struct bl_kernels){0};
    for (size_t i = 0; i < BL_COUNT_OF(tiers); i++)
        if (mask >> tiers[i].tier & 1)
            overwrite(kernels, tiers[i].kernels);
    for (size_t i = 0; i < BL_COUNT_OF(families); i++)
        if (mask >> families[i].tier & 1)
            overwrite_rows(kernels, families[i].table);
    for (size_t i = 0; i < BL_COUNT_OF(movers); i++)
        if (mask >> movers[i].tier & 1)
            kernels->movers = *movers[i].movers;
}

bl_dtype bl_accumulator(bl_dtype dtype)
{
    switch (dtype) {
    case BL_FLOAT16:
    case BL_BFLOAT16:
    case BL_FLOAT32:
        return BL_FLOAT32;
    case BL_FLOAT64:
        return BL_FLOAT64;
    case BL_INT32:
    case BL_UINT32:
        return BL_UINT32;
    case BL_INT64:
    case BL_UINT64:
        return BL_UINT64;
    default:
        return BL_UNDEFINED;
    }
}
