#!/usr/bin/env python3
"""tool_sweep.py - fail each allocation of the tool's commands once, and see that it takes it well

SPDX-License-Identifier: Apache-2.0

usage: tool_sweep.py [--quick] TOOL FAILING_CALLS

FAILING_CALLS is tests/alloc/failing_calls.c as a shared library, which goes before the C library.  For
each command and each n below the number of its allocations: the n-th fails, alone, and then with all after
it.  Every time the tool has to exit with 2 and one line on standard error, or, where the allocation was not
needed, do and print what it does otherwise; there is no signal, no half file and no temporary one.

Commands with more than MOST allocations are tried at that many places, spread evenly: half of them alone, half
onward.  --quick tries 6 places of each command.
"""
import os
import re
import struct
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(SOURCE, "tests", "cli"))
from onnx_bytes import function_call, gate, troubled, two_outputs, with_default  # noqa: E402

MOST = 400
TIMEOUT_S = 120
FIXTURES = os.path.join(SOURCE, "fixtures")

MODELS = {"gate.onnx": gate(), "two.onnx": two_outputs("a", "b"), "call.onnx": function_call(),
          "default.onnx": with_default(), "troubled.onnx": troubled()}

COMMANDS = (
    ("--help",), ("help", "apply"), ("--version",),
    ("info",), ("info", "-f", "json"),
    ("ops",), ("ops", "Add", "-f", "json"), ("ops", "-f", "markdown"), ("ops", "--names"),
    ("shape", "2,3", "3"), ("shape", "2,3", "3", "-f", "json"),
    ("apply", "Add", "float32[2,3]=1,2,3,4,5,6", "float32[3]=1,2,3"),
    ("apply", "Add", "float32[2,3]=1", "float32[3]=1", "-f", "json", "-t", "3"),
    ("apply", "StringConcat", "string[2]=a,b", 'string[]="c d"'),
    ("apply", "Gemm", "float32[2,2]=1", "float32[2,2]=2", "--attr", "alpha=2", "-o", "y.npy"),
    ("apply", "Slice", "int8[4]=1,2,3,4", "int64[1]=1", "int64[1]=3", "-o", "y.pb"),
    ("apply", "Add", "int8[2]=1,2", "int8[]=1", "--backend", "reference"),
    ("apply", "Identity", "in.npy"),
    ("run", "gate.onnx", "-i", "x=float32[1,3]=1,2,3", "-i", "y=float32[1,3]=10"),
    ("run", "two.onnx", "-i", "x=float32[2]=1,2", "-o", "a=a.npy", "-o", "b=b.pb"),
    ("run", "call.onnx", "-r", "1", "-d", "out"),
    ("run", "default.onnx", "-r", "1", "-f", "json", "--no-fuse"),
    ("inspect", "gate.onnx", "--dim", "N=2"), ("inspect", "troubled.onnx"),
    ("inspect", "call.onnx", "-f", "json"), ("inspect", "two.onnx", "-f", "dot", "-o", "g.dot"),
    ("conform", os.path.join(FIXTURES, "Not.json")),
    ("conform", os.path.join(FIXTURES, "StringConcat.json"), "-f", "json"),
    ("conform", os.path.join(FIXTURES, "Not.json"), "-f", "junit", "--backend", "reference"),
    ("conform", os.path.join(FIXTURES, "graphs.json"), "-f", "tap"),
)


def npy():
    """int8[2]=1,2 as a .npy file."""
    header = b"{'descr': '|i1', 'fortran_order': False, 'shape': (2,), }"
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header + b"\1\2"


# Why there is no GPU: that there was no memory to look for one is an answer of `info`, not a failure.
NO_DEVICE = re.compile(rb'devices    none: [^\n]*|"no_devices": "[^"]*"')


class Command:
    def __init__(self, tool, shim, words):
        self.words = words
        self.command = [tool, *words]
        self.shim = shim
        self.faults = 0

    def run(self, **env):
        """Run in a folder of its own: exit status, output, error, files as {name: bytes}."""
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as temporary:
            for name, content in MODELS.items():
                self.put(folder, name, content)
            self.put(folder, "in.npy", npy())
            # No driver of a GPU: what those do without memory is not ours.
            clean = {"PATH": os.environ.get("PATH", ""), "TMPDIR": temporary,
                     "VK_DRIVER_FILES": os.devnull, "VK_ICD_FILENAMES": os.devnull}
            done = subprocess.run(
                self.command, cwd=folder, check=False, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT_S,
                env={**clean, "LD_PRELOAD": self.shim, "BL_CALLS": os.path.join(folder, "calls"),
                     **env})
            files = {}
            for where, _, names in os.walk(folder):
                for name in names:
                    path = os.path.join(where, name)
                    with open(path, "rb") as file:
                        files[os.path.relpath(path, folder)] = file.read()
            calls = int(files.pop("calls", b"0"))
            files.update({f"TMPDIR/{name}": b"" for name in os.listdir(temporary)})
            if os.path.isdir(os.path.join(folder, "out")):
                files["out/"] = b""
            return done.returncode, NO_DEVICE.sub(b"", done.stdout), done.stderr, files, calls

    @staticmethod
    def put(folder, name, content):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content)

    def fault(self, how, what, err):
        self.faults += 1
        print(f"FAILED {' '.join(os.path.basename(word) for word in self.words)}\n"
              f"  {how}: {what}\n  {err.decode(errors='replace').strip()[:300]}", flush=True)

    def judge(self, how, good, result):
        code, out, err, files, _ = result
        if code == good[0] and out == good[1] and files == good[3]:
            return True
        if code != 2:
            self.fault(how, f"exit status {code}, not 2" if code >= 0 else f"signal {-code}", err)
        elif not err.startswith(b"broadloom: "):
            self.fault(how, "no message", err)
        elif files != self.before:
            self.fault(how, f"files {sorted(set(files) ^ set(self.before))} are left", err)
        return False

    def sweep(self, most):
        """Try the places; the number of allocations, and how many were not needed."""
        good = self.run()
        self.before = {**MODELS, "in.npy": npy()}
        calls = good[4]
        if good[0] not in (0, 1) or any(name.startswith(("TMPDIR", ".")) for name in good[3]):
            self.fault("with memory enough", f"exit status {good[0]}", good[2])
        if calls == 0:
            self.fault("with memory enough", "no allocation was seen: is FAILING_CALLS loaded?", b"")
        step = max(1, -(-2 * calls // most))
        spared = tried = 0
        for kind, start in (("BL_FAIL_ALLOC", 0), ("BL_FAIL_ALLOC_FROM", step // 2)):
            for n in range(start, calls, step):
                result = self.run(**{kind: str(n)})
                tried += 1
                # As long as times are as texts, so many allocations are made: it may have ended before.
                if result[4] > n or result[0] != good[0]:
                    spared += self.judge(f"{kind}={n}", good, result)
        return calls, tried, spared


def main(words):
    quick = "--quick" in words
    tool, shim = [os.path.abspath(word) for word in words if word != "--quick"]
    points = places = faults = 0
    for arguments in COMMANDS:
        command = Command(tool, shim, arguments)
        calls, tried, spared = command.sweep(6 if quick else MOST)
        points, places, faults = points + calls, places + tried, faults + command.faults
        name = " ".join(os.path.basename(word) for word in arguments)
        print(f"{name[:60]:60} {calls:6} allocations, {tried:4} tried, {spared:4} done without",
              flush=True)
    print(f"tool_sweep: {len(COMMANDS)} commands, {points} allocation points, {places} tried, "
          f"{faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
