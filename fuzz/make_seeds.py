#!/usr/bin/env python3
"""make_seeds.py - what the fuzzers start from: small valid inputs for each target

SPDX-License-Identifier: Apache-2.0

Usage: fuzz/make_seeds.py OUT

Writes OUT/TARGET/*, the same files each time: models from examples/ and from the cases in fixtures/,
arrays and tensors of all types, fixtures cut to a case each, literals and command lines.  OUT/stamp is
written last.
"""
import glob
import itertools
import json
import os
import random
import shutil
import struct
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path.insert(0, os.path.join(ROOT, "examples"))
from onnx_writer import (TYPES, attribute, bodies, body, model, node, number,  # noqa: E402
                         real, tensor, value)

MOST_BYTES = 4096  # of a seed: small ones are tried more often
CASES_EACH = 3     # of a fixture file

COMMANDS = [
    "help", "--version", "help\nrun", "info", "info\n-f\njson", "ops", "ops\nAdd", "ops\n--names",
    "ops\n-f\nmarkdown\nPow", "shape\n2,3\n3", "shape\n2x3\n4", "shape\n--onto\n3\n2,3",
    "shape\n--legacy\n--axis\n1\n2,3,4\n3", "shape\n-f\njson\n[2,1]\n[]",
    "apply\nAdd\nint8[2]=1,2\nint8[]=3", "apply\nPow\nfloat32[2]=1,2\nint32[1]=3\n--full",
    "apply\nLeakyRelu\nfloat32[2]=-1,2\n-a\nalpha=0.5\n-f\njson", "apply\nNeg\nx.npy\n-o\ny.pb",
    "apply\nClip\nfloat32[3]=1,2,3\nnone\nfloat32[]=2\n--opset\n11", "apply\nIdentity\nstring[2]=a,\"b,c\"",
    "apply\n-b\nreference\nSum\nfloat16[2]=1,2\nfloat16[2]=3,4\n-t\n2", "apply\nAdd\n-\n-",
    "apply\nAdd\nfloat32[2,3]=1\nfloat32[4]=1\n--name\nnode", "apply\nDiv\nint32[1]=1\nint32[1]=0",
    "run\nmodel.onnx\n-i\nx=x.npy", "run\nmodel.onnx\n-r\n1\n-o\ny=y.npy", "run\nmodel.onnx\n--random\n2\n-f\njson",
    "run\nmodel.onnx\n-i\nx=float32[3]=1,2,3\n--no-fuse\n-d\n.", "run\nmodel.onnx\n-r\n1\n-s\nx=3",
    "inspect\nmodel.onnx", "inspect\nmodel.onnx\n-f\njson", "inspect\nmodel.onnx\n-f\ndot\n-o\ngraph.dot",
    "inspect\nmodel.onnx\n--shape\nx=3\n--dim\nN=2", "conform\ncases.json", "conform\ncases.json\n-f\ntap\n-v",
    "conform\ncases.json\n-f\njunit\n-k\none", "conform\n.\n-b\nreference\n-f\njson\n--honour-skips"]

LITERALS = ["float32[2,3]=1,2,3,4,5,6", "int64[]=-9223372036854775808", "uint64[1]=18446744073709551615",
            "bool[2]=true,false", "float16[3]=NaN,-Infinity,-0", "complex64[2]=(1,-2),(0.5,1e-3)",
            "string[3]=a,\"b,\\\"c\\u00e4\",\"\"", "float8e4m3fn[2]=1,448", "int4[2]=-8,7", "float32[2,2]=1",
            "int8[0]=", "float64[1]=1e308", " int32 [ 2 ] = 1 , 2 ", "2,3", "2x3x4", "[]", "[2, 3]",
            "\"text with \\n and \\uD83D\\uDE00\"", "\"\"", "x".join("1" * 64), f"int8[{','.join('1' * 64)}]=5"]


