"""run_test.py - broadloom run: inputs, outputs, files, what is refused

SPDX-License-Identifier: Apache-2.0
"""
import json
import os
import random
import struct
import unittest

from onnx_bytes import (body, function_call, gate, model, node, tensor, two_outputs, value,
                        with_default)
from tool import OK, USAGE, ToolTest, read_npy, run, run_on_terminal, write_npy


class RunTest(ToolTest):
    def model(self, content=None):
        return self.write("model.onnx", gate() if content is None else content)

    def files(self):
        return sorted(name for name in os.listdir(self.folder) if name != "model.onnx")

    def numbers(self, *args):
        """All outputs of a run in JSON: {name: values}."""
        shown = json.loads(self.succeeds("run", *args, "--format", "json"))
        return {output["name"]: output["value"]["data"]["values"] for output in shown["outputs"]}


class Inputs(RunTest):
    def test_literals(self):
        self.assertEqual(self.succeeds("run", self.model(), "--input", "x=float32[1,3]=1,2,3",
                                       "-i", "y=float32[1,3]=10"),
                         "z: float32[1,3]\n[[11 24 39]]\n")

    def test_files_and_standard_input(self):
        write_npy(self.path("x.npy"), "<f4", (2, 3), struct.pack("<6f", *range(6)))
        write_npy(self.path("y.npy"), "<f4", (2, 3), struct.pack("<6f", *[1] * 6))
        wanted = {"z": [0, 2, 6, 12, 20, 30]}
        args = (self.model(), "--input", f"y={self.path('y.npy')}")
        self.assertEqual(self.numbers(*args, "--input", f"x={self.path('x.npy')}"), wanted)
        with open(self.path("x.npy"), "rb") as file:
            content = file.read()
        shown = self.succeeds("run", *args, "--input", "x=-", "-f", "json", stdin=content)
        self.refuses("one input only", "run", self.model(), "-i", "x=-", "-i", "y=-",
                     stdin=content)
        self.assertEqual(json.loads(shown)["outputs"][0]["value"]["data"]["values"], wanted["z"])

    def test_default_may_be_left_out(self):
        args = (self.model(with_default()), "--input", "x=float32[2]=1,2")
        self.assertEqual(self.numbers(*args), {"y": [10, 20]})
        self.assertEqual(self.numbers(*args, "--input", "scale=float32[]=3"), {"y": [3, 6]})
        self.refuses("no input 'scael' .did you mean scale", "run", *args, "-i", "scael=int8[]=1")

    def test_names_with_equals(self):
        content = model([node("Add", ["a=b", "a"], ["y"])],
                        [value("a", "int32", [1]), value("a=b", "int32", [1])],
                        [value("y", "int32", [1])])
        self.assertEqual(self.numbers(self.model(content.replace(b"Add", b"Sub")), "--input",
                                      "a=b=int32[1]=7", "--input", "a=int32[1]=2"), {"y": [5]})

    def test_functions_of_the_model(self):
        self.assertEqual(self.numbers(self.model(function_call()), "-i", "x=float32[3]=1,2,-3"),
                         {"y": [2, 6, 6]})

    def test_what_is_refused(self):
        path = self.model()
        x, y = ("--input", "x=float32[1,3]=1"), ("--input", "y=float32[1,3]=1")
        for pattern, args in (
                ("input 'y' is missing.*--input y=FILE.*--random.*x float32.N,3., y float32", x),
                ("no input 'xx'; it has: x float32.N,3., y float32", ("-i", "xx=int8[]=1")),
                ("no input 'float32.1.'", ("--input", "float32[1]=1")),
                ("not NAME=VALUE", ("--input", "x")),
                ("'x' is given twice", (*x, *x)),
                ("input 'x' is int32, but the model says float32", ("-i", "x=int32[1,3]=1", *y)),
                (r"input 'x' is \[1,4\].*3 for axis 1", ("-i", "x=float32[1,4]=1", *y)),
                (r"input 'x' is \[3\].*2 axes", ("-i", "x=float32[3]=1", *y)),
                ("dim 'N' is 1 .* 2", (*x, "-i", "y=float32[2,3]=1")),
                ("input 'x': .*missing.npy", ("-i", f"x={self.path('missing.npy')}", *y)),
                ("input 'x': .*'q' is no", ("-i", "x=float32[1]=q", *y)),
                ("--shape and --dim are for", (*x, *y, "--dim", "N=1")),
                ("both --input and --shape", (*x, *y, "--random", "1", "--shape", "x=1,3")),
                ("no input of the model has a dim 'M'.*there are: N", ("-r", "1", "--dim", "M=2")),
                ("not SYMBOL=NUMBER", ("-r", "1", "--dim", "N")),
                ("not a whole number", ("-r", "1", "--dim", "N=x")),
                ("not a whole number", ("-r", "1", "--dim", "N=-1")),
                ("--shape x=1,q", ("-r", "1", "--shape", "x=1,q")),
                (r"input 'x' is \[1,2\]", ("-r", "1", "--shape", "x=1,2")),
                ("would take .* this machine has", ("-r", "1", "--dim", "N=9999999999999")),
                ("--random '-1'", ("--random", "-1")),
                ("--repeat '0'", (*x, *y, "--repeat", "0"))):
            with self.subTest(args):
                self.refuses(pattern, "run", path, *args)
        self.refuses("a model is missing", "run")
        self.refuses("takes one model", "run", path, "x=int8[1]=1")

    def test_models_that_cannot_run(self):
        self.refuses("missing.onnx", "run", self.path("missing.onnx"))
        self.refuses("not an ONNX model|ir_version", "run", self.model(b""))
        self.refuses("byte", "run", self.model(gate()[:-5]))
        content = gate().replace(b"Mul", b"Mux")
        self.refuses("node 'mul': .*unknown operator 'Mux'|node 'mul'.*Mux", "run",
                     self.model(content), "--random", "1")

    def test_failing_run(self):
        content = model([node("Div", ["x", "y"], ["z"], "quotient")],
                        [value("x", "int32", [2]), value("y", "int32", [2])],
                        [value("z", "int32", [2])])
        self.refuses("quotient.*division by zero", "run", self.model(content), "-i",
                     "x=int32[2]=1", "-i", "y=int32[2]=1,0", "-o", f"z={self.path('z.npy')}",
                     "-d", self.path("results"))
        self.assertEqual(self.files(), [])


