/*
 * modular.tmpl.h - BitShift and Mod of one integer type
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters: those of arith.tmpl.h for an integer, whose map and div it needs.
 */

#if !SIGNED

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

#endif

/* The remainder of the quotient truncated, with the sign of x: C's fmod, and %.  Of MIN and
 * -1 it is 0: their quotient wraps to MIN. */
static inline T F(remainder)(T x, T y)
{
    return (T)((W)x - (W)F(div)(x, y) * (W)y);
}

/* The remainder of the quotient rounded down, with the sign of y. */
static inline T F(modulo)(T x, T y)
{
    const T rest = F(remainder)(x, y);
#if SIGNED
    const T moved = F(add)(rest, y);

    return rest != 0 && (rest < 0) != (y < 0) ? moved : rest;
#else
    return rest;
#endif
}

/* ---- Runs and rows ------------------------------------------------------------------- */

#define RUN(name)                                                                   \
    static void F(run_##name)(size_t n, const void *a, ptrdiff_t sa, const void *b, \
                              ptrdiff_t sb, void *y)                                \
    {                                                                               \
        F(map)(n, a, sa, b, sb, y, F(name));                                        \
    }

RUN(remainder)
RUN(modulo)

static size_t F(row_mod)(const struct bl_row *row)
{
    return F(divide)(row, row->params->fmod ? F(run_remainder) : F(run_modulo));
}

#if !SIGNED

RUN(shift_left)
RUN(shift_right)

static size_t F(row_bitshift)(const struct bl_row *row)
{
    return binary(row, row->params->shift_right ? F(run_shift_right) : F(run_shift_left));
}

#endif

#undef RUN
