/*
 * cases.c - the cases of gpu_bench: what fills a GPU's memory bandwidth, and what broadcasts
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "gpu_bench.h"

#define FLAT                     \
    {                            \
        .rank = 1, .dim = { -1 } \
    }
#define SCALAR    \
    {             \
        .rank = 0 \
    }

/* clang-format off */
const struct bench_case bench_cases[] = {
    {"Add", BL_FLOAT32, 2, {FLAT, FLAT}, "Add", 0.97, false},
    {"Where", BL_FLOAT32, 3, {FLAT, FLAT, FLAT}, "Where", 0.97, false},
    {"Greater", BL_FLOAT32, 2, {FLAT, FLAT}, "Greater", 0.97, false},
    {"Sum of 2", BL_FLOAT32, 2, {FLAT, FLAT}, "Sum", 0.97, false},
    {"Sum of 4", BL_FLOAT32, 4, {FLAT, FLAT, FLAT, FLAT}, "Sum", 0.97, false},
    {"Sum of 8", BL_FLOAT32, 8, {FLAT}, "Sum", 0.97, true},
    {"Sum of 15", BL_FLOAT32, 15, {FLAT}, "Sum", 0.97, true},
    {"Add float16", BL_FLOAT16, 2, {FLAT, FLAT}, "Add", 0.95, false},
    {"Add bfloat16", BL_BFLOAT16, 2, {FLAT, FLAT}, "Add", 0.95, false},
    {"Add int8", BL_INT8, 2, {FLAT, FLAT}, "Add", 0.95, false},
    {"Add int64", BL_INT64, 2, {FLAT, FLAT}, "Add", 0, false},
    {"Add float64", BL_FLOAT64, 2, {FLAT, FLAT}, "Add", 0, false},
    {"channel [N,64,56,56]+[1,64,1,1]", BL_FLOAT32, 2,
     {{4, {-1, 64, 56, 56}}, {4, {1, 64, 1, 1}}}, "Add", 0.92, false},
    {"channel [N,512,7,7]+[1,512,1,1]", BL_FLOAT32, 2,
     {{4, {-1, 512, 7, 7}}, {4, {1, 512, 1, 1}}}, "Add", 0.92, false},
    {"inner [N,64,7,3]+[1,64,1,3]", BL_FLOAT32, 2,
     {{4, {-1, 64, 7, 3}}, {4, {1, 64, 1, 3}}}, "Add", 0.92, false},
    {"outer [N,1]+[1,16384]", BL_FLOAT32, 2, {{2, {-1, 1}}, {2, {1, 16384}}}, "Add", 0.92, false},
    {"column [N,3]+[N,1]", BL_FLOAT32, 2, {{2, {-1, 3}}, {2, {-1, 1}}}, "Add", 0.92, false},
    {"column [N,1024]+[N,1]", BL_FLOAT32, 2, {{2, {-1, 1024}}, {2, {-1, 1}}}, "Add", 0.92, false},
    {"row [N,1024]+[1024]", BL_FLOAT32, 2, {{2, {-1, 1024}}, {1, {1024}}}, "Add", 0, false},
    {"a*b+c*d-e", BL_FLOAT32, 5, {FLAT}, "Mul a b t; Mul c d u; Add t u v; Sub v e y", 0.95, true},
    {"normalise [N,3,256,256]", BL_FLOAT32, 3,
     {{4, {-1, 3, 256, 256}}, {3, {3, 1, 1}}, {3, {3, 1, 1}}}, "Sub a b t; Div t c y", 0.95, false},
    {"tanh-GELU chain", BL_FLOAT32, 5, {FLAT, SCALAR, SCALAR, SCALAR, SCALAR},
     "Mul a a t; Mul t a u; Mul u b v; Add v a w; Mul w c p; Tanh p q; Add q d r; Mul r a s; "
     "Mul s e y", 0.95, false},
    {"Pow", BL_FLOAT32, 2, {FLAT, FLAT}, "Pow", 0.90, false},
    {"Exp", BL_FLOAT32, 1, {FLAT}, "Exp", 0, false},
    {"Div", BL_FLOAT32, 2, {FLAT, FLAT}, "Div", 0, false},
    {"Div int32", BL_INT32, 2, {FLAT, FLAT}, "Div", 0, false},
};
/* clang-format on */

const size_t bench_case_count = sizeof bench_cases / sizeof *bench_cases;
