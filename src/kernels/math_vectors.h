/*
 * math_vectors.h - vectors of doubles with a fused multiply-add, for the quick lanes
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * For units with AVX2 and FMA, or AVX-512.  Operators are the compiler's own; here is what
 * they lack.
 */
#ifndef BL_KERNELS_MATH_VECTORS_H
#define BL_KERNELS_MATH_VECTORS_H

#include <immintrin.h>
#include <stdint.h>

#include "base/compiler.h"

#ifdef __AVX512F__
#define QUICK_BYTES 64
#else
#define QUICK_BYTES 32
#endif

/* A step of the quick lanes takes as many elements as a vector has floats. */
#define QUICK_STEP (QUICK_BYTES / 4)

typedef double BL_VECTOR(double, QUICK_BYTES) doubles;
typedef int64_t BL_VECTOR(int64_t, QUICK_BYTES) longs;
typedef uint64_t BL_VECTOR(uint64_t, QUICK_BYTES) unsigned_longs; /* modulo 2^64 */
typedef float BL_VECTOR(float, QUICK_BYTES) floats;
typedef int32_t BL_VECTOR(int32_t, QUICK_BYTES) ints;
typedef uint32_t BL_VECTOR(uint32_t, QUICK_BYTES) unsigned_ints;

/* One step's elements, in the order of memory. */
struct both {
    doubles a, b;
};

BL_FORCE_INLINE doubles all(double x)
{
    return x - (doubles){0}; /* keeps the sign of -0 */
}

/* x * y + z, rounded once. */
BL_FORCE_INLINE doubles fused(doubles x, doubles y, doubles z)
{
#ifdef __AVX512F__
    return (doubles)_mm512_fmadd_pd((__m512d)x, (__m512d)y, (__m512d)z);
#else
    return (doubles)_mm256_fmadd_pd((__m256d)x, (__m256d)y, (__m256d)z);
#endif
}

/* z - x * y, rounded once. */
BL_FORCE_INLINE doubles fused_less(doubles x, doubles y, doubles z)
{
#ifdef __AVX512F__
    return (doubles)_mm512_fnmadd_pd((__m512d)x, (__m512d)y, (__m512d)z);
#else
    return (doubles)_mm256_fnmadd_pd((__m256d)x, (__m256d)y, (__m256d)z);
#endif
}

/* x * y - z, rounded once. */
BL_FORCE_INLINE doubles fused_minus(doubles x, doubles y, doubles z)
{
#ifdef __AVX512F__
    return (doubles)_mm512_fmsub_pd((__m512d)x, (__m512d)y, (__m512d)z);
#else
    return (doubles)_mm256_fmsub_pd((__m256d)x, (__m256d)y, (__m256d)z);
#endif
}

/* The lesser and the greater one; y where x is NaN. */
BL_FORCE_INLINE doubles lesser(doubles x, doubles y)
{
#ifdef __AVX512F__
    return (doubles)_mm512_min_pd((__m512d)x, (__m512d)y);
#else
    return (doubles)_mm256_min_pd((__m256d)x, (__m256d)y);
#endif
}

BL_FORCE_INLINE doubles greater(doubles x, doubles y)
{
#ifdef __AVX512F__
    return (doubles)_mm512_max_pd((__m512d)x, (__m512d)y);
#else
    return (doubles)_mm256_max_pd((__m256d)x, (__m256d)y);
#endif
}

/* x where the mask, of 0 and -1, is -1; y elsewhere. */
BL_FORCE_INLINE doubles chosen(longs mask, doubles x, doubles y)
{
    return (doubles)((mask & (longs)x) | (~mask & (longs)y));
}

BL_FORCE_INLINE doubles absolute(doubles x)
{
    return (doubles)((longs)x & INT64_MAX);
}

/* ---- Floats -------------------------------------------------------------------------- */

BL_FORCE_INLINE floats all32(float x)
{
    return x - (floats){0};
}

/* x * y + z, z - x * y and -x * y - z, rounded once. */
BL_FORCE_INLINE floats fused32(floats x, floats y, floats z)
{
#ifdef __AVX512F__
    return (floats)_mm512_fmadd_ps((__m512)x, (__m512)y, (__m512)z);
#else
    return (floats)_mm256_fmadd_ps((__m256)x, (__m256)y, (__m256)z);
#endif
}

