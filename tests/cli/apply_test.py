"""apply_test.py - broadloom apply: inputs, attributes, what is printed and written

SPDX-License-Identifier: Apache-2.0
"""
import json
import os
import struct
import unittest

from tool import OK, ToolTest, read_npy, run, run_on_terminal, values, write_npy


class Printing(ToolTest):
    def apply(self, *args):
        return self.succeeds("apply", *args)

    def test_the_smallest_integer_by_minus_one(self):
        self.assertEqual(self.apply("Div", "int32[2]=-2147483648,7", "int32[2]=-1,2"),
                         "int32[2]\n[-2147483648 3]\n")

    def test_scalar(self):
        self.assertEqual(self.apply("Add", "float32[]=0.1", "float32[]=2"), "float32[]\n2.1\n")

    def test_matrix_is_aligned(self):
        self.assertEqual(self.apply("Add", "float32[2,3]=1,2,3,4,5,6", "float32[3]=10,20,-0.5"),
                         "float32[2,3]\n[[ 11  22 2.5]\n [ 14  25 5.5]]\n")

    def test_profile_counts_the_bytes_of_each_step(self):
        for words, step in ((["MatMul", "float32[2,3,4]=1", "float32[2,4,5]=2"], "376  MatMul"),
                            (["Add", "float32[2,3]=1", "float32[3]=2"], "60  Add")):
            done = run("apply", *words, "--profile")
            self.assertEqual(done.code, OK)
            lines = [line.split() for line in done.err.splitlines()]
            self.assertEqual(lines[0], ["us", "bytes", "GB/s", "step"])
            self.assertEqual([lines[1][1], lines[1][3]], step.split())
            self.assertEqual(lines[2][1], "all")

    def test_planes_are_set_apart(self):
        self.assertEqual(self.apply("Identity", "int8[2,2,2]=1,2,3,4,5,6,7,-8"),
                         "int8[2,2,2]\n[[[ 1  2]\n  [ 3  4]]\n\n [[ 5  6]\n  [ 7 -8]]]\n")

    def test_empty(self):
        self.assertEqual(self.apply("Identity", "float32[0]="), "float32[0]\n[]\n")
        self.assertEqual(self.apply("Identity", "int8[1000000000,0]="),
                         "int8[1000000000,0]\n[]\n")

    def test_long_arrays_are_summarised(self):
        self.assertEqual(self.apply("Identity", "uint8[1001]=7"),
                         "uint8[1001]\n[7 7 7 ... 7 7 7]\n")
        self.assertEqual(self.apply("Identity", "uint8[2,501]=7"),
                         "uint8[2,501]\n[[7 7 7 ... 7 7 7]\n [7 7 7 ... 7 7 7]]\n")
        tall = self.apply("Identity", "uint8[501,2]=7").split("\n")
        self.assertEqual(tall[1:5], ["[[7 7]", " [7 7]", " [7 7]", " ..."])
        self.assertEqual(len(tall), 9)

    def test_no_more_than_1000_or_full_are_not(self):
        row = "[" + " ".join(["7"] * 1000) + "]"
        self.assertEqual(self.apply("Identity", "uint8[1000]=7"), f"uint8[1000]\n{row}\n")
        row = "[" + " ".join(["7"] * 1001) + "]"
        self.assertEqual(self.apply("Identity", "uint8[1001]=7", "--full"),
                         f"uint8[1001]\n{row}\n")

    def test_special_values(self):
        self.assertEqual(self.apply("Identity", "float64[4]=NaN,Infinity,-Infinity,1e300"),
                         "float64[4]\n[NaN Infinity -Infinity 1e+300]\n")
        self.assertEqual(self.apply("Identity", "bool[2]=true,0"),
                         "bool[2]\n[true false]\n")
        self.assertEqual(self.apply("Identity", "complex64[2]=(1,2), (NaN,-3)"),
                         "complex64[2]\n[(1,2) (NaN,-3)]\n")

    def test_strings(self):
        self.assertEqual(
            self.apply("Identity", r'string[4]="a, b", plain ,"\u00e9\ud83d\ude00",""'),
            'string[4]\n["a, b" "plain" "é😀" ""]\n')
        self.assertEqual(self.apply("Identity", r'string[]="\"\\\/\b\f\n\r\t\u0000"'),
                         'string[]\n"\\"\\\\/\\b\\f\\n\\r\\t\\u0000"\n')

    def test_json_is_a_fixture_tensor(self):
        shown = self.apply("Identity", "float32[2,2]=0.1,-0.0,NaN,-Infinity", "--format", "json")
        self.assertEqual(json.loads(shown),
                         {"dtype": "float32", "shape": [2, 2],
                          "data": {"kind": "values", "values": [0.1, 0.0, "NaN", "-Infinity"]}})
        self.assertIn("[0.1, -0.0, ", shown)
        self.assertEqual(values(self.apply("Identity", "uint64[]=18446744073709551615",
                                           "-f", "json")), [18446744073709551615])
        self.assertEqual(values(self.apply("Identity", "complex128[]=(1.5,-2)", "-f", "json")),
                         [[1.5, -2]])
        self.assertEqual(values(self.apply("Identity", r'string[1]="a\n"', "-f", "json")), ["a\n"])
        self.assertEqual(values(self.apply("Identity", "bool[1]=1", "-f", "json")), [True])
        self.assertEqual(values(self.apply("Identity", "int8[3,0]=", "-f", "json")), [])


