/*
 * divide.tmpl.h - Div and Mod of one integer type
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters: those of arith.tmpl.h for an integer, whose functions it needs.
 *
 * Processors divide vectors of floats, not of integers.  So the dividend is multiplied by the
 * divisor's inverse, which is computed once where the divisor is one value.  The inverse is
 * made too large by a little, e of it, and that is exact: a quotient that is an integer k
 * comes out as k or more, whatever is rounded; any other lies 1/y or more below the next
 * integer k, and stays below k since k * y * e is less than 1.  Here k * y is no more than
 * |x| + |y|, and e is what is added and two roundings.
 *
 * A block of small elements takes a smaller float than one of any.
 */

/* What a division gives: the quotient truncated, and the remainder with the dividend's
 * sign.  MIN / -1 wraps to MIN, and its remainder is 0. */
struct F(division) {
    T quotient, remainder;
};

#if WIDTH < 32

/* k * y is no more than 2^17, and a float's rounding 2^-24. */
BL_FORCE_INLINE struct F(division) F(divide_any)(T x, T y)
{
    const float inverse = (1 + 0x1p-20f) / (float)y;
    const int32_t quotient = (int32_t)((float)x * inverse);

    return (struct F(division)){(T)quotient, (T)((int32_t)x - quotient * (int32_t)y)};
}

#elif WIDTH == 32

#define SMALL_BITS 20

/* k * y is less than 2^21. */
BL_FORCE_INLINE struct F(division) F(divide_small)(T x, T y)
{
    const float inverse = (1 + 0x1p-22f) / (float)(int32_t)y;
    const T quotient = (T)(int32_t)((float)(int32_t)x * inverse);

    return (struct F(division)){quotient, F(sub)(x, F(mul)(quotient, y))};
}

#if SIGNED

/* k * y is no more than 2^32, and a double's rounding 2^-53. */
BL_FORCE_INLINE struct F(division) F(divide_any)(T x, T y)
{
    const double inverse = (1 + 0x1p-40) / (y == -1 ? 1 : y);
    const T divided = (T)(x * inverse);
    const T quotient = y == -1 ? F(sub)(0, x) : divided;

    return (struct F(division)){quotient, F(sub)(x, F(mul)(quotient, y))};
}

#else

/* Half of the quotient, which fits a signed integer, doubled; one is missing if what remains
 * is y or more. */
BL_FORCE_INLINE struct F(division) F(divide_any)(T x, T y)
{
    const double inverse = (0.5 + 0x1p-41) / y;
    const T even = (T)(int32_t)(x * inverse) * 2;
    const T rest = x - even * y;

    return (struct F(division)){even + (rest >= y), rest >= y ? rest - y : rest};
}

#endif

#else

/* The processor's own division, one element at a time. */
BL_FORCE_INLINE struct F(division) F(divide_any)(T x, T y)
{
    const bool minus = SIGNED && y == (T)-1; /* MIN / -1 would trap */
    const T quotient = minus ? F(sub)(0, x) : x / y;

    return (struct F(division)){quotient, F(sub)(x, F(mul)(quotient, y))};
}

#if !defined(__SSE2__) || \
    defined(__SSE4_1__) /* not where no vector is rounded to integers */

#define SMALL_BITS 49
#define TO_INTEGER 0x1.8p52

/* Adding such an integer to the bits of this double adds it to its value. */
BL_FORCE_INLINE double F(small_to_f64)(T x)
{
    return bl_f64_from_bits((uint64_t)x + bl_f64_bits(TO_INTEGER)) - TO_INTEGER;
}

BL_FORCE_INLINE T F(small_from_f64)(double x)
{
    return (T)(bl_f64_bits(x + TO_INTEGER) - bl_f64_bits(TO_INTEGER));
}

/* k * y is less than 2^50. */
BL_FORCE_INLINE struct F(division) F(divide_small)(T x, T y)
{
    const double dividend = F(small_to_f64)(x);
    const double divisor = F(small_to_f64)(y);
    const double inverse = (1 + 0x1p-51) / divisor;
    const double quotient = trunc(dividend * inverse);

    return (struct F(division)){F(small_from_f64)(quotient),
                                F(small_from_f64)(dividend - quotient * divisor)};
}

