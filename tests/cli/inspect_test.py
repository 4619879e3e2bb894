"""inspect_test.py - broadloom inspect: what is in a model, its problems, its steps

SPDX-License-Identifier: Apache-2.0
"""
import json
import os
import re
import shutil
import unittest

from onnx_bytes import (body, function_call, gate, model, node, tensor, troubled, value,
                        with_default)
from tool import FAILED, OK, ToolTest, run


class InspectTest(ToolTest):
    def model(self, content):
        return self.write("model.onnx", content)

    def json(self, content, *args, code=OK):
        result = run("inspect", self.model(content), "--format", "json", *args)
        self.assertEqual((result.code, result.err), (code, ""), result)
        return json.loads(result.out)


class Facts(InspectTest):
    def test_pretty(self):
        shown = self.succeeds("inspect", self.model(gate()), "--dim", "N=1000")
        self.assertEqual(shown.replace(self.path("model.onnx"), "MODEL"), """\
MODEL: IR version 8, opset 13, 2 nodes, 0 initializers (0 bytes)
Inputs:
  x  float32[N,3]  here float32[1000,3]
  y  float32[N,3]  here float32[1000,3]
Outputs:
  z  float32[N,3]  here float32[1000,3]
Operators:
      1  Add-13
      1  Mul-13
Steps:
      1  group    reads 24 kB, writes 12 kB (apart: 72 kB)
         Add 'add', Mul 'mul'
  memory between steps: 0 bytes
""")

    def test_json(self):
        shown = self.json(with_default())
        self.assertEqual((shown["ir_version"], shown["opset"]), (8, 13))
        self.assertEqual(shown["initializers"], {"count": 1, "bytes": 4})
        self.assertEqual([(i["name"], i["has_default"], i["shape"]) for i in shown["inputs"]],
                         [("x", False, [2]), ("scale", True, [])])
        self.assertEqual(shown["outputs"][0]["here"], {"dtype": "float32", "shape": [2]})
        self.assertEqual(shown["operators"],
                         [{"domain": "", "operator": "Mul", "since": 13, "count": 1}])
        self.assertEqual(shown["nodes"][0]["inputs"], ["x", "scale"])
        self.assertEqual(shown["steps"],
                         [{"work": "group", "nodes": [0], "bytes_read": 12, "bytes_written": 8,
                           "bytes_apart": 20, "temporaries": 0}])

    def test_symbols_and_open_dims(self):
        content = model([node("Neg", ["x"], ["y"])], [value("x", "float32", ["N", None, 3])],
                        [value("y", "float32", ["N", None, 3])])
        shown = self.json(content, "--dim", "N=5")
        self.assertEqual(shown["inputs"][0]["shape"], ["N", None, 3])
        self.assertEqual(shown["inputs"][0]["here"]["shape"], [5, 1, 3])
        shown = self.json(content, "--shape", "x=7,8,3")
        self.assertEqual(shown["outputs"][0]["here"]["shape"], [7, 8, 3])

    def test_functions_are_inlined(self):
        shown = self.json(function_call())
        self.assertEqual([n["operator"] for n in shown["nodes"]], ["Mul", "Add"])
        self.assertEqual(shown["steps"][0]["nodes"], [0, 1])

    def test_shape_that_nothing_says(self):
        content = model([node("Neg", ["x"], ["y"])], [body(1, "x") + body(2, body(1, b"\x08\x01"))],
                        [value("y", "float32", [])])
        shown = self.json(content)
        self.assertRegex(shown["unexplained"], "shape of input 'x'")
        self.assertIsNone(shown["steps"])
        self.assertIn("Steps: not known: ", self.succeeds("inspect", self.path("model.onnx")))
        self.assertEqual(self.json(content, "-s", "x=4")["steps"][0]["bytes_read"], 16)

    def test_broadcast_operands_are_read_once(self):
        content = model([node("Add", ["x", "row"], ["y"])],
                        [value("x", "float32", [100, 8]), value("row", "float32", [8])],
                        [value("y", "float32", [100, 8])])
        step = self.json(content)["steps"][0]
        self.assertEqual((step["bytes_read"], step["bytes_written"]), (3200 + 32, 3200))

    def test_views_and_constants_cost_nothing(self):
        nodes = [node("Reshape", ["x", "shape"], ["flat"], "reshape"),
                 node("Add", ["one", "one"], ["two"], "fold"),
                 node("Mul", ["flat", "two"], ["y"], "mul")]
        content = model(nodes, [value("x", "float32", [2, 3])], [value("y", "float32", [6])],
                        [tensor("shape", "int64", [1], [-1]), tensor("one", "float32", [], [1.0])])
        shown = self.json(content)
        self.assertEqual([step["nodes"] for step in shown["steps"]], [[2]])
        self.assertEqual(shown["nodes"][0]["results"], [{"dtype": "float32", "shape": [6]}])
        self.assertRegex(self.succeeds("inspect", self.path("model.onnx")),
                         " 2  nodes cost nothing")

    def test_matrices_stand_alone(self):
        nodes = [node("MatMul", ["a", "b"], ["ab"], "product"), node("Relu", ["ab"], ["y"], "relu")]
        content = model(nodes, [value("a", "float32", [4, 5]), value("b", "float32", [5, 6])],
                        [value("y", "float32", [4, 6])])
        shown = self.json(content)
        self.assertEqual([step["work"] for step in shown["steps"]], ["product", "group"])
        self.assertEqual(shown["steps"][0]["bytes_read"], 4 * (4 * 5 + 5 * 6))
        self.assertEqual(shown["arena_bytes"], 128)

    def test_strings_run_node_by_node(self):
        content = model([node("Identity", ["x"], ["y"])], [value("x", "string", [2])],
                        [value("y", "string", [2])])
        shown = self.json(content)
        self.assertRegex(shown["unfused"], "strings")
        self.assertEqual([step["work"] for step in shown["steps"]], ["node"])
        self.assertIn("node by node: ", self.succeeds("inspect", self.path("model.onnx")))

    def test_what_is_refused(self):
        path = self.model(gate())
        for pattern, args in (
                ("no input 'q'", ("--shape", "q=1")), ("no input of the model", ("--dim", "M=1")),
                (r"input 'x' is \[2\]", ("--shape", "x=2")),
                (r"input 'x' is \[1,4\]", ("--shape", "x=1,4")),
                ("dim 'N' is", ("--shape", "x=1,3", "--shape", "y=2,3")),
                ("63 bits", ("--dim", "N=9223372036854775807")),
                ("--format 'xml' is unknown", ("--format", "xml")),
                ("No such file", ("-o", self.path("no/such.txt")))):
            with self.subTest(args):
                self.refuses(pattern, "inspect", path, *args)
        self.refuses("a model is missing", "inspect")
        self.refuses("one model", "inspect", path, path)
        self.refuses("missing.onnx", "inspect", self.path("missing.onnx"))
        self.refuses("byte", "inspect", self.model(gate()[:-3]))


