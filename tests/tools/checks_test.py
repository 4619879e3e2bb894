#!/usr/bin/env python3
# checks_test.py - the checks in tools/ that are Python find the faults that are planted for them
# SPDX-License-Identifier: Apache-2.0
"""Each test lays out a small tree that is clean, sees that the check passes, and plants a fault."""
import importlib.util
import io
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from contextlib import redirect_stdout

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def tool(name):
    """A script of tools/ as a module."""
    spec = importlib.util.spec_from_file_location(name, os.path.join(ROOT, "tools", f"{name}.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Tree(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        return path


class Links(Tree):
    def faults(self, text):
        self.write("docs/other.md", "# Its `name`, twice\n## Twice\n## Twice\n<a id=\"here\"></a>\n")
        self.write("docs/code.c", "one\ntwo\n")
        self.write("man/broadloom.1", ".Xr broadloom 1\n")
        self.write("page.md", text)
        return list(tool("check_links").Checker(self.folder, False).faults())

    def test_good_links(self):
        self.assertEqual([], self.faults(
            "# Own\n[a](docs/other.md) [b](docs/other.md#its-name-twice) [c](docs/other.md#twice-1)\n"
            "[d](docs/other.md#here) [e](#own) [f](docs/code.c#L2) ![g](docs) [h][label] broadloom(1)\n"
            "`[x](nowhere)` <https://example.org/a> [i](https://example.org/b \"title\")\n"
            "```\n[y](nowhere)\n```\n[label]: docs/other.md\n"))

    def test_planted(self):
        for text, expected in (
                ("[a](docs/none.md)", "page.md:1: docs/none.md is not there"),
                ("\n[a](docs/other.md#none)", "page.md:2: docs/other.md#none has no heading #none"),
                ("[a](docs/other.md#twice-2)", "has no heading #twice-2"),
                ("[a](#none)", "#none has no heading"),
                ("[a](docs/code.c#L3)", "has no line L3"),
                ("[a](../outside.md)", "leads out of the tree"),
                ("[a](/etc/passwd)", "is neither a relative path"),
                ("[a](build/log)", "leads to what a build makes"),
                ("[a](https:///page)", "names no host"),
                ("<mailto:nobody>", "is no mail address"),
                ("<img src=\"none.png\">", "none.png is not there"),
                ("[a][none]", "[none] is defined nowhere"),
                ("See broadloom(7).", "there is no manual page broadloom(7)")):
            with self.subTest(text):
                found = self.faults(text + "\n")
                self.assertEqual(1, len(found), found)
                self.assertIn(expected, found[0])


class Workflows(Tree):
    GOOD = ("name: x\npermissions:\n  contents: read\n\njobs:\n  a:\n    runs-on: ubuntu-latest\n"
            "    timeout-minutes: 5\n    strategy:\n      matrix:\n        target:\n          - build # first\n"
            "          # then\n          - test\n"
            "    steps:\n      - uses: actions/checkout@v4\n      - run: make build FAST=1\n"
            "      - run: make ${{ matrix.target }}\n")

    def faults(self, text):
        found = tool("check_workflows").faults(text.splitlines(keepends=True), {"build", "test"})
        return [fault for _, fault in found]

    def test_good(self):
        self.assertEqual([], self.faults(self.GOOD))

    def test_planted(self):
        for old, new, expected in (
                ("make build", "make bulid", "the Makefile has no target bulid"),
                ("- build #", "- bulid #", "the Makefile has no target bulid"),
                ("- test\n", "- tset\n", "the Makefile has no target tset"),
                ("checkout@v4", "checkout@main", "actions/checkout@main is not actions/NAME@vMAJOR"),
                ("actions/checkout", "someone/checkout", "is not actions/NAME@vMAJOR"),
                ("make build FAST=1", "ctest --all", "'ctest --all' is not make"),
                ("contents: read", "contents: write", "the token of every job may write"),
                ("permissions:\n  contents: read\n", "", "no permissions: at the top"),
                ("    timeout-minutes: 5\n", "", "job a has no timeout-minutes")):
            with self.subTest(new or old):
                found = self.faults(self.GOOD.replace(old, new))
                self.assertEqual(1, len(found), found)
                self.assertIn(expected, found[0])


class Coverage(Tree):
    def setUp(self):
        super().setUp()
        self.coverage = tool("coverage")
        self.coverage.FLOORS = os.path.join(self.folder, "floor.json")

    @staticmethod
    def file(name, ran, lines, branches):
        return {"file": name, "lines": [
            {"line_number": i + 1, "count": int(i < ran), "gcovr/noncode": False,
             "branches": [{"count": int(i < ran)}] * branches} for i in range(lines)]}

    def judge(self, ran):
        rooms = self.coverage.count_rooms([self.file("src/base/a.c", ran, 100, 1),
                                           self.file("src/shape/b.c", 100, 100, 2)])
        floors = {}
        if os.path.exists(self.coverage.FLOORS):
            with open(self.coverage.FLOORS, encoding="utf-8") as text:
                floors = json.load(text)
        with redirect_stdout(io.StringIO()):
            return rooms, floors, self.coverage.print_table(rooms, floors)

    def test_floors_rise_and_hold(self):
        rooms, floors, faults = self.judge(90)
        self.assertIn("src/base/ has no floor; tools/coverage.py --raise gives it one", faults)
        self.coverage.raise_floors(rooms, floors)
        self.assertEqual([], self.judge(90)[2])
        self.assertEqual(89.5, self.judge(90)[1]["src/base"]["lines"])
        self.assertEqual(94.5, self.judge(90)[1]["src"]["lines"])
        self.assertIn("src/base/: 89.00 % of lines, the floor is 89.5 %", self.judge(89)[2])
        rooms, floors, faults = self.judge(50)
        self.assertIn("src/base/: 50.00 % of lines, the library is to have 90 %", faults)
        self.assertEqual(0, self.coverage.raise_floors(rooms, floors))
        self.assertEqual(89.5, self.judge(50)[1]["src/base"]["lines"])

    def test_a_room_that_is_gone(self):
        rooms, floors, _ = self.judge(90)
        floors["src/attic"] = {"lines": 1, "branches": 1}
        with redirect_stdout(io.StringIO()):
            faults = self.coverage.print_table(rooms, floors)
        self.assertIn("src/attic/ has a floor, and no file of it was measured", faults)

    def test_spans(self):
        self.assertEqual("1-3 7", self.coverage.spans([1, 2, 3, 7]))


@unittest.skipUnless(shutil.which("clang"), "there is no clang")
class Abi(Tree):
    HEADER = ("#define BL_MOST 64\ntypedef enum bl_e { BL_A = 0, BL_B } bl_e;\n"
              "typedef struct bl_s { int first; long second; union { float f; void *p; } value; } bl_s;\n"
              "__attribute__((visibility(\"default\"))) int bl_f(bl_s *s, bl_e e);\n")

    def run_abi(self, header, *more):
        path = self.write("bl.h", header)
        last = header.splitlines()[-1].rstrip(";")
        source = self.write("bl.c", f'#include "bl.h"\n{last}\n{{ return s != 0 && e; }}\n')
        library = os.path.join(self.folder, "libbl.so")
        subprocess.run(["cc", "-shared", "-fPIC", "-Wl,-soname,libbl.so.0", "-o", library, source], check=True)
        return subprocess.run([os.path.join(ROOT, "tools", "abi.py"), *more, library, path,
                               os.path.join(self.folder, "abi.txt")],
                              capture_output=True, text=True, check=False)

    def test_planted(self):
        self.assertEqual(0, self.run_abi(self.HEADER, "--write").returncode)
        same = self.run_abi(self.HEADER)
        self.assertEqual(0, same.returncode, same.stdout)
        self.assertIn("0 removed, 0 changed, 0 added", same.stdout)
        for old, new, expected in (
                ("BL_MOST 64", "BL_MOST 32", "changed: constant BL_MOST: was 64, is 32"),
                ("BL_A = 0, BL_B", "BL_A = 0, BL_C, BL_B", "changed: enum bl_e.BL_B: was 1, is 2"),
                ("BL_B }", "BL_B, BL_C }", "added: enum bl_e.BL_C = 2"),
                ("int first; ", "", "removed: struct bl_s.first (was int, 4 bytes at 0)"),
                ("int first;", "long first;", "changed: struct bl_s.first: was int, 4 bytes at 0, is long, 8"),
                ("float f;", "double f;", "changed: struct bl_s.value.f: was float, 4 bytes at 16, is double"),
                ("int bl_f(bl_s *s", "int bl_f(const bl_s *s", "changed: function bl_f: was int (bl_s *, bl_e)")):
            with self.subTest(new):
                done = self.run_abi(self.HEADER.replace(old, new))
                self.assertEqual(1, done.returncode, done.stdout + done.stderr)
                self.assertIn(expected, done.stdout)


class Bill(unittest.TestCase):
    def test_planted(self):
        good = {"metadata": {"component": {"bom-ref": "top", "version": "1", "licenses": [1]}},
                "components": [{"bom-ref": "a", "licenses": [1]}],
                "dependencies": [{"ref": "top", "dependsOn": ["a"]}]}
        faults = tool("sbom").faults
        self.assertEqual([], list(faults(good, "/nowhere")))
        twice = json.loads(json.dumps(good))
        twice["components"] *= 2
        self.assertEqual(["a is there twice"], list(faults(twice, "/nowhere")))
        dangling = json.loads(json.dumps(good))
        dangling["dependencies"][0]["dependsOn"] = ["b"]
        self.assertEqual(["b is depended on and not listed"], list(faults(dangling, "/nowhere")))
        bare = json.loads(json.dumps(good))
        del bare["components"][0]["licenses"]
        self.assertEqual(["a has no licence"], list(faults(bare, "/nowhere")))

    def test_files_of_the_tree(self):
        with tempfile.TemporaryDirectory() as tree:
            with open(os.path.join(tree, "tool"), "w", encoding="utf-8") as out:
                out.write("something else")
            part = {"bom-ref": "file:tool", "name": "tool", "licenses": [1],
                    "hashes": [{"alg": "SHA-256", "content": "0" * 64}]}
            bill = {"metadata": {"component": {"bom-ref": "top", "licenses": [1]}},
                    "components": [part], "dependencies": []}
            faults = tool("sbom").faults
            self.assertEqual(["tool has another hash than is listed"], list(faults(bill, tree)))
            bill["components"] = []
            self.assertEqual(["tool is there and not listed"], list(faults(bill, tree)))


if __name__ == "__main__":
    unittest.main()
