/*
 * exact_avx2.c - the exact kernels of one operand for AVX2
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define ISA avx2
#include "kernels/exact.tmpl.h"