class Literals(ToolTest):
    def caret(self, literal):
        """Where the caret stands under a literal that is wrong, as an offset."""
        lines = self.refuses("input 1: ", "apply", "Identity", literal).split("\n")
        self.assertEqual(lines[1], "  " + literal)
        self.assertEqual(lines[2].strip(), "^")
        return lines[2].index("^") - 2

    def test_spaces_mean_nothing(self):
        self.assertEqual(self.succeeds("apply", "Identity", " int8 [ 2 , 1 ] = 1 , 2 "),
                         "int8[2,1]\n[[1]\n [2]]\n")

    def test_names_of_types(self):
        for name, shown in (("float", "float32"), ("double", "float64"), ("int4", "int4")):
            self.assertEqual(self.succeeds("apply", "Identity", f"{name}[1]=1"),
                             f"{shown}[1]\n[1]\n")

    def test_one_value_fills(self):
        self.assertEqual(self.succeeds("apply", "Identity", "int16[2,3]=5"),
                         "int16[2,3]\n[[5 5 5]\n [5 5 5]]\n")
        self.assertEqual(self.succeeds("apply", "Identity", "string[3]=x"),
                         'string[3]\n["x" "x" "x"]\n')
        self.assertEqual(self.succeeds("apply", "Identity", "int16[0]=5"), "int16[0]\n[]\n")

    def test_caret_stands_under_the_fault(self):
        for literal, at in (
                ("float33[2]=1,2", 0), ("[2]=1", 0), ("float32[2,x]=1,2", 10),
                ("float32[-1]=1", 8), ("float32[2,]=1", 10), ("float32[2 3]=1", 10),
                ("float32[2]x=1", 10), ("float32[3]=1,y,3", 13), ("float32[3]=1,,3", 13),
                ("float32[3]=1,2,", 15), ("int8[2]=1,128", 10), ("uint8[1]=-1", 9),
                ('string[2]="a","b', 14), (r'string[1]="a\q"', 12), (r'string[1]="\ud800"', 11),
                ('string[2]="a" b', 14), ("string[1]=", 10), ("complex64[1]=(1,2", 13),
                ("complex64[1]=1", 13), ("float32[9999999999,9999999999]=1", 8),
                ("float32[99999999999999999999]=1", 8), ("int32[99999999999999]=1", 6),
                ("int32[2x3,4]=1", 9)):
            with self.subTest(literal):
                self.assertEqual(self.caret(literal), at)

    def test_value_count(self):
        self.refuses(r"shape \[2,3\] has 6 elements, but here are 5 values",
                     "apply", "Identity", "int8[2,3]=1,2,3,4,5")
        self.refuses(r"has 0 elements, but here are 2", "apply", "Identity", "int8[0]=1,2")

    def test_long_literals_are_shown_around_the_fault(self):
        literal = "int8[1000]=" + "1," * 500 + "x," + "1," * 498 + "1"
        lines = self.refuses("'x' is no integer", "apply", "Identity", literal).split("\n")
        self.assertLess(len(lines[1]), 90)
        self.assertEqual(lines[1][lines[2].index("^")], "x")

    def test_rank(self):
        self.assertIn("[1,", self.succeeds("apply", "Identity", f"int8[{'1,' * 63}1]=1"))
        self.refuses("more than 64 dims", "apply", "Identity", f"int8[{'1,' * 64}1]=1")
        self.refuses("more than 64 dims", "apply", "Identity", f"int8[{'1,' * 50000}1]=1")

    def test_suggestion(self):
        self.refuses("did you mean float32", "apply", "Identity", "flaot32[1]=1")


