/*
 * pow_avx512.c - the kernels of Pow for AVX-512
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define ISA avx512
#include "kernels/pow.tmpl.h"
