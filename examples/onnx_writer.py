"""onnx_writer.py - write small .onnx models, with Python's standard library alone

SPDX-License-Identifier: Apache-2.0

Each function returns the bytes of a message of onnx.proto; model() those of a whole file.
Numbers of fields and types are those of https://github.com/onnx/onnx/blob/main/onnx/onnx.proto.

    add = node("Add", ["x", "one"], ["y"])
    content = model([add], [value("x", "float32", ["N", 3])], [value("y", "float32", ["N", 3])],
                    [tensor("one", "float32", [], [1.0])])
"""
import struct

# Of each element type: its number in TensorProto.DataType, and how `struct` packs an element.
TYPES = {"float32": (1, "f"), "uint8": (2, "B"), "int8": (3, "b"), "uint16": (4, "H"),
         "int16": (5, "h"), "int32": (6, "i"), "int64": (7, "q"), "string": (8, None),
         "bool": (9, "?"), "float16": (10, "e"), "float64": (11, "d"), "uint32": (12, "I"),
         "uint64": (13, "Q"), "bfloat16": (16, "H")}


# ---- The wire ----------------------------------------------------------------------------

def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field, value):
    """A field that is an integer."""
    return varint(field << 3) + varint(value)


def real(field, value):
    """A field that is a float."""
    return varint(field << 3 | 5) + struct.pack("<f", value)


def body(field, content):
    """A field that is a string or a message."""
    if isinstance(content, str):
        content = content.encode()
    return varint(field << 3 | 2) + varint(len(content)) + content


def bodies(field, contents):
    return b"".join(body(field, content) for content in contents)


# ---- Parts of a model ------------------------------------------------------------------------

def tensor(name, dtype, dims, values):
    """A TensorProto; values row by row."""
    code, letter = TYPES[dtype]
    head = b"".join(number(1, dim) for dim in dims) + number(2, code)
    if dtype == "string":
        return head + bodies(6, values) + body(8, name)
    return head + body(8, name) + body(9, struct.pack(f"<{len(values)}{letter}", *values))


def value(name, dtype, dims):
    """A ValueInfoProto: dims are numbers, symbols, or None for an open one."""
    shape = b""
    for dim in dims:
        known = number(1, dim) if isinstance(dim, int) else b"" if dim is None else body(2, dim)
        shape += body(1, known)
    return body(1, name) + body(2, body(1, number(1, TYPES[dtype][0]) + body(2, shape)))


def attribute(name, content):
    """An AttributeProto: an int, a float, a str, a tensor's bytes, or a list of numbers."""
    if isinstance(content, int):
        return body(1, name) + number(3, content) + number(20, 2)
    if isinstance(content, float):
        return body(1, name) + real(2, content) + number(20, 1)
    if isinstance(content, str):
        return body(1, name) + body(4, content) + number(20, 3)
    if isinstance(content, bytes):
        return body(1, name) + body(5, content) + number(20, 4)
    if all(isinstance(item, int) for item in content):
        return body(1, name) + b"".join(number(8, item) for item in content) + number(20, 7)
    return body(1, name) + b"".join(real(7, item) for item in content) + number(20, 6)


def node(op_type, inputs, outputs, name="", domain="", **attributes):
    """A NodeProto."""
    out = bodies(1, inputs) + bodies(2, outputs) + body(4, op_type)
    out += body(3, name) if name else b""
    out += bodies(5, (attribute(*item) for item in attributes.items()))
    return out + (body(7, domain) if domain else b"")


def model(nodes, inputs, outputs, initializers=(), opset=13, ir_version=8, name="graph",
          domains=()):
    """A ModelProto; `domains` are those that it imports version 1 of, beside ai.onnx."""
    graph = bodies(1, nodes) + body(2, name) + bodies(5, initializers)
    graph += bodies(11, inputs) + bodies(12, outputs)
    imports = body(1, "") + number(2, opset)
    return (number(1, ir_version) + body(2, "Broadloom's onnx_writer.py") + body(7, graph) +
            body(8, imports) + bodies(8, (body(1, domain) + number(2, 1) for domain in domains)))


def write(path, content):
    """Write a model, and say so."""
    with open(path, "wb") as file:
        file.write(content)
    print(f"wrote {path}, {len(content)} bytes")
