/*
 * pow_avx2.c - the kernels of Pow for AVX2 and FMA
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define ISA avx2
#include "kernels/pow.tmpl.h"