class Problems(InspectTest):
    def test_all_of_them(self):
        shown = self.json(troubled(), code=FAILED)
        problems = {n["name"]: n["problem"]["message"] for n in shown["nodes"] if n["problem"]}
        self.assertEqual(set(problems), {"nonsense", "foreign", "short", "odd", "choose"})
        self.assertEqual(shown["problems"], 5)
        for name, pattern in (("nonsense", "Frobnicate"), ("foreign", "com.example"),
                              ("short", "2 inputs, not 1"), ("odd", "gamma"),
                              ("choose", "then_branch|subgraph|If")):
            self.assertRegex(problems[name], pattern)
            self.assertIn(f"'{name}'", problems[name])
        self.assertIsNone(shown["steps"])

    def test_pretty(self):
        result = run("inspect", self.model(troubled()))
        self.assertEqual((result.code, result.err), (FAILED, ""), result)
        part = result.out.split("Cannot run (5 of 8 nodes):\n")[1]
        self.assertEqual(len(part.strip().split("\n")), 5, result)
        self.assertRegex(result.out, r"1  com.example.Relu  \(unknown\)")

    def test_what_is_refused_when_it_is_run(self):
        self.refuses("'nonsense'", "run", self.model(troubled()), "--random", "1")

    def test_types_and_shapes(self):
        nodes = [node("Add", ["x", "y"], ["s"], "shapes"), node("Add", ["x", "i"], ["t"], "types"),
                 node("Neg", ["s"], ["after"], "after"), node("Not", ["x"], ["n"], "type")]
        content = model(nodes, [value("x", "float32", [2]), value("y", "float32", [3]),
                                value("i", "int32", [2])], [value("after", "float32", [2])])
        shown = self.json(content, code=FAILED)
        problems = {n["name"]: n["problem"]["status"] for n in shown["nodes"] if n["problem"]}
        self.assertEqual(problems, {"shapes": "shape", "types": "type", "type": "type"})

    def test_constants_that_cannot_be_computed(self):
        content = model([node("Div", ["one", "zero"], ["q"], "never"),
                         node("Add", ["x", "q"], ["y"], "add")],
                        [value("x", "int32", [1])], [value("y", "int32", [1])],
                        [tensor("one", "int32", [1], [1]), tensor("zero", "int32", [1], [0])])
        shown = self.json(content, code=FAILED)
        self.assertRegex(shown["nodes"][0]["problem"]["message"], "division by zero")


