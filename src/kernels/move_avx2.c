/*
 * move_avx2.c - copies past the caches, and copies repeated, for AVX2
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define ISA avx2
#include "kernels/move.tmpl.h"
