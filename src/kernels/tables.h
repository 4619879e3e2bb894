/*
 * tables.h - the tables of kernels that resolve.c chooses from
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * In each, NULL means: no better kernel than in the tables before it.
 */
#ifndef BL_KERNELS_TABLES_H
#define BL_KERNELS_TABLES_H

#include "kernels/kernel.h"

/* What vectors do not speed up is compiled once. */
extern const struct bl_kernels bl_kernels_pow;
extern const struct bl_kernels bl_kernels_pairs;

/* isa.tmpl.h, once for each instruction set. */
extern const struct bl_kernels bl_kernels_baseline;
extern const struct bl_kernels bl_kernels_avx2;
extern const struct bl_kernels bl_kernels_avx512;

#endif
