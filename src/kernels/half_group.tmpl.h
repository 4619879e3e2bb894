/*
 * half_group.tmpl.h - as map.tmpl.h and fold.tmpl.h, of 16-bit floats converted by the group
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * For what the compiler has no vectors for.  Parameter: TAG, of groups in convert.tmpl.h.
 * Makes the loops map and fold, over functions of float32; sum and round, for long sums; and
 * PRelu's function.
 */

/* The float32 numbers of a group: where they lie, or as many of one value. */
BL_FORCE_INLINE void F(load)(float *x, const uint16_t *from, bool each, float one)
{
    if (each)
        F(widen_group)(x, from);
    else
        for (size_t i = 0; i < HALVES; i++)
            x[i] = one;
}

/* y[i] = f(a[i], b[i]); sa and sb are constants. */
BL_FORCE_INLINE void F(loop)(size_t n, const uint16_t *a, bool sa, const uint16_t *b,
                             bool sb, uint16_t *y, float (*f)(float, float))
{
    const float a0 = F(widen_one)(*a);
    const float b0 = F(widen_one)(*b);

    for (size_t at = 0; at < n; at += HALVES) {
        float x[HALVES], z[HALVES];

        F(load)(x, a + at, sa, a0);
        F(load)(z, b + at, sb, b0);
        BL_UNROLL
        for (size_t i = 0; i < HALVES; i++)
            x[i] = f(x[i], z[i]);
        F(narrow_group)(y + at, x);
    }
}

/* As run_fn. */
BL_FORCE_INLINE void F(map)(size_t n, const uint16_t *a, ptrdiff_t sa, const uint16_t *b,
                            ptrdiff_t sb, uint16_t *y, float (*f)(float, float))
{
    if (sa != 0 && sb != 0)
        F(loop)(n, a, true, b, true, y, f);
    else if (sa != 0)
        F(loop)(n, a, true, b, false, y, f);
    else
        F(loop)(n, a, false, b, true, y, f);
}

static const struct run F(of_map) = {sizeof(uint16_t), sizeof(uint16_t), HALVES, copy_b16};

/* `count` is a constant. */
BL_FORCE_INLINE void F(loop_fold)(size_t n, const void *const *x, size_t count, uint16_t *y,
                                  float (*op)(float, float), float (*finish)(float, float),
                                  float with)
{
    const uint16_t *x0 = x[0];
    const uint16_t *x1 = x[1];
    const uint16_t *x2 = count > 2 ? x[2] : x0;
    const uint16_t *x3 = count > 3 ? x[3] : x0;

    for (size_t at = 0; at < n; at += HALVES) {
        float a[HALVES], b[HALVES], c[HALVES], d[HALVES];

        F(widen_group)(a, x0 + at);
        F(widen_group)(b, x1 + at);
        F(load)(c, x2 + at, count > 2, 0);
        F(load)(d, x3 + at, count > 3, 0);
        BL_UNROLL
        for (size_t i = 0; i < HALVES; i++) {
            const float two = op(a[i], b[i]);
            const float three = count > 2 ? op(two, c[i]) : two;
            const float four = count > 3 ? op(three, d[i]) : three;

            a[i] = finish != NULL ? finish(four, with) : four;
        }
        F(narrow_group)(y + at, a);
    }
}

#if defined(__F16C__)

typedef float F(floats) BL_VECTOR(float, VECTOR_BYTES);

BL_FORCE_INLINE F(floats) F(widen_floats)(const uint16_t *x)
{
#if defined(__AVX512F__)
    return (F(floats))_mm512_cvtph_ps(_mm256_loadu_si256((const void *)x));
#else
    return (F(floats))_mm256_cvtph_ps(_mm_loadu_si128((const void *)x));
#endif
}

/* all[i] = ((all[i] + x[0][i]) + x[1][i]) ... of `count` operands; without all[i] if that is
 * to be `fresh`: -0 is what makes no difference to a sum. */
static void F(sum)(size_t n, const uint16_t *const *x, size_t count, bool fresh, float *all)
{
    const size_t lanes = VECTOR_BYTES / sizeof(float);
    const F(floats) none = -0.0F - (F(floats)){0};

    for (size_t at = 0; at < n; at += 4 * lanes) {
        F(floats) *to = (F(floats) *)(all + at);
        F(floats) a = fresh ? none : to[0];
        F(floats) b = fresh ? none : to[1];
        F(floats) c = fresh ? none : to[2];
        F(floats) d = fresh ? none : to[3];

        for (size_t j = 0; j < count; j++) {
            a += F(widen_floats)(x[j] + at);
            b += F(widen_floats)(x[j] + at + lanes);
            c += F(widen_floats)(x[j] + at + 2 * lanes);
            d += F(widen_floats)(x[j] + at + 3 * lanes);
        }
        to[0] = a;
        to[1] = b;
        to[2] = c;
        to[3] = d;
    }
}

#else

static void F(sum)(size_t n, const uint16_t *const *x, size_t count, bool fresh, float *all)
{
    for (size_t at = 0; at < n; at += HALVES)
        for (size_t j = 0; j < count; j++) {
            float next[HALVES];

            F(widen_group)(next, x[j] + at);
            for (size_t i = 0; i < HALVES; i++)
                all[at + i] = fresh && j == 0 ? next[i] : all[at + i] + next[i];
        }
}

#endif

/* y[i] = all[i], rounded; n as for `sum`. */
static void F(round)(size_t n, uint16_t *y, const float *all)
{
    F(narrow)(n, y, all, 1);
}

static inline float F(prelu)(float x, float slope)
{
    return prelu_f32(x, slope);
}
