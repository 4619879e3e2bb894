"""commands_test.py - the tool itself, and broadloom ops, info, shape and conform

SPDX-License-Identifier: Apache-2.0
"""
import json
import os
import re
import unittest
import xml.etree.ElementTree as ElementTree

from tool import FAILED, OK, SOURCE, ToolTest, USAGE, run, run_on_terminal

COMMANDS = ("apply", "conform", "info", "ops", "shape")


class Main(ToolTest):
    def test_help(self):
        overview = self.succeeds("--help")
        for command in COMMANDS:
            self.assertRegex(overview, rf"(?m)^  {command} ")
            text = self.succeeds(command, "--help")
            self.assertTrue(text.startswith(f"Usage: broadloom {command} "), text)
            self.assertRegex(text, rf"(?m)^Examples:\n  .*broadloom {command}")
            self.assertEqual(self.succeeds("help", command), text)
            self.assertEqual(self.succeeds(command, "-h"), text)
        for same in (("help",), ("-h",)):
            self.assertEqual(self.succeeds(*same), overview)

    def test_version_is_the_headers(self):
        with open(os.path.join(SOURCE, "include/broadloom/broadloom.h"), encoding="utf-8") as file:
            numbers = re.findall(r"#define BL_VERSION_\w+ (\d+)", file.read())
        self.assertEqual(self.succeeds("--version"), f"broadloom {'.'.join(numbers)}\n")

    def test_unknown_commands(self):
        hint = self.refuses("a command is missing")
        self.assertIn("Try 'broadloom --help'.", hint)
        self.refuses("unknown command 'aply' .did you mean apply", "aply")
        self.refuses("unknown command 'zzzzzz'$", "zzzzzz")
        self.refuses("did you mean shape", "help", "shpae")
        self.refuses("unknown command ''", "")
        self.refuses("unknown option --nonesuch", "--nonesuch")
        self.refuses("help takes one command", "help", "ops", "info")

    def test_unknown_options(self):
        for command in COMMANDS:
            for option in ("--nonesuch", "-z", "--nonesuch=1"):
                hint = self.refuses(f"{command}: unknown .*option {option.split('=')[0]}$",
                                    command, option)
                self.assertIn(f"Try 'broadloom {command} --help'.", hint)
        self.refuses("option --format needs an argument", "ops", "--format")
        self.refuses("option -f needs an argument", "ops", "-f")
        self.refuses("option --full takes no argument", "apply", "--full=1")
        self.refuses("--format 'xml' is unknown .known: pretty, json, markdown", "ops", "-f", "xml")