class Files(ToolTest):
    def test_npy_in_and_out(self):
        write_npy(self.path("a.npy"), "<i4", (2, 2), struct.pack("<4i", 1, 2, 3, 4))
        self.assertEqual(self.succeeds("apply", "Add", self.path("a.npy"), "int32[2]=10,20",
                                       "-o", self.path("y.npy")), "")
        self.assertEqual(read_npy(self.path("y.npy")),
                         ("<i4", (2, 2), struct.pack("<4i", 11, 22, 13, 24)))
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.npy", "y.npy"])

    def test_pb_out_and_in(self):
        self.succeeds("apply", "Identity", "bfloat16[2]=1.5,-2", "-o", self.path("y.pb"))
        self.assertEqual(self.succeeds("apply", "Identity", self.path("y.pb")),
                         "bfloat16[2]\n[1.5 -2]\n")

    def test_standard_input(self):
        write_npy(self.path("a.npy"), "<i4", (1,), struct.pack("<i", 7))
        with open(self.path("a.npy"), "rb") as file:
            content = file.read()
        self.assertEqual(self.succeeds("apply", "Add", "-", "int32[]=1", stdin=content),
                         "int32[1]\n[8]\n")
        self.refuses("one input only", "apply", "Add", "-", "-", stdin=content)
        self.refuses("stdin", "apply", "Identity", "-", stdin=b"")

    def test_unreadable_files(self):
        self.refuses("input 2: .*missing.npy", "apply", "Add", "int8[1]=1",
                     self.path("missing.npy"))
        self.refuses("a literal is written", "apply", "Identity", "float32[2")
        self.refuses("input 1", "apply", "Identity", self.folder)
        self.refuses("cut.npy", "apply", "Identity", self.write("cut.npy", b"\x93NUMPY\x01"))

    def test_brackets_in_a_path(self):
        name = self.path("a[1]=2.npy")
        write_npy(name, "|i1", (1,), b"\x05")
        self.assertEqual(self.succeeds("apply", "Identity", name), "int8[1]\n[5]\n")

    def test_failure_leaves_the_old_file(self):
        out = self.write("y.npy", "old")
        self.refuses("division by zero", "apply", "Div", "int8[1]=1", "int8[1]=0", "-o", out)
        self.refuses("bfloat16", "apply", "Identity", "bfloat16[1]=1", "-o", out)
        with open(out, "rb") as file:
            self.assertEqual(file.read(), b"old")
        self.assertEqual(os.listdir(self.folder), ["y.npy"])

    def test_failure_makes_no_file(self):
        for name, message in (("no/such/y.npy", "No such file"), ("y.txt", "ending"),
                              ("y", "ending")):
            self.refuses(message, "apply", "Identity", "int8[1]=1", "-o", self.path(name))
        self.refuses("ending", "apply", "Identity", "int8[1]=1", "-o", "")
        self.assertEqual(os.listdir(self.folder), [])

    def test_terminal_is_told(self):
        shown = run_on_terminal("apply", "Identity", "int8[1]=1", "-o", self.path("y.npy"))
        self.assertEqual((shown.code, shown.out),
                         (OK, f"wrote int8[1] to {self.path('y.npy')}\n"))


