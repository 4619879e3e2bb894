/*
 * stream.c - write results past the caches, and fetch operands ahead
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "backends/cpu/stream.h"

#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

void bl_stream_fetch(const char *from, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += BL_LINE)
        __builtin_prefetch(from + at);
}

#if defined(__SSE2__)

bool bl_stream_is_there(void)
{
    return true;
}

void bl_stream_copy(char *to, const char *from, size_t bytes)
{
    const size_t skew = (0 - (uintptr_t)to) % BL_LINE;
    const size_t head = skew < bytes ? skew : bytes;
    size_t at = head;

    memcpy(to, from, head);
    for (; at + BL_LINE <= bytes; at += BL_LINE) {
        const __m128i *source = (const __m128i *)(const void *)(from + at);
        __m128i *line = (__m128i *)(void *)(to + at);
        const __m128i a = _mm_loadu_si128(source), b = _mm_loadu_si128(source + 1);
        const __m128i c = _mm_loadu_si128(source + 2), d = _mm_loadu_si128(source + 3);

        _mm_stream_si128(line, a);
        _mm_stream_si128(line + 1, b);
        _mm_stream_si128(line + 2, c);
        _mm_stream_si128(line + 3, d);
    }
    memcpy(to + at, from + at, bytes - at);
}

void bl_stream_fence(void)
{
    _mm_sfence();
}

#else

bool bl_stream_is_there(void)
{
    return false;
}

void bl_stream_copy(char *to, const char *from, size_t bytes)
{
    memcpy(to, from, bytes);
}

void bl_stream_fence(void)
{
}

#endif
