/*
 * value.h - single elements as numbers and as text
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shares no code with src/: what the library converts is checked against this.  The
 * rounding mode has to be the default one.  Text is read and written in the C locale, which
 * a program has unless it calls setlocale; nobody here does.
 */
#ifndef BL_CONFORM_VALUE_H
#define BL_CONFORM_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "broadloom/broadloom.h"

/* Where element `index`, counted row-major, of a tensor lies.  0 <= index < count. */
const void *bl_value_at(const bl_tensor *tensor, int64_t index);

/* ---- As numbers ---------------------------------------------------------- */

/* The element as a double: exact but for 64-bit integers beyond 2^53.  0 for strings; of a
 * complex number the real part. */
double bl_value_to_double(bl_dtype dtype, const void *element);

/*
 * A double as an element.  Floating types: rounded once, to nearest, ties to even; beyond
 * the largest value infinity, or the largest value in a type without infinity; what the
 * type cannot hold at all (NaN in float4e2m1, a negative number in float8e8m0, infinity in
 * a type without it) is NaN if it has one, else the value nearest to it.  Integers and
 * bool: truncated, saturated, NaN is 0.  Complex: the real part. Strings are left alone.
 */
void bl_value_from_double(bl_dtype dtype, double value, void *element);

/* An integer or bool element (bool: 0 or 1) in 64 bits, sign-extended if its type is
 * signed, and back: the low bits are kept, so that arithmetic on uint64_t wraps as the type
 * does. */
uint64_t bl_value_to_bits(bl_dtype dtype, const void *element);
void bl_value_from_bits(bl_dtype dtype, uint64_t bits, void *element);

/* The floating type of which a complex number has two. */
bl_dtype bl_value_part(bl_dtype complex_dtype);

/* The bytes of an element of 1, 2, 4 or 8 bytes, as one number. */
uint64_t bl_value_raw(bl_dtype dtype, const void *element);

/* True if a number, rounded to the type, is in its range: the rounded value for a floating
 * type with infinity always is; for an integer type the number has to be integral and fit.
 */
bool bl_value_in_range(bl_dtype dtype, double value);

/* ---- As text ------------------------------------------------------------- */

/* The element as text, shortest that reads back as the same element: 1, -0, 0.1, 1e+20,
 * NaN, Infinity, true, "a string" quoted, (1,-2) for complex.  Returns buffer. */
char *bl_value_text(bl_dtype dtype, const void *element, char *buffer, size_t size);

/*
 * Read one element from text, all of it: a decimal number (with an exponent only for
 * floating types), NaN, Infinity, inf, true, false; for strings the text itself, which has
 * to outlive the element; for complex
 * "(re,im)" or "[re,im]".  Integers keep all their bits and have to be in range; a
 * floating-point number is read as a double and rounded once.
 */
bl_status bl_value_parse(bl_dtype dtype, const char *text, void *element, bl_error *err);

#endif
