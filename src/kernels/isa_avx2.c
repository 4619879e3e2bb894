/*
 * isa_avx2.c - the kernels for AVX2 and F16C
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define ISA avx2
#include "kernels/isa.tmpl.h"
