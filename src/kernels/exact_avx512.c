/*
 * exact_avx512.c - the exact kernels of one operand for AVX-512 F, BW, DQ, VL
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define ISA avx512
#include "kernels/exact.tmpl.h"