def write(folder, target, name, content):
    if isinstance(content, str):
        content = content.encode()
    if len(content) > MOST_BYTES:
        return
    os.makedirs(os.path.join(folder, target), exist_ok=True)
    with open(os.path.join(folder, target, name), "wb") as out:
        out.write(content)


def fixtures():
    """Each fixture file's operator, and its cases."""
    for path in sorted(glob.glob(os.path.join(ROOT, "fixtures", "*.json"))):
        with open(path, encoding="utf-8") as text:
            content = json.load(text)
        yield os.path.basename(path)[:-5], content


# ---- Models ----------------------------------------------------------------------------------

def node_model(op, opset, case, as_constants):
    """A model of one node with the case's inputs; None for types that the writer does not have."""
    given = [(name, one) for name, one in case["inputs"].items()]
    if not given or any(one and (one.get("dtype") not in TYPES or one["data"]["kind"] != "values") for _, one in given):
        return None
    attributes = case.get("attributes", {})
    if any(isinstance(item, (dict, str)) or item == [] for item in attributes.values()):
        attributes = {name: item for name, item in attributes.items() if isinstance(item, str)}
    inputs = [value(name, one["dtype"], one["shape"]) for name, one in given if one]
    constants = []
    if as_constants:
        last_name, last = given[-1]
        if last:
            try:
                constants = [tensor(last_name, last["dtype"], last["shape"], last["data"]["values"])]
            except (struct.error, TypeError, OverflowError):
                return None
    outputs = [value("y", one["dtype"], one["shape"])
               for one in case.get("outputs", {}).values() if one["dtype"] in TYPES]
    if not outputs:
        return None
    one = node(op, [name if item else "" for name, item in given], ["y"], **attributes)
    after = node("Identity", ["y"], ["z"])
    return model([one, after], inputs, outputs, constants, opset=opset)


def special_models():
    """What a model may hold beside plain nodes."""
    x, y = value("x", "float32", ["N", 3]), value("y", "float32", ["N", 3])
    inside = [node("Mul", ["a", "a"], ["square"]), node("Add", ["square", "a"], ["b"])]
    slope = body(1, "alpha") + body(21, "slope") + number(20, 1)
    inside.append(node("LeakyRelu", ["b"], ["c"]) + body(5, slope))
    function = (body(1, "f") + body(4, "a") + body(5, "c") + body(6, "slope") + bodies(7, inside) +
                body(9, body(1, "") + number(2, 13)) + body(10, "own") +
                body(11, body(1, "unused") + number(3, 1) + number(20, 2)))
    called = node("f", ["x"], ["y"], domain="own", slope=0.5)
    yield "function", model([called], [x], [y], domains=["own"]) + body(25, function)
    branch = body(1, node("Identity", ["x"], ["in"])) + body(12, value("in", "float32", [2]))
    subgraph = body(1, "then_branch") + body(6, branch) + number(20, 5)
    yield "subgraph", model([node("If", ["flag"], ["y"]) + body(5, subgraph)],
                            [x, value("flag", "bool", [])], [y])
    entries = [("location", "data"), ("offset", "16"), ("length", "12"), ("checksum", "0")]
    outside = (number(1, 3) + number(2, 1) + body(8, "c") + number(14, 1) +
               bodies(13, (body(1, key) + body(2, text) for key, text in entries)))
    yield "external", model([node("Add", ["x", "c"], ["y"])], [x], [y], [outside])
    yield "default", model([node("Mul", ["x", "s"], ["y"])], [x, value("s", "float32", [])], [y],
                           [tensor("s", "float32", [], [10.0])])
    sparse = body(1, tensor("v", "float32", [1], [1.0])) + body(2, tensor("i", "int64", [1], [0])) + number(3, 3)
    yield "sparse", model([node("Add", ["x", "v"], ["y"])], [x], [y]) + body(7, body(15, sparse))
    shapes = [node("Shape", ["x"], ["s"]), node("Gather", ["s", "zero"], ["n"]),
              node("Unsqueeze", ["n", "zero"], ["n1"]), node("Concat", ["n1", "minus"], ["to"], axis=0),
              node("Reshape", ["x", "to"], ["y"])]
    yield "shapes", model(shapes, [x], [y], [tensor("zero", "int64", [1], [0]),
                                             tensor("minus", "int64", [1], [-1])])
    chain = [node(op, ["x" if i == 0 else f"t{i}"], [f"t{i + 1}"]) for i, op in
             enumerate(["Exp", "Tanh", "Transpose", "Relu", "Sqrt", "Neg", "Abs", "Sigmoid", "Erf"])]
    yield "chain", model(chain, [x], [value("t9", "float32", [3, "N"])])
    branches = [node("Add", ["x", "c"], ["a"]), node("Mul", ["a", "c"], ["b"]), node("Greater", ["a", "b"], ["g"]),
                node("Where", ["g", "a", "b"], ["w"]), node("Gemm", ["w", "m", "c"], ["p"], transB=1),
                node("Cast", ["p"], ["h"], to=10), node("Max", ["h", "h"], ["y"])]
    yield "branches", model(branches, [x], [value("y", "float16", None or ["N", 2]), value("a", "float32", ["N", 3])],
                            [tensor("c", "float32", [1], [2.0]), tensor("m", "float32", [2, 3], [1.0] * 6)])
    ranged = [node("Range", ["from", "to", "step"], ["r"]), node("Add", ["r", "r"], ["y"])]
    yield "range", model(ranged, [value(n, "float32", []) for n in ("from", "to", "step")],
                         [value("y", "float32", [None])])


