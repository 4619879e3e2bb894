/*
 * cast_baseline.c - Cast and CastLike for every processor of the target
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define ISA baseline
#include "kernels/cast.tmpl.h"
