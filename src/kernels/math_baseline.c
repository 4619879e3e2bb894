/*
 * math_baseline.c - the transcendental kernels for every processor of the target
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define ISA baseline
#include "kernels/math.tmpl.h"