class Random(RunTest):
    def test_the_same_each_time_and_for_each_seed_another(self):
        args = (self.model(), "--dim", "N=4", "--random")
        first = self.numbers(*args, "1")
        self.assertEqual(len(first["z"]), 12)
        self.assertEqual(self.numbers(*args, "1"), first)
        self.assertEqual(self.numbers(*args, "1", "--threads", "2"), first)
        self.assertNotEqual(self.numbers(*args, "2"), first)

    def identity(self, dtype, *args):
        content = model([node("Identity", ["x"], ["y"])], [value("x", dtype, ["N"])],
                        [value("y", dtype, ["N"])])
        return self.numbers(self.model(content), "--random", "3", "--dim", "N=2000", *args)["y"]

    def test_ranges(self):
        for dtype in ("float32", "float64", "float16"):
            got = self.identity(dtype)
            self.assertTrue(all(-1 <= number < 1 for number in got), dtype)
            self.assertTrue(min(got) < -0.9 and max(got) > 0.9, dtype)
            self.assertLess(abs(sum(got)) / len(got), 0.05, dtype)
        for dtype in ("int8", "uint8", "int64"):
            self.assertEqual(set(self.identity(dtype)), set(range(11)), dtype)
        self.assertEqual(set(self.identity("bool")), {False, True})
        self.assertEqual(set(self.identity("string")), {str(number) for number in range(11)})

    def test_dims_follow_what_is_given(self):
        got = self.numbers(self.model(), "--random", "1", "-i", "x=float32[5,3]=0")
        self.assertEqual(got, {"z": [0] * 15})
        self.assertEqual(len(self.numbers(self.model(), "-r", "1", "--shape", "x=2x3")["z"]), 6)

    def test_no_fuse_gives_the_same_bits(self):
        args = ("run", self.model(), "--random", "1", "--dim", "N=1000")
        self.succeeds(*args, "-o", f"z={self.path('a.npy')}")
        self.succeeds(*args, "-o", f"z={self.path('b.npy')}", "--no-fuse")
        self.assertEqual(read_npy(self.path("a.npy")), read_npy(self.path("b.npy")))


