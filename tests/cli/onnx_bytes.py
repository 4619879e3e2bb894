"""onnx_bytes.py - models for tests, made with the writer that the examples use

SPDX-License-Identifier: Apache-2.0
"""
import os
import sys

from tool import SOURCE

sys.path.insert(0, os.path.join(SOURCE, "examples"))
from onnx_writer import (attribute, bodies, body, model, node, number, tensor,  # noqa: E402
                         value)

__all__ = ["attribute", "bodies", "body", "function_call", "gate", "model", "node", "number",
           "tensor", "troubled", "two_outputs", "value", "with_default"]


def gate(dtype="float32", dims=("N", 3)):
    """z = (x + y) * x"""
    return model([node("Add", ["x", "y"], ["sum"], "add"), node("Mul", ["sum", "x"], ["z"], "mul")],
                 [value("x", dtype, dims), value("y", dtype, dims)], [value("z", dtype, dims)])


def two_outputs(first="a/b:c", second="a/b?c", dtype="float32"):
    """Outputs -x and |x|, of names that no file should have."""
    return model([node("Neg", ["x"], [first]), node("Abs", ["x"], [second])],
                 [value("x", dtype, [2])],
                 [value(first, dtype, [2]), value(second, dtype, [2])])


def with_default():
    """y = x * scale, where scale is 10 unless it is given."""
    return model([node("Mul", ["x", "scale"], ["y"])],
                 [value("x", "float32", [2]), value("scale", "float32", [])],
                 [value("y", "float32", [2])], [tensor("scale", "float32", [], [10.0])])


def troubled():
    """Five nodes that cannot run, each for another reason, and three that can."""
    branch = body(1, node("Identity", ["x"], ["inside"])) + body(12, value("inside", "float32", [2]))
    subgraph = body(1, "then_branch") + body(6, branch) + number(20, 5)
    conditional = node("If", ["flag"], ["chosen"], "choose") + body(5, subgraph)
    nodes = [
        node("Add", ["x", "x"], ["twice"], "fine"),
        node("Frobnicate", ["x"], ["p"], "nonsense"),
        node("Relu", ["x"], ["q"], "foreign", domain="com.example"),
        node("Add", ["x"], ["r"], "short"),
        node("Gemm", ["x", "x"], ["s"], "odd", gamma=1.0),
        conditional,
        node("Neg", ["p"], ["t"], "after"),
        node("Neg", ["x"], ["y"], "fine_too"),
    ]
    return model(nodes, [value("x", "float32", [2]), value("flag", "bool", [])],
                 [value("y", "float32", [2])])


def function_call():
    """y = f(x) with a function f of the model's own, x * x + x."""
    inside = [node("Mul", ["a", "a"], ["square"], "square"), node("Add", ["square", "a"], ["b"], "add")]
    function = (body(1, "f") + body(4, "a") + body(5, "b") + bodies(7, inside) +
                body(9, body(1, "") + number(2, 13)) + body(10, "own"))
    return (model([node("f", ["x"], ["y"], "call", domain="own")],
                  [value("x", "float32", [3])], [value("y", "float32", [3])]) +
            body(8, body(1, "own") + number(2, 1)) + body(25, function))
