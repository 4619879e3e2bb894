/*
 * math_avx2.c - the transcendental kernels for AVX2
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define ISA avx2
#include "kernels/math.tmpl.h"
