/*
 * masks.h - from the masks of compared vectors to bools, and back
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A mask's lane is all ones or 0.  Made for AVX2, whose packs work in each half of a vector
 * and whose order the compiler repairs after every step; elsewhere it finds the best itself.
 *
 * For kernel units only; all is static, as in row.h.
 */
#ifndef BL_KERNELS_MASKS_H
#define BL_KERNELS_MASKS_H

#if defined(__AVX2__) && !defined(__AVX512F__)
#define MASKS 1

#include <immintrin.h>
#include <string.h>

#include "base/compiler.h"

/* 32 bools of the masks of 32 elements of 2 bytes, in 2 vectors. */
BL_FORCE_INLINE __m256i bools_of_2(const __m256i *masks)
{
    const __m256i bytes =
        _mm256_permute4x64_epi64(_mm256_packs_epi16(masks[0], masks[1]), 0xD8);

    return _mm256_and_si256(bytes, _mm256_set1_epi8(1));
}

/* The same of 4 bytes, in 4 vectors. */
BL_FORCE_INLINE __m256i bools_of_4(const __m256i *masks)
{
    const __m256i lower = _mm256_packs_epi32(masks[0], masks[1]);
    const __m256i upper = _mm256_packs_epi32(masks[2], masks[3]);
    const __m256i bytes = _mm256_packs_epi16(lower, upper);
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);

    return _mm256_and_si256(_mm256_permutevar8x32_epi32(bytes, order), _mm256_set1_epi8(1));
}

/* The lower 4 bytes of each of 8 masks: the first two of `a`, of `b`, the last two of each. */
BL_FORCE_INLINE __m256i halves_of_8(__m256i a, __m256i b)
{
    return _mm256_castps_si256(
        _mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), 0x88));
}

/* The same of 8 bytes, in 8 vectors. */
BL_FORCE_INLINE __m256i bools_of_8(const __m256i *masks)
{
    const __m256i lower = _mm256_packs_epi32(halves_of_8(masks[0], masks[1]),
                                             halves_of_8(masks[2], masks[3]));
    const __m256i upper = _mm256_packs_epi32(halves_of_8(masks[4], masks[5]),
                                             halves_of_8(masks[6], masks[7]));
    const __m256i bytes = _mm256_permute4x64_epi64(_mm256_packs_epi16(lower, upper), 0xD8);
    const __m256i order = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15));

    return _mm256_and_si256(_mm256_shuffle_epi8(bytes, order), _mm256_set1_epi8(1));
}

/* 32 bools of the masks of elements of `size` bytes, 2, 4 or 8. */
BL_FORCE_INLINE __m256i bools_of(const __m256i *masks, size_t size)
{
    return size == 2   ? bools_of_2(masks)
           : size == 4 ? bools_of_4(masks)
                       : bools_of_8(masks);
}

/* Where the bools are false, for elements of 4 or 8 bytes. */
BL_FORCE_INLINE __m256i mask_of_false(const uint8_t *bools, size_t size)
{
    const __m256i zero = _mm256_setzero_si256();
    int four;

    if (size == 4)
        return _mm256_cmpeq_epi32(
            _mm256_cvtepi8_epi32(_mm_loadl_epi64((const void *)bools)), zero);
    memcpy(&four, bools, sizeof four);
    return _mm256_cmpeq_epi64(_mm256_cvtepi8_epi64(_mm_cvtsi32_si128(four)), zero);
}

#else
#define MASKS 0
#endif

#endif
