/*
 * shift.tmpl.h - BitShift of one unsigned integer type
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters: those of arith.tmpl.h, whose map it needs.
 */

/* A shift by the width or more leaves nothing; C does not define it. */
static inline T F(shift_left)(T x, T y)
{
    const T width = 8 * sizeof(T);
    const T shifted = (T)((W)x << (y & (width - 1)));

    return y < width ? shifted : 0;
}

static inline T F(shift_right)(T x, T y)
{
    const T width = 8 * sizeof(T);
    const T shifted = (T)((W)x >> (y & (width - 1)));

    return y < width ? shifted : 0;
}

/* ---- Runs and rows ------------------------------------------------------------------- */

#define RUN(name)                                                                   \
    static void F(run_##name)(size_t n, const void *a, ptrdiff_t sa, const void *b, \
                              ptrdiff_t sb, void *y)                                \
    {                                                                               \
        F(map)(n, a, sa, b, sb, y, F(name));                                        \
    }

RUN(shift_left)
RUN(shift_right)
#undef RUN

static size_t F(row_bitshift)(const struct bl_row *row)
{
    return binary(row, row->params->shift_right ? F(run_shift_right) : F(run_shift_left),
                  &F(of_map));
}
