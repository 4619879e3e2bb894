/*
 * shader_check.h - what is tried of shaders, and how it is asked for
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_TESTS_SHADER_CHECK_H
#define BL_TESTS_SHADER_CHECK_H

#include "../check/random.h"
#include "gpu.h"
#include "ops/node.h"

#define MOST_INPUTS 18

/* ---- A trial ----------------------------------------------------------------------------------- */

struct trial {
    bl_node node;
    struct bl_params params;
    enum bl_op_id op;
    bl_dtype result;
    bl_dtype dtypes[MOST_INPUTS];
    size_t inputs;
    int max_ulp;
    bool may_fail;
};

struct checker {
    struct gpu gpu;
    random_state random;
    bool show, all;
    unsigned trials; /* so far; each tries other spaces */
    unsigned passed, failed, refused;
    unsigned long elements;
    uint64_t worst; /* distance, of the current trial */
};

/* Try an operator on its types, however the operands lie; counts it.  (shader_check.c) */
void try_trial(struct checker *checker, struct trial *trial);

/* Try all operators, or one, on all types, or one.  (shader_cases.c) */
void try_all(struct checker *checker, const char *only, const char *type);

#endif
