/*
 * cast_avx512.c - Cast and CastLike for AVX-512 F, BW, DQ, VL
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define ISA avx512
#include "kernels/cast.tmpl.h"
