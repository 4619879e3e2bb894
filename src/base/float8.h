/*
 * float8.h - the bits of the floating types of 8 bits and of 4, to and from float32 and
 * float64
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * In integers: no mode of the processor matters.  Every value of these types is a float32.
 *
 *                    sign exponent fraction bias  infinity  NaN            largest
 *   float8e4m3fn       1      4        3      7   none      S.1111.111         448
 *   float8e4m3fnuz     1      4        3      8   none      1.0000.000         240
 *   float8e5m2         1      5        2     15   S.11111.00  S.11111.01 ..  57344
 *   float8e5m2fnuz     1      5        2     16   none      1.00000.00       57344
 *   float4e2m1         1      2        1      1   none      none                 6
 *   float8e8m0         0      8        0    127   none      255              2^127
 *
 * The FNUZ types have no -0; float8e8m0 has no 0 at all.  float4e2m1 lies in the low bits
 * of a byte. Source: ONNX docs, "Float stored in 8 bits" and "4 bit types"; P. Micikevicius
 * and others, FP8 formats for deep learning, 2022; OCP Microscaling Formats 1.0.
 */
#ifndef BL_BASE_FLOAT8_H
#define BL_BASE_FLOAT8_H

#include <stdbool.h>
#include <stdint.h>

#include "broadloom/broadloom.h"

/* How a number becomes a power of two. */
enum bl_power_round { BL_POWER_UP, BL_POWER_DOWN, BL_POWER_NEAREST };

/* The value of a code of a type of the table; bits above a float4e2m1's are ignored. */
float bl_float8_to_f32(bl_dtype dtype, uint8_t code);

/*
 * x rounded to a type of the table but float8e8m0: to nearest, ties to even.  Out of range,
 * infinity included: the largest value if `saturate`, else infinity, or NaN where there is
 * none.  float4e2m1 saturates always, and has -0 for NaN, as ONNX's data.
 *
 * An x that was rounded to odd (bl_f64_to_f32_odd) gives what rounding the float64 once
 * gives.
 */
uint8_t bl_f32_to_float8(bl_dtype dtype, float x, bool saturate);

/* |x| rounded to a power of two; ties of BL_POWER_NEAREST go up.  Out of range, 0 and
 * infinity included: the nearest code if `saturate`, else NaN. */
uint8_t bl_f64_to_float8e8m0(double x, bool saturate, enum bl_power_round round);

#endif
