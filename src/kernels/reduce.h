/*
 * reduce.h - a large angle less its quarter turns
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_KERNELS_REDUCE_H
#define BL_KERNELS_REDUCE_H

/* Up to here the vector math reduces an angle itself: 2^19 quarter turns. */
#define BL_REDUCE_LIMIT 823549.0

/*
 * x = q * pi / 2 + (rest[0] + rest[1]) for |x| above BL_REDUCE_LIMIT: |rest| is at most pi
 * / 4, precise to 2^-76 relatively or better.  Returns q modulo 4.
 */
double bl_reduce_angle(double x, double rest[2]);

#endif
