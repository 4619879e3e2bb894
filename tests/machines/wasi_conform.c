/*
 * wasi_conform.c - run conformance cases where there is no tool: in WebAssembly
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *   wasi_conform PATH...   as `broadloom conform PATH...`
 *
 * The tool itself starts processes and handles signals, which WASI has not.
 */
#include <stdio.h>

#include "conform/conform.h"

int main(int argc, char **argv)
{
    const struct bl_conform_options with = {.out = stdout};
    struct bl_conform_totals totals = {0, 0, 0};
    bl_error err;

    if (argc < 2) {
        fputs("usage: wasi_conform PATH...\n", stderr);
        return 2;
    }
    if (bl_conform_run(&with, (const char *const *)argv + 1, (size_t)argc - 1, &totals,
                       &err) != BL_OK) {
        fprintf(stderr, "wasi_conform: %s\n", err.message);
        return 2;
    }
    return totals.failed > 0;
}
