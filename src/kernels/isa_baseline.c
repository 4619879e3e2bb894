/*
 * isa_baseline.c - the kernels for every processor of the target
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define ISA baseline
#include "kernels/isa.tmpl.h"
