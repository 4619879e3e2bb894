#!/usr/bin/env python3
"""make_model.py - SwiGLU's gate: x sigmoid(x) y

SPDX-License-Identifier: Apache-2.0
"""
import os
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(FOLDER))
from onnx_writer import model, node, value, write  # noqa: E402


def swiglu():
    shape = ["batch", "features"]
    nodes = [
        node("Sigmoid", ["x"], ["sigmoid"], "sigmoid"),
        node("Mul", ["x", "sigmoid"], ["swish"], "swish"),
        node("Mul", ["swish", "y"], ["z"], "gate"),
    ]
    return model(nodes, [value("x", "float32", shape), value("y", "float32", shape)],
                 [value("z", "float32", shape)], name="swiglu")


if __name__ == "__main__":
    write(os.path.join(FOLDER, "swiglu.onnx"), swiglu())