class Pictures(InspectTest):
    def test_dot(self):
        dot = self.succeeds("inspect", self.model(gate()), "-f", "dot")
        self.assertRegex(dot, r'(?s)^digraph model \{.*\}\n$')
        self.assertRegex(dot, r'(?s)subgraph cluster_1 \{\s*label="1: group, reads 24 bytes, '
                              r'writes 12 bytes".*n0 \[label="Add\\nadd"\];.*n1 .*  \}')
        self.assertRegex(dot, r'n0 -> n1 \[label="float32\[1,3\]"\]')
        self.assertRegex(dot, r'v0 -> n0;')
        self.assertRegex(dot, r'n1 -> o\d')

    def test_names_are_quoted(self):
        content = model([node("Neg", ['a"b\\'], ["y"], 'n"\\')], [value('a"b\\', "float32", [1])],
                        [value("y", "float32", [1])])
        dot = self.succeeds("inspect", self.model(content), "-f", "dot")
        self.assertIn(r'a\"b\\', dot)
        if shutil.which("dot"):
            self.assertIn("<svg", self.succeeds("inspect", self.path("model.onnx"), "-f", "svg"))

    def test_problems_are_marked(self):
        result = run("inspect", self.model(troubled()), "-f", "dot")
        self.assertEqual(result.code, FAILED)
        self.assertEqual(len(re.findall("fillcolor=\"#f4b6b6\"", result.out)), 5)

    def test_file(self):
        self.assertEqual(self.succeeds("inspect", self.model(gate()), "-f", "dot", "-o",
                                       self.path("model.dot")), "")
        with open(self.path("model.dot"), encoding="utf-8") as file:
            self.assertTrue(file.read().startswith("digraph"))
        self.assertEqual(sorted(os.listdir(self.folder)), ["model.dot", "model.onnx"])

    def stand_in(self, script):
        """A folder with a `dot` of ours."""
        os.mkdir(self.path("bin"))
        with open(self.path("bin/dot"), "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + script)
        os.chmod(self.path("bin/dot"), 0o755)
        return self.path("bin") + os.pathsep + os.environ["PATH"]

    def test_svg_goes_through_dot(self):
        path = self.stand_in('echo "<svg> $1"; cat\n')
        svg = self.succeeds("inspect", self.model(gate()), "-f", "svg", PATH=path)
        self.assertTrue(svg.startswith("<svg> -Tsvg\ndigraph"))

    def test_dot_that_fails(self):
        path = self.stand_in("exit 3\n")
        self.refuses("exit status 3", "inspect", self.model(gate()), "-f", "svg", "-o",
                     self.path("model.svg"), PATH=path)
        self.assertFalse(os.path.exists(self.path("model.svg")))

    def test_without_graphviz(self):
        self.refuses("Graphviz.*not installed", "inspect", self.model(gate()), "-f", "svg",
                     PATH=self.folder)

    @unittest.skipUnless(shutil.which("dot"), "Graphviz is not here")
    def test_graphviz(self):
        for content in (gate(), troubled(), function_call(), with_default()):
            result = run("inspect", self.model(content), "-f", "svg")
            self.assertEqual(result.err, "", result)
            self.assertIn("</svg>", result.out)


if __name__ == "__main__":
    unittest.main()
