"""texts_test.py - the manual page and the completion say what the tool says

SPDX-License-Identifier: Apache-2.0
"""
import os
import re
import shutil
import subprocess
import unittest

from tool import SOURCE, TOOL, ToolTest, run

PAGE = os.path.join(SOURCE, "man/broadloom.1")
COMPLETION = os.path.join(SOURCE, "completions/broadloom.bash")


def commands():
    """The commands that the tool's help lists."""
    listed = run("--help").out.split("Commands:\n")[1].split("\n\n")[0]
    return [line.split()[0] for line in listed.split("\n")]


def options(command):
    """A command's options by its help: {"-o --output", "--opset", ...}."""
    listed = run(command, "--help").out.split("Options:\n")[1].split("\n\n")[0]
    found = re.findall(r"(?m)^  (?:(-\w), |    )(--[\w-]+)", listed)
    return {f"{letter} {name}".strip() for letter, name in found}


class ManualPage(ToolTest):
    def setUp(self):
        super().setUp()
        with open(PAGE, encoding="utf-8") as file:
            self.page = file.read()

    def sections(self):
        """The part of the page on each command."""
        parts = re.split(r"(?m)^\.S[sh] (.*)$", self.page)
        return dict(zip(parts[1::2], parts[2::2]))

    def test_every_command_and_option(self):
        for command in commands():
            part = self.sections()[command]
            found = set()
            for item in re.findall(r"(?m)^\.It Fl (.*)$", part):
                names = re.match(r"(?:(\w) , )?-([\w-]+)", item)
                found.add((f"-{names.group(1)} " if names.group(1) else "") +
                          f"--{names.group(2)}")
            self.assertEqual(found | {"-h --help"}, options(command), command)
            synopsis = self.sections()["SYNOPSIS"]
            self.assertIn(f".Cm {command}\n", synopsis)

    def test_formats(self):
        for command in commands():
            for name in re.findall(r"pretty \(default\)(.*)", run(command, "--help").out):
                for word in re.findall(r"\b(json|tap|junit|markdown|dot|svg)\b", name):
                    self.assertIn(f".Cm {word}", self.sections()[command], command)

    def test_environment_and_exit_status(self):
        for word in ("Ev BL_ISA", "Ev NO_COLOR", "Sh EXIT STATUS", "Sh FILES", "Sh EXAMPLES"):
            self.assertIn(f".{word}" if word.startswith("Sh") else word, self.page)

    def test_examples_show_what_happens(self):
        shown = 0
        for block in re.findall(r"(?s)\.Bd -literal.*?\n(.*?)\.Ed", self.sections()["EXAMPLES"]):
            line, output = block.split("\n", 1)
            if not output:
                continue
            words = [word.strip("'") for word in line.split()]
            self.assertEqual(words[:2], ["$", "broadloom"])
            self.assertEqual(self.succeeds(*words[2:]), output)
            shown += 1
        self.assertGreaterEqual(shown, 2)

    def test_lint(self):
        checks = [command for command in
                  (["mandoc", "-T", "lint", "-W", "all", PAGE],
                   ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", PAGE])
                  if shutil.which(command[0])]
        if not checks:
            self.skipTest("neither mandoc nor man is here")
        for command in checks:
            done = subprocess.run(command, capture_output=True, check=False, timeout=60)
            said = done.stderr if command[0] == "man" else done.stdout + done.stderr
            self.assertEqual((done.returncode, said.decode()), (0, ""), command)


@unittest.skipUnless(shutil.which("bash"), "bash is not here")
class Completion(ToolTest):
    def bash(self, script, *args):
        done = subprocess.run(["bash", "-c", f'source "$0"; {script}', COMPLETION, *args],
                              capture_output=True, check=False, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, b""), script)
        return done.stdout.decode().split()

    def complete(self, *words):
        """The completions of the last word."""
        return self.bash('COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _broadloom; '
                         'printf "%s\\n" "${COMPREPLY[@]}"', TOOL, *words)

    def test_every_option(self):
        for command in commands():
            wanted = {name for both in options(command) for name in both.split()}
            self.assertEqual(set(self.bash(f"_broadloom_options {command}")), wanted, command)

    def test_commands(self):
        self.assertEqual(set(self.complete("")), set(commands()) | {"help", "--help", "--version"})
        self.assertEqual(self.complete("sh"), ["shape"])
        self.assertEqual(self.complete("help", "in"), ["info", "inspect"])

    def test_operators(self):
        self.assertEqual(self.complete("apply", "Whe"), ["Where"])
        self.assertEqual(self.complete("apply", "--opset", "7", "Whe"), ["Where"])
        self.assertEqual(self.complete("ops", "Ge"), ["Gelu", "Gemm"])
        self.assertEqual(self.complete("apply", "Add", "Whe"), [])

    def test_arguments_of_options(self):
        self.assertEqual(self.complete("conform", "--format", "j"), ["junit", "json"])
        self.assertEqual(self.complete("apply", "--backend", "r"), ["reference"])
        self.assertEqual(self.complete("inspect", "--format", "s"), ["svg"])
        self.assertEqual(self.complete("run", "--out"), ["--output", "--output-dir"])
        self.assertEqual(self.complete("apply", "--o"), ["--output", "--opset"])


if __name__ == "__main__":
    unittest.main()
