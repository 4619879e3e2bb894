"""tool.py - run the broadloom tool, and read and write the files it knows

SPDX-License-Identifier: Apache-2.0
"""
import json
import os
import pty
import re
import select
import struct
import subprocess
import tempfile
import unittest

TOOL = os.environ.get("BROADLOOM_TOOL", "")
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

OK, FAILED, USAGE = 0, 1, 2

# A run that hangs is a failure, not a stuck test.
TIMEOUT_S = 120


def environment(**more):
    """The environment of a run: no colour wishes, and a sanitizer that lets malloc fail."""
    env = {key: value for key, value in os.environ.items()
           if key not in ("NO_COLOR", "BL_ISA", "POSIXLY_CORRECT")}
    env["ASAN_OPTIONS"] = "allocator_may_return_null=1:" + env.get("ASAN_OPTIONS", "")
    env.update(more)
    return env


class Result:
    def __init__(self, args, code, out, err):
        self.args = args
        self.code = code
        self.out = out
        self.err = err

    def __str__(self):
        return f"{self.args}\nexit {self.code}\n--- out\n{self.out}\n--- err\n{self.err}"


def run(*args, stdin=b"", stdout=subprocess.PIPE, **env):
    """Run the tool; its output as text."""
    done = subprocess.run([TOOL, *args], input=stdin, stdout=stdout, stderr=subprocess.PIPE,
                          env=environment(**env), timeout=TIMEOUT_S, check=False)
    out = done.stdout.decode("utf-8") if done.stdout is not None else ""
    return Result(args, done.returncode, out, done.stderr.decode("utf-8", "replace"))


def run_on_terminal(*args, **env):
    """Run the tool with a terminal as standard output and error; what the terminal got."""
    primary, secondary = pty.openpty()
    done = subprocess.Popen([TOOL, *args], stdin=subprocess.DEVNULL, stdout=secondary,
                            stderr=secondary, env=environment(**{"TERM": "xterm", **env}))
    os.close(secondary)
    shown = b""
    while select.select([primary], [], [], TIMEOUT_S)[0]:
        try:
            piece = os.read(primary, 65536)
        except OSError:  # Linux says EIO when the last writer is gone
            break
        if not piece:
            break
        shown += piece
    os.close(primary)
    return Result(args, done.wait(TIMEOUT_S), shown.decode().replace("\r\n", "\n"), "")


class ToolTest(unittest.TestCase):
    """A test with a folder of its own, and checks that show the whole run when they fail."""

    maxDiff = None

    def setUp(self):
        if not TOOL:
            self.fail("BROADLOOM_TOOL does not name the tool")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return self.path(name)

    def succeeds(self, *args, **more):
        """The output of a run that exits 0 and says nothing on standard error."""
        result = run(*args, **more)
        self.assertEqual((result.code, result.err), (OK, ""), result)
        return result.out

    def refuses(self, pattern, *args, **more):
        """A run that exits 2, prints nothing, and says one line that matches."""
        result = run(*args, **more)
        self.assertEqual((result.code, result.out), (USAGE, ""), result)
        self.assertRegex(result.err.split("\n")[0], "^broadloom: ", result)
        self.assertRegex(result.err.split("\n")[0], pattern, result)
        return result.err


def write_npy(path, descr, shape, data):
    """A version 1 .npy file of raw little-endian bytes."""
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape!r}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)))
        file.write(header.encode() + data)


def read_npy(path):
    """Type, shape and raw bytes of a version 1 .npy file."""
    with open(path, "rb") as file:
        content = file.read()
    assert content[:8] == b"\x93NUMPY\x01\x00", content[:16]
    size = struct.unpack("<H", content[8:10])[0]
    header = content[10:10 + size].decode()
    descr = re.search(r"'descr': *'([^']*)'", header).group(1)
    shape = re.search(r"'shape': *\(([^)]*)\)", header).group(1)
    return descr, tuple(int(dim) for dim in shape.split(",") if dim.strip()), content[10 + size:]


def values(text):
    """The values of a result printed as JSON."""
    return json.loads(text)["data"]["values"]
