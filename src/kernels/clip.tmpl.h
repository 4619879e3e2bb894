/*
 * clip.tmpl.h - Clip of one element type
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters: T the element type, TAG the suffix of every name made here, whose min and max
 * it needs; COPY the function that copies elements; OF_FLOAT makes a T of a float; NO_MIN and
 * NO_MAX, bounds that bound nothing; SOUND 1 if there are run_clip_sound, a faster run_clip, and
 * are_sound, whether it may have those bounds.
 *
 * The row's inputs 1 and 2 are the bounds, each NULL or one element.  Before version 11
 * they are attributes, and both inputs NULL.
 */

/* min(max(x, low), high): where the bounds have crossed, high.  A NaN in x stays, one in a
 * bound spreads.  As clip_fn. */
static void F(run_clip)(size_t n, const void *in, const void *bounds, void *out)
{
    const size_t whole = n & ~(VECTOR_BYTES / sizeof(T) - 1);
    const T low = ((const T *)bounds)[0];
    const T high = ((const T *)bounds)[1];
    const T *x = in;
    T *y = out;

    BL_LANEWISE
    for (size_t i = 0; i < whole; i++)
        y[i] = F(min)(F(max)(x[i], low), high);
}

/* The bound in input j; without it `attribute`, if that is there. */
static T F(bound)(const struct bl_row *row, size_t j, bool has, float attribute, T none)
{
    if (j < row->inputs && row->in[j] != NULL)
        return *(const T *)row->in[j];
    return has ? (T)OF_FLOAT(attribute) : none;
}

static size_t F(row_clip)(const struct bl_row *row)
{
    static const struct run of = {sizeof(T), sizeof(T), VECTOR_BYTES / sizeof(T), COPY};
    static const struct bl_params no_params = {.has_min = false};
    const struct bl_params *params = row->params != NULL ? row->params : &no_params;
    const T bounds[] = {F(bound)(row, 1, params->has_min, params->min, NO_MIN),
                        F(bound)(row, 2, params->has_max, params->max, NO_MAX)};

#if SOUND
    if (F(are_sound)(bounds))
        return clipped(row, F(run_clip_sound), bounds, &of);
#endif
    return clipped(row, F(run_clip), bounds, &of);
}
