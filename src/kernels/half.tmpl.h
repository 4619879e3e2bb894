/*
 * half.tmpl.h - the operators of a 16-bit float, computed in float32 and rounded once
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters: TAG f16 or bf16, the suffix of every name made here; GROUPED 1 if it is
 * converted by the group, not in pairs; INFINITE the bits of infinity, and QUIET the bit that makes a NaN
 * quiet.  Needs the conversions of that TAG (convert.tmpl.h) and the functions of f32
 * (arith.tmpl.h).  All but TAG it undefines.
 */
#define T uint16_t
#define COPY copy_b16

/* ---- What needs no arithmetic: in integers of 16 bits -------------------------------- */

#define R T
#define MAP F(map_bits)
#include "kernels/map.tmpl.h"

#define FOLD F(fold_bits)
#include "kernels/fold.tmpl.h"

/* Integers in the order of the numbers; -0 is below +0. */
static inline int16_t F(order)(uint16_t x)
{
    return (int16_t)(x ^ ((uint16_t)((int16_t)x >> 15) >> 1));
}

static inline bool F(is_nan)(uint16_t x)
{
    return (int16_t)(x & 0x7FFF) > INFINITE;
}

/* As max of arith.tmpl.h. */
static inline uint16_t F(max)(uint16_t x, uint16_t y)
{
    const uint16_t greater = F(order)(x) > F(order)(y) ? x : y;
    const uint16_t one = F(is_nan)(y) ? y | QUIET : greater;

    return F(is_nan)(x) ? x | QUIET : one;
}

static inline uint16_t F(min)(uint16_t x, uint16_t y)
{
    const uint16_t lesser = F(order)(x) < F(order)(y) ? x : y;
    const uint16_t one = F(is_nan)(y) ? y | QUIET : lesser;

    return F(is_nan)(x) ? x | QUIET : one;
}