class Ops(ToolTest):
    def test_overview(self):
        lines = self.succeeds("ops").split("\n")
        self.assertEqual(lines[0].split(), ["operator", "versions", "types", "rule", "ulp"])
        self.assertIn("Add             1 6 7 13 14                     12  multidirectional    0", lines)

    def test_formats_agree(self):
        operators = json.loads(self.succeeds("ops", "--format", "json"))
        names = [operator["name"] for operator in operators]
        self.assertEqual(names, self.succeeds("ops", "--names").split())
        self.assertEqual(names, sorted(names))
        overview = self.succeeds("ops")
        page = self.succeeds("ops", "--format", "markdown")
        for operator in operators:
            since = [version["since"] for version in operator["versions"]]
            self.assertIn(f"{operator['name']:15} {' '.join(map(str, since))} ", overview)
            self.assertIn(f"\n## {operator['name']}\n", page)
            self.assertIn(f" | {', '.join(map(str, since))} | ", page)

    def test_versions_follow_each_other(self):
        for operator in json.loads(self.succeeds("ops", "-f", "json")):
            versions = operator["versions"]
            for version, later in zip(versions, versions[1:]):
                self.assertEqual(version["until"] + 1, later["since"], operator["name"])

    def test_tables_have_even_rows(self):
        width = None
        for line in self.succeeds("ops", "-f", "markdown").split("\n"):
            if not line.startswith("|"):
                width = None
                continue
            cells = len(re.findall(r"(?<!\\)\|", line))
            self.assertEqual(cells, width or cells, line)
            width = cells

    def test_one_operator(self):
        text = self.succeeds("ops", "Gemm")
        self.assertRegex(text, r"\AGemm \(ai.onnx\): ")
        for part in ("Gemm-13, opset 13 to 28", "Gemm-6, opset 6\n", "C: T (optional)",
                     "alpha FLOAT = 1", "transB INT = 0", "unidirectional", "2 to 3", "bfloat16"):
            self.assertIn(part, text)
        self.assertNotRegex(text, r"(?m) $")
        self.assertIn("1 or more", self.succeeds("ops", "Sum"))
        self.assertIn("any number of times", self.succeeds("ops", "Sum"))
        self.assertIn("Within 1 ulp", self.succeeds("ops", "Pow"))
        self.assertEqual(self.succeeds("ops", "ai.onnx.Gemm"), text)
        one = json.loads(self.succeeds("ops", "Gemm", "-f", "json"))
        self.assertEqual((one["name"], one["versions"][-1]["since"]), ("Gemm", 13))

    def test_unknown_operator(self):
        self.refuses("did you mean Where", "ops", "Wher")
        self.refuses("unknown operator", "ops", "Nonesuch")
        self.refuses("unknown operator", "ops", "")
        self.refuses("one operator", "ops", "Add", "Sub")

    def test_the_page_in_docs_is_current(self):
        path = os.path.join(SOURCE, "docs/operators.md")
        if not os.path.exists(path):
            self.skipTest("docs/operators.md is not there")
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), self.succeeds("ops", "--format", "markdown"),
                             "make it anew: broadloom ops --format markdown > docs/operators.md")


class Info(ToolTest):
    def test_counts(self):
        info = json.loads(self.succeeds("info", "--format", "json"))
        operators = json.loads(self.succeeds("ops", "-f", "json"))
        versions = [version for operator in operators for version in operator["versions"]]
        self.assertEqual(info["operators"], len(operators))
        self.assertEqual(info["versions"], len(versions))
        self.assertEqual(info["triples"], sum(version["type_count"] for version in versions))
        self.assertEqual(f"broadloom {info['version']}\n", self.succeeds("--version"))
        self.assertGreaterEqual(info["threads"], 1)
        self.assertEqual(info["opsets"]["ai.onnx"][0], 1)
        self.assertIsNone(info["BL_ISA"])
        for key in ("version", "compiler", "machine", "processor"):
            self.assertIn(f"{key:10} {info[key]}", self.succeeds("info"))

    def test_isa_limit(self):
        self.assertRegex(self.succeeds("info", BL_ISA="baseline"),
                         r"(?m)^kernels +baseline \(BL_ISA=baseline\)$")
        info = json.loads(self.succeeds("info", "-f", "json", BL_ISA="baseline"))
        self.assertEqual((info["kernels"], info["BL_ISA"]), ("baseline", "baseline"))
        self.refuses("BL_ISA", "info", BL_ISA="mmx")

    def test_no_arguments(self):
        self.refuses("takes no argument, got 'x'", "info", "x")


