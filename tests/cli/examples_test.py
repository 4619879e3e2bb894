"""examples_test.py - the examples: their models are current, and give the right numbers

SPDX-License-Identifier: Apache-2.0
"""
import importlib.util
import json
import math
import os
import random
import re
import struct
import subprocess
import sys
import unittest
import zlib

from tool import SOURCE, TOOL, ToolTest, read_npy, write_npy

EXAMPLES = os.path.join(SOURCE, "examples")
# The program is where the tool's build has put it, if libpng is there.
NORMALIZE = os.path.join(os.path.dirname(TOOL), "examples", "normalize")

sys.path.insert(0, EXAMPLES)


def script(folder, name="make_model"):
    """A script of an example, as a module."""
    path = os.path.join(EXAMPLES, folder, name + ".py")
    spec = importlib.util.spec_from_file_location(f"{folder}_{name}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def model_path(folder):
    return os.path.join(EXAMPLES, folder, folder + ".onnx")


def float32(number):
    """Rounded to float32."""
    return struct.unpack("<f", struct.pack("<f", number))[0]


def floats(raw):
    return list(struct.unpack(f"<{len(raw) // 4}f", raw))


class ExampleTest(ToolTest):
    def numbers(self, count, seed):
        source = random.Random(seed)
        return [float32(source.uniform(-6, 6)) for _ in range(count)]

    def array(self, name, shape, numbers):
        write_npy(self.path(name), "<f4", shape, struct.pack(f"<{len(numbers)}f", *numbers))
        return self.path(name)

    def run_model(self, folder, output, *inputs):
        """The one output of an example, fused; run apart it is the same."""
        results = []
        for more in ((), ("--no-fuse",)):
            arguments = [word for text in inputs for word in ("--input", text)]
            self.succeeds("run", model_path(folder), *arguments, *more, "--output",
                          f"{output}={self.path('out.npy')}")
            results.append(read_npy(self.path("out.npy")))
        self.assertEqual(results[0], results[1])
        return results[0][1], floats(results[0][2])

    def near(self, got, wanted, relative):
        self.assertEqual(len(got), len(wanted))
        for i, (a, b) in enumerate(zip(got, wanted)):
            self.assertLessEqual(abs(a - b), relative * abs(b) + 1e-7, (i, a, b))


class Models(ExampleTest):
    def test_the_files_are_what_the_scripts_make(self):
        for folder in ("normalize", "gelu", "swiglu", "masked_scores"):
            with open(model_path(folder), "rb") as file:
                self.assertEqual(file.read(), getattr(script(folder), folder)(), folder)

    def test_each_is_one_step(self):
        for folder in ("normalize", "gelu", "swiglu", "masked_scores"):
            shown = json.loads(self.succeeds("inspect", model_path(folder), "-f", "json"))
            self.assertEqual([step["work"] for step in shown["steps"]], ["group"], folder)

    def test_gelu(self):
        x = self.numbers(600, 1)
        shape, got = self.run_model("gelu", "y", "x=" + self.array("x.npy", (20, 30), x))
        root = math.sqrt(2 / math.pi)
        wanted = [0.5 * a * (1 + math.tanh(root * (a + 0.044715 * a ** 3))) for a in x]
        self.assertEqual(shape, (20, 30))
        # 1 + tanh loses digits of a tanh near -1: an error of 2^-24 of 1, times x.
        for a, b, c in zip(x, got, wanted):
            self.assertLessEqual(abs(b - c), 4 * abs(a) * 2 ** -24 + 2e-6 * abs(c), (a, b, c))

    def test_swiglu(self):
        x, y = self.numbers(600, 2), self.numbers(600, 3)
        shape, got = self.run_model("swiglu", "z", "x=" + self.array("x.npy", (20, 30), x),
                                    "y=" + self.array("y.npy", (20, 30), y))
        self.assertEqual(shape, (20, 30))
        self.near(got, [a / (1 + math.exp(-a)) * b for a, b in zip(x, y)], 4 * 2 ** -24)

    def test_masked_scores(self):
        batch, heads, size = 2, 3, 8
        scores = self.numbers(batch * heads * size * size, 4)
        mask = [query >= key for _ in range(batch) for query in range(size) for key in range(size)]
        write_npy(self.path("mask.npy"), "|b1", (batch, 1, size, size), bytes(mask))
        shape, got = self.run_model(
            "masked_scores", "masked",
            "scores=" + self.array("scores.npy", (batch, heads, size, size), scores),
            "mask=" + self.path("mask.npy"))
        self.assertEqual(shape, (batch, heads, size, size))
        plane = size * size
        self.assertEqual(got, [score / 8 if mask[i // (heads * plane) * plane + i % plane]
                               else -math.inf for i, score in enumerate(scores)])

    def test_commands_of_the_readmes(self):
        ran = 0
        for folder in ("normalize", "gelu", "swiglu", "masked_scores"):
            with open(os.path.join(EXAMPLES, folder, "README.md"), encoding="utf-8") as file:
                text = file.read()
            for line in re.findall(r"(?m)^broadloom (.*)$", text):
                words = [word.strip("'") for word in line.replace("4096", "64").split()]
                words[1] = os.path.join(EXAMPLES, folder, words[1])
                words = [re.sub("^y=(.*npy)$", "y=" + self.path(r"\1"), word) for word in words]
                self.succeeds(*words)
                ran += 1
        self.assertGreaterEqual(ran, 8)


def read_png(path):
    """Width, height and the bytes of an 8-bit RGB picture.  Source: RFC 2083."""
    with open(path, "rb") as file:
        content = file.read()
    at, packed, width, height = 8, b"", 0, 0
    while at < len(content):
        size, kind = struct.unpack(">I4s", content[at:at + 8])
        part = content[at + 8:at + 8 + size]
        at += size + 12
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", part[:10])
            assert (depth, colour) == (8, 2), (depth, colour)
        packed += part if kind == b"IDAT" else b""
    raw = zlib.decompress(packed)
    above, rows = bytes(3 * width), []
    for y in range(height):
        start = y * (3 * width + 1)
        above = unfilter(raw[start], raw[start + 1:start + 1 + 3 * width], above)
        rows.append(above)
    return width, height, b"".join(rows)


def unfilter(kind, row, above):
    out = bytearray(3) + bytearray(row)
    before = bytes(3) + above
    for i, byte in enumerate(row, 3):
        a, b, c = out[i - 3], before[i], before[i - 3]
        p = a + b - c
        paeth = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
        out[i] = (byte + (0, a, b, (a + b) // 2, paeth)[kind]) & 255
    return bytes(out[3:])


class Picture(ExampleTest):
    """The picture, and what the model makes of it, worked out here."""

    def setUp(self):
        super().setUp()
        self.maker = script("normalize", "make_picture")
        self.bytes = b"".join(self.maker.rows())
        self.size = (self.maker.HEIGHT, self.maker.WIDTH)

    def wanted(self):
        """float32[3,H,W]: a difference and a quotient, each rounded to float32."""
        maker = script("normalize")
        out = []
        for channel in range(3):
            mean = float32(255 * maker.MEAN[channel])
            std = float32(255 * maker.STD[channel])
            out += [float32(float32(byte - mean) / std) for byte in self.bytes[channel::3]]
        return out

    def test_picture_is_what_the_script_draws(self):
        path = os.path.join(EXAMPLES, "normalize", "picture.png")
        self.assertEqual(read_png(path), (self.size[1], self.size[0], self.bytes))

    def test_model(self):
        write_npy(self.path("picture.npy"), "|u1", (*self.size, 3), self.bytes)
        shape, got = self.run_model("normalize", "normalized",
                                    "picture=" + self.path("picture.npy"))
        self.assertEqual(shape, (1, 3, *self.size))
        self.assertEqual(got, self.wanted())

    @unittest.skipUnless(os.access(NORMALIZE, os.X_OK), "built without libpng")
    def test_program(self):
        folder = os.path.join(EXAMPLES, "normalize")
        done = subprocess.run([NORMALIZE, model_path("normalize"),
                               os.path.join(folder, "picture.png"), self.path("out.png")],
                              capture_output=True, check=False, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        wanted = self.wanted()
        low, high = min(wanted), max(wanted)
        self.assertIn(f"from {min(wanted[:len(wanted) // 3]):.4f}".encode(), done.stdout)
        width, height, got = read_png(self.path("out.png"))
        self.assertEqual((height, width), self.size)
        pixels = width * height
        for i, byte in enumerate(got):
            number = wanted[i % 3 * pixels + i // 3]
            self.assertLess(abs(byte - 255 * (number - low) / (high - low)), 0.51, i)

    @unittest.skipUnless(os.access(NORMALIZE, os.X_OK), "built without libpng")
    def test_program_refuses(self):
        picture = os.path.join(EXAMPLES, "normalize", "picture.png")
        for args in ((), ("missing.onnx", picture, self.path("o.png")),
                     (model_path("normalize"), model_path("gelu"), self.path("o.png")),
                     (model_path("gelu"), picture, self.path("o.png")),
                     (model_path("swiglu"), picture, self.path("o.png")),
                     (model_path("normalize"), picture, self.path("no/such/o.png"))):
            done = subprocess.run([NORMALIZE, *args], capture_output=True, check=False, timeout=60)
            self.assertEqual(done.returncode, 1, args)
            self.assertTrue(done.stderr.startswith(b"normalize: "), done.stderr)
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    unittest.main()