class Outputs(RunTest):
    def test_files(self):
        args = ("run", self.model(), "--random", "1")
        self.assertEqual(self.succeeds(*args, "-o", f"z={self.path('z.npy')}"), "")
        descr, shape, _ = read_npy(self.path("z.npy"))
        self.assertEqual((descr, shape), ("<f4", (1, 3)))
        self.succeeds(*args, "-o", f"z={self.path('z.pb')}")
        self.assertEqual(self.succeeds("apply", "Identity", self.path("z.pb")),
                         self.succeeds("apply", "Identity", self.path("z.npy")))
        shown = json.loads(self.succeeds(*args, "-o", f"z={self.path('z.npy')}", "-f", "json"))
        self.assertEqual(shown, {"outputs": [{"name": "z", "file": self.path("z.npy")}]})
        self.assertEqual(self.files(), ["z.npy", "z.pb"])

    def test_folder_and_unsafe_names(self):
        result = run("run", self.model(two_outputs()), "-i", "x=float32[2]=1,-2", "--output-dir",
                     self.path("results"))
        self.assertEqual((result.code, result.out), (OK, ""), result)
        self.assertEqual(sorted(os.listdir(self.path("results"))), ["a_b_c.npy", "a_b_c_2.npy"])
        self.assertRegex(result.err, r"output 'a/b:c' is in .*results/a_b_c.npy")
        self.assertRegex(result.err, r"output 'a/b\?c' is in .*results/a_b_c_2.npy")
        self.assertEqual(read_npy(self.path("results/a_b_c.npy"))[2], struct.pack("<2f", -1, 2))
        self.assertEqual(read_npy(self.path("results/a_b_c_2.npy"))[2], struct.pack("<2f", 1, 2))

    def test_names_do_not_leave_the_folder(self):
        result = run("run", self.model(two_outputs("../up", "/etc/x")), "-i", "x=float32[2]=1",
                     "-d", self.path("results/"))
        self.assertEqual(result.code, OK, result)
        self.assertEqual(sorted(os.listdir(self.path("results"))), ["_._up.npy", "_etc_x.npy"])

    def test_types_that_numpy_lacks(self):
        self.succeeds("run", self.model(two_outputs("a", "b", "bfloat16")), "-i",
                      "x=bfloat16[2]=1,-2", "-d", self.path("results"))
        self.assertEqual(sorted(os.listdir(self.path("results"))), ["a.pb", "b.pb"])

    def test_all_or_nothing(self):
        path = self.model(two_outputs("a", "b"))
        old = self.write("a.npy", "old")
        args = ("run", path, "-i", "x=float32[2]=1", "-o", f"a={old}", "-o")
        for pattern, out in (("No such file", "no/such/b.npy"), ("Is a directory", "folder.npy"),
                             ("neither .npy nor .pb", "b.txt"), ("two outputs go to", "a.npy")):
            if out == "folder.npy":
                os.mkdir(self.path(out))
            self.refuses(pattern, *args, f"b={self.path(out)}")
            with open(old, "rb") as file:
                self.assertEqual(file.read(), b"old")
        self.refuses("cannot make the folder", *args[:-1], "-d", self.path("no/such"))
        self.refuses("cannot make the folder", *args[:-1], "-d", old)
        self.refuses("written twice", *args, f"a={self.path('b.npy')}")
        self.refuses("no output 'q'.*it has: a float32.2., b float32.2.", *args, "q=q.npy")
        self.assertEqual(self.files(), ["a.npy", "folder.npy"])

    def test_type_that_the_file_cannot_hold(self):
        self.refuses("bfloat16", "run", self.model(two_outputs("a", "b", "bfloat16")), "-i",
                     "x=bfloat16[2]=1", "-o", f"a={self.path('a.pb')}", "-o",
                     f"b={self.path('b.npy')}")
        self.assertEqual(self.files(), [])

    def test_links_and_devices(self):
        self.write("real.npy", "old")
        os.symlink("real.npy", self.path("link.npy"))
        args = ("run", self.model(), "--random", "1", "-o")
        self.succeeds(*args, f"z={self.path('link.npy')}")
        self.assertTrue(os.path.islink(self.path("link.npy")))
        self.assertEqual(read_npy(self.path("real.npy"))[1], (1, 3))
        self.assertEqual(self.files(), ["link.npy", "real.npy"])

    def test_names_that_are_no_text(self):
        path = self.model(two_outputs("a\xe9", "b").replace(b"a\xc3\xa9", b"a\xff\xfe"))
        self.assertEqual(self.succeeds("run", path, "-i", "x=float32[2]=1").split("\n")[0],
                         "a\ufffd\ufffd: float32[2]")
        for form in ("pretty", "dot", "json"):
            self.assertIn("a", self.succeeds("inspect", path, "-f", form))

    def test_repeat(self):
        args = ("run", self.model(), "--random", "1", "--repeat", "3")
        self.assertRegex(self.succeeds(*args), r"\n3 runs: first [\d.]+ ms, best [\d.]+ ms, mean")
        shown = json.loads(self.succeeds(*args, "-f", "json"))
        self.assertEqual(shown["runs"], 3)
        self.assertLessEqual(0, shown["seconds"]["best"])
        self.assertLessEqual(shown["seconds"]["best"], shown["seconds"]["first"])

    def test_terminal_is_told(self):
        shown = run_on_terminal("run", self.model(), "-r", "1", "-o", f"z={self.path('z.npy')}")
        self.assertEqual((shown.code, shown.out),
                         (OK, f"wrote float32[1,3] to {self.path('z.npy')}\n"))


