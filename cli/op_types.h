/*
 * op_types.h - an operator version's element types, counted and as text
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CLI_OP_TYPES_H
#define BL_CLI_OP_TYPES_H

#include <stdint.h>

#include "broadloom/broadloom.h"

/* The set of types (bit BL_FLOAT32 and so on) that the version computes in: those of the
 * input that shares its type with the output; if none does (Less), those of the first
 * input. */
uint64_t bl_op_types(const bl_op *op);

unsigned bl_op_type_count(const bl_op *op);

/* Bytes that hold the names of all types. */
#define BL_TYPES_TEXT 512

/* The names in a set, with `separator` between them, in `buffer` of BL_TYPES_TEXT bytes,
 * which it returns. */
char *bl_types_text(uint64_t set, const char *separator, char *buffer);

#endif
