/*
 * attributes.h - the attributes that pointwise kernels read, in the type they compute in
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Passed by value: a loop that read them through a pointer would read them again after each
 * store.
 */
#ifndef BL_KERNELS_ATTRIBUTES_H
#define BL_KERNELS_ATTRIBUTES_H

#include <stdbool.h>

#include "kernels/kernel.h"

/* Exact in float64, and float32 where that is what the kernel computes in: they are
 * float32. */
struct attributes {
    double alpha, beta, gamma, lambd, bias;
    bool negative, positive; /* IsInf: the signs to detect */
};

/* The attributes of a row; all 0 where it has none. */
static inline struct attributes attributes_of(const struct bl_params *params)
{
    if (params == NULL)
        return (struct attributes){0};
    return (struct attributes){params->alpha,          params->beta,
                               params->gamma,          params->lambd,
                               params->bias,           params->detect_negative,
                               params->detect_positive};
}

#endif
