/*
 * random.c - elements to try kernels with: random bits among values that are odd in some
 * way
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "random.h"

#include <stdbool.h>
#include <string.h>

#include "base/compiler.h"
#include "conform/value.h"
#include "tensor/dtype.h"

/* Marsaglia's xorshift64*. */
uint64_t random_bits(random_state *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(2685821657736338717);
}

size_t random_below(random_state *state, size_t limit)
{
    return (size_t)(random_bits(state) >> 33) % limit;
}

/* The low `size` bytes of `bits`, as an element. */
static void put(uint64_t bits, size_t size, void *element)
{
    const uint8_t bits8 = (uint8_t)bits;
    const uint16_t bits16 = (uint16_t)bits;
    const uint32_t bits32 = (uint32_t)bits;

    switch (size) {
    case 1:
        memcpy(element, &bits8, size);
        break;
    case 2:
        memcpy(element, &bits16, size);
        break;
    case 4:
        memcpy(element, &bits32, size);
        break;
    default:
        memcpy(element, &bits, size);
    }
}

/* ---- Integers --------------------------------------------------------------- */

static uint64_t random_integer(random_state *state, unsigned bits)
{
    const uint64_t top = UINT64_C(1) << (bits - 1);
    const uint64_t odd[] = {0, 1, 2, UINT64_MAX, top, top - 1, top + 1, 3, (uint64_t)0 - 2};
    const uint64_t any = random_bits(state);

    switch (random_below(state, 4)) {
    case 0:
        return odd[random_below(state, BL_COUNT_OF(odd))];
    case 1: /* any magnitude, either sign */
        return any % 2 ? any >> (any >> 8) % bits : 0 - (any >> (any >> 8) % bits);
    default:
        return any;
    }
}

/* ---- Floats ------------------------------------------------------------------ */

/* A float with an exponent and a fraction that are extreme or next to it. */
static uint64_t odd_float(random_state *state, unsigned bits, unsigned fraction_bits)
{
    const unsigned exponent_bits = bits - 1 - fraction_bits;
    const uint64_t top = (UINT64_C(1) << exponent_bits) - 1;
    const uint64_t ones = (UINT64_C(1) << fraction_bits) - 1;
    const uint64_t exponents[] = {0, 1, top, top - 1, top / 2, top / 2 + 1, top / 2 - 1};
    const uint64_t fractions[] = {0, 0, 1, ones, ones / 2 + 1, random_bits(state) & ones};

    return (random_bits(state) & 1) << (bits - 1) |
           exponents[random_below(state, BL_COUNT_OF(exponents))] << fraction_bits |
           fractions[random_below(state, BL_COUNT_OF(fractions))];
}

static void random_float(random_state *state, bl_dtype dtype, unsigned bits,
                         unsigned fraction_bits, void *element)
{
    const size_t size = bits / 8;
    const uint64_t any = random_bits(state);

    switch (random_below(state, 5)) {
    case 0:
        put(odd_float(state, bits, fraction_bits), size, element);
        break;
    case 1: /* whole or halves, small */
        bl_value_from_double(
            dtype, ((double)(any >> 32 & 31) - 16) / (1 + (double)(any & 1)), element);
        break;
    case 2: /* near 1, at any distance */
        bl_value_from_double(dtype, 1, element);
        put(bl_value_raw(dtype, element) +
                (any % 2 ? 1 : (uint64_t)0 - 1) * (any >> 12 >> (any >> 6) % 52),
            size, element);
        break;
    default:
        put(any, size, element);
    }
}

/* ---- Strings ------------------------------------------------------------------ */

static void random_string(random_state *state, void *element)
{
    static const char text[] = "abcabc\0dabcabc\0e"; /* equal parts at unequal places */
    const size_t size = random_below(state, 4) * 3;
    const bl_string string = {text + random_below(state, sizeof text - 9), size};

    memcpy(element, &string, sizeof string);
}

void random_element(random_state *state, bl_dtype dtype, void *element)
{
    const struct bl_dtype_info *info = bl_dtype_info(dtype);

    switch (dtype) {
    case BL_STRING:
        random_string(state, element);
        break;
    case BL_COMPLEX64:
        random_float(state, BL_FLOAT32, 32, 23, element);
        random_float(state, BL_FLOAT32, 32, 23, (char *)element + 4);
        break;
    case BL_COMPLEX128:
        random_float(state, BL_FLOAT64, 64, 52, element);
        random_float(state, BL_FLOAT64, 64, 52, (char *)element + 8);
        break;
    case BL_FLOAT16:
        random_float(state, dtype, 16, 10, element);
        break;
    case BL_BFLOAT16:
        random_float(state, dtype, 16, 7, element);
        break;
    case BL_FLOAT32:
        random_float(state, dtype, 32, 23, element);
        break;
    case BL_FLOAT64:
        random_float(state, dtype, 64, 52, element);
        break;
    default: /* an integer, a bool of any byte, or a byte that is only copied */
        put(random_integer(state, info->bytes * 8), info->bytes, element);
    }
}
