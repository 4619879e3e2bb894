/*
 * reduce.c - a large angle less its quarter turns, exact however large it is
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * x is an integer m times 2^e, and x * 2 / pi has to be known modulo 4.  Of the digits of 2
 * / pi those that make multiples of 4 with 2^e drop out; the eight words after them give
 * the fraction. Source: M. Payne, R. Hanek, Radian reduction for trigonometric functions,
 * 1983.
 */
#include "kernels/reduce.h"

#include <math.h>
#include <stddef.h>

#include "kernels/pair.h"

/* 2 / pi, the fraction's bits from the top. */
static const uint32_t two_over_pi[] = {
    0xA2F9836E, 0x4E441529, 0xFC2757D1, 0xF534DDC0, 0xDB629599, 0x3C439041, 0xFE5163AB,
    0xDEBBC561, 0xB7246E3A, 0x424DD2E0, 0x06492EEA, 0x09D1921C, 0xFE1DEB1C, 0xB129A73E,
    0xE88235F5, 0x2EBB4484, 0xE99C7026, 0xB45F7E41, 0x3991D639, 0x835339F4, 0x9C845F8B,
    0xBDF9283B, 0x1FF897FF, 0xDE05980F, 0xEF2F118B, 0x5A0A6D1F, 0x6D367ECF, 0x27CB09B7,
    0x4F463F66, 0x9E5FEA2D, 0x7527BAC7, 0xEBE5F17B, 0x3D0739F7, 0x8A5292EA, 0x6BFB5FB1,
    0x1F8D5D08, 0x56033046, 0xFC7B6BAB};

#define WORDS 8
#define LIMBS (WORDS + 2)

/* limbs = m * words, the lowest limb first; the highest word first. */
static void multiply(uint32_t limbs[LIMBS], uint64_t m, const uint32_t words[WORDS])
{
    const uint64_t halves[2] = {m & UINT32_MAX, m >> 32};

    for (size_t i = 0; i < LIMBS; i++)
        limbs[i] = 0;
    for (size_t half = 0; half < 2; half++) {
        uint64_t carry = 0;

        for (size_t i = 0; i < WORDS; i++) {
            carry += halves[half] * words[WORDS - 1 - i] + limbs[i + half];
            limbs[i + half] = (uint32_t)carry;
            carry >>= 32;
        }
        limbs[WORDS + half] = (uint32_t)carry;
    }
}

/* The 64 bits from bit `at` up.  at + 64 is within the limbs. */
static uint64_t bits_at(const uint32_t limbs[LIMBS], int at)
{
    const int limb = at / 32;
    const int shift = at % 32;
    const uint64_t low = limbs[limb] | (uint64_t)limbs[limb + 1] << 32;
    const uint64_t high = limb + 2 < LIMBS ? limbs[limb + 2] : 0;

    return shift == 0 ? low : low >> shift | high << (64 - shift);
}

double bl_reduce_angle(double x, double rest[2])
{
    const uint64_t bits = bl_f64_bits(x);
    const int e = (int)(bits >> 52 & 0x7FF) - 1075;
    const int first = e > 2 ? (e - 2) / 32 : 0;
    const int point = 32 * (first + WORDS) - e; /* fraction bits of the product */
    uint32_t limbs[LIMBS];

    multiply(limbs, (bits & 0xFFFFFFFFFFFFF) | 0x10000000000000, two_over_pi + first);

    uint64_t turns = limbs[point / 32] >> (point % 32) & 3;
    uint64_t upper = bits_at(limbs, point - 64);
    uint64_t lower = bits_at(limbs, point - 128);
    uint64_t least = bits_at(limbs, point - 192);
    double sign = x < 0 ? -1 : 1;

    if (point % 32 == 31) /* the second of the two bits is in the next limb */
        turns |= (uint64_t)(limbs[point / 32 + 1] & 1) << 1;
    if (upper >> 63 != 0) { /* half a quarter and more: count down from the next */
        turns++;
        sign = -sign;
        upper = ~upper;
        lower = ~lower;
        least = ~least + 1; /* a carry would be below 2^-192 */
    }

    double unit = sign * 0x1p-64;

    while (upper >> 63 == 0 && (upper | lower | least) != 0) {
        upper = upper << 1 | lower >> 63;
        lower = lower << 1 | least >> 63;
        least <<= 1;
        unit *= 0.5;
    }

    /* The upper 53 bits, and the 53 after them. */
    const uint64_t next = (upper & 0x7FF) << 42 | lower >> 22;
    const struct pair fraction = {(double)(upper & ~UINT64_C(0x7FF)) * unit,
                                  (double)next * 0x1p-42 * unit};
    const struct pair angle = pair_multiply(fraction, (struct pair){PI_HALF, PI_HALF_LOW});

    rest[0] = angle.high;
    rest[1] = angle.low;
    return (double)((x < 0 ? 4 - turns : turns) & 3);
}
