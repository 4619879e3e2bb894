/*
 * math_run.tmpl.h - the loops over the vector math, for one type
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters, which it undefines:
 *   T      float or double; TAG, the suffix of every name made here
 *   LANE   LANE(exp) is the function of a double
 *   QUICK  QUICK(exp) is the run for rows of one of QUICK_FUNCTIONS or PAIR_FUNCTIONS,
 *          made here if QUICK_LANES is defined
 *   REST   the type of an angle less its quarter turns; REST_OF(x) makes one of two doubles
 */

/* ---- y[i] = f(x[i]) ------------------------------------------------------------------ */

#define RUN(name, ...)                                             \
    static void F(run_##name)(size_t n, const void *in, void *out, \
                              BL_UNUSED struct attributes with)    \
    {                                                              \
        const T *x = in;                                           \
        T *y = out;                                                \
                                                                   \
        BL_LANEWISE                                                \
        for (size_t i = 0; i < n; i++)                             \
            y[i] = (T)LANE(name)(x[i] __VA_ARGS__);                \
    }
#define PLAIN(name) RUN(name, )
#define TUNED(name) RUN(name, , with)

PLAIN_FUNCTIONS(PLAIN)
TUNED_FUNCTIONS(TUNED)
#undef RUN
#undef PLAIN
#undef TUNED

/* ---- Sine, cosine, tangent ----------------------------------------------------------- */

/* Take a block of angles apart into quarter turns and a rest. */
static void F(reduce)(size_t n, const T *x, double *quarter, REST *rest)
{
    uint64_t large = 0;

    BL_LANEWISE
    for (size_t i = 0; i < n; i++) {
        const double angle = x[i];

        quarter[i] = nearest(angle * TWO_OVER_PI);
        rest[i] = LANE(turned)(angle, quarter[i]);
        large |= magnitude(angle) > BL_REDUCE_LIMIT ? 1 : 0;
    }
    for (size_t i = 0; i < n && large != 0; i++) {
        double exact[2] = {NAN, 0};

        if (!(magnitude(x[i]) > BL_REDUCE_LIMIT))
            continue;
        quarter[i] = isinf(x[i]) ? 0 : bl_reduce_angle(x[i], exact);
        rest[i] = REST_OF(exact);
    }
}

#define RUN(name)                                                   \
    static void F(run_##name)(size_t n, const void *in, void *out,  \
                              BL_UNUSED struct attributes with)     \
    {                                                               \
        double quarter[BLOCK];                                      \
        REST rest[BLOCK];                                           \
                                                                    \
        for (size_t at = 0; at < n; at += BLOCK) {                  \
            const size_t size = n - at < BLOCK ? n - at : BLOCK;    \
            T *y = (T *)out + at;                                   \
                                                                    \
            F(reduce)(size, (const T *)in + at, quarter, rest);     \
            BL_LANEWISE                                             \
            for (size_t i = 0; i < size; i++)                       \
                y[i] = (T)LANE(name##_turned)(rest[i], quarter[i]); \
        }                                                           \
    }

TURNED_FUNCTIONS(RUN)
#undef RUN

/* ---- Quick runs ---------------------------------------------------------------------- */

#ifdef QUICK_LANES
#define RUN(name, zero_below, lowest, highest, error_bits, care)                      \
    static void quick_block_##name(size_t n, const float *x, float *y,                \
                                   struct attributes with, struct leftover *left)     \
    {                                                                                 \
        const struct quick quick = {.f = quick_##name,                                \
                                    .zero = zero_below,                               \
                                    .low = lowest,                                    \
                                    .high = highest,                                  \
                                    .bits = error_bits,                               \
                                    .cares = care};                                   \
                                                                                      \
        quick_loop(n, x, y, with, left, quick);                                       \
    }                                                                                 \
                                                                                      \
    static void QUICK(name)(size_t n, const void *x, void *y, struct attributes with) \
    {                                                                                 \
        if ((care)&QUICK_ALPHA && !(with.alpha > 0 && with.alpha < INFINITY))         \
            F(run_##name)(n, x, y, with);                                             \
        else                                                                          \
            quick_run(n, x, y, with, quick_block_##name, F(run_##name));              \
    }

QUICK_FUNCTIONS(RUN)
#undef RUN

#define RUN(name)                                                                     \
    static void quick_block_##name(size_t n, const float *x, float *y,                \
                                   BL_UNUSED struct attributes with,                  \
                                   struct leftover *left)                             \
    {                                                                                 \
        pair_loop(n, x, y, left, pair_begin_##name, pair_end_##name);                 \
    }                                                                                 \
                                                                                      \
    static void QUICK(name)(size_t n, const void *x, void *y, struct attributes with) \
    {                                                                                 \
        quick_run(n, x, y, with, quick_block_##name, F(run_##name));                  \
    }

PAIR_FUNCTIONS(RUN)
#undef RUN
#endif

/* ---- Rows ---------------------------------------------------------------------------- */

#define ROW_OF(name, run)                                 \
    static size_t F(row_##name)(const struct bl_row *row) \
    {                                                     \
        return unary(row, run, sizeof(T), sizeof(T));     \
    }
#define ROW(name) ROW_OF(name, F(run_##name))
#define PAIR_ROW(name) ROW_OF(name, QUICK(name))
#define QUICK_ROW(name, ...) ROW_OF(name, QUICK(name))

EXACT_FUNCTIONS(ROW)
PAIR_FUNCTIONS(PAIR_ROW)
QUICK_FUNCTIONS(QUICK_ROW)
#undef ROW_OF
#undef ROW
#undef PAIR_ROW
#undef QUICK_ROW

/* y[i] = swish(a[i]) * b[i] */
static void F(run_swiglu)(size_t n, const T *a, const T *b, T *y, struct attributes with)
{
    BL_LANEWISE
    for (size_t i = 0; i < n; i++)
        y[i] = (T)LANE(swiglu)(a[i], b[i], with);
}

static size_t F(row_swiglu)(const struct bl_row *row)
{
    const struct attributes with = attributes_of(row->params);
    T a[BLOCK], b[BLOCK];

    for (size_t at = 0; at < row->n; at += BLOCK) {
        const size_t n = block_size(row, at);

        spread(n, a, operand(row, 0, at, sizeof(T)), row->stride[0], sizeof(T));
        spread(n, b, operand(row, 1, at, sizeof(T)), row->stride[1], sizeof(T));
        F(run_swiglu)(n, a, b, (T *)row->out + at, with);
    }
    return row->n;
}

#undef T
#undef TAG
#undef LANE
#undef QUICK
#undef QUICK_LANES
#undef REST
#undef REST_OF
