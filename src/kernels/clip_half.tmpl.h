/*
 * clip_half.tmpl.h - Clip of one 16-bit float, in float32
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters: as half.tmpl.h.  Needs run_clip of f32 (clip.tmpl.h).
 */

/* As in clip.tmpl.h.  An attribute that T cannot hold bounds nothing: what it makes of an
 * infinity rounds to that again. */
static float F(bound)(const struct bl_row *row, size_t j, bool has, float attribute,
                      float none)
{
    float bound = has ? attribute : none;

    if (j < row->inputs && row->in[j] != NULL)
        F(widen)(1, &bound, row->in[j], 1);
    return bound;
}

static size_t F(row_clip)(const struct bl_row *row)
{
    static const struct bl_params no_params = {.has_min = false};
    const struct bl_params *params = row->params != NULL ? row->params : &no_params;
    const float low = F(bound)(row, 1, params->has_min, params->min, -INFINITY);
    const float high = F(bound)(row, 2, params->has_max, params->max, INFINITY);
    float x[BLOCK];

    for (size_t at = 0; at < row->n; at += BLOCK) {
        const size_t n = block_size(row, at);

        F(widen)(n, x, operand(row, 0, at, sizeof(uint16_t)), row->stride[0]);
        run_clip_f32(n, x, 1, low, high, x);
        F(narrow)(n, (uint16_t *)row->out + at, x, 1);
    }
    return row->n;
}
