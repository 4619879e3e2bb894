/*
 * polynomials.h - polynomials that stand for arc tangent, erf and erfc in the vector math
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Written by tools/fit_polynomials.py, which knows the functions to 400 bits.  "Error" is
 * the largest relative difference before any rounding.
 */
#ifndef BL_KERNELS_POLYNOMIALS_H
#define BL_KERNELS_POLYNOMIALS_H

#include "kernels/lanes.h"

/* (atan(s) / s - 1) / z of z = s^2, s from 0 to tan(pi / 8).  Error 2^-38.85. */
BL_FORCE_INLINE double atan_rest_8(double z)
{
    double y = 0x1.0dfb68d0231a4p-5;

    y = y * z + -0x1.edc1cc88dd692p-5;
    y = y * z + 0x1.377e1bae7bed4p-4;
    y = y * z + -0x1.7415b658a5a9fp-4;
    y = y * z + 0x1.c71963926d8dep-4;
    y = y * z + -0x1.249240dabc69ep-3;
    y = y * z + 0x1.999999885ec7fp-3;
    y = y * z + -0x1.5555555552617p-2;
    return y;
}

/* (atan(s) / s - 1) / z of z = s^2, s from 0 to tan(pi / 8).  Error 2^-57.99. */
BL_FORCE_INLINE double atan_rest_12(double z)
{
    double y = 0x1.0ad36a455cafbp-6;

    y = y * z + -0x1.1b33b923aa954p-5;
    y = y * z + 0x1.74ddd408bb4c1p-5;
    y = y * z + -0x1.ac7a938b69c93p-5;
    y = y * z + 0x1.e19a13b9fc6dfp-5;
    y = y * z + -0x1.110e880a7a521p-4;
    y = y * z + 0x1.3b1392d9e785cp-4;
    y = y * z + -0x1.745d165df3f95p-4;
    y = y * z + 0x1.c71c71c304b68p-4;
    y = y * z + -0x1.249249248d7eep-3;
    y = y * z + 0x1.9999999999953p-3;
    y = y * z + -0x1.5555555555555p-2;
    return y;
}

/* erf(x) / x of z = x^2, x from 0 to 1.  Error 2^-45.47. */
BL_FORCE_INLINE double erf_rest_10(double z)
{
    double y = -0x1.c1a515de8637ap-24;

    y = y * z + 0x1.9ae0986f9de4fp-20;
    y = y * z + -0x1.f0705a1dde9aap-17;
    y = y * z + 0x1.f941bed7e7847p-14;
    y = y * z + -0x1.c0286cad68e02p-11;
    y = y * z + 0x1.565ba0406c001p-8;
    y = y * z + -0x1.b82ce15c3b7f8p-6;
    y = y * z + 0x1.ce2f2197bc2efp-4;
    y = y * z + -0x1.812746b0271ecp-2;
    y = y * z + 0x1.20dd750429b19p+0;
    return y;
}

/* (erf(x) / x - ERF_REST_13_0) / w of w = x^2 - 1/2, x from 0 to 1.  Error 2^-62.58. */
#define ERF_REST_13_0                               \
    (struct pair)                                   \
    {                                               \
        0x1.ee51eb23cb7eap-1, 0x1.889c029995b06p-55 \
    }
BL_FORCE_INLINE double erf_rest_13(double w)
{
    double y = 0x1.05ffd737fb32ep-34;

    y = y * w + -0x1.acbabce2865e7p-31;
    y = y * w + 0x1.428e938efe043p-27;
    y = y * w + -0x1.bf8d2c72b9b8cp-24;
    y = y * w + 0x1.1ad5edf90dd80p-20;
    y = y * w + -0x1.429e93e668f24p-17;
    y = y * w + 0x1.486638bc9befep-14;
    y = y * w + -0x1.263991b802ee6p-11;
    y = y * w + 0x1.c82aa249df460p-9;
    y = y * w + -0x1.2b902b7b2f28ep-6;
    y = y * w + 0x1.454368017b042p-4;
    y = y * w + -0x1.1fd16292151fdp-2;
    return y;
}

/* (1 + 2 y) exp(y^2) erfc(y) of t = (y - 3) / (y + 3), y from 0 to 11.  Error 2^-39.49. */
BL_FORCE_INLINE double erfc_rest_15(double t)
{
    double y = -0x1.49e0ab81d9a24p-18;

    y = y * t + -0x1.4ae0f0bd97575p-16;
    y = y * t + 0x1.2848e248a642dp-17;
    y = y * t + 0x1.09fccdb253392p-13;
    y = y * t + -0x1.bddff6557dae5p-14;
    y = y * t + -0x1.995ba42fa4573p-11;
    y = y * t + 0x1.ef214a4ae6efep-10;
    y = y * t + 0x1.4b8f36624cc1bp-9;
    y = y * t + -0x1.8574b1b9f7825p-6;
    y = y * t + 0x1.17ca230c2fc17p-4;
    y = y * t + -0x1.e88b810065c7ep-4;
    y = y * t + 0x1.098366c2180a2p-3;
    y = y * t + -0x1.85a15c48c3c02p-5;
    y = y * t + -0x1.15c084bbf34fcp-3;
    y = y * t + 0x1.40c522d7e3dc1p+0;
    return y;
}

/* ((1 + 2 y) exp(y^2) erfc(y) - ERFC_REST_22_0) / t of t = (y - 3.75) / (y + 3.75),
 * y from 1/2 to 28.  Error 2^-57.69. */
#define ERFC_REST_22_0                              \
    (struct pair)                                   \
    {                                               \
        0x1.3ccda0b5d5dc2p+0, 0x1.cde12d329183ap-54 \
    }
BL_FORCE_INLINE double erfc_rest_22(double t)
{
    double y = -0x1.83752a92529c5p-29;

    y = y * t + 0x1.a77fbce501202p-26;
    y = y * t + 0x1.7ca4b56803c57p-26;
    y = y * t + -0x1.02469feb80891p-22;
    y = y * t + -0x1.e605e8fface5ep-25;
    y = y * t + 0x1.d28d9ece83670p-20;
    y = y * t + -0x1.055f130b5bb8fp-20;
    y = y * t + -0x1.7fc9ac3ceddaep-17;
    y = y * t + 0x1.778b52e5b3d65p-16;
    y = y * t + 0x1.b13f75fcbd76bp-15;
    y = y * t + -0x1.303fa17b20856p-12;
    y = y * t + 0x1.33fb42f808fbfp-12;
    y = y * t + 0x1.cc3a0e438b6b5p-10;
    y = y * t + -0x1.3f603c5200febp-7;
    y = y * t + 0x1.d0b0037da1e24p-6;
    y = y * t + -0x1.e0d0fa6d73e4ap-5;
    y = y * t + 0x1.7a14188a9a287p-4;
    y = y * t + -0x1.bda9309a2b2b4p-4;
    y = y * t + 0x1.510169d0967dfp-4;
    y = y * t + 0x1.d5f294815b0d0p-9;
    y = y * t + -0x1.1f367683f89a7p-3;
    return y;
}

#endif
