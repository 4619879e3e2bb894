/*
 * math_run.tmpl.h - the loops over the vector math, for one type
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters, which it undefines:
 *   T      float or double; TAG, the suffix of every name made here
 *   LANE   LANE(exp) is the function of a double
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

/* ---- Rows ---------------------------------------------------------------------------- */

#define ROW(name)                                               \
    static size_t F(row_##name)(const struct bl_row *row)       \
    {                                                           \
        return unary(row, F(run_##name), sizeof(T), sizeof(T)); \
    }

PLAIN_FUNCTIONS(ROW)
TUNED_FUNCTIONS(ROW)
TURNED_FUNCTIONS(ROW)
#undef ROW

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
#undef REST
#undef REST_OF