BL_FORCE_INLINE floats fused_less32(floats x, floats y, floats z)
{
#ifdef __AVX512F__
    return (floats)_mm512_fnmadd_ps((__m512)x, (__m512)y, (__m512)z);
#else
    return (floats)_mm256_fnmadd_ps((__m256)x, (__m256)y, (__m256)z);
#endif
}

BL_FORCE_INLINE floats fused_negative32(floats x, floats y, floats z)
{
#ifdef __AVX512F__
    return (floats)_mm512_fnmsub_ps((__m512)x, (__m512)y, (__m512)z);
#else
    return (floats)_mm256_fnmsub_ps((__m256)x, (__m256)y, (__m256)z);
#endif
}

/* The lesser and the greater one; y where x or y is NaN. */
BL_FORCE_INLINE floats lesser32(floats x, floats y)
{
#ifdef __AVX512F__
    return (floats)_mm512_min_ps((__m512)x, (__m512)y);
#else
    return (floats)_mm256_min_ps((__m256)x, (__m256)y);
#endif
}

BL_FORCE_INLINE floats greater32(floats x, floats y)
{
#ifdef __AVX512F__
    return (floats)_mm512_max_ps((__m512)x, (__m512)y);
#else
    return (floats)_mm256_max_ps((__m256)x, (__m256)y);
#endif
}

/* table[index % 8] of a table of eight. */
BL_FORCE_INLINE floats looked_up(const float *table, ints index)
{
    const __m256 eight = _mm256_loadu_ps(table);
#ifdef __AVX512F__
    const __m512 twice = _mm512_insertf32x8(_mm512_castps256_ps512(eight), eight, 1);

    return (floats)_mm512_permutexvar_ps((__m512i)index, twice);
#else
    return (floats)_mm256_permutevar8x32_ps(eight, (__m256i)index);
#endif
}

/* ---- Between doubles and floats ------------------------------------------------------ */

BL_FORCE_INLINE struct both widened(const float *x)
{
#ifdef __AVX512F__
    return (struct both){(doubles)_mm512_cvtps_pd(_mm256_loadu_ps(x)),
                         (doubles)_mm512_cvtps_pd(_mm256_loadu_ps(x + 8))};
#else
    return (struct both){(doubles)_mm256_cvtps_pd(_mm_loadu_ps(x)),
                         (doubles)_mm256_cvtps_pd(_mm_loadu_ps(x + 4))};
#endif
}

BL_FORCE_INLINE floats narrowed(struct both x)
{
#ifdef __AVX512F__
    const __m256 a = _mm512_cvtpd_ps((__m512d)x.a), b = _mm512_cvtpd_ps((__m512d)x.b);

    return (floats)_mm512_insertf32x8(_mm512_castps256_ps512(a), b, 1);
#else
    return (floats)_mm256_set_m128(_mm256_cvtpd_ps((__m256d)x.b),
                                   _mm256_cvtpd_ps((__m256d)x.a));
#endif
}

/* The low halves of the bits of doubles, in the order of `shuffled`. */
BL_FORCE_INLINE ints low_halves(struct both x)
{
#ifdef __AVX512F__
    return (ints)_mm512_shuffle_ps((__m512)x.a, (__m512)x.b, 0x88);
#else
    return (ints)_mm256_shuffle_ps((__m256)x.a, (__m256)x.b, 0x88);
#endif
}

#define EVERY_SIGN ((1u << QUICK_STEP) - 1)

/* Bit i is the sign of element i. */
BL_FORCE_INLINE unsigned signs(ints x)
{
#ifdef __AVX512F__
    return _mm512_movepi32_mask((__m512i)x);
#else
    return (unsigned)_mm256_movemask_ps((__m256)x);
#endif
}

/* Of a mask of low_halves, in which pairs of a and of b alternate: put the pairs of a
 * before those of b, as in memory. */
BL_FORCE_INLINE unsigned unshuffled(unsigned mask)
{
    unsigned in_order = 0;

    for (unsigned i = 0; i < QUICK_STEP; i += 2) {
        const unsigned to = i / 4 * 2 + (i & 2) / 2 * (QUICK_STEP / 2);

        in_order |= (mask >> i & 3) << to;
    }
    return in_order;
}

#endif
