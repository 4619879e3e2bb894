/*
 * cast_avx2.c - Cast and CastLike for AVX2 and F16C
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define ISA avx2
#include "kernels/cast.tmpl.h"