def models(folder):
    for path in sorted(glob.glob(os.path.join(ROOT, "examples", "*", "*.onnx"))):
        with open(path, "rb") as file:
            content = file.read()
        for target in ("onnx", "model"):
            write(folder, target, os.path.basename(path), content)
    found = list(special_models())
    for op, fixture in fixtures():
        made = []
        for i, case in enumerate(fixture["cases"]):
            name = case.get("op", fixture.get("op", ""))
            if "graph" in case or "model" in case or not case.get("outputs") or not name.startswith("ai.onnx."):
                continue
            one = node_model(name.split(".")[-1], case.get("opset", fixture.get("opset", 21)), case, i % 2)
            if one is not None and len(one) < 600:
                made.append(one)
        # The first, the middle and the last: other versions, other types.
        found += [(f"{op}-{i}", made[i]) for i in sorted({0, len(made) // 2, len(made) - 1}) if made]
    for name, content in found:
        for target in ("onnx", "model"):
            write(folder, target, name + ".onnx", content)


# ---- Tensors ---------------------------------------------------------------------------------

def arrays(folder):
    kinds = [("|b1", 1), ("|i1", 1), ("|u1", 1), ("<i2", 2), (">i4", 4), ("<i8", 8), ("<u2", 2), (">u8", 8),
             ("<f2", 2), ("<f4", 4), (">f8", 8), ("<c8", 8), (">c16", 16)]
    shapes = [(), (3,), (0,), (2, 2), (1, 2, 3), (1,) * 64]
    for i, ((kind, size), shape) in enumerate(itertools.product(kinds, shapes)):
        version, count = 1 + i % 3, 1
        for dim in shape:
            count *= dim
        dims = "".join(f"{dim}, " for dim in shape) if len(shape) != 1 else f"{shape[0]},"
        header = f"{{'descr': '{kind}', 'fortran_order': {bool(i & 1)}, 'shape': ({dims}), }}"
        width = 2 if version == 1 else 4
        header += " " * (-(7 + width + 1 + len(header)) % 16) + "\n"
        content = b"\x93NUMPY" + bytes([version, 0]) + len(header).to_bytes(width, "little") + header.encode()
        write(folder, "npy", f"{i:03}.npy", content + bytes(k % 251 for k in range(count * size)))


def tensors(folder):
    bits = {1: 32, 2: 8, 3: 8, 4: 16, 5: 16, 6: 32, 7: 64, 9: 8, 10: 16, 11: 64, 12: 32, 13: 64, 14: 64, 15: 128,
            16: 16, 17: 8, 18: 8, 19: 8, 20: 8, 21: 4, 22: 4, 23: 4, 24: 8, 25: 2, 26: 2}
    for code, width in bits.items():
        head = number(1, 2) + number(1, 3) + number(2, code) + body(8, "t")
        write(folder, "tensor", f"raw-{code}.pb", head + body(9, bytes(range(1, (6 * width + 7) // 8 + 1))))
        packed = b"".join(number(0, k)[1:] for k in range(6 if width >= 8 else (6 * width + 7) // 8))
        field = {1: 4, 14: 4, 7: 7, 11: 10, 15: 10, 12: 11, 13: 11}.get(code, 5)
        if field == 4:
            packed = struct.pack(f"<{6 * width // 32}f", *range(6 * width // 32))
        if field == 10:
            packed = struct.pack(f"<{6 * width // 64}d", *range(6 * width // 64))
        write(folder, "tensor", f"packed-{code}.pb", head + body(field, packed))
    floats = number(1, 2) + number(2, 1) + real(4, 1.5) + real(4, -0.0)
    write(folder, "tensor", "unpacked.pb", floats)
    write(folder, "tensor", "strings.pb", tensor("s", "string", [3], ["a", "", "loom"]))
    write(folder, "tensor", "scalar.pb", tensor("s", "float32", [], [1.0]))
    write(folder, "tensor", "rank-64.pb", tensor("s", "int8", [1] * 64, [5]))
    write(folder, "tensor", "empty.pb", tensor("s", "int64", [0, 4], []))
    write(folder, "tensor", "outside.pb", number(1, 3) + number(2, 1) + number(14, 1) +
          body(13, body(1, "location") + body(2, "data")))
    write(folder, "tensor", "attribute.pb", attribute("value", tensor("", "float32", [1], [1.0])))


# ---- Texts -----------------------------------------------------------------------------------

def texts(folder):
    literals = list(LITERALS)
    for op, fixture in fixtures():
        cases = fixture["cases"]
        small = [case for case in cases if len(json.dumps(case)) < 1500]
        special = [case for case in small if "graph" in case or "model" in case or "error" in case or
                   any(one and one["data"]["kind"] != "values" for one in case["inputs"].values())]
        for kind, chosen in (("case", small), ("special", special)):
            for i, case in enumerate(chosen[:CASES_EACH]):
                write(folder, "fixture", f"{op}-{kind}-{i}.json", json.dumps({**fixture, "cases": [case]}))
        for case in cases:
            for name, item in case.get("attributes", {}).items():
                if isinstance(item, (int, float, str, list)):
                    text = json.dumps(item).replace(" ", "") if isinstance(item, list) else str(item)
                    literals.append(f"{case.get('op', fixture.get('op', op))}:{name}={text}")
    for i, literal in enumerate(dict.fromkeys(literals)):
        write(folder, "literal", f"{i:04}", literal)
    for i, command in enumerate(COMMANDS):
        write(folder, "arguments", f"{i:02}", command)


def graphs(folder):
    """Choices at random; any bytes are a graph."""
    for i in range(64):
        write(folder, "graph", f"{i:02}", random.Random(i).randbytes(16 + 12 * i))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = sys.argv[1]
    for target in os.listdir(folder) if os.path.isdir(folder) else ():
        if os.path.isdir(os.path.join(folder, target)):
            shutil.rmtree(os.path.join(folder, target))
    for make in (models, arrays, tensors, texts, graphs):
        make(folder)
    with open(os.path.join(folder, "stamp"), "w", encoding="utf-8") as stamp:
        stamp.write("made by fuzz/make_seeds.py\n")


if __name__ == "__main__":
    main()
