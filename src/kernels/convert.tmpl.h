/*
 * convert.tmpl.h - 16-bit floats to float32 and back
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * All functions are bl_convert_fn.  Where F16C is there it does the work for float16: the
 * same bits as base/half.h, but for the payload of a NaN.
 */
#ifdef __F16C__
#include <immintrin.h>
#endif

BL_FORCE_INLINE void widen_each(size_t n, float *y, const uint16_t *x, ptrdiff_t stride,
                                float (*f)(uint16_t))
{
    if (stride == 1)
        for (size_t i = 0; i < n; i++)
            y[i] = f(x[i]);
    else
        for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++)
            y[i] = f(x[i * stride]);
}

BL_FORCE_INLINE void narrow_each(size_t n, uint16_t *y, const float *x, ptrdiff_t stride,
                                 uint16_t (*f)(float))
{
    if (stride == 1)
        for (size_t i = 0; i < n; i++)
            y[i] = f(x[i]);
    else
        for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++)
            y[i] = f(x[i * stride]);
}

static void widen_bf16(size_t n, void *out, const void *in, ptrdiff_t stride)
{
    widen_each(n, out, in, stride, bl_bf16_to_f32);
}

static void narrow_bf16(size_t n, void *out, const void *in, ptrdiff_t stride)
{
    narrow_each(n, out, in, stride, bl_f32_to_bf16);
}

#ifdef __F16C__

/* Both do whole vectors of 8 elements, and return how many elements that were. */
static size_t widen_vectors(size_t n, float *y, const uint16_t *x)
{
    size_t i = 0;

    for (; i + 8 <= n; i += 8)
        _mm256_storeu_ps(y + i, _mm256_cvtph_ps(_mm_loadu_si128((const void *)(x + i))));
    return i;
}

static size_t narrow_vectors(size_t n, uint16_t *y, const float *x)
{
    size_t i = 0;

    for (; i + 8 <= n; i += 8)
        _mm_storeu_si128((void *)(y + i),
                         _mm256_cvtps_ph(_mm256_loadu_ps(x + i),
                                         _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
    return i;
}

#else

static size_t widen_vectors(size_t n, float *y, const uint16_t *x)
{
    (void)n, (void)y, (void)x;
    return 0;
}

static size_t narrow_vectors(size_t n, uint16_t *y, const float *x)
{
    (void)n, (void)y, (void)x;
    return 0;
}

#endif

static void widen_f16(size_t n, void *out, const void *in, ptrdiff_t stride)
{
    const size_t done = stride == 1 ? widen_vectors(n, out, in) : 0;

    widen_each(n - done, (float *)out + done, (const uint16_t *)in + done, stride,
               bl_f16_to_f32);
}

static void narrow_f16(size_t n, void *out, const void *in, ptrdiff_t stride)
{
    const size_t done = stride == 1 ? narrow_vectors(n, out, in) : 0;

    narrow_each(n - done, (uint16_t *)out + done, (const float *)in + done, stride,
                bl_f32_to_f16);
}
