/*
 * compare.tmpl.h - Equal, Greater, Less, and or equal, of one element type; the results are
 * bools, 0 or 1
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters: T the element type, of WIDTH bits; TAG the suffix of every name made here; COPY
 * the function that copies elements of T's size.
 */
#if MASKS && WIDTH >= 32
#include "kernels/compare_masks.tmpl.h"

#define COMPARE(name, op)                                         \
    BL_FORCE_INLINE __m256i F(name)(F(compared) x, F(compared) y) \
    {                                                             \
        return (__m256i)(x op y);                                 \
    }

#else

#define R uint8_t
#define MAP F(test)
#include "kernels/map.tmpl.h"

#define COMPARE(name, op)                   \
    static inline uint8_t F(name)(T x, T y) \
    {                                       \
        return x op y;                      \
    }

#endif

COMPARE(equal, ==)
COMPARE(less, <)
COMPARE(lessorequal, <=)
#undef COMPARE

#define TEST(name)                                                                  \
    static void F(run_##name)(size_t n, const void *a, ptrdiff_t sa, const void *b, \
                              ptrdiff_t sb, void *y)                                \
    {                                                                               \
        F(test)(n, a, sa, b, sb, y, F(name));                                       \
    }                                                                               \
    static size_t F(row_##name)(const struct bl_row *row)                           \
    {                                                                               \
        return binary(row, F(run_##name), &F(of_test));                             \
    }

TEST(equal)
TEST(less)
TEST(lessorequal)
#undef TEST

static size_t F(row_greater)(const struct bl_row *row)
{
    return exchanged(row, F(row_less));
}

static size_t F(row_greaterorequal)(const struct bl_row *row)
{
    return exchanged(row, F(row_lessorequal));
}
