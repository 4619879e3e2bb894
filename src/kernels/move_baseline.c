/*
 * move_baseline.c - copies past the caches, and copies repeated, for what the compiler may assume
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define ISA baseline
#include "kernels/move.tmpl.h"
