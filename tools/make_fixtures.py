#!/usr/bin/env python3
# make_fixtures.py - write fixtures/*.json from an oracle in exact arithmetic
# SPDX-License-Identifier: Apache-2.0
"""Usage: tools/make_fixtures.py [--check] [--self-test] [DIRECTORY]

Writes one file an operator, and graphs.json, into DIRECTORY (fixtures/), the same bytes on
every run.
  --check      write nothing; fail if a file is not what would be written
  --self-test  write nothing; try the oracle against the machine's own arithmetic
"""

import os
import sys

from fixtures import (cases_arithmetic, cases_bits, cases_cast, cases_clip, cases_functions,
                      cases_gemm, cases_graphs, cases_identity, cases_logic, cases_matmul,
                      cases_moves, cases_pow, cases_prelu, cases_unary, cases_variadic,
                      cases_views, cases_where, functions, schema, self_test)
from fixtures.book import Book

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FAMILIES = {
    cases_arithmetic: ("Add", "Div", "Mul", "Sub"),
    cases_bits: ("BitShift", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "GreaterOrEqual",
                 "LessOrEqual", "Mod", "StringConcat", "SwiGLU"),
    cases_cast: ("BitCast", "Cast", "CastLike"),
    cases_clip: ("Clip",),
    cases_functions: functions.OPERATORS,
    cases_gemm: ("Gemm",),
    cases_identity: ("Identity",),
    cases_logic: ("And", "Equal", "Greater", "Less", "Or", "Xor"),
    cases_matmul: ("MatMul",),
    cases_moves: ("Concat", "Constant", "ConstantOfShape", "Gather", "Range", "Shape",
                  "Size"),
    cases_pow: ("Pow",),
    cases_prelu: ("PRelu",),
    cases_unary: ("Abs", "BitwiseNot", "Ceil", "Floor", "HardSigmoid", "HardSwish", "IsInf",
                  "IsNaN", "LeakyRelu", "Neg", "Not", "Reciprocal", "Relu", "Round",
                  "Shrink",
                  "Sign", "Softsign", "Sqrt", "ThresholdedRelu"),
    cases_variadic: ("Max", "Mean", "Min", "Sum"),
    cases_views: ("Expand", "Flatten", "Reshape", "Slice", "Squeeze", "Transpose",
                  "Unsqueeze"),
    cases_where: ("Where",),
}


def books():
    """Every operator's cases, complete; and those of graphs."""
    assert schema.count_triples() == schema.TRIPLES
    family_of = {op: family for family, ops in FAMILIES.items() for op in ops}
    for op in sorted(schema.OPERATORS):
        book = Book(op)
        family_of[op].write(book)
        book.check_coverage()
        yield book
    book = Book(None, "graphs")
    cases_graphs.write(book)
    yield book


def is_current(path, text):
    try:
        with open(path, encoding="utf-8", newline="") as stream:
            return stream.read() == text
    except FileNotFoundError:
        return False


def main(arguments):
    options = {argument for argument in arguments if argument.startswith("-")}
    folders = [argument for argument in arguments if not argument.startswith("-")]
    if options - {"--check", "--self-test"} or len(folders) > 1:
        sys.exit(__doc__)
    if "--self-test" in options:
        return self_test.run()
    folder = folders[0] if folders else os.path.join(ROOT, "fixtures")
    stale = cases = 0
    for book in books():
        path = os.path.join(folder, book.name + ".json")
        cases += len(book.names)
        if "--check" not in options:
            with open(path, "w", encoding="utf-8", newline="\n") as stream:
                stream.write(book.text())
        elif not is_current(path, book.text()):
            print("%s is not what %s writes" % (path, os.path.basename(__file__)))
            stale += 1
    print("%d cases of %d operators" % (cases, len(schema.OPERATORS)))
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
