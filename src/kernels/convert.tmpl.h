/*
 * convert.tmpl.h - 16-bit floats to float32 and back
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A group is HALVES elements, for loops that convert on the way; its float32 numbers are to
 * stay in registers.  Where F16C is there it does the work for float16; else integers do,
 * without a branch, and so in vectors.  All give the bits of base/half.h, but for the
 * payload of a NaN.
 */
#ifdef __F16C__
#include <immintrin.h>
#endif

#if defined(__F16C__)
#define HALVES 16
#else
#define HALVES 64 /* converted by a call, in the first-level cache */
#endif

/* ---- One element --------------------------------------------------------------------- */

/* As bl_f16_to_f32, in fewer steps: the product with 2^112 moves the exponent's bias, of
 * subnormal numbers too, and is exact. */
BL_FORCE_INLINE float widen_one_f16(uint16_t h)
{
    const uint32_t sign = (uint32_t)(h & 0x8000) << 16;
    const uint32_t rest = (uint32_t)(h & 0x7FFF) << 13;
    const uint32_t special = (int32_t)rest >= 0x7C00 << 13 ? 0x7F800000 : 0;
    const uint32_t magnitude = bl_f32_bits(bl_f32_from_bits(rest) * 0x1p112f);

    return bl_f32_from_bits(magnitude | special | sign);
}

/* As bl_f32_to_f16.  Adding 0.5 rounds what is less than 2^-14 to the step of a subnormal
 * float16, 2^-24.  Signed comparisons that make masks: the oldest vectors have no others. */
BL_FORCE_INLINE uint16_t narrow_one_f16(float x)
{
    const int32_t bits = (int32_t)bl_f32_bits(x);
    const int32_t magnitude = bits & 0x7FFFFFFF;
    const float moved = bl_f32_from_bits((uint32_t)magnitude) + 0.5f;
    const int32_t odd = magnitude >> 13 & 1;
    const int32_t normal = (magnitude - (112 << 23) + 0xFFF + odd) >> 13;
    const int32_t subnormal = (int32_t)bl_f32_bits(moved) - 0x3F000000;
    const int32_t tiny = magnitude < 0x38800000 ? -1 : 0;
    const int32_t huge = magnitude > 0x477FFFFF ? -1 : 0;
    const int32_t nan = magnitude > 0x7F800000 ? -1 : 0;
    const int32_t special = 0x7C00 | (nan & (0x200 | (magnitude >> 13 & 0x3FF)));
    const int32_t finite = (tiny & subnormal) | (~tiny & normal);

    return (uint16_t)((huge & special) | (~huge & finite) | (bits >> 16 & 0x8000));
}

BL_FORCE_INLINE float widen_one_bf16(uint16_t h)
{
    return bl_bf16_to_f32(h);
}

/* As bl_f32_to_bf16.  The choice is one between floats, so that the compiler keeps all of it
 * in vectors of 32 bits and packs those once. */
BL_FORCE_INLINE uint16_t narrow_one_bf16(float x)
{
    const uint32_t bits = bl_f32_bits(x);
    const float rounded = bl_f32_from_bits(bits + 0x7FFF + (bits >> 16 & 1));
    const float quiet = x + x;

    return (uint16_t)(bl_f32_bits(isunordered(x, x) ? quiet : rounded) >> 16);
}

/* ---- Groups --------------------------------------------------------------------------- */

#if defined(__AVX512F__)

BL_FORCE_INLINE void widen_group_f16(float *y, const uint16_t *x)
{
    _mm512_storeu_ps(y, _mm512_cvtph_ps(_mm256_loadu_si256((const void *)x)));
}

BL_FORCE_INLINE void narrow_group_f16(uint16_t *y, const float *x)
{
    _mm256_storeu_si256(
        (void *)y,
        _mm512_cvtps_ph(_mm512_loadu_ps(x), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}

#elif defined(__F16C__)

BL_FORCE_INLINE void widen_group_f16(float *y, const uint16_t *x)
{
    for (size_t i = 0; i < HALVES; i += 8)
        _mm256_storeu_ps(y + i, _mm256_cvtph_ps(_mm_loadu_si128((const void *)(x + i))));
}

BL_FORCE_INLINE void narrow_group_f16(uint16_t *y, const float *x)
{
    for (size_t i = 0; i < HALVES; i += 8)
        _mm_storeu_si128((void *)(y + i),
                         _mm256_cvtps_ph(_mm256_loadu_ps(x + i),
                                         _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}

#else

static BL_NOINLINE void widen_group_f16(float *y, const uint16_t *x)
{
    for (size_t i = 0; i < HALVES; i++)
        y[i] = widen_one_f16(x[i]);
}

static BL_NOINLINE void narrow_group_f16(uint16_t *y, const float *x)
{
    for (size_t i = 0; i < HALVES; i++)
        y[i] = narrow_one_f16(x[i]);
}

#endif

/* ---- Rows: bl_convert_fn ---------------------------------------------------------------- */

/* All whole groups of dense elements; returns how many elements that were. */
static size_t widen_groups_f16(size_t n, float *y, const uint16_t *x)
{
    size_t i = 0;

    for (; i + HALVES <= n; i += HALVES)
        widen_group_f16(y + i, x + i);
    return i;
}

static size_t narrow_groups_f16(size_t n, uint16_t *y, const float *x)
{
    size_t i = 0;

    for (; i + HALVES <= n; i += HALVES)
        narrow_group_f16(y + i, x + i);
    return i;
}

static size_t widen_groups_bf16(size_t n, float *y, const uint16_t *x)
{
    const size_t whole = n / HALVES * HALVES;

    BL_LANEWISE
    for (size_t i = 0; i < whole; i++)
        y[i] = widen_one_bf16(x[i]);
    return whole;
}

static size_t narrow_groups_bf16(size_t n, uint16_t *y, const float *x)
{
    const size_t whole = n / HALVES * HALVES;

    BL_LANEWISE
    for (size_t i = 0; i < whole; i++)
        y[i] = narrow_one_bf16(x[i]);
    return whole;
}

#define CONVERT(TAG)                                                                  \
    static BL_NOINLINE void widen_##TAG(size_t n, void *out, const void *in,          \
                                        ptrdiff_t stride)                             \
    {                                                                                 \
        const size_t done = stride == 1 ? widen_groups_##TAG(n, out, in) : 0;         \
                                                                                      \
        for (ptrdiff_t i = (ptrdiff_t)done; i < (ptrdiff_t)n; i++)                    \
            ((float *)out)[i] = widen_one_##TAG(((const uint16_t *)in)[i * stride]);  \
    }                                                                                 \
                                                                                      \
    static BL_NOINLINE void narrow_##TAG(size_t n, void *out, const void *in,         \
                                         ptrdiff_t stride)                            \
    {                                                                                 \
        const size_t done = stride == 1 ? narrow_groups_##TAG(n, out, in) : 0;        \
                                                                                      \
        for (ptrdiff_t i = (ptrdiff_t)done; i < (ptrdiff_t)n; i++)                    \
            ((uint16_t *)out)[i] = narrow_one_##TAG(((const float *)in)[i * stride]); \
    }

CONVERT(f16)
CONVERT(bf16)
#undef CONVERT
