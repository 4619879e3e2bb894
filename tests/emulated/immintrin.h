/*
 * immintrin.h - the AVX-512 intrinsics of src/kernels/ for a processor that has AVX2 only
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The tests compile the kernels' avx512 units for AVX2, with this folder before the compiler's
 * and the macros of AVX-512 defined: so every branch for AVX-512 runs where no processor has
 * it.  The compiler takes apart what it cannot do with vectors of 64 bytes.  The intrinsics are
 * written as Intel's intrinsics guide describes them, an element at a time.  A kernel that uses
 * one more does not compile until that is here, too.
 */
#ifndef BL_EMULATED_IMMINTRIN_H
#define BL_EMULATED_IMMINTRIN_H

/* The compiler's header brings the types, and functions that only AVX-512 can run: each of
 * ours has another name, and takes the place of one by a macro. */
#undef __AVX512F__
#undef __AVX512BW__
#undef __AVX512DQ__
#undef __AVX512VL__
#include_next <immintrin.h>
#define __AVX512F__ 1
#define __AVX512BW__ 1
#define __AVX512DQ__ 1
#define __AVX512VL__ 1

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define EMULATED static inline __attribute__((always_inline, unused))

/* ---- Loads and stores --------------------------------------------------------------------- */

EMULATED __m512 emulated_loadu_ps(const void *from)
{
    __m512 x;

    memcpy(&x, from, sizeof x);
    return x;
}

EMULATED __m512i emulated_loadu_si512(const void *from)
{
    __m512i x;

    memcpy(&x, from, sizeof x);
    return x;
}

EMULATED void emulated_storeu_ps(void *to, __m512 x)
{
    memcpy(to, &x, sizeof x);
}

/* The processor traps where the address is no multiple of 64. */
EMULATED void emulated_stream_si512(void *to, __m512i x)
{
    if ((uintptr_t)to % sizeof x != 0)
        __builtin_trap();
    memcpy(to, &x, sizeof x);
}

/* ---- Arithmetic --------------------------------------------------------------------------- */

EMULATED __m512d emulated_fmadd_pd(__m512d a, __m512d b, __m512d c)
{
    for (size_t i = 0; i < 8; i++)
        a[i] = __builtin_fma(a[i], b[i], c[i]);
    return a;
}

EMULATED __m512d emulated_fmsub_pd(__m512d a, __m512d b, __m512d c)
{
    for (size_t i = 0; i < 8; i++)
        a[i] = __builtin_fma(a[i], b[i], -c[i]);
    return a;
}

EMULATED __m512d emulated_fnmadd_pd(__m512d a, __m512d b, __m512d c)
{
    for (size_t i = 0; i < 8; i++)
        a[i] = __builtin_fma(-a[i], b[i], c[i]);
    return a;
}

EMULATED __m512 emulated_fmadd_ps(__m512 a, __m512 b, __m512 c)
{
    for (size_t i = 0; i < 16; i++)
        a[i] = __builtin_fmaf(a[i], b[i], c[i]);
    return a;
}

EMULATED __m512 emulated_fnmadd_ps(__m512 a, __m512 b, __m512 c)
{
    for (size_t i = 0; i < 16; i++)
        a[i] = __builtin_fmaf(-a[i], b[i], c[i]);
    return a;
}

EMULATED __m512 emulated_fnmsub_ps(__m512 a, __m512 b, __m512 c)
{
    for (size_t i = 0; i < 16; i++)
        a[i] = __builtin_fmaf(-a[i], b[i], -c[i]);
    return a;
}

/* The second operand where either is NaN, and of two zeros. */
EMULATED __m512d emulated_min_pd(__m512d a, __m512d b)
{
    for (size_t i = 0; i < 8; i++)
        a[i] = a[i] < b[i] ? a[i] : b[i];
    return a;
}

EMULATED __m512d emulated_max_pd(__m512d a, __m512d b)
{
    for (size_t i = 0; i < 8; i++)
        a[i] = a[i] > b[i] ? a[i] : b[i];
    return a;
}

EMULATED __m512 emulated_min_ps(__m512 a, __m512 b)
{
    for (size_t i = 0; i < 16; i++)
        a[i] = a[i] < b[i] ? a[i] : b[i];
    return a;
}

EMULATED __m512 emulated_max_ps(__m512 a, __m512 b)
{
    for (size_t i = 0; i < 16; i++)
        a[i] = a[i] > b[i] ? a[i] : b[i];
    return a;
}

/* ---- Conversions -------------------------------------------------------------------------- */

EMULATED __m512d emulated_cvtps_pd(__m256 x)
{
    __m512d y;

    for (size_t i = 0; i < 8; i++)
        y[i] = (double)x[i];
    return y;
}

