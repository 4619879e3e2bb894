/*
 * bitcast.h - BitCast between complex64 and other types of 64 bits, where bytes are big-endian
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_KERNELS_BITCAST_H
#define BL_KERNELS_BITCAST_H

#include "kernels/tables.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define BL_BIG_ENDIAN

extern const struct bl_op_table bl_bitcast_64;
#endif

#endif