class Shape(ToolTest):
    def misfit(self, *args):
        result = run("shape", *args)
        self.assertEqual((result.code, result.err), (FAILED, ""), result)
        return result.out

    def test_fits(self):
        self.assertEqual(self.succeeds("shape", "2,3,4", "[3,1]", "4"),
                         "axis       0  1  2\n"
                         "shape 0    2  3  4\n"
                         "shape 1       3  1\n"
                         "shape 2          4\n"
                         "------------------\n"
                         "result     2  3  4\n")

    def test_columns_are_as_wide_as_their_dims(self):
        self.assertEqual(self.succeeds("shape", "1000x1", "12"),
                         "axis          0   1\n"
                         "shape 0    1000   1\n"
                         "shape 1          12\n"
                         "-------------------\n"
                         "result     1000  12\n")

    def test_scalars_and_empty(self):
        self.assertEqual(self.succeeds("shape", "[]"),
                         "axis\nshape 0    []\n---------\nresult     []\n")
        self.assertTrue(self.succeeds("shape", "0,3", "1,1").endswith("result     0  3\n"))

    def test_misfit_is_marked_and_named(self):
        text = self.misfit("2,3,4", "5,1")
        self.assertTrue(text.startswith("axis       0  1  2\n"
                                        "shape 0    2  3  4\n"
                                        "shape 1       5  1\n"
                                        "------------------\n"
                                        "result     2  ?  4\n"
                                        "              ^\n"), text)
        self.assertRegex(text, r"\[2,3,4\].*\[5,1\].* axis 1 .*3 meets 5")
        self.assertIn(" 0 ", self.misfit("0", "2"))

    def test_onto(self):
        self.assertIn("onto       2  3\n", self.succeeds("shape", "--onto", "3", "1,1", "2,3"))
        self.assertIn("result     2  ?\n", self.misfit("2,3", "2,1", "--onto"))
        self.assertIn("axis          0\nshape 0    1  3\nonto          3\n",
                      self.misfit("1,3", "3", "--onto"))
        self.refuses("two shapes or more", "shape", "--onto", "2")

    def test_legacy_axis(self):
        fits = self.succeeds("shape", "--axis", "1", "2,3,4,5", "3,4")
        self.assertIn("shape 1       3  4\n", fits)
        self.assertTrue(fits.endswith("result     2  3  4  5\n"), fits)
        self.assertIn("shape 1    2\n", self.succeeds("shape", "2,3", "2", "--axis=-2"))
        self.assertIn("result     2  ?\n", self.misfit("2,3", "4", "--axis", "1"))
        for axis in ("3", "9", "-9", "9223372036854775807", "-9223372036854775808"):
            self.assertIn("^", self.misfit("--axis", axis, "2,3,4", "3,4"))
        self.refuses("needs two shapes, not 1", "shape", "--axis", "0", "2")
        self.refuses("--axis 'x'", "shape", "--axis", "x", "2", "2")
        self.refuses("do not go together", "shape", "--axis", "0", "--onto", "2", "2")

    def test_bad_shapes(self):
        for text, message in (("", "a scalar is written"), ("2,", "missing"), ("2,a", "missing"),
                              ("[2", "missing"), ("2]", "unexpected"), ("[2,3]x", "unexpected"),
                              ("2x3,4", "both"), ("9223372036854775808", "63 bits"),
                              (",".join(["1"] * 65), "more than 64"), ("[-1]", "negative"),
                              ("1," * 60000, "more than 64"), ("2 3", "unexpected")):
            lines = self.refuses(message, "shape", "1", text).split("\n")
            self.assertEqual(lines[2].strip(), "^")
        self.refuses("a shape is missing", "shape")
        self.assertEqual(run("shape", "-1,2").code, USAGE)

    def test_largest(self):
        self.succeeds("shape", ",".join(["2"] * 64), "2,1")
        self.assertIn(" 9223372036854775807\n", self.succeeds("shape", "9223372036854775807", "1"))

    def test_json(self):
        fits = json.loads(self.succeeds("shape", "2,1", "3", "-f", "json"))
        self.assertEqual(fits, {"rule": "multidirectional", "shapes": [[2, 1], [3]], "fits": True,
                                "result": [2, 3], "misfit_axes": [], "message": None})
        bad = json.loads(self.misfit("2,4", "3,5", "-f", "json"))
        self.assertEqual((bad["fits"], bad["result"], bad["misfit_axes"]), (False, None, [0, 1]))
        self.assertIn("meets", bad["message"])


