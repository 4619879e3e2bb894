/*
 * types.h - sets of element types, under the names that the specification's tables use
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Source: the type constraints of onnx/defs, and docs/Operators.md.
 */
#ifndef BL_OPS_TYPES_H
#define BL_OPS_TYPES_H

#include <stdint.h>

#include "broadloom/broadloom.h"

#define BL_SET(dtype) (UINT64_C(1) << (dtype))

#define BL_SET_F3 (BL_SET(BL_FLOAT16) | BL_SET(BL_FLOAT32) | BL_SET(BL_FLOAT64))
#define BL_SET_F4 (BL_SET_F3 | BL_SET(BL_BFLOAT16))
#define BL_SET_U4 \
    (BL_SET(BL_UINT8) | BL_SET(BL_UINT16) | BL_SET(BL_UINT32) | BL_SET(BL_UINT64))
#define BL_SET_S4 (BL_SET(BL_INT8) | BL_SET(BL_INT16) | BL_SET(BL_INT32) | BL_SET(BL_INT64))
#define BL_SET_I2 (BL_SET(BL_INT32) | BL_SET(BL_INT64))
#define BL_SET_I8 (BL_SET_U4 | BL_SET_S4)
#define BL_SET_B BL_SET(BL_BOOL)
#define BL_SET_STR BL_SET(BL_STRING)
#define BL_SET_F32 BL_SET(BL_FLOAT32)
#define BL_SET_INT64 BL_SET(BL_INT64)
#define BL_SET_N11 (BL_SET_I8 | BL_SET_F3)
#define BL_SET_N12 (BL_SET_I8 | BL_SET_F4)
#define BL_SET_N11B (BL_SET_N11 | BL_SET_B)
#define BL_SET_N12B (BL_SET_N12 | BL_SET_B)
/* "High precision numeric". */
#define BL_SET_HP7 (BL_SET_I2 | BL_SET(BL_UINT32) | BL_SET(BL_UINT64) | BL_SET_F3)
#define BL_SET_HP8 (BL_SET_HP7 | BL_SET(BL_BFLOAT16))
#define BL_SET_F8X4                                                                \
    (BL_SET(BL_FLOAT8E4M3FN) | BL_SET(BL_FLOAT8E4M3FNUZ) | BL_SET(BL_FLOAT8E5M2) | \
     BL_SET(BL_FLOAT8E5M2FNUZ))
/* Signed numeric. */
#define BL_SET_S7 (BL_SET_S4 | BL_SET_F3)
#define BL_SET_S8 (BL_SET_S4 | BL_SET_F4)
/* The numbers and bool, as ONNX grew: float8, 4-bit integers, float4, float8e8m0, 2-bit
 * integers.  S: strings too, C: complex too. */
#define BL_SET_N16B (BL_SET_N12B | BL_SET_F8X4)
#define BL_SET_N18B (BL_SET_N16B | BL_SET(BL_UINT4) | BL_SET(BL_INT4))
#define BL_SET_N19B (BL_SET_N18B | BL_SET(BL_FLOAT4E2M1))
#define BL_SET_N20B (BL_SET_N19B | BL_SET(BL_FLOAT8E8M0))
#define BL_SET_N22B (BL_SET_N20B | BL_SET(BL_UINT2) | BL_SET(BL_INT2))
#define BL_SET_N11BS (BL_SET_N11B | BL_SET_STR)
#define BL_SET_N12BS (BL_SET_N12B | BL_SET_STR)
#define BL_SET_N16BS (BL_SET_N16B | BL_SET_STR)
#define BL_SET_N18BS (BL_SET_N18B | BL_SET_STR)
#define BL_SET_N19BS (BL_SET_N19B | BL_SET_STR)
#define BL_SET_N20BS (BL_SET_N20B | BL_SET_STR)
#define BL_SET_N22BS (BL_SET_N22B | BL_SET_STR)
#define BL_SET_N22BC (BL_SET_N22B | BL_SET(BL_COMPLEX64) | BL_SET(BL_COMPLEX128))
/* Every type there was; from float8 on they grow as the numbers do. */
#define BL_SET_ALL15 (BL_SET_N11BS | BL_SET(BL_COMPLEX64) | BL_SET(BL_COMPLEX128))
#define BL_SET_ALL16 (BL_SET_ALL15 | BL_SET(BL_BFLOAT16))
#define BL_SET_ALL20 (BL_SET_ALL16 | BL_SET_N16B)
#define BL_SET_ALL22 (BL_SET_ALL16 | BL_SET_N18B)
#define BL_SET_ALL23 (BL_SET_ALL16 | BL_SET_N19B)
#define BL_SET_ALL24 (BL_SET_ALL16 | BL_SET_N20B)
#define BL_SET_ALL26 (BL_SET_ALL16 | BL_SET_N22B)
/* Combinations that single operators use. */
#define BL_SET_I2B (BL_SET_I2 | BL_SET_B)
#define BL_SET_F3I2 (BL_SET_F3 | BL_SET_I2)
#define BL_SET_F4I2 (BL_SET_F4 | BL_SET_I2)
#define BL_SET_F2 (BL_SET(BL_FLOAT32) | BL_SET(BL_FLOAT64))
#define BL_SET_F8 (BL_SET_F4 | BL_SET_F8X4)
#define BL_SET_RANGE5 (BL_SET_F2 | BL_SET_I2 | BL_SET(BL_INT16))
#define BL_SET_RANGE7 (BL_SET_F4 | BL_SET_I2 | BL_SET(BL_INT16))

#endif
