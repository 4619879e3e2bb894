/*
 * exact_integer.tmpl.h - the exact operators on one operand of an integer type
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters, which it undefines:
 *   T       the element type; TAG, the suffix of every name made here
 *   W       an unsigned type at least as wide as int and T, in which T wraps
 *   LEAST, GREATEST  T's limits
 */

/* The least number stays itself. */
static inline T F(abs)(T x)
{
    const T zero = 0;

    return x < zero ? (T)(zero - (W)x) : x;
}

static inline T F(neg)(T x)
{
    return (T)(0 - (W)x);
}

static inline T F(sign)(T x)
{
    const T zero = 0;

    return (T)((x > zero) - (x < zero));
}

static inline T F(relu)(T x)
{
    return x > 0 ? x : 0;
}

static inline T F(bitwisenot)(T x)
{
    return (T) ~(W)x;
}

/* The double, truncated: from 6 on it is 1. */
static inline T F(erf)(T x)
{
    return x / 6 == 0 ? 0 : F(sign)(x);
}

/* In double, truncated at the end, as ONNX's evaluator has it; out of range saturates. */
static inline T F(shrink)(T x, struct attributes with)
{
    const double value = (double)x;
    const double right = with.lambd < value ? value - with.bias : 0;
    const double y = value < -with.lambd ? value + with.bias : right;

    if (!(y > (double)LEAST))
        return y != y ? 0 : LEAST;
    return y >= (double)GREATEST ? GREATEST : (T)y;
}

/* ---- Runs and rows ------------------------------------------------------------------- */

#define RUN(name, ...)                                              \
    static void F(run_##name)(size_t n, const void *in, void *out,  \
                              BL_UNUSED struct attributes with)     \
    {                                                               \
        const T *x = in;                                            \
        T *y = out;                                                 \
                                                                    \
        BL_LANEWISE                                                 \
        for (size_t i = 0; i < n; i++)                              \
            y[i] = F(name)(x[i] __VA_ARGS__);                       \
    }                                                               \
    static BL_UNUSED size_t F(row_##name)(const struct bl_row *row) \
    {                                                               \
        return unary(row, F(run_##name), sizeof(T), sizeof(T));     \
    }

RUN(abs, )
RUN(neg, )
RUN(sign, )
RUN(relu, )
RUN(bitwisenot, )
RUN(erf, )
RUN(shrink, , with)
#undef RUN

#undef T
#undef TAG
#undef W
#undef LEAST
#undef GREATEST
