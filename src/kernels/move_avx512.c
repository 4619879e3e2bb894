/*
 * move_avx512.c - copies past the caches, and copies repeated, for AVX-512
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define ISA avx512
#include "kernels/move.tmpl.h"
