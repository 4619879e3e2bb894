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
    const T shifted = (T)((W)x << (y & (WIDTH - 1)));

    return y < WIDTH ? shifted : 0;
}

static inline T F(shift_right)(T x, T y)
{
    const T shifted = (T)((W)x >> (y & (WIDTH - 1)));

    return y < WIDTH ? shifted : 0;
}

#if WIDTH >= 32

#define LEFT F(shift_left)
#define RIGHT F(shift_right)

#else

/* The same by 1, 2, 4 and 8, as the bits of y say: few vectors shift 8 or 16 bits by numbers
 * of their own. */
static inline T F(step_left)(T x, T y)
{
    const T by_1 = y & 1 ? (T)(x << 1) : x;
    const T by_3 = y & 2 ? (T)(by_1 << 2) : by_1;
    const T by_7 = y & 4 ? (T)(by_3 << 4) : by_3;
    const T by_15 = WIDTH == 16 && (y & 8) ? (T)(by_7 << 8) : by_7;

    return y < WIDTH ? by_15 : 0;
}

static inline T F(step_right)(T x, T y)
{
    const T by_1 = y & 1 ? (T)(x >> 1) : x;
    const T by_3 = y & 2 ? (T)(by_1 >> 2) : by_1;
    const T by_7 = y & 4 ? (T)(by_3 >> 4) : by_3;
    const T by_15 = WIDTH == 16 && (y & 8) ? (T)(by_7 >> 8) : by_7;

    return y < WIDTH ? by_15 : 0;
}

#define LEFT F(step_left)
#define RIGHT F(step_right)

#endif

/* ---- Runs and rows ------------------------------------------------------------------- */

#define RUN(name, each)                                                             \
    static void F(run_##name)(size_t n, const void *a, ptrdiff_t sa, const void *b, \
                              ptrdiff_t sb, void *y)                                \
    {                                                                               \
        if (sb == 0)                                                                \
            F(map)(n, a, 1, b, 0, y, F(name));                                      \
        else                                                                        \
            F(map)(n, a, sa, b, 1, y, each);                                        \
    }

RUN(shift_left, LEFT)
RUN(shift_right, RIGHT)
#undef RUN
#undef LEFT
#undef RIGHT

static size_t F(row_bitshift)(const struct bl_row *row)
{
    return binary(row, row->params->shift_right ? F(run_shift_right) : F(run_shift_left),
                  &F(of_map));
}
