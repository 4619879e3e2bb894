/*
 * math_polynomials.h - polynomials and quotients of polynomials for the quick lanes
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Written by `tools/fit_polynomials.py quick`, which knows the functions to 400 bits.
 * "Error" is the largest relative difference before any rounding.
 */
#ifndef BL_KERNELS_MATH_POLYNOMIALS_H
#define BL_KERNELS_MATH_POLYNOMIALS_H

#include "kernels/math_vectors.h"

/* tanh(v) / v of z = v^2, |v| < ln 2 / 4.  Error 2^-41.15. */
BL_FORCE_INLINE doubles tanh_over_5(doubles z)
{
    doubles y = all(0x1.5b9e4841a11a5p-6);

    y = fused(y, z, all(-0x1.b9f7e4aacff90p-5));
    y = fused(y, z, all(0x1.1110f899f579ap-3));
    y = fused(y, z, all(-0x1.555555499771dp-2));
    y = fused(y, z, all(0x1.ffffffffff18fp-1));
    return y;
}

/* tanh(r / 2) / r of z = r^2, |r| < ln 2 / 2.  Error 2^-41.15. */
BL_FORCE_INLINE doubles half_tanh_over_5(doubles z)
{
    doubles y = all(0x1.5b9e4841a11a5p-15);

    y = fused(y, z, all(-0x1.b9f7e4aacff90p-12));
    y = fused(y, z, all(0x1.1110f899f579ap-8));
    y = fused(y, z, all(-0x1.555555499771dp-5));
    y = fused(y, z, all(0x1.ffffffffff18fp-2));
    return y;
}

/* e^r, |r| < ln 2 / 2.  Error 2^-39.77. */
BL_FORCE_INLINE doubles exp_9(doubles r)
{
    const doubles square = r * r;
    doubles even = all(0x1.a15a600528a0fp-16);
    doubles odd = all(0x1.a1aa939e677aep-13);

    even = fused(even, square, all(0x1.6c164de86dafdp-10));
    even = fused(even, square, all(0x1.555555742d965p-5));
    even = fused(even, square, all(0x1.fffffffff71b2p-2));
    even = fused(even, square, all(0x1.0000000000000p+0));
    odd = fused(odd, square, all(0x1.1110809f385f6p-7));
    odd = fused(odd, square, all(0x1.555555a279c87p-3));
    odd = fused(odd, square, all(0x1.ffffffffd382fp-1));
    return fused(odd, r, even);
}

/* (e^r - 1) / r, |r| < ln 2 / 2.  Error 2^-37.5. */
BL_FORCE_INLINE doubles expm1_over_8(doubles r)
{
    const doubles square = r * r;
    doubles even = all(0x1.a17e052cd2c8fp-13);
    doubles odd = all(0x1.a136bf03ec612p-16);

    even = fused(even, square, all(0x1.1110a6173845ep-7));
    even = fused(even, square, all(0x1.5555557e7777ep-3));
    even = fused(even, square, all(0x1.fffffffff61ddp-1));
    odd = fused(odd, square, all(0x1.6c166bde96885p-10));
    odd = fused(odd, square, all(0x1.55555565c7e0ep-5));
    odd = fused(odd, square, all(0x1.fffffffffe062p-2));
    return fused(odd, r, even);
}

/* 2 atanh(s) / s of z = s^2, |s| <= 3 - 2 sqrt(2).  Error 2^-37.78. */
BL_FORCE_INLINE doubles log_over_5(doubles z)
{
    doubles y = all(0x1.e3a9bc9e83906p-3);

    y = fused(y, z, all(0x1.2432ec97e26d1p-2));
    y = fused(y, z, all(0x1.999a9bbfcf938p-2));
    y = fused(y, z, all(0x1.555554db6d410p-1));
    y = fused(y, z, all(0x1.0000000004988p+1));
    return y;
}

/* 2 atanh(s) / s of z = s^2, |s| <= 1 / 3.  Error 2^-38.49. */
BL_FORCE_INLINE doubles log_over_7(doubles z)
{
    doubles y = all(0x1.bfb4561e8dc48p-3);

    y = fused(y, z, all(0x1.5eab67b0d884cp-3));
    y = fused(y, z, all(0x1.c8cf1b3455de3p-3));
    y = fused(y, z, all(0x1.2489ae158dab2p-2));
    y = fused(y, z, all(0x1.9999c2d1aee49p-2));
    y = fused(y, z, all(0x1.5555553081220p-1));
    y = fused(y, z, all(0x1.0000000002acdp+1));
    return y;
}

