#!/usr/bin/env python3
"""make_model.py - a picture's bytes as a network wants them: normalised, channels first

SPDX-License-Identifier: Apache-2.0

    uint8[H,W,3] -> Transpose -> Unsqueeze -> Cast -> Sub mean -> Div std -> float32[1,3,H,W]

The mean and the standard deviation are those of ImageNet's pictures, in units of a byte.
"""
import os
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(FOLDER))
from onnx_writer import model, node, tensor, value, write  # noqa: E402

MEAN = [0.485, 0.456, 0.406]
STD = [0.229, 0.224, 0.225]


def normalize():
    nodes = [
        node("Transpose", ["picture"], ["channels"], "channels_first", perm=[2, 0, 1]),
        node("Unsqueeze", ["channels", "axes"], ["batch"], "batch_of_one"),
        node("Cast", ["batch"], ["numbers"], "cast", to=1),
        node("Sub", ["numbers", "mean"], ["centred"], "centre"),
        node("Div", ["centred", "std"], ["normalized"], "divide"),
    ]
    return model(nodes, [value("picture", "uint8", ["height", "width", 3])],
                 [value("normalized", "float32", [1, 3, "height", "width"])],
                 [tensor("axes", "int64", [1], [0]),
                  tensor("mean", "float32", [3, 1, 1], [255 * mean for mean in MEAN]),
                  tensor("std", "float32", [3, 1, 1], [255 * std for std in STD])],
                 name="normalize")


if __name__ == "__main__":
    write(os.path.join(FOLDER, "normalize.onnx"), normalize())