#undef TO_INTEGER
#endif
#endif

/* ---- Runs ------------------------------------------------------------------------------ */

/* The remainder of the quotient rounded down, with the sign of y. */
BL_FORCE_INLINE T F(to_modulo)(T rest, T y)
{
#if SIGNED
    const T moved = F(add)(rest, y);

    return rest != 0 && (rest ^ y) < 0 ? moved : rest;
#else
    (void)y;
    return rest;
#endif
}

/* As run_fn, of a dividend that is dense, and no divisor 0. */
#define RUN(name, how, result)                                               \
    static inline T F(how##_##name)(T x, T y)                                \
    {                                                                        \
        const struct F(division) of = F(divide_##how)(x, y);                 \
                                                                             \
        return result;                                                       \
    }                                                                        \
    static void F(run_##how##_##name)(size_t n, const void *a, ptrdiff_t sa, \
                                      const void *b, ptrdiff_t sb, void *y)  \
    {                                                                        \
        (void)sa;                                                            \
        F(map)(n, a, 1, b, sb, y, F(how##_##name));                          \
    }

RUN(div, any, of.quotient)
RUN(remainder, any, of.remainder)
RUN(modulo, any, F(to_modulo)(of.remainder, y))

static const run_fn F(run_any)[] = {
    [QUOTIENT] = F(run_any_div),
    [REMAINDER] = F(run_any_remainder),
    [MODULO] = F(run_any_modulo),
};

#ifdef SMALL_BITS

RUN(div, small, of.quotient)
RUN(remainder, small, of.remainder)
RUN(modulo, small, F(to_modulo)(of.remainder, y))

static const run_fn F(run_small)[] = {
    [QUOTIENT] = F(run_small_div),
    [REMAINDER] = F(run_small_remainder),
    [MODULO] = F(run_small_modulo),
};

/* True if n elements, and n or one divisors, take SMALL_BITS and a sign. */
static bool F(are_small)(size_t n, const T *a, const T *b, ptrdiff_t sb)
{
    const size_t whole = n & ~(VECTOR_BYTES / sizeof(T) - 1);
    const W middle = SIGNED ? (W)1 << SMALL_BITS : 0;
    W all = (W)*b + middle;

    if (sb != 0)
        for (size_t i = 0; i < whole; i++)
            all |= ((W)a[i] + middle) | ((W)b[i] + middle);
    else
        for (size_t i = 0; i < whole; i++)
            all |= (W)a[i] + middle;
    return all >> (SMALL_BITS + SIGNED) == 0;
}

#endif
#undef RUN

/* ---- Rows ------------------------------------------------------------------------------ */

/* The index of the first 0 among n elements, one or a multiple of the step; n if there is
 * none. */
static size_t F(first_zero)(size_t n, const void *in)
{
    const size_t whole = n & ~(VECTOR_BYTES / sizeof(T) - 1);
    const T *x = in;
    T zeros = n == 1 && *x == 0 ? (T)-1 : 0;
    size_t i = 0;

    for (size_t j = 0; j < whole; j++)
        zeros |= (T)(x[j] == 0 ? -1 : 0);
    if (zeros == 0)
        return n;
    while (x[i] != 0)
        i++;
    return i;
}

/* A block of which none is divided by 0. */
static void F(divide_block)(size_t n, const void *a, const void *b, ptrdiff_t sb, void *y,
                            enum division result)
{
#ifdef SMALL_BITS
    if (F(are_small)(n, a, b, sb)) {
        F(run_small)[result](n, a, 1, b, sb, y);
        return;
    }
#undef SMALL_BITS
#endif
    F(run_any)[result](n, a, 1, b, sb, y);
}

static const struct divider F(divider) = {&F(of_map), F(first_zero), F(divide_block)};

static size_t F(row_div)(const struct bl_row *row)
{
    return divided(row, QUOTIENT, &F(divider));
}

static size_t F(row_mod)(const struct bl_row *row)
{
    return divided(row, SIGNED && !row->params->fmod ? MODULO : REMAINDER, &F(divider));
}
