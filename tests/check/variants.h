/*
 * variants.h - the attributes that kernels and shaders are tried with
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_TESTS_VARIANTS_H
#define BL_TESTS_VARIANTS_H

#include <stddef.h>

#include "broadloom/broadloom.h"
#include "ops/op.h"

/* One node of that operator, with this attribute and no other. */
struct check_variant {
    enum bl_op_id op;
    bl_attribute attribute;
};

extern const struct check_variant check_variants[];
extern const size_t check_variant_count;

#endif
