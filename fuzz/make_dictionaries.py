#!/usr/bin/env python3
"""make_dictionaries.py - words for the fuzzers, read from our own sources

SPDX-License-Identifier: Apache-2.0

Usage: fuzz/make_dictionaries.py OUT

Writes OUT/TARGET.dict for each target that has words, in libFuzzer's form: a string in quotes a
line.  Operators come from src/ops/ops.def, attributes from src/ops/signatures.h, element types from
src/tensor/dtypes.def, keys of fixtures from conform/, options from cli/, fields from onnx_fields.h.
"""
import glob
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")

NPY = [b"\x93NUMPY\x01\x00", b"\x93NUMPY\x02\x00", b"\x93NUMPY\x03\x00", b"'descr'", b"'shape'",
       b"'fortran_order'", b"True", b"False", b"(", b",)", b"), ", b"}", b"\n", b"'<f4'", b"'>f4'",
       b"'<f8'", b"'<f2'", b"'|b1'", b"'|i1'", b"'|u1'", b"'<i2'", b"'<i4'", b"'>i8'", b"'<u2'", b"'<u4'",
       b"'<u8'", b"'<c8'", b"'<c16'", b"'|O'", b"'<U3'", b"9223372036854775807", b"\"descr\"",
       b"18446744073709551616", b"\\x", b"0L", b"{'descr': '<f4', 'fortran_order': False, 'shape': "]

JSON = [b"{", b"}", b"[", b"]", b":", b",", b"true", b"false", b"null", b"-0", b"1e400", b"0.1",
        b"\"NaN\"", b"\"Infinity\"", b"\"-Infinity\"", b"9223372036854775808", b"-9223372036854775809",
        b"18446744073709551615", b"\\u0000", b"\\uFDD0", b"\"values\"", b"\"constant\"", b"\"file\"",
        b"\"fillFloat32\"", b"\"npy\"", b"\"pb\"", b"\"symlink:\"", b"\"ai.onnx.Add\"", b"AAAA", b"==",
        b"\"ints\"", b"\"floats\"", b"\"strings\"", b"\"tensor\"", b"\"type\"", b"\"value\""]

LITERAL = [b"[", b"]=", b"[]=", b",", b"x", b"2x3", b"(", b")", b"NaN", b"Infinity", b"-Infinity", b"inf",
           b"true", b"false", b"-0", b"0x1", b"1e309", b"1e-330", b"9223372036854775807", b"\"", b"\\u0000",
           b"\\uD83D\\uDE00", b"\\n", b":", b"=", b"=[1,2]", b"=[a,b]", b"ai.onnx.", b"float", b"double"]

ARGUMENTS = [b"\n", b"--", b"-h", b"--help", b"--version", b"help", b"none", b"-", b"=", b"model.onnx", b"x.npy",
             b"cases.json", b"x=x.npy", b"x=float32[3]=1", b"--shape=x=3", b"y.pb", b"pretty", b"json",
             b"dot", b"markdown", b"tap", b"junit", b"cpu", b"reference", b"0", b"2,3", b"int8[2]=1,2",
             b"float32[2,3]=1", b"y=y.npy"]

DOMAINS = [b"ai.onnx", b"ai.onnx.ml", b"data"]


def words(pattern, *paths):
    """All first groups of the pattern in files of the project, once each, in order."""
    found = {}
    for path in paths:
        for name in sorted(glob.glob(os.path.join(ROOT, path))):
            with open(name, encoding="utf-8") as text:
                for word in re.findall(pattern, text.read()):
                    found[word.encode()] = None
    if not found:
        sys.exit(f"make_dictionaries: no word like {pattern} in {' '.join(paths)}")
    return list(found)


def tags():
    """The tags of the fields of ONNX's messages, with each wire type that is in use."""
    numbers = {int(n) for n in words(r"BL_[A-Z_]+ = (\d+)", "src/io/onnx_fields.h")}
    out = []
    for number in sorted(numbers):
        for wire_type in (0, 2, 5):
            tag = number << 3 | wire_type
            out.append(bytes([tag]) if tag < 128 else bytes([tag & 127 | 128, tag >> 7]))
    return out


def write(folder, target, entries):
    def quoted(word):
        return "".join(chr(c) if 32 <= c < 127 and c not in b'"\\' else f"\\x{c:02X}" for c in word)

    with open(os.path.join(folder, target + ".dict"), "w", encoding="utf-8") as out:
        out.writelines(f'"{quoted(entry)}"\n' for entry in dict.fromkeys(entries))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    operators = words(r'BL_OP\(\w+, "(\w+)"', "src/ops/ops.def")
    attributes = words(r'(?:FREE|NEEDED|INT_OF|FLOAT_OF|STRING_OF)\("(\w+)"', "src/ops/signatures.h")
    types = words(r'BL_DTYPE\(\w+, "(\w+)"', "src/tensor/dtypes.def")
    keys = words(r'"(\w+)"(?=[,}])', "conform/fixture*.c")
    options = words(r'\{"([\w-]+)", (?:\'|0)', "cli/cmd_*.c")
    commands = words(r"bl_command_(\w+);", "cli/cli.h")
    model = operators + attributes + DOMAINS + tags()
    write(folder, "onnx", model)
    write(folder, "model", model)
    write(folder, "tensor", tags() + [b"location", b"offset", b"length", b"data"])
    write(folder, "npy", NPY)
    write(folder, "fixture", JSON + [b'"' + key + b'"' for key in keys + types + attributes] +
          [b'"ai.onnx.' + name + b'"' for name in operators])
    write(folder, "literal", LITERAL + types + operators + attributes)
    write(folder, "arguments", ARGUMENTS + commands + [b"--" + option for option in options] +
          operators + types)


if __name__ == "__main__":
    main()