FIXTURE = {
    "op": "ai.onnx.Add",
    "cases": [
        {"name": name, "inputs": {
            "a": {"dtype": "int32", "shape": [2], "data": {"kind": "values", "values": [1, 2]}},
            "b": {"dtype": "int32", "shape": [], "data": {"kind": "constant", "value": 3}}},
         "outputs": {
            "c": {"dtype": "int32", "shape": [2], "data": {"kind": "values", "values": wanted}}},
         **more}
        for name, wanted, more in (
            ("right", [4, 5], {}),
            ("skipped", [4, 5], {"skipGpu": {"category": "permanent", "reason": "no integers"}}),
            ("wrong", [4, 6], {}))
    ]
}


class Conform(ToolTest):
    def setUp(self):
        super().setUp()
        self.fixture = self.write("add.json", json.dumps(FIXTURE))

    def conform(self, *args):
        result = run("conform", *args, self.fixture)
        self.assertEqual(result.err, "", result)
        return result

    def test_totals_and_exit(self):
        for args, totals, code in (
                ((), "2 passed, 1 failed, 0 skipped", FAILED),
                (("--honour-skips",), "1 passed, 1 failed, 1 skipped", FAILED),
                (("--filter", "r*"), "1 passed, 0 failed, 0 skipped", OK),
                (("-k", "*add.json:right"), "1 passed, 0 failed, 0 skipped", OK),
                (("--backend", "reference"), "2 passed, 1 failed, 0 skipped", FAILED)):
            with self.subTest(args):
                result = self.conform(*args)
                self.assertEqual(result.code, code, result)
                self.assertEqual(result.out.rstrip("\n").split("\n")[-1], totals)

    def test_failure_is_named(self):
        self.assertIn("wrong", self.conform().out)
        self.assertNotIn("right", self.conform().out)
        self.assertIn("right", self.conform("--verbose").out)

    def test_formats(self):
        tap = self.conform("--format", "tap").out
        self.assertIn("1..3", tap)
        self.assertEqual(len(re.findall(r"(?m)^ok ", tap)), 2)
        self.assertEqual(len(re.findall(r"(?m)^not ok ", tap)), 1)
        junit = ElementTree.fromstring(self.conform("--format", "junit").out)
        self.assertEqual(len(list(junit.iter("testcase"))), 3)
        self.assertEqual(len(list(junit.iter("failure"))), 1)
        self.assertIsInstance(json.loads(self.conform("--format", "json").out), (dict, list))

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full here")
    def test_full_disk(self):
        for form in ("pretty", "tap", "junit", "json"):
            with open("/dev/full", "wb") as full:
                result = run("conform", "-f", form, self.fixture, stdout=full)
            self.assertEqual(result.code, USAGE, result)
            self.assertRegex(result.err, r"\Abroadloom: .*cannot be written.*\n\Z")

    def test_progress_is_for_terminals_and_goes_away(self):
        self.write("b.json", json.dumps({**FIXTURE, "cases": FIXTURE["cases"][:1]}))
        shown = run_on_terminal("conform", self.folder, NO_COLOR="1").out
        self.assertIn("1/2 files, 2 passed, 1 failed", shown)
        # What a terminal leaves of each line: that behind the last wipe.
        kept = "\n".join(line.split("\r\033[K")[-1] for line in shown.split("\n"))
        self.assertEqual(kept, run("conform", self.folder).out)
        self.assertIn("\033[31m", run_on_terminal("conform", self.fixture).out)

    def test_usage(self):
        self.refuses("a file or a folder is missing", "conform")
        self.refuses("missing.json", "conform", self.path("missing.json"))
        self.refuses("did you mean reference", "conform", "-b", "referense", self.fixture)
        self.refuses("unknown backend", "conform", "-b", "quantum", self.fixture)
        self.refuses("nothing.*|no case", "conform", "-k", "nothing-like-it", self.fixture)
        os.mkdir(self.path("empty"))
        self.refuses("empty", "conform", self.path("empty"))


if __name__ == "__main__":
    unittest.main()
