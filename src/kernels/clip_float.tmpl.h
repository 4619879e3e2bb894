/*
 * clip_float.tmpl.h - Clip of one float type by the processor's own min and max
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters: T float or double, TAG and TO_BITS as in arith.tmpl.h.  See SOUND in clip.tmpl.h.
 */
/* As run_clip of clip.tmpl.h in three steps, where neither bound is a NaN and `high` is not -0.  A comparison
 * keeps an x that equals a bound, which is wrong of -0 and a `low` of +0 only: there the sum
 * makes it +0.  It also makes a NaN quiet, and changes nothing else. */
static void F(run_clip_sound)(size_t n, const void *in, const void *bounds, void *out)
{
    const size_t whole = n & ~(VECTOR_BYTES / sizeof(T) - 1);
    const T low = ((const T *)bounds)[0];
    const T high = ((const T *)bounds)[1];
    const T zero = TO_BITS(low) == 0 ? (T)0.0 : (T)-0.0;
    const T *x = in;
    T *y = out;

    BL_LANEWISE
    for (size_t i = 0; i < whole; i++) {
        const T raised = low > x[i] ? low : x[i];

        y[i] = (high < raised ? high : raised) + zero;
    }
}

static bool F(are_sound)(const T *bounds)
{
    return !isunordered(bounds[0], bounds[1]) && TO_BITS(bounds[1]) != TO_BITS((T)-0.0);
}
