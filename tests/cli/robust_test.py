"""robust_test.py - output that cannot be written, colour, arguments nobody should give

SPDX-License-Identifier: Apache-2.0
"""
import json
import os
import random
import subprocess
import unittest

from tool import FAILED, OK, SOURCE, TOOL, ToolTest, USAGE, environment, run, run_on_terminal

GELU = os.path.join(SOURCE, "examples", "gelu", "gelu.onnx")
CASES = os.path.join(SOURCE, "fixtures", "Not.json")
PRINTING = (("--help",), ("--version",), ("help", "apply"), ("ops",), ("ops", "-f", "json"),
            ("ops", "-f", "markdown"), ("ops", "--names"), ("info",), ("info", "-f", "json"),
            ("shape", "2,3", "3"), ("shape", "2,3", "4"), ("shape", "2", "3", "-f", "json"),
            ("apply", "Add", "int8[2]=1", "int8[2]=2"),
            ("apply", "Identity", "int8[100000]=1", "--full"),
            ("apply", "Identity", "int8[100000]=1", "-f", "json"),
            ("run", GELU, "-r", "1"), ("run", GELU, "-r", "1", "-f", "json"),
            ("inspect", GELU), ("inspect", GELU, "-f", "json"), ("inspect", GELU, "-f", "dot"),
            ("conform", CASES), ("conform", CASES, "-f", "json"), ("conform", CASES, "-f", "tap"),
            ("conform", CASES, "-f", "junit"))


class Output(ToolTest):
    def check(self, args, result_code, err):
        self.assertEqual(result_code, USAGE, (args, err))
        self.assertRegex(err, "^broadloom: (cannot write to standard output|the report cannot "
                         "be written: )", args)

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full here")
    def test_full_disk(self):
        for args in PRINTING:
            with open("/dev/full", "wb") as full:
                result = run(*args, stdout=full)
            self.check(args, result.code, result.err)

    def test_closed_pipe(self):
        for args in PRINTING:
            reader, writer = os.pipe()
            os.close(reader)
            result = run(*args, stdout=writer)
            os.close(writer)
            self.check(args, result.code, result.err)
            self.assertIn("Broken pipe", result.err, args)

    def shell(self, line, *args):
        done = subprocess.run(["sh", "-c", f'"$0" "$@" {line}', TOOL, *args], check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=environment(), timeout=120)
        return done.returncode, done.stderr.decode()

    def test_closed_standard_output(self):
        for args in PRINTING:
            self.check(args, *self.shell(">&-", *args))

    def test_closed_streams_do_not_end_up_in_files(self):
        out = self.path("y.npy")
        self.assertEqual(self.shell("<&- >&- 2>&-", "apply", "Identity", "int8[1]=5", "-o", out),
                         (OK, ""))
        with open(out, "rb") as file:
            self.assertTrue(file.read().endswith(b"\n\x05"))
        self.assertEqual(self.shell("2>&-", "apply", "Div", "int8[1]=1", "int8[1]=0", "-o", out),
                         (USAGE, ""))
        with open(out, "rb") as file:
            self.assertTrue(file.read().endswith(b"\n\x05"))
        self.assertEqual(self.shell("<&-", "apply", "Identity", "-")[0], USAGE)


class Colour(ToolTest):
    def test_only_on_a_terminal(self):
        for args, code in ((("shape", "2", "3"), FAILED), (("ops", "Add"), OK), (("ops",), OK),
                           (("--help",), OK), (("nonesuch",), USAGE)):
            shown = run_on_terminal(*args)
            self.assertEqual(shown.code, code, shown)
            self.assertIn("\033[", shown.out, args)
            plain = run(*args)
            self.assertNotIn("\033", plain.out + plain.err)
            for quiet in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
                self.assertEqual(run_on_terminal(*args, **quiet).out, plain.out + plain.err)

    def test_empty_no_color_means_nothing(self):
        self.assertIn("\033[", run_on_terminal("ops", NO_COLOR="").out)

    def test_never_in_machine_formats(self):
        for args in (("ops", "-f", "json"), ("ops", "-f", "markdown"), ("ops", "--names"),
                     ("info", "-f", "json"), ("shape", "2", "3", "-f", "json"),
                     ("apply", "Identity", "int8[2]=1", "-f", "json")):
            self.assertNotIn("\033", run_on_terminal(*args).out, args)