class Operators(ToolTest):
    def test_versions(self):
        self.refuses("bfloat16", "apply", "Add", "bfloat16[1]=1", "bfloat16[1]=1", "--opset", "7")
        self.succeeds("apply", "ai.onnx.Add", "bfloat16[1]=1", "bfloat16[1]=1", "--opset", "13")
        self.assertEqual(self.succeeds("apply", "Add", "float32[2,3]=1", "float32[2]=1,2",
                                       "--opset", "6", "--attr", "broadcast=1", "--attr=axis=0"),
                         "float32[2,3]\n[[2 2 2]\n [3 3 3]]\n")
        self.refuses("--opset '99'", "apply", "Add", "int8[1]=1", "int8[1]=1", "--opset", "99")
        self.refuses("opset 9", "apply", "Where", "bool[1]=1", "int8[1]=1", "int8[1]=1",
                     "--opset", "8")

    def test_unknown(self):
        self.refuses("unknown operator 'Ad' .did you mean Add", "apply", "Ad")
        self.refuses("did you mean Where", "apply", "where")
        self.refuses("unknown operator 'Nonesuch'", "apply", "Nonesuch")
        self.refuses("com.example", "apply", "com.example.Add", "int8[1]=1", "int8[1]=1")
        self.refuses("operator", "apply", "")
        self.refuses("operator", "apply", ".Add")
        self.refuses("operator is missing", "apply")

    def test_absent_inputs(self):
        for absent in ("none", ""):
            self.assertEqual(self.succeeds("apply", "Gemm", "int32[1,1]=2", "int32[1,1]=3", absent),
                             "int32[1,1]\n[[6]]\n")
        self.refuses("absent", "apply", "Add", "int8[1]=1", "none")

    def test_arity_and_shapes(self):
        self.refuses("Add", "apply", "Add", "int8[1]=1")
        self.refuses("Add", "apply", "Add")
        self.refuses(r"Add.*\[2\].*\[3\]", "apply", "Add", "int8[2]=1", "int8[3]=1")

    def test_arithmetic_errors_name_node_and_index(self):
        message = self.refuses("division by zero", "apply", "Div", "int32[2,2]=1",
                               "int32[2,2]=1,1,0,1", "--name", "quotient")
        self.assertIn("quotient", message)
        self.assertIn("[1,0]", message)

    def test_attributes(self):
        gemm = ("apply", "Gemm", "float32[1,2]=1,2", "float32[1,2]=3,4", "float32[]=1")
        self.assertEqual(self.succeeds(*gemm, "--attr", "transB=1", "--attr", "alpha=2",
                                       "-a", "beta=-0.5"), "float32[1,1]\n[[21.5]]\n")
        self.refuses("alpha of Gemm is FLOAT.*'x'", *gemm, "--attr", "alpha=x")
        self.refuses("transB of Gemm is INT", *gemm, "--attr", "transB=1.5")
        self.refuses("transB of Gemm is INT", *gemm, "--attr", "transB=[1]")
        self.refuses("gamma", *gemm, "--attr", "gamma=1")
        self.refuses("gamma", *gemm, "--attr", "gamma=[1,2.5]")
        self.refuses("gamma", *gemm, "--attr", "gamma=[a,b]")
        self.refuses("not name=value", *gemm, "--attr", "alpha")
        self.refuses("not name=value", *gemm, "--attr", "=1")
        self.refuses("a list is written", "apply", "Sum", "float32[1]=1", "--opset", "1",
                     "--attr", "consumed_inputs=1,2")
        self.succeeds("apply", "Sum", "float32[1]=1", "--opset", "1", "--attr",
                      "consumed_inputs=[0,1]")

    def test_backends_and_threads_agree(self):
        args = ("apply", "Pow", "float32[3]=2,0.5,-3", "int32[3]=3,-2,3")
        wanted = self.succeeds(*args)
        self.assertEqual(wanted, "float32[3]\n[8 4 -27]\n")
        self.assertEqual(self.succeeds(*args, "--backend", "reference"), wanted)
        self.assertEqual(self.succeeds(*args, "--threads", "2"), wanted)
        self.assertEqual(self.succeeds(*args, "--threads", "0"), wanted)
        self.refuses("division by zero|no result|zero", "apply", "Div", "int8[1]=1", "int8[1]=0",
                     "--backend", "reference")
        self.refuses("unknown backend 'gpu'", *args, "--backend", "gpu")
        self.refuses("known: cpu, vulkan, vulkan:N, reference", *args, "--backend", "elsewhere")
        self.refuses("unknown backend 'vulkan:x'", *args, "--backend", "vulkan:x")
        self.refuses("--threads", *args, "--threads", "-1")
        self.refuses("--threads", *args, "--threads", "two")


if __name__ == "__main__":
    unittest.main()
