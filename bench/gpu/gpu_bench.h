/*
 * gpu_bench.h - what gpu_bench measures
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_BENCH_GPU_GPU_BENCH_H
#define BL_BENCH_GPU_GPU_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "broadloom/broadloom.h"

enum { MOST_INPUTS = 15, MOST_NODES = 16, MOST_AXES = 4 };

/* A dim of -1 is as many as make the largest input take the bytes that are asked for. */
struct bench_shape {
    int rank;
    int64_t dim[MOST_AXES];
};

/* An operator, or a chain of them that is to run as one step. */
struct bench_case {
    const char *name;
    bl_dtype dtype;
    size_t input_count;
    struct bench_shape
        shape[MOST_INPUTS]; /* of more inputs than are written here, as the last */
    /* "Mul a b t; Add t c y": the inputs are a, b, ..., the last output is the result.  For one
     * operator its name alone. */
    const char *nodes;
    double target; /* share of the copy rate; 0: none */
    bool alike;    /* all inputs have the first's shape */
};

extern const struct bench_case bench_cases[];
extern const size_t bench_case_count;

/* The bytes of an ONNX model of such nodes, whose inputs are float32; *size of them, to be freed. */
unsigned char *bench_model(const struct bench_case *what, size_t *size);

#endif
