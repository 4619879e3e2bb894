/*
 * matmul_dots.c - a float32 matrix times a vector, where the matrix lies row by row
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each result is a sum along a line of memory, and is added up in that order; so what shares a
 * vector is lines, whose elements are turned in registers, four by four.  Memory is the limit and
 * not arithmetic: the baseline's vectors will do on every processor.
 */
#include "backends/cpu/matmul.h"

#ifdef __SSE2__
#include <xmmintrin.h>
#endif

/* Read side by side.  More would be in each other's way in a first-level cache of 8 ways, if their
 * distance is a large power of two. */
enum { LINES = 8 };

/* Terms that are summed before it is asked whether to stop: a millisecond's; a multiple of four. */
#define TERMS_AT_ONCE (INT64_C(1) << 18)

#ifdef __SSE2__

/* sums += four elements of each of four lines, times b's, the first element first. */
static inline __m128 add_four(__m128 sums, const float *const *line, int64_t k,
                              const __m128 *b)
{
    __m128 x0 = _mm_loadu_ps(line[0] + k);
    __m128 x1 = _mm_loadu_ps(line[1] + k);
    __m128 x2 = _mm_loadu_ps(line[2] + k);
    __m128 x3 = _mm_loadu_ps(line[3] + k);

    _MM_TRANSPOSE4_PS(x0, x1, x2, x3);
    sums = _mm_add_ps(sums, _mm_mul_ps(x0, b[0]));
    sums = _mm_add_ps(sums, _mm_mul_ps(x1, b[1]));
    sums = _mm_add_ps(sums, _mm_mul_ps(x2, b[2]));
    return _mm_add_ps(sums, _mm_mul_ps(x3, b[3]));
}

/* Add terms [k, end) to the sums, as many as come in fours; returns where that ended. */
static int64_t sum_fours(const float *const *line, const float *b, int64_t k, int64_t end,
                         float *sums)
{
    __m128 low = _mm_loadu_ps(sums), high = _mm_loadu_ps(sums + 4);

    for (; k + 4 <= end; k += 4) {
        const __m128 four = _mm_loadu_ps(b + k);
        const __m128 each[] = {
            _mm_shuffle_ps(four, four, 0x00), _mm_shuffle_ps(four, four, 0x55),
            _mm_shuffle_ps(four, four, 0xAA), _mm_shuffle_ps(four, four, 0xFF)};

        low = add_four(low, line, k, each);
        high = add_four(high, line + 4, k, each);
    }
    _mm_storeu_ps(sums, low);
    _mm_storeu_ps(sums + 4, high);
    return k;
}

#else

static int64_t sum_fours(const float *const *line, const float *b, int64_t k, int64_t end,
                         float *sums)
{
    (void)line, (void)b, (void)end, (void)sums;
    return k;
}

#endif

void bl_matmul_dots(int64_t n, int64_t terms, float *y, const float *lines, int64_t stride,
                    const float *b, struct bl_guard *guard)
{
    for (int64_t at = 0; at < n; at += LINES) {
        const int64_t count = n - at < LINES ? n - at : LINES;
        const float *line[LINES];
        float sums[LINES] = {0};
        int64_t k = 0;

        for (int64_t i = 0; i < LINES; i++) /* beyond the last line it comes again */
            line[i] = lines + (at + (i < count ? i : count - 1)) * stride;
        while (k < terms && !bl_guard_stops(guard)) {
            const int64_t end = terms - k < TERMS_AT_ONCE ? terms : k + TERMS_AT_ONCE;

            for (k = sum_fours(line, b, k, end, sums); k < end; k++)
                for (int i = 0; i < LINES; i++)
                    sums[i] += line[i][k] * b[k];
        }
        for (int64_t i = 0; i < count; i++)
            y[at + i] = sums[i];
    }
}