class Arguments(ToolTest):
    """Whatever the arguments, there is an answer or a message; never a signal."""

    def test_known_bad(self):
        huge = "9" * 100000
        for args in (("apply", "Identity", "float32[9999999999,9999999999]=1"),
                     ("apply", "Identity", "float64[999999999999999]=1"),
                     ("apply", "Identity", "string[999999999999999]=a"),
                     ("apply", "Identity", f"int8[{huge}]=1"),
                     ("apply", "Identity", f"int8[1]={huge}"),
                     ("apply", "Identity", f"{huge}[1]=1"),
                     ("apply", "Identity", f"string[1]=\"{huge}"),
                     ("apply", "Identity", "]="), ("apply", "Identity", "[]="),
                     ("apply", "Identity", "=[]="), ("apply", "Identity", "int8[]"),
                     ("apply", "Identity", "int8]=1"), ("apply", "Identity", "undefined[1]=1"),
                     ("apply", "Identity", "int8[1]=\x01"), ("apply", "Identity", "int8[1]=\xff"),
                     ("apply", huge), ("apply", "."), ("apply", ".."), ("apply", "Add."),
                     ("apply", "Add", "--attr"), ("apply", "Add", "--attr", ""),
                     ("apply", "Add", "--opset", ""), ("apply", "Add", "--opset", "0"),
                     ("apply", "Add", "--opset", "-1"), ("apply", "Add", "--opset", "13.0"),
                     ("apply", "Add", "--opset", " 13"), ("apply", "Add", "--opset", huge),
                     ("apply", "Add", "--threads", huge), ("apply", "Add", "--name"),
                     ("apply", *["-"] * 3), ("apply", "Sum", "int8[1]=1", "--attr", f"{huge}=1"),
                     ("shape", huge), ("shape", "[" * 1000), ("shape", "\n"), ("shape", "2\n3"),
                     ("shape", "--axis", huge, "1", "1"), ("shape", "--", "--onto"),
                     ("ops", huge), ("ops", "%s%n"), (huge,), ("%s%n",), ("-",), ("--",),
                     ("conform", ""), ("conform", huge), ("conform", "--filter")):
            with self.subTest([arg[:50] for arg in args]):
                result = run(*args)
                self.assertEqual(result.code, USAGE, result.err[:300])
                self.assertTrue(result.err.startswith("broadloom: "), result.err[:300])
                self.assertEqual(result.out, "")

    def test_messages_are_one_line_of_visible_text(self):
        result = run("ops", "a\033[31m\nb")
        self.assertNotIn("\033", result.err)
        self.assertEqual(result.err.count("\n"), 1, result.err)

    def test_mutations(self):
        source = random.Random(20)
        good = (("apply", "Add", "float32[2,3]=1,2,3,4,5,6", "float32[3]=1,2,3"),
                ("apply", "Equal", 'string[2]="a","\\u00e9"', "string[2]=b,c"),
                ("apply", "Identity", "complex64[2]=(1,2),(3,NaN)"),
                ("apply", "Gemm", "float32[1,1]=1", "float32[1,1]=2", "none", "--attr", "alpha=2"),
                ("apply", "Sum", "float16[2]=1,2", "--opset", "1", "--attr",
                 "consumed_inputs=[0,1]"),
                ("shape", "2,3,4", "[3,1]", "--axis", "1"), ("shape", "2x3", "--onto", "[2,3]"),
                ("ops", "Add", "--format", "json"), ("info", "--format", "json"))
        for _ in range(300):
            args = list(source.choice(good))
            for _ in range(source.randint(1, 3)):
                at = source.randrange(len(args))
                word = args[at]
                cut = source.randrange(len(word) + 1)
                # No digits: a larger shape would only test the machine's memory.
                piece = source.choice(("", "[", "]", "=", ",", '"', "\\", "(", "-", ".", "x", " ",
                                       "é", "\x7f", "none", "=[", "]="))
                args[at] = word[:cut] + piece + word[cut + source.randint(0, 2):]
            result = run(*args)
            self.assertIn(result.code, (OK, FAILED, USAGE), result)
            if result.code == USAGE:
                self.assertTrue(result.err.startswith("broadloom: "), result)
                self.assertEqual(result.out, "", result)
            if result.code == OK and args[-2:] == ["--format", "json"]:
                json.loads(result.out)


if __name__ == "__main__":
    unittest.main()
