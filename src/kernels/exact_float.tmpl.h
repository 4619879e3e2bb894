/*
 * exact_float.tmpl.h - the exact operators on one operand of float32 or float64
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters, which it undefines:
 *   T       float or double; TAG, the suffix of every name made here
 *   M(fn)   the name of a function of <math.h> for T: M(sqrt) is sqrtf or sqrt
 *   WHOLE   the least number from which on all numbers are integers
 *
 * Where an operator is a formula, each step is rounded, in the order in which ONNX's
 * function bodies have them.  Attributes are float32 and exact in T.
 */

/* Whether there is rounding to integers in an instruction or not, this takes two additions.
 * */
static inline T F(to_even)(T x)
{
    const T shift = M(copysign)(WHOLE, x);
    const T y = M(copysign)((x + shift) - shift, x);

    return M(fabs)(x) < WHOLE ? y : x;
}

static inline T F(round)(T x)
{
    return F(to_even)(x);
}

static inline T F(floor)(T x)
{
    const T y = F(to_even)(x);

    return M(copysign)(y > x ? y - 1 : y, x);
}

static inline T F(ceil)(T x)
{
    const T y = F(to_even)(x);

    return M(copysign)(y < x ? y + 1 : y, x);
}

static inline T F(abs)(T x)
{
    return M(fabs)(x);
}

static inline T F(neg)(T x)
{
    return -x;
}

/* +0 for either zero. */
static inline T F(sign)(T x)
{
    const T negative_or_nan = x < 0 ? -1 : x;

    return x > 0 ? 1 : x == 0 ? 0 : negative_or_nan;
}

static inline T F(reciprocal)(T x)
{
    return 1 / x;
}

static inline T F(sqrt)(T x)
{
    return M(sqrt)(x);
}

/* max(x, 0), as Max has it: +0 of -0, and NaN of NaN */
static inline T F(relu)(T x)
{
    return x <= 0 ? 0 : x;
}

static inline T F(softsign)(T x)
{
    return x / (1 + M(fabs)(x));
}

/* max(0, min(1, alpha x + beta)) */
static inline T F(line)(T x, T alpha, T beta)
{
    const T y = alpha * x + beta;

    return F(relu)(y > 1 ? 1 : y);
}

/* The function body's alpha is a float32, 1/6 rounded. */
static inline T F(hardswish)(T x)
{
    return x * F(line)(x, 1.0f / 6.0f, 0.5f);
}

static inline T F(hardsigmoid)(T x, struct attributes with)
{
    return F(line)(x, (T)with.alpha, (T)with.beta);
}

static inline T F(leakyrelu)(T x, struct attributes with)
{
    return x < 0 ? (T)with.alpha * x : x;
}

static inline T F(thresholdedrelu)(T x, struct attributes with)
{
    return (T)with.alpha < x ? x : 0;
}

static inline T F(shrink)(T x, struct attributes with)
{
    const T lambd = (T)with.lambd;
    const T bias = (T)with.bias;
    const T right = lambd < x ? x - bias : 0;

    return x < -lambd ? x + bias : right;
}

static inline uint8_t F(isnan)(T x)
{
    return x != x;
}

static inline uint8_t F(isinf)(T x, struct attributes with)
{
    return (x == (T)INFINITY && with.positive) || (x == -(T)INFINITY && with.negative);
}

/* ---- Runs and rows ------------------------------------------------------------------- */

#define RUN(R, name, ...)                                          \
    static void F(run_##name)(size_t n, const void *in, void *out, \
                              BL_UNUSED struct attributes with)    \
    {                                                              \
        const T *x = in;                                           \
        R *y = out;                                                \
                                                                   \
        BL_LANEWISE                                                \
        for (size_t i = 0; i < n; i++)                             \
            y[i] = F(name)(x[i] __VA_ARGS__);                      \
    }                                                              \
    static size_t F(row_##name)(const struct bl_row *row)          \
    {                                                              \
        return unary(row, F(run_##name), sizeof(T), sizeof(R));    \
    }
#define PLAIN(name) RUN(T, name, )
#define TUNED(name) RUN(T, name, , with)

PLAIN_FUNCTIONS(PLAIN)
TUNED_FUNCTIONS(TUNED)
RUN(uint8_t, isnan, )
RUN(uint8_t, isinf, , with)
#undef RUN
#undef PLAIN
#undef TUNED

#undef T
#undef TAG
#undef M
#undef WHOLE
