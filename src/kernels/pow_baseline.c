/*
 * pow_baseline.c - the kernels of Pow for the processor's baseline
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define ISA baseline
#include "kernels/pow.tmpl.h"