class Garbage(RunTest):
    """Models that are nothing: a message, or a result; never a crash."""

    def check(self, content, *args):
        self.model(content)
        for command in (("run", "--random", "1"), ("inspect",), ("inspect", "-f", "dot"),
                        ("inspect", "-f", "json")):
            result = run(command[0], self.path("model.onnx"), *command[1:], *args)
            self.assertIn(result.code, (OK, 1, USAGE), result)
            if result.code == USAGE:
                self.assertTrue(result.err.startswith("broadloom: "), result)
                self.assertEqual(result.out, "", result)
            elif command[-1] == "json":
                json.loads(result.out)

    def test_cut(self):
        whole = with_default()
        for size in range(0, len(whole), 7):
            self.check(whole[:size])

    def test_changed(self):
        source = random.Random(30)
        for content in (gate(), with_default(), function_call(), two_outputs()):
            for _ in range(25):
                changed = bytearray(content)
                for _ in range(source.randint(1, 3)):
                    changed[source.randrange(len(changed))] = source.choice(
                        (0, 1, 127, 128, 255, source.randrange(256)))
                self.check(bytes(changed))

    def test_noise(self):
        source = random.Random(31)
        for size in (1, 10, 100, 1000):
            self.check(bytes(source.randrange(256) for _ in range(size)))

    def test_large_claims(self):
        huge = model([node("Add", ["x", "c"], ["y"])], [value("x", "float32", [1 << 40, 1 << 40])],
                     [value("y", "float32", [])], [tensor("c", "float32", [1 << 50], [1.0])])
        self.check(huge)
        self.check(body(7, b"\xff" * 9))


if __name__ == "__main__":
    unittest.main()
