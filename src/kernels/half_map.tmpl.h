/*
 * half_map.tmpl.h - the loop over a float32 function of two 16-bit floats
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters: TAG f16 or bf16; R the result's type; E what the function puts out, of which
 * STORE(R *y, const E *x) makes a group of results; MAP the loop's name.  All but TAG it
 * undefines.
 */

/* A group: y[i] = f(a[i], b[i]), with a0 or b0 for an operand that is one value. */
BL_FORCE_INLINE void BL_CAT(group, MAP)(R *y, const uint16_t *a, float a0, bool sa,
                                        const uint16_t *b, float b0, bool sb,
                                        E (*f)(float, float))
{
    float x[HALVES], z[HALVES];
    E results[HALVES];

    if (sa)
        F(widen_group)(x, a);
    if (sb)
        F(widen_group)(z, b);
    for (size_t i = 0; i < HALVES; i++)
        results[i] = f(sa ? x[i] : a0, sb ? z[i] : b0);
    STORE(y, results);
}

/* As the loop of map.tmpl.h. */
BL_FORCE_INLINE void BL_CAT(loop, MAP)(size_t n, const uint16_t *a, bool sa,
                                       const uint16_t *b, bool sb, R *y,
                                       E (*f)(float, float))
{
    const size_t rest = n - HALVES;
    const float a0 = F(widen_one)(*a);
    const float b0 = F(widen_one)(*b);
    R last[HALVES];

    BL_CAT(group, MAP)(last, a + rest * sa, a0, sa, b + rest * sb, b0, sb, f);
    for (size_t i = 0; i <= rest; i += HALVES)
        BL_CAT(group, MAP)(y + i, a + i * sa, a0, sa, b + i * sb, b0, sb, f);
    memcpy(y + rest, last, sizeof last);
}

/* As run_fn. */
BL_FORCE_INLINE void MAP(size_t n, const uint16_t *a, ptrdiff_t sa, const uint16_t *b,
                         ptrdiff_t sb, R *y, E (*f)(float, float))
{
    if (sa != 0 && sb != 0)
        BL_CAT(loop, MAP)(n, a, true, b, true, y, f);
    else if (sa != 0)
        BL_CAT(loop, MAP)(n, a, true, b, false, y, f);
    else
        BL_CAT(loop, MAP)(n, a, false, b, true, y, f);
}

/* What the callers of such a run have to know. */
static const struct run BL_CAT(of, MAP) = {sizeof(uint16_t), sizeof(R), HALVES, copy_b16};

#undef R
#undef E
#undef STORE
#undef MAP
