#!/usr/bin/env python3
"""make_model.py - attention scores, scaled, and -infinity where a mask says so

SPDX-License-Identifier: Apache-2.0

The mask has no axis for the heads: it is broadcast over them.
"""
import os
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(FOLDER))
from onnx_writer import model, node, tensor, value, write  # noqa: E402


def masked_scores():
    shape = ["batch", "heads", "query", "key"]
    nodes = [
        node("Mul", ["scores", "scale"], ["scaled"], "scale"),
        node("Where", ["mask", "scaled", "lowest"], ["masked"], "mask"),
    ]
    return model(nodes, [value("scores", "float32", shape),
                         value("mask", "bool", ["batch", 1, "query", "key"])],
                 [value("masked", "float32", shape)],
                 [tensor("scale", "float32", [], [0.125]),  # 1 / sqrt(64), heads of 64
                  tensor("lowest", "float32", [], [float("-inf")])], name="masked_scores")


if __name__ == "__main__":
    write(os.path.join(FOLDER, "masked_scores.onnx"), masked_scores())
