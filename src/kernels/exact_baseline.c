/*
 * exact_baseline.c - the exact kernels of one operand for every processor of the target
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define ISA baseline
#include "kernels/exact.tmpl.h"
