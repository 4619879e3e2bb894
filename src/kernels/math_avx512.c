/*
 * math_avx512.c - the transcendental kernels for AVX-512 F, BW, DQ, VL
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define ISA avx512
#include "kernels/math.tmpl.h"