EMULATED __m256 emulated_cvtpd_ps(__m512d x)
{
    __m256 y;

    for (size_t i = 0; i < 8; i++)
        y[i] = (float)x[i];
    return y;
}

/* F16C's instructions give the bits of AVX-512's. */
EMULATED __m512 emulated_cvtph_ps(__m256i x)
{
    const __m256 y[2] = {_mm256_cvtph_ps(_mm256_extracti128_si256(x, 0)),
                         _mm256_cvtph_ps(_mm256_extracti128_si256(x, 1))};

    return emulated_loadu_ps(y);
}

/* A macro, for the rounding is part of F16C's instruction. */
#define emulated_cvtps_ph(x, rounding)                                        \
    _mm256_set_m128i(_mm256_cvtps_ph(emulated_half_ps((x), 1), (rounding)&7), \
                     _mm256_cvtps_ph(emulated_half_ps((x), 0), (rounding)&7))

EMULATED __m256 emulated_half_ps(__m512 x, size_t half)
{
    __m256 y;

    memcpy(&y, (const char *)&x + half * sizeof y, sizeof y);
    return y;
}

/* ---- Lanes -------------------------------------------------------------------------------- */

/* What is undefined in the upper half is NaN here, so that nobody uses it. */
EMULATED __m512 emulated_castps256_ps512(__m256 x)
{
    __m512 y;

    memset(&y, 0xFF, sizeof y);
    memcpy(&y, &x, sizeof x);
    return y;
}

EMULATED __m512 emulated_insertf32x8(__m512 x, __m256 half, int at)
{
    memcpy((char *)&x + (size_t)(at & 1) * sizeof half, &half, sizeof half);
    return x;
}

/* In each 16 bytes, two of a and then two of b, each chosen by two bits. */
EMULATED __m512 emulated_shuffle_ps(__m512 a, __m512 b, unsigned choice)
{
    __m512 y;

    for (size_t lane = 0; lane < 16; lane += 4) {
        y[lane + 0] = a[lane + (choice >> 0 & 3)];
        y[lane + 1] = a[lane + (choice >> 2 & 3)];
        y[lane + 2] = b[lane + (choice >> 4 & 3)];
        y[lane + 3] = b[lane + (choice >> 6 & 3)];
    }
    return y;
}

EMULATED uint16_t emulated_movepi32_mask(__m512i x)
{
    int32_t lanes[16];
    unsigned mask = 0;

    memcpy(lanes, &x, sizeof x);
    for (size_t i = 0; i < 16; i++)
        mask |= (unsigned)(lanes[i] < 0) << i;
    return (uint16_t)mask;
}

/* Any lane of x, chosen by the low four bits. */
EMULATED __m512 emulated_permutexvar_ps(__m512i choice, __m512 x)
{
    uint32_t lanes[16];
    __m512 y;

    memcpy(lanes, &choice, sizeof choice);
    for (size_t i = 0; i < 16; i++)
        y[i] = x[lanes[i] & 15];
    return y;
}

#undef EMULATED

/* ---- Under the intrinsics' names ---------------------------------------------------------- */

/* Some are macros of the compiler's header already. */
#undef _mm512_cvtps_ph
#undef _mm512_insertf32x8
#undef _mm512_shuffle_ps

#define _mm512_castps256_ps512 emulated_castps256_ps512
#define _mm512_cvtpd_ps emulated_cvtpd_ps
#define _mm512_cvtph_ps emulated_cvtph_ps
#define _mm512_cvtps_pd emulated_cvtps_pd
#define _mm512_cvtps_ph emulated_cvtps_ph
#define _mm512_fmadd_pd emulated_fmadd_pd
#define _mm512_fmadd_ps emulated_fmadd_ps
#define _mm512_fmsub_pd emulated_fmsub_pd
#define _mm512_fnmadd_pd emulated_fnmadd_pd
#define _mm512_fnmadd_ps emulated_fnmadd_ps
#define _mm512_fnmsub_ps emulated_fnmsub_ps
#define _mm512_insertf32x8 emulated_insertf32x8
#define _mm512_loadu_ps emulated_loadu_ps
#define _mm512_loadu_si512 emulated_loadu_si512
#define _mm512_max_pd emulated_max_pd
#define _mm512_max_ps emulated_max_ps
#define _mm512_min_pd emulated_min_pd
#define _mm512_min_ps emulated_min_ps
#define _mm512_movepi32_mask emulated_movepi32_mask
#define _mm512_permutexvar_ps emulated_permutexvar_ps
#define _mm512_shuffle_ps emulated_shuffle_ps
#define _mm512_storeu_ps emulated_storeu_ps
#define _mm512_stream_si512 emulated_stream_si512

#endif
