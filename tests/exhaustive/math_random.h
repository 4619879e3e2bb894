/*
 * math_random.h - arguments for the vector math, where it is interesting
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_TESTS_MATH_RANDOM_H
#define BL_TESTS_MATH_RANDOM_H

#include <stdint.h>

#include "base/half.h"

/* splitmix64 */
static inline uint64_t math_random_bits(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);

    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* Any float64, or one that is even over an interval around 0 or beside 1. */
static inline double math_random(uint64_t *state)
{
    static const double widths[] = {1, 2, 10, 40, 800, 1e6};
    const uint64_t choice = math_random_bits(state);
    const double even = (double)(int64_t)math_random_bits(state) * 0x1p-63;

    switch (choice % 16) {
    case 0:
    case 1:
    case 2:
    case 3:
        return bl_f64_from_bits(math_random_bits(state));
    case 4:
        return 1 + even * 0x1p-10;
    case 5:
        return (choice & 16 ? 1 : -1) *
               (1 + even * bl_f64_from_bits((1023 - choice % 52) << 52));
    case 6:
    case 7: /* small, of exponents from -60 to 10 */
        return even * bl_f64_from_bits((963 + (choice >> 8) % 70) << 52);
    default:
        return even * widths[(choice >> 8) % 6];
    }
}

#endif
