#!/usr/bin/env python3
"""Print src/kernels/polynomials.h; called with "quick", src/kernels/math_polynomials.h; with "pow",
the polynomials of src/kernels/pow_lanes.h.  All are for the vector math, fitted with mpmath.

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

QUICK_HEADER = """\
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
"""


def nodes_of(low, high, count):
    """Chebyshev nodes."""
    low, high = mp.mpf(low), mp.mpf(high)
    return [(low + high) / 2 + (high - low) / 2 * mp.cos(mp.pi * (2 * i + 1) / (2 * count))
            for i in range(count)]


def interpolate(f, low, high, terms):
    """The coefficients, lowest first, of the polynomial through f at Chebyshev nodes."""
    nodes = nodes_of(low, high, terms)
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


def tail_of_normal(a):
    """exp(a^2 / 2) times the normal distribution at -a."""
    return mp.exp(a * a / 2) * mp.erfc(a / mp.sqrt(2)) / 2


def over_argument(f, limit):
    """f(sqrt(z)) / sqrt(z), for an odd f; `limit` at 0."""
    def g(z):
        s = mp.sqrt(z)
        return f(s) / s if z > mp.mpf(2) ** -200 else mp.mpf(limit)
    return g


def quotient(f, nodes, above, below):
    """Polynomials p and q of degrees `above` and `below`, p / q through f at the nodes."""
    size = above + below + 1
    matrix, right = mp.matrix(size, size), mp.matrix(size, 1)
    for i, x in enumerate(nodes):
        right[i] = f(x)
        for j in range(above + 1):
            matrix[i, j] = x ** j
        for j in range(1, below + 1):
            matrix[i, above + j] = -right[i] * x ** j
    c = list(mp.lu_solve(matrix, right))
    return c[:above + 1], [mp.mpf(1)] + c[above + 1:]


def show_steps(name, variable, poly):
    """Horner's steps on `name`, which starts as the last coefficient."""
    for c in reversed(poly[:-1]):
        print(f"    {name} = fused({name}, {variable}, all({hexadecimal(c)}));")


def show_vector(name, what, argument, poly):
    """One polynomial of vectors.  A long one is even + argument * odd: two short chains take
    less time than a long one.  An empty `what` leaves the comment to the one before."""
    print(f"\n/* {what} */" if what else "")
    print(f"BL_FORCE_INLINE doubles {name}(doubles {argument})\n{{")
    if len(poly) < 8:
        print(f"    doubles y = all({hexadecimal(poly[-1])});\n")
        show_steps("y", argument, poly)
        print("    return y;\n}")
        return
    even, odd = poly[0::2], poly[1::2]
    print(f"    const doubles square = {argument} * {argument};")
    print(f"    doubles even = all({hexadecimal(even[-1])});")
    print(f"    doubles odd = all({hexadecimal(odd[-1])});\n")
    show_steps("even", "square", even)
    show_steps("odd", "square", odd)
    print(f"    return fused(odd, {argument}, even);\n}}")


def show_quick(name, what, argument, f, low, high, terms):
    poly = interpolate(f, low, high, terms)
    bits = mp.nstr(error(f, poly, low, high), 4)
    show_vector(name, f"{what}.  Error 2^{bits}.", argument, poly)


def show_quotient(name, what, argument, f, nodes, points, degrees):
    above, below = quotient(f, nodes, *degrees)
    worst = max(abs(mp.polyval(above[::-1], x) / mp.polyval(below[::-1], x) / f(x) - 1)
                for x in points)
    bits = mp.nstr(mp.log(worst, 2), 4)
    show_vector(f"{name}_above", f"{what}: above / below.  Error 2^{bits}.", argument, above)
    show_vector(f"{name}_below", "", argument, below)


def quick():
    print(QUICK_HEADER, end="")
    half = mp.log(2) / 2 * mp.mpf("1.0001")
    show_quick("tanh_over_5", "tanh(v) / v of z = v^2, |v| < ln 2 / 4", "z",
               over_argument(mp.tanh, 1), 0, (half / 2) ** 2, 5)
    show_quick("half_tanh_over_5", "tanh(r / 2) / r of z = r^2, |r| < ln 2 / 2", "z",
               over_argument(lambda r: mp.tanh(r / 2), mp.mpf(1) / 2), 0, half ** 2, 5)
    show_quick("exp_9", "e^r, |r| < ln 2 / 2", "r", mp.exp, -half, half, 9)
    show_quick("expm1_over_8", "(e^r - 1) / r, |r| < ln 2 / 2", "r",
               lambda r: mp.expm1(r) / r if r else mp.mpf(1), -half, half, 8)
    for terms, high, what in ((5, 3 - 2 * mp.sqrt(2), "3 - 2 sqrt(2)"),
                              (7, mp.mpf(1) / 3, "1 / 3")):
        show_quick(f"log_over_{terms}", f"2 atanh(s) / s of z = s^2, |s| <= {what}", "z",
                   over_argument(lambda s: 2 * mp.atanh(s), 2), 0, high ** 2, terms)
    z = (mp.pi / 4 * mp.mpf("1.0001")) ** 2
    show_quick("sin_over_5", "sin(r) / r of z = r^2, |r| < pi / 4", "z",
               over_argument(mp.sin, 1), 0, z, 5)
    show_quick("cos_6", "cos(r) of z = r^2, |r| < pi / 4", "z",
               lambda z: mp.cos(mp.sqrt(z)), 0, z, 6)
    show_quotient("erf", "erf(x) / x of z = x^2, |x| <= 4", "z", erf_over_x,
                  [x * x for x in nodes_of(0, 4, 15)],
                  [(mp.mpf(i) / 100) ** 2 for i in range(401)], (7, 7))
    show_quotient("tail", "exp(a^2 / 2) times the normal distribution at -a, a from 0 to 6.5",
                  "a", tail_of_normal,
                  [2 * (1 + t) / (1 - t) for t in nodes_of(-1, mp.mpf(9) / 17, 12)],
                  [mp.mpf(i) / 100 for i in range(651)], (5, 6))
    print("\n#endif")


def main():
    if sys.argv[1:] == ["pow"]:
        show_pow()
        return
    if sys.argv[1:] == ["quick"]:
        quick()
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
