/*
 * kernel_bench.c - the time of each row kernel, an element, beside a plain vector loop's
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *   kernel_bench [OP [TYPE]]
 *
 * One thread, the best tier of this processor, or the one that BL_ISA names.  n is 512, which is what
 * one step of a fused model hands over, and 65536, about the size of the second-level cache.
 * "plain" is a loop that adds words over as many bytes; a kernel that is no slower has
 * nothing to gain.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/compiler.h"
#include "cpu/cpu.h"
#include "kernels/kernel.h"
#include "ops/types.h"
#include "tensor/dtype.h"

#define LARGEST 65536
#define MOST_INPUTS 8
#define MEASURED_NS 3e6

static const struct {
    const char *name;
    enum bl_op_id op;
    size_t inputs;
    bool gives_bool;
} kernels[] = {
    {"Add", BL_OP_ADD, 2, false},
    {"Mul", BL_OP_MUL, 2, false},
    {"Div", BL_OP_DIV, 2, false},
    {"Mod", BL_OP_MOD, 2, false},
    {"Max", BL_OP_MAX, 2, false},
    {"PRelu", BL_OP_PRELU, 2, false},
    {"BitShift", BL_OP_BITSHIFT, 2, false},
    {"BitwiseAnd", BL_OP_BITWISEAND, 2, false},
    {"And", BL_OP_AND, 2, true},
    {"Equal", BL_OP_EQUAL, 2, true},
    {"Less", BL_OP_LESS, 2, true},
    {"Where", BL_OP_WHERE, 3, false},
    {"Sum", BL_OP_SUM, 4, false},
    {"Sum", BL_OP_SUM, 8, false},
    {"Mean", BL_OP_MEAN, 4, false},
    {"Max", BL_OP_MAX, 4, false},
};

/* The operands' strides: both dense, the second or the first one value. */
static const ptrdiff_t strides[][2] = {{1, 1}, {1, 0}, {0, 1}};

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* Elements from 1 to 50, of any type; 1 to 2 of a float. */
static void fill(bl_dtype dtype, void *memory)
{
    const size_t size = bl_dtype_size(dtype);
    uint32_t random = 1;

    for (size_t i = 0; i < LARGEST; i++) {
        const double value = 1 + (random >> 8) / 0x1p24;
        const float single = (float)value;
        const uint16_t half = (uint16_t)(0x3C00 | random >> 22); /* as bfloat16: 2^-7 */
        const uint64_t whole = dtype == BL_BOOL ? random >> 31 : 1 + (random >> 8) % 50;
        const void *from = dtype == BL_FLOAT64   ? (const void *)&value
                           : dtype == BL_FLOAT32 ? (const void *)&single
                           : dtype == BL_FLOAT16 || dtype == BL_BFLOAT16
                               ? (const void *)&half
                               : &whole;

        memcpy((char *)memory + i * size, from, size); /* little-endian for integers */
        random = random * 1664525 + 1013904223;
    }
}

/* y = a + b over a number of bytes. */
static void plain(size_t bytes, const uint32_t *a, const uint32_t *b, uint32_t *y)
{
    BL_LANEWISE
    for (size_t i = 0; i < bytes / sizeof *y; i++)
        y[i] = a[i] + b[i];
}

/* The fastest call, in ns: of `fn`, or of the plain loop over a third of `bytes` if NULL. */
static double fastest(bl_row_fn fn, const struct bl_row *row, size_t bytes)
{
    const double end = now() + MEASURED_NS;
    double best = 1e18, start, time;

    do {
        start = now();
        for (int i = 0; i < 16; i++)
            if (fn != NULL)
                fn(row);
            else
                plain(bytes / 3, row->in[0], row->in[1], row->out);
        time = (now() - start) / 16;
        best = time < best ? time : best;
    } while (start < end);
    return best;
}

static void measure(size_t k, bl_row_fn fn, bl_dtype dtype, const ptrdiff_t *ends,
                    char *const *memory)
{
    const struct bl_params params = {.shift_right = true};
    const size_t size = bl_dtype_size(dtype);
    const bool select = kernels[k].op == BL_OP_WHERE;
    const void *in[MOST_INPUTS];
    ptrdiff_t stride[MOST_INPUTS];
    size_t bytes = kernels[k].gives_bool ? 1 : size;

    for (size_t j = 0; j < kernels[k].inputs; j++) {
        const size_t end = j - select;

        in[j] = memory[j];
        stride[j] = select && j == 0 ? 1 : end < 2 ? ends[end] : 1;
        bytes += (size_t)stride[j] * (select && j == 0 ? 1 : size);
        fill(select && j == 0 ? BL_BOOL : dtype, memory[j]);
    }
    printf("%-11s%zu %-9s %td,%td", kernels[k].name, kernels[k].inputs,
           bl_dtype_name(dtype), ends[0], ends[1]);
    for (size_t n = 512; n <= LARGEST; n *= 128) {
        const struct bl_row row = {.n = n,
                                   .out = memory[MOST_INPUTS],
                                   .in = in,
                                   .stride = stride,
                                   .inputs = kernels[k].inputs,
                                   .second = dtype,
                                   .params = &params};
        const double time = fastest(fn, &row, n * bytes);

        printf("  %8.3f %8.3f", time / (double)n,
               fastest(NULL, &row, n * bytes) / (double)n);
    }
    putchar('\n');
}

static uint32_t tiers(void)
{
    const char *limit = getenv("BL_ISA");
    uint32_t mask = bl_cpu_tiers();

    for (int tier = 0; limit != NULL && tier < BL_TIER_COUNT; tier++)
        if (strcmp(limit, bl_tier_name((enum bl_isa)tier)) == 0)
            mask &= (UINT32_C(2) << tier) - 1;
    return mask;
}

int main(int argc, char **argv)
{
    static struct bl_kernels table;
    char *memory[MOST_INPUTS + 1];

    bl_kernels_resolve(&table, tiers());
    for (size_t j = 0; j <= MOST_INPUTS; j++) {
        void *bytes = aligned_alloc(4096, LARGEST * 8 + 4096);

        if (bytes == NULL)
            return 2;
        memory[j] = (char *)bytes + 320 * j; /* not all at one place of a page */
    }
    printf("%-12s %-9s %-5s  %17s  %17s\n", "", "", "", "512: ns   plain",
           "65536: ns   plain");
    for (size_t k = 0; k < BL_COUNT_OF(kernels); k++)
        for (int d = 1; d < BL_DTYPE_COUNT; d++) {
            const bl_row_fn fn = table.row[kernels[k].op][d];
            const bl_dtype dtype = (bl_dtype)d;

            if (fn == NULL || bl_dtype_size(dtype) > 8 || dtype == BL_STRING ||
                (argc > 1 && strcmp(argv[1], kernels[k].name) != 0) ||
                (argc > 2 && strcmp(argv[2], bl_dtype_name(dtype)) != 0))
                continue;
            for (size_t s = 0; s < BL_COUNT_OF(strides); s++)
                measure(k, fn, dtype, strides[s], memory);
        }
    return 0;
}
