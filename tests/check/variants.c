/*
 * variants.c - the attributes that kernels and shaders are tried with
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "variants.h"

#include "base/compiler.h"

const struct check_variant check_variants[] = {
    {BL_OP_BITSHIFT,
     {.name = "direction", .type = BL_ATTRIBUTE_STRING, .value.s = {"RIGHT", 5}}},
    {BL_OP_BITSHIFT,
     {.name = "direction", .type = BL_ATTRIBUTE_STRING, .value.s = {"LEFT", 4}}},
    {BL_OP_MOD, {.name = "fmod", .type = BL_ATTRIBUTE_INT, .value.i = 0}},
    {BL_OP_MOD, {.name = "fmod", .type = BL_ATTRIBUTE_INT, .value.i = 1}},
    {BL_OP_GELU,
     {.name = "approximate", .type = BL_ATTRIBUTE_STRING, .value.s = {"tanh", 4}}},
    {BL_OP_GELU,
     {.name = "approximate", .type = BL_ATTRIBUTE_STRING, .value.s = {"none", 4}}},
    {BL_OP_ISINF, {.name = "detect_negative", .type = BL_ATTRIBUTE_INT, .value.i = 0}},
    {BL_OP_ISINF, {.name = "detect_positive", .type = BL_ATTRIBUTE_INT, .value.i = 0}},
    {BL_OP_SHRINK, {.name = "bias", .type = BL_ATTRIBUTE_FLOAT, .value.f = 1.5F}},
    {BL_OP_SHRINK, {.name = "lambd", .type = BL_ATTRIBUTE_FLOAT, .value.f = 3.25F}},
    {BL_OP_CELU, {.name = "alpha", .type = BL_ATTRIBUTE_FLOAT, .value.f = 0.3F}},
    {BL_OP_CELU, {.name = "alpha", .type = BL_ATTRIBUTE_FLOAT, .value.f = 1.0F}},
    {BL_OP_ELU, {.name = "alpha", .type = BL_ATTRIBUTE_FLOAT, .value.f = 1.7F}},
    {BL_OP_SWISH, {.name = "alpha", .type = BL_ATTRIBUTE_FLOAT, .value.f = 1.7F}},
    {BL_OP_SWISH, {.name = "alpha", .type = BL_ATTRIBUTE_FLOAT, .value.f = 1.0F}},
};

const size_t check_variant_count = BL_COUNT_OF(check_variants);
