#!/usr/bin/env python3
"""make_model.py - GELU by tanh, from the nodes that an exporter writes for it

SPDX-License-Identifier: Apache-2.0

    y = 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))
"""
import math
import os
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(FOLDER))
from onnx_writer import model, node, tensor, value, write  # noqa: E402


def gelu():
    nodes = [
        node("Pow", ["x", "three"], ["cube"], "cube"),
        node("Mul", ["cube", "c"], ["bent"], "bend"),
        node("Add", ["x", "bent"], ["sum"], "add"),
        node("Mul", ["sum", "root"], ["inner"], "scale"),
        node("Tanh", ["inner"], ["tanh"], "tanh"),
        node("Add", ["tanh", "one"], ["shifted"], "shift"),
        node("Mul", ["x", "shifted"], ["twice"], "gate"),
        node("Mul", ["twice", "half"], ["y"], "halve"),
    ]
    constants = {"three": 3.0, "c": 0.044715, "root": math.sqrt(2 / math.pi), "one": 1.0,
                 "half": 0.5}
    return model(nodes, [value("x", "float32", ["batch", "features"])],
                 [value("y", "float32", ["batch", "features"])],
                 [tensor(name, "float32", [], [number]) for name, number in constants.items()],
                 name="gelu")


if __name__ == "__main__":
    write(os.path.join(FOLDER, "gelu.onnx"), gelu())
