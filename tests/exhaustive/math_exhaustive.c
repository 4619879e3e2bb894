/*
 * math_exhaustive.c - measure the vector math: every float32, or very many float64
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *   math_exhaustive [--sample N] [--float64 COUNT | --tiers 1] [NAME]...
 *
 * Without --float64 each function gets all 2^32 values of float32, or each N-th.  With it,
 * COUNT random float64, half of them of any exponent.  With --tiers the results of all
 * values of float32, or of each N-th, and of the 16-bit floats are only compared between
 * tiers: quick lanes with the exact ones, some ten times as fast.  Exits with 1 if a result is more
 * than 1 ulp from the correctly rounded one, or if tiers differ.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/half.h"
#include "math_measure.h"
#include "math_random.h"

static void every_f32(struct math_errors *errors, const struct math_function *f,
                      uint64_t step, int tiers_only)
{
    static float x[MATH_BATCH];
    size_t n = 0;

    for (uint64_t bits = 0; bits <= UINT32_MAX; bits += step) {
        x[n++] = bl_f32_from_bits((uint32_t)bits);
        if (n == MATH_BATCH || bits + step > UINT32_MAX) {
            if (tiers_only)
                math_compare_tiers(errors, f, n, x, BL_FLOAT32);
            else
                math_measure_f32(errors, f, n, x);
            n = 0;
        }
    }
}

static void every_half(struct math_errors *errors, const struct math_function *f)
{
    static uint16_t x[MATH_BATCH];

    for (uint32_t bits = 0; bits <= UINT16_MAX; bits += MATH_BATCH) {
        for (uint32_t i = 0; i < MATH_BATCH; i++)
            x[i] = (uint16_t)(bits + i);
        math_compare_tiers(errors, f, MATH_BATCH, x, BL_FLOAT16);
        math_compare_tiers(errors, f, MATH_BATCH, x, BL_BFLOAT16);
    }
}

static void many_f64(struct math_errors *errors, const struct math_function *f,
                     uint64_t count)
{
#ifdef BL_HAVE_MPFR
    static double x[MATH_BATCH];
    uint64_t state = 1;

    for (uint64_t done = 0; done < count; done += MATH_BATCH) {
        for (size_t i = 0; i < MATH_BATCH; i++)
            x[i] = math_random(&state);
        math_measure_f64(errors, f, MATH_BATCH, x);
    }
#else
    (void)errors, (void)f, (void)count;
    fputs("built without MPFR\n", stderr);
    exit(2);
#endif
}

static int is_wanted(const char *name, int count, char **names)
{
    if (count == 0)
        return 1;
    for (int i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return 1;
    return 0;
}

int main(int argc, char **argv)
{
    uint64_t step = 1, count = 0;
    int first = 1, failed = 0, tiers_only = 0;

    for (; first + 1 < argc && argv[first][0] == '-'; first += 2)
        if (strcmp(argv[first], "--sample") == 0)
            step = strtoull(argv[first + 1], NULL, 10);
        else if (strcmp(argv[first], "--float64") == 0)
            count = strtoull(argv[first + 1], NULL, 10);
        else if (strcmp(argv[first], "--tiers") == 0)
            tiers_only = 1;
    if (step == 0 || (first < argc && argv[first][0] == '-')) {
        fputs(
            "usage: math_exhaustive [--sample N] [--float64 COUNT | --tiers 1] [NAME]...\n",
            stderr);
        return 2;
    }
    printf("%-12s %11s %8s %24s %10s %8s %6s\n", "function", "results", "max ulp", "at",
           "misrounded", "> 1 ulp", "tiers");
    for (size_t i = 0; i < math_function_count; i++) {
        const struct math_function *f = &math_functions[i];
        struct math_errors errors = {0};

        if (!is_wanted(f->name, argc - first, argv + first))
            continue;
        if (count != 0)
            many_f64(&errors, f, count);
        else
            every_f32(&errors, f, step, tiers_only);
        if (tiers_only)
            every_half(&errors, f);
        printf("%-12s %11llu %8.5f %24a %9.5f%% %8llu %6llu", f->name,
               (unsigned long long)errors.count, errors.worst, errors.worst_at,
               100.0 * (double)errors.misrounded / (double)errors.count,
               (unsigned long long)errors.beyond, (unsigned long long)errors.other_tiers);
        if (errors.beyond > 0)
            printf(" last %a", errors.beyond_at);
        putchar('\n');
        fflush(stdout);
        failed |= errors.beyond > 0 || errors.other_tiers > 0;
    }
    return failed;
}
