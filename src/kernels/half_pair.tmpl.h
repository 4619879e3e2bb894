/*
 * half_pair.tmpl.h - as map.tmpl.h and fold.tmpl.h, of bfloat16, two elements at a time
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A bfloat16 is the upper half of a float32.  So 32 bits that hold two of them are two
 * float32 numbers, one when the lower half is cleared, the other when it is shifted up; and
 * no vector is ever unpacked or packed.  Parameter: TAG, bf16.  Makes the loops map and fold,
 * over functions of float32; sum and round, for long sums; and PRelu's
 * function.
 */

/* Two elements, aligned as one. */
typedef uint32_t BL_UNALIGNED_PAIR two_halves;

struct two_floats {
    float upper, lower;
};

BL_FORCE_INLINE struct two_floats widen_two(uint32_t x)
{
    return (struct two_floats){bl_f32_from_bits(x & 0xFFFF0000), bl_f32_from_bits(x << 16)};
}

/* The bits of a sum, difference, product or quotient of such numbers, rounded to the upper
 * half: its NaN is one of theirs, or the processor's own, quiet and with nothing to round. */
BL_FORCE_INLINE uint32_t round_result(float x)
{
    const uint32_t bits = bl_f32_bits(x);

    return bits + 0x7FFF + (bits >> 16 & 1);
}

BL_FORCE_INLINE uint32_t narrow_two(struct two_floats x)
{
    return (round_result(x.upper) & 0xFFFF0000) | round_result(x.lower) >> 16;
}

/* y[i] = f(a[i * sa], b[i * sb]) for n / 2 pairs; sa and sb are constants. */
BL_FORCE_INLINE void F(loop)(size_t n, const void *a, bool sa, const void *b, bool sb,
                             void *y, float (*f)(float, float))
{
    const size_t pairs = (n & ~(VECTOR_BYTES / sizeof(uint16_t) - 1)) / 2;
    const float a0 = F(widen_one)(*(const uint16_t *)a);
    const float b0 = F(widen_one)(*(const uint16_t *)b);
    const two_halves *as = a;
    const two_halves *bs = b;
    two_halves *ys = y;

    BL_LANEWISE
    for (size_t i = 0; i < pairs; i++) {
        const struct two_floats x = sa ? widen_two(as[i]) : (struct two_floats){a0, a0};
        const struct two_floats z = sb ? widen_two(bs[i]) : (struct two_floats){b0, b0};

        ys[i] = narrow_two((struct two_floats){f(x.upper, z.upper), f(x.lower, z.lower)});
    }
}

/* As run_fn. */
BL_FORCE_INLINE void F(map)(size_t n, const void *a, ptrdiff_t sa, const void *b,
                            ptrdiff_t sb, void *y, float (*f)(float, float))
{
    if (sa != 0 && sb != 0)
        F(loop)(n, a, true, b, true, y, f);
    else if (sa != 0)
        F(loop)(n, a, true, b, false, y, f);
    else
        F(loop)(n, a, false, b, true, y, f);
}

static const struct run F(of_map) = {sizeof(uint16_t), sizeof(uint16_t),
                                     VECTOR_BYTES / sizeof(uint16_t), copy_b16};

/* `count` is a constant. */
BL_FORCE_INLINE void F(loop_fold)(size_t n, const void *const *x, size_t count, void *y,
                                  float (*op)(float, float), float (*finish)(float, float),
                                  float with)
{
    const size_t pairs = (n & ~(VECTOR_BYTES / sizeof(uint16_t) - 1)) / 2;
    const two_halves *x0 = x[0];
    const two_halves *x1 = x[1];
    const two_halves *x2 = count > 2 ? x[2] : x0;
    const two_halves *x3 = count > 3 ? x[3] : x0;
    two_halves *ys = y;

    BL_LANEWISE
    for (size_t i = 0; i < pairs; i++) {
        const struct two_floats a = widen_two(x0[i]);
        const struct two_floats b = widen_two(x1[i]);
        const struct two_floats c = widen_two(x2[i]);
        const struct two_floats d = widen_two(x3[i]);
        struct two_floats all = {op(a.upper, b.upper), op(a.lower, b.lower)};

        if (count > 2)
            all = (struct two_floats){op(all.upper, c.upper), op(all.lower, c.lower)};
        if (count > 3)
            all = (struct two_floats){op(all.upper, d.upper), op(all.lower, d.lower)};
        if (finish != NULL)
            all = (struct two_floats){finish(all.upper, with), finish(all.lower, with)};
        ys[i] = narrow_two(all);
    }
}

typedef uint32_t F(words) BL_VECTOR(uint32_t, VECTOR_BYTES);
typedef F(words) F(pairs) BL_UNALIGNED_PAIR;
typedef float F(floats) BL_VECTOR(float, VECTOR_BYTES);

/* As in half_group.tmpl.h, but `all` has of each vector of pairs first the upper ones. */
static void F(sum)(size_t n, const uint16_t *const *x, size_t count, bool fresh, float *all)
{
    const size_t halves = VECTOR_BYTES / sizeof(uint16_t);
    const F(floats) none = -0.0F - (F(floats)){0};

    for (size_t at = 0; at < n; at += 2 * halves) {
        F(floats) *to = (F(floats) *)(all + at);
        F(floats) a = fresh ? none : to[0];
        F(floats) b = fresh ? none : to[1];
        F(floats) c = fresh ? none : to[2];
        F(floats) d = fresh ? none : to[3];

        for (size_t j = 0; j < count; j++) {
            const F(words) first = *(const F(pairs) *)(const void *)(x[j] + at);
            const F(words) next = *(const F(pairs) *)(const void *)(x[j] + at + halves);

            a += (F(floats))(first & 0xFFFF0000);
            b += (F(floats))(first << 16);
            c += (F(floats))(next & 0xFFFF0000);
            d += (F(floats))(next << 16);
        }
        to[0] = a;
        to[1] = b;
        to[2] = c;
        to[3] = d;
    }
}

/* y[i] = all[i], rounded; n as for `sum`. */
static void F(round)(size_t n, uint16_t *y, const float *all)
{
    const size_t pairs = VECTOR_BYTES / sizeof(two_halves);
    two_halves *ys = (void *)y;

    for (size_t at = 0; at < n / 2; at += pairs) {
        BL_LANEWISE
        for (size_t i = 0; i < pairs; i++)
            ys[at + i] =
                narrow_two((struct two_floats){all[2 * at + i], all[2 * at + pairs + i]});
    }
}

/* What is no product is the operand, whose NaN has to be made quiet. */
static inline float F(prelu)(float x, float slope)
{
    const float y = prelu_f32(x, slope);

    return isunordered(y, y) ? y + y : y;
}
