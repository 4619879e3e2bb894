/*
 * arrays.c - memory for operands, their values, and how two results compare
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "native.h"

#include <broadloom/broadloom.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define HUGE_PAGE ((size_t)2 << 20)

/* ---- Memory and time ----------------------------------------------------------------------- */

/* What a mapping of `bytes` takes so that an aligned part of it is that long. */
static size_t mapped(size_t bytes)
{
    return (bytes + 2 * HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
}

void *native_memory_new(size_t bytes)
{
    const size_t size = mapped(bytes);
    char *map =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (map == MAP_FAILED)
        return NULL;
    /* Give back what lies before the first whole huge page, and as much at the end. */
    const size_t before = (HUGE_PAGE - (uintptr_t)map % HUGE_PAGE) % HUGE_PAGE;

    if (before != 0)
        munmap(map, before);
    munmap(map + before + size - HUGE_PAGE, HUGE_PAGE - before);
#ifdef MADV_HUGEPAGE
    madvise(map + before, size - HUGE_PAGE, MADV_HUGEPAGE); /* advice: it may be refused */
#endif
    return map + before;
}

void native_memory_free(void *memory, size_t bytes)
{
    if (memory != NULL)
        munmap(memory, mapped(bytes) - HUGE_PAGE);
}

double native_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

double native_time(struct native_runner *runner, int64_t runs, char *error)
{
    const double ns = runner->time(runner, runner->next, runs, error);

    runner->next = (int)((runner->next + runs) % runner->sets);
    return ns;
}

void native_free(struct native_runner *runner)
{
    if (runner != NULL)
        runner->free(runner);
}

/* ---- Half types ------------------------------------------------------------------------------ */

/* To the nearest, ties to even.  What float16 holds only as a subnormal becomes zero, and no
 * case has values beyond its range. */
static uint16_t half_from_float(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    const uint32_t sign = bits >> 16 & 0x8000;
    const uint32_t size = bits & 0x7fffffff;

    if (size < UINT32_C(113) << 23)
        return (uint16_t)sign;
    const uint32_t rebased = size - (UINT32_C(112) << 23);

    return (uint16_t)(sign | (rebased + 0xfff + (rebased >> 13 & 1)) >> 13);
}

static uint16_t bfloat_from_float(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static double half_to_double(uint16_t half)
{
    const int exponent = half >> 10 & 31;
    const double fraction = half & 1023;
    const double sign = half >> 15 != 0 ? -1 : 1;

    if (exponent == 31)
        return fraction != 0 ? (double)NAN : sign * (double)INFINITY;
    return sign *
           (exponent == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, exponent - 25));
}

static double bfloat_to_double(uint16_t bfloat)
{
    const uint32_t bits = (uint32_t)bfloat << 16;
    float value;

    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

/* ---- Values ------------------------------------------------------------------------------------ */

/* The last mixing steps of MurmurHash3, by Austin Appleby, in the public domain. */
static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 33) * UINT64_C(0xff51afd7ed558ccd);
    x = (x ^ x >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return x ^ x >> 33;
}

struct range {
    double low, high;
    uint64_t seed;
};

static double draw_real(const struct range *range, uint64_t i)
{
    const uint64_t random = mix(range->seed + i) >> 40;

    return range->low + (range->high - range->low) * ((double)random / 0x1p24);
}

static int64_t draw_integer(const struct range *range, uint64_t i)
{
    const int64_t low = (int64_t)range->low;
    const uint64_t count = (uint64_t)((int64_t)range->high - low) + 1;

    return low + (int64_t)((mix(range->seed + i) >> 32) * count >> 32);
}

/* A loop for each type, so that none looks the type up for each element. */
#define FILL(type, expression)                     \
    for (uint64_t i = 0; i < (uint64_t)count; i++) \
        ((type *)memory)[i] = (type)(expression);  \
    return 0

int native_fill(void *memory, int32_t dtype, int64_t count, double low, double high,
                uint64_t seed, char *error)
{
    const struct range range = {low, high, mix(seed)};

    switch (dtype) {
    case BL_FLOAT32:
        FILL(float, draw_real(&range, i));
    case BL_FLOAT64:
        FILL(double, draw_real(&range, i));
    case BL_FLOAT16:
        FILL(uint16_t, half_from_float((float)draw_real(&range, i)));
    case BL_BFLOAT16:
        FILL(uint16_t, bfloat_from_float((float)draw_real(&range, i)));
    case BL_BOOL:
        FILL(uint8_t, mix(range.seed + i) >> 63);
    case BL_INT8:
    case BL_UINT8:
        FILL(uint8_t, draw_integer(&range, i));
    case BL_INT16:
    case BL_UINT16:
        FILL(uint16_t, draw_integer(&range, i));
    case BL_INT32:
    case BL_UINT32:
        FILL(uint32_t, draw_integer(&range, i));
    case BL_INT64:
    case BL_UINT64:
        FILL(uint64_t, draw_integer(&range, i));
    default:
        snprintf(error, NATIVE_ERROR_BYTES, "values of type %d are not made", dtype);
        return -1;
    }
}

/* ---- Comparison ---------------------------------------------------------------------------------- */

static double float_at(const void *array, int32_t dtype, int64_t i)
{
    switch (dtype) {
    case BL_FLOAT32:
        return (double)((const float *)array)[i];
    case BL_FLOAT64:
        return ((const double *)array)[i];
    case BL_FLOAT16:
        return half_to_double(((const uint16_t *)array)[i]);
    default:
        return bfloat_to_double(((const uint16_t *)array)[i]);
    }
}

static int is_float(int32_t dtype)
{
    return dtype == BL_FLOAT32 || dtype == BL_FLOAT64 || dtype == BL_FLOAT16 ||
           dtype == BL_BFLOAT16;
}

int64_t native_compare(const void *a, const void *b, int32_t dtype, int64_t count,
                       double relative, double absolute, double *worst)
{
    const size_t size = bl_dtype_size((bl_dtype)dtype);
    int64_t different = 0;

    *worst = 0;
    if (size == 0)
        return -1;
    if (memcmp(a, b, size * (size_t)count) == 0)
        return 0;
    for (int64_t i = 0; i < count; i++) {
        const size_t at = size * (size_t)i;

        if (memcmp((const char *)a + at, (const char *)b + at, size) == 0)
            continue;
        if (!is_float(dtype)) {
            different++;
            continue;
        }
        const double x = float_at(a, dtype, i), y = float_at(b, dtype, i);

        if (isnan(x) && isnan(y))
            continue;
        const double distance = fabs(x - y);

        if (!(distance <= *worst))
            *worst = isnan(distance) ? (double)INFINITY : distance;
        /* Zeros of two signs are 0 apart, but not the same bits. */
        if (!(distance <= absolute + relative * fabs(y)) ||
            (distance == 0 && relative == 0 && absolute == 0))
            different++;
    }
    return different;
}
