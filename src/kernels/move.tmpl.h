/*
 * move.tmpl.h - copies: past the caches, and of each element several
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameter: ISA, of the unit's name.
 */
#include <string.h>

#include "base/compiler.h"
#include "kernels/tables.h"

#if defined(__AVX512F__)
#define VECTOR_BYTES 64
#elif defined(__AVX2__)
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif

#if defined(__SSE2__)
#include <immintrin.h>
#endif

/* ---- Past the caches -------------------------------------------------------------------------- */

/*
 * An ordinary store reads the line from memory before it changes it, so that an Add of tensors
 * larger than the caches moves four streams where three are needed.  The widest vectors there are
 * fill a line in the fewest stores; asking for operands line by line between these keeps both
 * directions busy.
 */
#if defined(__SSE2__)

#if VECTOR_BYTES == 64
typedef __m512i vector;
#define LOAD _mm512_loadu_si512
#define STREAM _mm512_stream_si512
#elif VECTOR_BYTES == 32
typedef __m256i vector;
#define LOAD _mm256_loadu_si256
#define STREAM _mm256_stream_si256
#else
typedef __m128i vector;
#define LOAD _mm_loadu_si128
#define STREAM _mm_stream_si128
#endif

/* Ask for what belongs to a line.  Most operands have elements of the result's size. */
BL_FORCE_INLINE void fetch_line(const struct bl_stream *stream, size_t line)
{
    for (size_t f = 0; f < stream->fetch_count; f++) {
        const struct bl_fetch *fetch = &stream->fetch[f];
        const char *at = fetch->at + line * fetch->step;

        __builtin_prefetch(at);
        for (size_t more = BL_LINE; more < fetch->step; more += BL_LINE)
            __builtin_prefetch(at + more);
    }
}

static void stream(const struct bl_stream *stream)
{
    const size_t skew = (0 - (uintptr_t)stream->to) % BL_LINE;
    const size_t head = skew < stream->bytes ? skew : stream->bytes;
    const size_t lines = (stream->bytes - head) / BL_LINE;
    const size_t rest = stream->bytes - head - lines * BL_LINE;
    const char *from = stream->from + head;
    char *to = stream->to + head;

    if (head > 0)
        memcpy(stream->to, stream->from, head);
    for (size_t line = 0; line < lines; line++, from += BL_LINE, to += BL_LINE) {
        vector kept[BL_LINE / VECTOR_BYTES];

        fetch_line(stream, line);
        BL_UNROLL
        for (size_t i = 0; i < BL_LINE / VECTOR_BYTES; i++)
            kept[i] = LOAD((const vector *)(const void *)from + i);
        BL_UNROLL
        for (size_t i = 0; i < BL_LINE / VECTOR_BYTES; i++)
            STREAM((vector *)(void *)to + i, kept[i]);
    }
    if (rest > 0)
        memcpy(to, from, rest);
}

static void fence(void)
{
    _mm_sfence();
}

#else
#define stream NULL
#define fence NULL
#endif

/* ---- Each element several times ---------------------------------------------------------------- */

/* A word full of the element; `bytes`, a constant at each call, is 1, 2, 4 or 8. */
BL_FORCE_INLINE uint64_t word_of(const char *from, size_t bytes)
{
    uint64_t word;
    uint8_t one;
    uint16_t two;
    uint32_t four;

    switch (bytes) {
    case 1:
        memcpy(&one, from, 1);
        return one * UINT64_C(0x0101010101010101);
    case 2:
        memcpy(&two, from, 2);
        return two * UINT64_C(0x0001000100010001);
    case 4:
        memcpy(&four, from, 4);
        return four * UINT64_C(0x0000000100000001);
    default:
        memcpy(&word, from, 8);
        return word;
    }
}

typedef uint64_t BL_VECTOR(uint64_t, VECTOR_BYTES) words;

/* Store whole vectors full of an element: what is too much, the next element's copies overwrite; of
 * the last elements no more is stored than there is room for. */
BL_FORCE_INLINE void fill_runs(size_t n, size_t bytes, size_t run, char *to,
                               const char *from, ptrdiff_t step)
{
    const size_t whole = (run + sizeof(words) - 1) / sizeof(words) * sizeof(words);
    const size_t spare = (whole - run + run - 1) / run; /* elements at the end */
    const size_t sure = n > spare ? n - spare : 0;
    size_t i = 0;

    for (; i < sure; i++) {
        const words value = word_of(from + (ptrdiff_t)i * step, bytes) - (words){0};

        for (size_t at = 0; at < run; at += sizeof(words))
            memcpy(to + i * run + at, &value, sizeof value);
    }
    for (; i < n; i++)
        for (size_t at = 0; at < run; at += bytes)
            memcpy(to + i * run + at, from + (ptrdiff_t)i * step, bytes);
}

#if defined(__SSSE3__)

/* Times for which the shuffles below are prepared. */
#define MOST_TIMES 16

/*
 * For a few copies of each element: the result is `times` vectors for each vector of elements, and
 * each of these is a shuffle of elements that lie next to each other.  Returns how many elements
 * were done: all but the last few, whose vectors would be read beyond their end.
 */
BL_FORCE_INLINE size_t shuffle_runs(size_t n, size_t bytes, size_t times, char *to,
                                    const char *from)
{
    const size_t lanes = sizeof(__m128i) / bytes;
    size_t start[MOST_TIMES];
    uint8_t mask[MOST_TIMES][sizeof(__m128i)];
    size_t element = 0, copies = 0, done = 0;

    for (size_t v = 0; v < times; v++) {
        start[v] = element * bytes;
        for (size_t lane = 0; lane < lanes; lane++) {
            for (size_t b = 0; b < bytes; b++)
                mask[v][lane * bytes + b] = (uint8_t)(element * bytes - start[v] + b);
            if (++copies == times) {
                copies = 0;
                element++;
            }
        }
    }
    for (; done + 2 * lanes <= n; done += lanes)
        for (size_t v = 0; v < times; v++, to += sizeof(__m128i)) {
            const void *source = from + done * bytes + start[v];
            const __m128i read = _mm_loadu_si128(source);
            const __m128i order = _mm_loadu_si128((const void *)mask[v]);

            _mm_storeu_si128((void *)to, _mm_shuffle_epi8(read, order));
        }
    return done;
}

#endif

BL_FORCE_INLINE void repeat_elements(size_t n, size_t bytes, size_t times, char *to,
                                     const char *from, ptrdiff_t step)
{
    size_t done = 0;

#if defined(__SSSE3__)
    if (times <= MOST_TIMES && step == (ptrdiff_t)bytes && n >= 64)
        done = shuffle_runs(n, bytes, times, to, from);
#endif
    fill_runs(n - done, bytes, times * bytes, to + done * times * bytes,
              from + (ptrdiff_t)done * step, step);
}

static void repeat(size_t n, size_t bytes, size_t times, char *to, const char *from,
                   ptrdiff_t step)
{
    switch (bytes) {
    case 1:
        repeat_elements(n, 1, times, to, from, step);
        break;
    case 2:
        repeat_elements(n, 2, times, to, from, step);
        break;
    case 4:
        repeat_elements(n, 4, times, to, from, step);
        break;
    case 8:
        repeat_elements(n, 8, times, to, from, step);
        break;
    default: /* 16: complex128 and strings */
        for (size_t i = 0; i < n; i++)
            for (size_t t = 0; t < times; t++)
                memcpy(to + (i * times + t) * bytes, from + (ptrdiff_t)i * step, bytes);
    }
}

const struct bl_movers BL_CAT(bl_movers, ISA) = {stream, fence, repeat};