#define EXTREME(name)                                                                     \
    static void F(run_##name)(size_t n, const void *a, ptrdiff_t sa, const void *b,       \
                              ptrdiff_t sb, void *y)                                      \
    {                                                                                     \
        F(map_bits)(n, a, sa, b, sb, y, F(name));                                         \
    }                                                                                     \
    static void F(many_##name)(size_t n, const void *const *x, size_t count,              \
                               size_t inputs, void *y)                                    \
    {                                                                                     \
        (void)inputs;                                                                     \
        F(fold_bits)(n, x, count, y, F(name), NULL, 0);                                   \
    }                                                                                     \
    static size_t F(row_##name)(const struct bl_row *row)                                 \
    {                                                                                     \
        return fold(row, F(run_##name), F(many_##name), F(many_##name), &F(of_map_bits)); \
    }

EXTREME(max)
EXTREME(min)
#undef EXTREME

/* ---- Comparisons: the two zeros are equal, a NaN is not ------------------------------- */

#if MASKS
#include "kernels/compare_masks.tmpl.h"

/* As below, of vectors. */
BL_FORCE_INLINE __m256i F(level)(F(compared) x)
{
    return _mm256_sign_epi16((__m256i)(x & 0x7FFF), (__m256i)x);
}

BL_FORCE_INLINE __m256i F(not_ordered)(__m256i lesser, __m256i greater)
{
    return _mm256_or_si256(_mm256_cmpgt_epi16(_mm256_set1_epi16(-INFINITE), lesser),
                           _mm256_cmpgt_epi16(greater, _mm256_set1_epi16(INFINITE)));
}

BL_FORCE_INLINE __m256i F(equal)(F(compared) x, F(compared) y)
{
    const __m256i level = F(level)(x);

    return _mm256_andnot_si256(F(not_ordered)(level, level),
                               _mm256_cmpeq_epi16(level, F(level)(y)));
}

BL_FORCE_INLINE __m256i F(less)(F(compared) x, F(compared) y)
{
    const __m256i lesser = F(level)(x);
    const __m256i greater = F(level)(y);

    return _mm256_andnot_si256(F(not_ordered)(lesser, greater),
                               _mm256_cmpgt_epi16(greater, lesser));
}

BL_FORCE_INLINE __m256i F(lessorequal)(F(compared) x, F(compared) y)
{
    const __m256i lesser = F(level)(x);
    const __m256i greater = F(level)(y);

    return ~_mm256_or_si256(F(not_ordered)(lesser, greater),
                            _mm256_cmpgt_epi16(lesser, greater));
}

#else

/* Integers in the order of the numbers, 0 for both zeros. */
static inline int16_t F(level)(uint16_t x)
{
    const int16_t sign = (int16_t)((int16_t)x >> 15);

    return (int16_t)(((x & 0x7FFF) ^ sign) - sign);
}

#define R uint8_t
#define MAP F(test)
#include "kernels/map.tmpl.h"

/* A NaN is above INFINITE or below -INFINITE: what is in order needs no look at that side
 * of either operand where a NaN would not be in order. */
static inline int F(are_ordered)(int16_t lesser, int16_t greater)
{
    return (lesser >= -INFINITE) & (greater <= INFINITE);
}

static inline uint8_t F(equal)(uint16_t x, uint16_t y)
{
    const int16_t level = F(level)(x);

    return (level == F(level)(y)) & F(are_ordered)(level, level);
}

static inline uint8_t F(less)(uint16_t x, uint16_t y)
{
    return (F(level)(x) < F(level)(y)) & F(are_ordered)(F(level)(x), F(level)(y));
}

static inline uint8_t F(lessorequal)(uint16_t x, uint16_t y)
{
    return (F(level)(x) <= F(level)(y)) & F(are_ordered)(F(level)(x), F(level)(y));
}

#endif

#define BINARY(name, map, of, function)                                             \
    static void F(run_##name)(size_t n, const void *a, ptrdiff_t sa, const void *b, \
                              ptrdiff_t sb, void *y)                                \
    {                                                                               \
        map(n, a, sa, b, sb, y, function);                                          \
    }                                                                               \
    static size_t F(row_##name)(const struct bl_row *row)                           \
    {                                                                               \
        return binary(row, F(run_##name), &of);                                     \
    }

BINARY(equal, F(test), F(of_test), F(equal))
BINARY(less, F(test), F(of_test), F(less))
BINARY(lessorequal, F(test), F(of_test), F(lessorequal))

static size_t F(row_greater)(const struct bl_row *row)
{
    return exchanged(row, F(row_less));
}

static size_t F(row_greaterorequal)(const struct bl_row *row)
{
    return exchanged(row, F(row_lessorequal));
}

/* ---- Arithmetic of two operands -------------------------------------------------------- */

#if GROUPED
#include "kernels/half_group.tmpl.h"
#else
#include "kernels/half_pair.tmpl.h"
#endif

/* As fold_fn; `op` and `finish`, or NULL for it, are constants. */
BL_FORCE_INLINE void F(fold)(size_t n, const void *const *x, size_t count, void *y,
                             float (*op)(float, float), float (*finish)(float, float),
                             float with)
{
    if (count == 2)
        F(loop_fold)(n, x, 2, y, op, finish, with);
    else if (count == 3)
        F(loop_fold)(n, x, 3, y, op, finish, with);
    else
        F(loop_fold)(n, x, 4, y, op, finish, with);
}

/* Elements of which `sum` takes a multiple. */
#define SUMMED 64

BINARY(add, F(map), F(of_map), add_f32)
BINARY(sub, F(map), F(of_map), sub_f32)
BINARY(mul, F(map), F(of_map), mul_f32)
BINARY(div, F(map), F(of_map), div_f32)
#undef BINARY

/* Of a dense x only: where x is one value the compiler makes no vectors of the choice. */
static void F(run_prelu)(size_t n, const void *a, ptrdiff_t sa, const void *b, ptrdiff_t sb,
                         void *y)
{
    (void)sa;
    F(map)(n, a, 1, b, sb, y, F(prelu));
}

static size_t F(row_prelu)(const struct bl_row *row)
{
    if (row->stride[0] != 0)
        return binary(row, F(run_prelu), &F(of_map));
    binary_gathered(row, F(run_prelu), &F(of_map));
    return row->n;
}

/* ---- Arithmetic of any number --------------------------------------------------------- */

#define MANY(name, op, finish)                                               \
    static void F(many_##name)(size_t n, const void *const *x, size_t count, \
                               size_t inputs, void *y)                       \
    {                                                                        \
        F(fold)(n, x, count, y, op, finish, (float)inputs);                  \
    }

MANY(add, add_f32, NULL)
MANY(mean, add_f32, div_f32)
#undef MANY

/* Operands of a long sum that are added in one pass. */
#define ADDENDS 8

/* The sum of more operands than `fold` takes at a time: what is summed so far is float32. */
static size_t F(folded)(const struct bl_row *row, bool mean)
{
    const struct run of = {sizeof(T), sizeof(T), SUMMED, COPY};
    const float count = (float)row->inputs;
    uint16_t gathered[ADDENDS][BLOCK], y[BLOCK];
    const uint16_t *x[ADDENDS];
    float all[BLOCK];

    for (size_t at = 0; at < row->n; at += BLOCK) {
        const size_t n = block_size(row, at);
        const size_t padded = round_up(n, of.step);
        T *out = (T *)row->out + at;

        for (size_t j = 0; j < row->inputs; j += ADDENDS) {
            const size_t left = row->inputs - j;
            const size_t now = left < ADDENDS ? left : ADDENDS;

            for (size_t k = 0; k < now; k++)
                x[k] = dense(row, j + k, at, n, &of, gathered[k]);
            F(sum)(padded, x, now, j == 0, all);
        }
        if (mean)
            run_div_f32(padded, all, 1, &count, 0, all);
        F(round)(padded, padded == n ? out : y, all);
        if (padded != n)
            memcpy(out, y, n * sizeof(T));
    }
    return row->n;
}

static size_t F(row_sum)(const struct bl_row *row)
{
    if (row->inputs > FOLDED)
        return F(folded)(row, false);
    return fold(row, F(run_add), F(many_add), F(many_add), &F(of_map));
}

static size_t F(row_mean)(const struct bl_row *row)
{
    if (row->inputs > FOLDED)
        return F(folded)(row, true);
    return fold(row, NULL, F(many_mean), F(many_mean), &F(of_map));
}

/* ---- Clip ------------------------------------------------------------------------------ */

/* As run_clip of clip.tmpl.h, where no bound is a NaN: integers in order are clipped. */
static void F(run_clip_sound)(size_t n, const void *in, const void *bounds, void *out)
{
    const size_t whole = n & ~(VECTOR_BYTES / sizeof(T) - 1);
    const int16_t low = F(order)(((const T *)bounds)[0]);
    const int16_t high = F(order)(((const T *)bounds)[1]);
    const T *x = in;
    T *y = out;

    BL_LANEWISE
    for (size_t i = 0; i < whole; i++) {
        const int16_t at = F(order)(x[i]);
        const int16_t raised = at < low ? low : at;
        const int16_t within = raised > high ? high : raised;
        const uint16_t number = (uint16_t)F(order)((uint16_t)within);

        y[i] = F(is_nan)(x[i]) ? x[i] | QUIET : number;
    }
}

static bool F(are_sound)(const T *bounds)
{
    return !F(is_nan)(bounds[0]) && !F(is_nan)(bounds[1]);
}

/* Bounds are rounded to the type first: what lies between two numbers of it would bound the
 * result to one of the two anyway, and what it cannot hold is an infinity. */
#define NO_MIN (INFINITE | 0x8000)
#define NO_MAX INFINITE
#define OF_FLOAT F(narrow_one)
#define SOUND 1
#include "kernels/clip.tmpl.h"
#undef SOUND
#undef NO_MIN
#undef NO_MAX
#undef OF_FLOAT

#undef SUMMED
#undef ADDENDS
#undef T
#undef COPY
#undef GROUPED
#undef INFINITE
#undef QUIET