/* sin(r) / r of z = r^2, |r| < pi / 4.  Error 2^-37.6. */
BL_FORCE_INLINE doubles sin_over_5(doubles z)
{
    doubles y = all(0x1.6cb7064fa68a0p-19);

    y = fused(y, z, all(-0x1.a00ee6c400e9cp-13));
    y = fused(y, z, all(0x1.11110749b33f3p-7));
    y = fused(y, z, all(-0x1.555555494598bp-3));
    y = fused(y, z, all(0x1.fffffffff679cp-1));
    return y;
}

/* cos(r) of z = r^2, |r| < pi / 4.  Error 2^-43.54. */
BL_FORCE_INLINE doubles cos_6(doubles z)
{
    doubles y = all(-0x1.23c58ba448ef7p-22);

    y = fused(y, z, all(0x1.a00e955bbe076p-16));
    y = fused(y, z, all(-0x1.6c16b2d1a9e50p-10));
    y = fused(y, z, all(0x1.5555554472cfap-5));
    y = fused(y, z, all(-0x1.ffffffffe36efp-2));
    y = fused(y, z, all(0x1.ffffffffffe0bp-1));
    return y;
}

/* erf(x) / x of z = x^2, |x| <= 4: above / below.  Error 2^-34.22. */
BL_FORCE_INLINE doubles erf_above(doubles z)
{
    const doubles square = z * z;
    doubles even = all(0x1.852e20ea4aa2dp-21);
    doubles odd = all(0x1.b41e3af5ca8e8p-29);

    even = fused(even, square, all(0x1.fd10d8ae74c2cp-12));
    even = fused(even, square, all(0x1.d0ddd3cf65c33p-5));
    even = fused(even, square, all(0x1.20dd750429b6dp+0));
    odd = fused(odd, square, all(0x1.3e698a9945f1fp-16));
    odd = fused(odd, square, all(0x1.2a6b3593e4264p-8));
    odd = fused(odd, square, all(0x1.88a8e29246352p-3));
    return fused(odd, z, even);
}

BL_FORCE_INLINE doubles erf_below(doubles z)
{
    const doubles square = z * z;
    doubles even = all(0x1.10c6cffb03234p-18);
    doubles odd = all(0x1.3fdea4e21fa24p-24);

    even = fused(even, square, all(0x1.a3b04e2d78238p-10));
    even = fused(even, square, all(0x1.e37d78d2eb76ap-4));
    even = fused(even, square, all(0x1.0000000000000p+0));
    odd = fused(odd, square, all(0x1.abd4260cccf78p-14));
    odd = fused(odd, square, all(0x1.1457f6dc1563dp-6));
    odd = fused(odd, square, all(0x1.01a9bed1ef4f6p-1));
    return fused(odd, z, even);
}

/* exp(a^2 / 2) times the normal distribution at -a, a from 0 to 6.5: above / below.  Error 2^-34.49. */
BL_FORCE_INLINE doubles tail_above(doubles a)
{
    doubles y = all(0x1.28bfaee0d1775p-11);

    y = fused(y, a, all(0x1.120b22d51ed7bp-7));
    y = fused(y, a, all(0x1.cc298cb560644p-5));
    y = fused(y, a, all(0x1.b5866224bb23bp-3));
    y = fused(y, a, all(0x1.db51cdd3d2a34p-2));
    y = fused(y, a, all(0x1.ffffffffff8ffp-2));
    return y;
}

BL_FORCE_INLINE doubles tail_below(doubles a)
{
    doubles y = all(0x1.73ed9a4ae82dap-10);

    y = fused(y, a, all(0x1.57708506cb311p-6));
    y = fused(y, a, all(0x1.2353bbe0da70fp-3));
    y = fused(y, a, all(0x1.1cbb19cdbaee4p-1));
    y = fused(y, a, all(0x1.4dfb202d0b138p+0));
    y = fused(y, a, all(0x1.b9eb108862b67p+0));
    y = fused(y, a, all(0x1.0000000000000p+0));
    return y;
}

#endif
