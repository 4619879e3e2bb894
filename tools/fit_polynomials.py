#!/usr/bin/env python3
"""Print src/kernels/polynomials.h: the polynomials of the vector math, fitted with mpmath.
With --pow, print those of src/kernels/pow_lanes.h instead.

SPDX-License-Identifier: Apache-2.0

Each is the interpolant at Chebyshev nodes, which is within a bit of the best polynomial.
Run it as `tools/fit_polynomials.py | clang-format > src/kernels/polynomials.h`, in the root.
"""
import sys

import mpmath as mp

mp.mp.prec = 400

HEADER = """\
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
"""


def interpolate(f, low, high, terms):
    """The coefficients, lowest first, of the polynomial through f at Chebyshev nodes."""
    low, high = mp.mpf(low), mp.mpf(high)
    nodes = [(low + high) / 2 + (high - low) / 2 * mp.cos(mp.pi * (2 * i + 1) / (2 * terms))
             for i in range(terms)]
    newton = [f(x) for x in nodes]
    for j in range(1, terms):
        for i in range(terms - 1, j - 1, -1):
            newton[i] = (newton[i] - newton[i - 1]) / (nodes[i] - nodes[i - j])
    poly = [newton[-1]]
    for i in range(terms - 2, -1, -1):
        poly = [a - b for a, b in zip([mp.mpf(0)] + poly, [nodes[i] * c for c in poly] + [0])]
        poly[0] += newton[i]
    return poly


def error(f, poly, low, high):
    """log2 of the largest relative error at 400 points."""
    worst = mp.mpf(0)
    for i in range(401):
        x = mp.mpf(low) + (mp.mpf(high) - low) * i / 400
        worst = max(worst, abs(mp.polyval(poly[::-1], x) / f(x) - 1))
    return mp.log(worst, 2)


def hexadecimal(x):
    return float(x).hex()


def show(name, what, argument, f, low, high, terms, constant=False,
         step="y * {argument} + {c}"):
    """One function.  With `constant`, the lowest coefficient stands apart, as a pair."""
    poly = interpolate(f, low, high, terms)
    print(f"\n/* {what}.  Error 2^{mp.nstr(error(f, poly, low, high), 4)}. */")
    if constant:
        head = float(poly[0])
        print(f"#define {name.upper()}_0 \\\n    (struct pair){{{hexadecimal(head)}, "
              f"{hexadecimal(poly[0] - mp.mpf(head))}}}")
        poly = poly[1:]
    print(f"BL_FORCE_INLINE double {name}(double {argument})\n{{")
    print(f"    double y = {hexadecimal(poly[-1])};\n")
    for c in reversed(poly[:-1]):
        print(f"    y = {step.format(argument=argument, c=hexadecimal(c))};")
    print("    return y;\n}")


def atan_rest(z):
    if z < mp.mpf(2) ** -100:
        return -mp.mpf(1) / 3
    s = mp.sqrt(z)
    return (mp.atan(s) / s - 1) / z


def erf_over_x(z):
    if z < mp.mpf(2) ** -200:
        return 2 / mp.sqrt(mp.pi)
    s = mp.sqrt(z)
    return mp.erf(s) / s


def tail(centre):
    """(1 + 2 y) exp(y^2) erfc(y) of t = (y - centre) / (y + centre)."""
    def f(t):
        y = centre * (1 + t) / (1 - t)
        return (1 + 2 * y) * mp.exp(y * y) * mp.erfc(y)
    return f


def log2_over_s(z):
    """log2((1 + s) / (1 - s)) / s of z = s^2."""
    if z < mp.mpf(2) ** -200:
        return 2 / mp.log(2)
    s = mp.sqrt(z)
    return 2 * mp.atanh(s) / (s * mp.log(2))


def show_pow():
    step = "fused(y, {argument}, {c})"
    show("log2_rest_6", "log2((1 + s) / (1 - s)) / s of z = s^2, s from 0 to 3 - sqrt(8)", "z",
         log2_over_s, 0, (3 - mp.sqrt(8)) ** 2, 6, step=step)
    show("exp2_9", "2^f of f from -1/2 to 1/2", "f", lambda f: mp.mpf(2) ** f, -0.5, 0.5, 9,
         step=step)


def main():
    if "--pow" in sys.argv:
        show_pow()
        return
    print(HEADER, end="")
    z = (mp.sqrt(2) - 1) ** 2
    for terms in (8, 12):
        show(f"atan_rest_{terms}",
             "(atan(s) / s - 1) / z of z = s^2, s from 0 to tan(pi / 8)",
             "z", atan_rest, 0, z, terms)
    show("erf_rest_10", "erf(x) / x of z = x^2, x from 0 to 1", "z", erf_over_x, 0, 1, 10)
    show("erf_rest_13", "(erf(x) / x - ERF_REST_13_0) / w of w = x^2 - 1/2, x from 0 to 1", "w",
         lambda w: erf_over_x(w + mp.mpf(1) / 2), -0.5, 0.5, 13, True)
    show("erfc_rest_15",
         "(1 + 2 y) exp(y^2) erfc(y) of t = (y - 3) / (y + 3), y from 0 to 11", "t",
         tail(mp.mpf(3)), -1, mp.mpf(8) / 14, 15)
    show("erfc_rest_22",
         "((1 + 2 y) exp(y^2) erfc(y) - ERFC_REST_22_0) / t of t = (y - 3.75) / (y + 3.75),\n"
         " * y from 1/2 to 28", "t", tail(mp.mpf(15) / 4), mp.mpf(-13) / 17, mp.mpf(97) / 127,
         22, True)
    print("\n#endif")


if __name__ == "__main__":
    main()
