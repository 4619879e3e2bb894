"""output_test.py - files that the tool writes: whole or not at all, several together

SPDX-License-Identifier: Apache-2.0
"""
import os
import resource
import signal
import stat
import subprocess
import threading
import time
import unittest

from onnx_bytes import gate, two_outputs
from tool import OK, TIMEOUT_S, TOOL, USAGE, ToolTest, environment, read_npy, run

SHIM = os.environ.get("BROADLOOM_FAILING_CALLS", "")
ADD = ("apply", "Add", "int8[3]=1,2,3", "int8[]=1", "-o")


class OutputTest(ToolTest):
    def files(self):
        return sorted(name for name in os.listdir(self.folder) if name != "model.onnx")

    def content(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def run_two(self, **env):
        """A model of two outputs, to a.npy and b.npy."""
        return run("run", self.write("model.onnx", two_outputs("a", "b")), "-i",
                   "x=float32[2]=1,2", "-o", f"a={self.path('a.npy')}", "-o",
                   f"b={self.path('b.npy')}", **env)

    def fails(self, result, pattern, files):
        self.assertEqual((result.code, result.out), (USAGE, ""), result)
        self.assertRegex(result.err, "^broadloom: " + pattern, result)
        self.assertEqual(self.files(), files)


class Targets(OutputTest):
    def test_permissions_are_what_the_umask_says(self):
        old = os.umask(0o027)
        try:
            self.succeeds(*ADD, self.path("y.npy"))
            self.assertEqual(stat.S_IMODE(os.stat(self.path("y.npy")).st_mode), 0o640)
            os.chmod(self.path("y.npy"), 0o600)
            self.succeeds(*ADD, self.path("y.npy"))
            self.assertEqual(stat.S_IMODE(os.stat(self.path("y.npy")).st_mode), 0o600)
        finally:
            os.umask(old)

    def test_hard_link_keeps_the_old_content(self):
        self.write("y.npy", "old")
        os.link(self.path("y.npy"), self.path("other"))
        self.succeeds(*ADD, self.path("y.npy"))
        self.assertEqual(self.content("other"), b"old")
        self.assertEqual(read_npy(self.path("y.npy"))[2], b"\2\3\4")

    def test_folder(self):
        os.mkdir(self.path("y.npy"))
        self.fails(run(*ADD, self.path("y.npy")), "cannot write .*y.npy: Is a directory", ["y.npy"])

    def test_link_into_nowhere(self):
        os.symlink("new.npy", self.path("y.npy"))
        self.succeeds(*ADD, self.path("y.npy"))
        self.assertEqual(self.files(), ["new.npy", "y.npy"])
        self.assertTrue(os.path.islink(self.path("y.npy")))

    def test_pipe(self):
        os.mkfifo(self.path("y.npy"))
        got = []

        def read():
            with open(self.path("y.npy"), "rb") as file:
                got.append(file.read())
        reader = threading.Thread(target=read)
        reader.start()
        self.succeeds(*ADD, self.path("y.npy"))
        reader.join(TIMEOUT_S)
        self.assertTrue(got[0].endswith(b"\2\3\4"))
        self.assertEqual(self.files(), ["y.npy"])

    def test_standard_output(self):
        os.symlink("/dev/stdout", self.path("y.npy"))
        for path in (self.path("y.npy"),):
            done = subprocess.run([TOOL, *ADD, path], check=False, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, env=environment(), timeout=TIMEOUT_S)
            self.assertEqual((done.returncode, done.stderr), (OK, b""))
            self.assertTrue(done.stdout.endswith(b"\2\3\4"))

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full here")
    def test_full_device_leaves_no_other_output(self):
        os.symlink("/dev/full", self.path("b.npy"))
        self.fails(self.run_two(), "cannot write .*b.npy: No space left", ["b.npy"])

    def test_two_outputs_of_one_name(self):
        os.symlink("a.npy", self.path("b.npy"))
        self.write("a.npy", "old")
        self.fails(self.run_two(), "two outputs go to", ["a.npy", "b.npy"])
        self.assertEqual(self.content("a.npy"), b"old")

    @unittest.skipUnless(os.geteuid() == 0, "only root may become somebody else")
    def test_what_may_not_be_written(self):
        os.chmod(self.folder, 0o777)
        self.write("y.npy", "old")
        os.chmod(self.path("y.npy"), 0o444)

        def as_nobody(path):
            try:
                done = subprocess.run([TOOL, *ADD, path], check=False, stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, env=environment(),
                                      preexec_fn=lambda: os.setuid(65534), timeout=TIMEOUT_S)
            except PermissionError:
                self.skipTest("the tool lies where nobody may enter")
            return done.returncode, done.stderr.decode()
        code, message = as_nobody(self.path("y.npy"))
        self.assertEqual(code, USAGE)
        self.assertRegex(message, "cannot write .*y.npy: Permission denied")
        self.assertEqual(self.content("y.npy"), b"old")
        os.mkdir(self.path("folder"), 0o755)
        code, message = as_nobody(self.path("folder/y.npy"))
        self.assertEqual(code, USAGE)
        self.assertRegex(message, "cannot write .*folder/y.npy: Permission denied")
        self.assertEqual(os.listdir(self.path("folder")), [])


class Full(OutputTest):
    """A limit on the size of files stands for a full disk: the write fails in the middle."""

    def limited(self, *args):
        done = subprocess.run(
            [TOOL, *args], check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=environment(), timeout=TIMEOUT_S,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10000, 10000)))
        return done.returncode, done.stderr.decode()

    def test_nothing_is_left(self):
        self.write("y.npy", "old")
        model = self.write("model.onnx", gate())
        for args in (("apply", "Identity", "int8[100000]=1", "-o", self.path("y.npy")),
                     ("run", model, "--random", "1", "--shape", "x=1000,3", "--shape", "y=1000,3",
                      "-o", f"z={self.path('y.npy')}")):
            code, message = self.limited(*args)
            self.assertEqual(code, USAGE)
            self.assertRegex(message, "^broadloom: cannot write .*y.npy: File too large")
            self.assertEqual(self.files(), ["y.npy"])
            self.assertEqual(self.content("y.npy"), b"old")

    def test_standard_output(self):
        with open(self.path("out"), "wb") as out:
            done = subprocess.run(
                [TOOL, "apply", "Identity", "int8[100000]=1", "--full"], check=False, stdout=out,
                stderr=subprocess.PIPE, env=environment(), timeout=TIMEOUT_S,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10000, 10000)))
        self.assertEqual(done.returncode, USAGE)
        self.assertRegex(done.stderr.decode(), "cannot write to standard output: File too large")


@unittest.skipUnless(SHIM, "needs glibc, and no sanitizer")
class Together(OutputTest):
    def test_a_rename_that_fails(self):
        for failing in (0, 1):
            for old in ((), ("a.npy",), ("b.npy",), ("a.npy", "b.npy")):
                for name in ("a.npy", "b.npy"):
                    if os.path.exists(self.path(name)):
                        os.unlink(self.path(name))
                for name in old:
                    self.write(name, "old " + name)
                result = self.run_two(LD_PRELOAD=SHIM, BL_FAIL_RENAME=str(failing))
                self.fails(result, "cannot write .*[ab].npy: Operation not permitted", list(old))
                for name in old:
                    self.assertEqual(self.content(name), b"old " + name.encode())
        self.assertEqual(self.run_two().code, OK)
        self.assertEqual(self.files(), ["a.npy", "b.npy"])

    def test_what_cannot_be_restored_is_said(self):
        self.write("a.npy", "old")
        self.write("b.npy", "old")
        result = self.run_two(LD_PRELOAD=SHIM, BL_FAIL_RENAME="1", BL_FAIL_LINK="1")
        self.fails(result, "cannot write .*b.npy", ["a.npy", "b.npy"])
        self.assertRegex(result.err, "\nbroadloom: note: .*a.npy is the new file all the same\n")
        self.assertEqual(read_npy(self.path("a.npy"))[1], (2,))
        self.assertEqual(self.content("b.npy"), b"old")

    def test_a_disk_that_says_so_at_last(self):
        self.write("a.npy", "old")
        self.fails(self.run_two(LD_PRELOAD=SHIM, BL_FAIL_FSYNC="1"),
                   "cannot write .*a.npy: No space left on device", ["a.npy"])
        self.assertEqual(self.content("a.npy"), b"old")


class Signals(OutputTest):
    def interrupted(self, number, **more):
        """Run with a.npy, and with b.npy as a pipe that nobody reads; the tool waits there."""
        os.mkfifo(self.path("b.npy"))
        self.write("model.onnx", two_outputs("a", "b"))
        tool = subprocess.Popen(
            [TOOL, "run", self.path("model.onnx"), "-i", "x=float32[2]=1,2", "-t", "3", "-o",
             f"a={self.path('a.npy')}", "-o", f"b={self.path('b.npy')}"],
            env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
        self.addCleanup(tool.kill)
        until = time.monotonic() + TIMEOUT_S
        while not any(name.endswith(".part") for name in self.files()):
            self.assertLess(time.monotonic(), until)
            time.sleep(0.01)
        time.sleep(0.05)
        self.assertIn(".part", "".join(self.files()))
        tool.send_signal(number)
        return tool

    def test_nothing_is_left(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            tool = self.interrupted(number)
            out, err = tool.communicate(timeout=TIMEOUT_S)
            self.assertEqual((tool.returncode, out, err), (-number, b"", b""))
            self.assertEqual(self.files(), ["b.npy"])
            os.unlink(self.path("b.npy"))

    def test_what_is_ignored_stays_so(self):
        tool = self.interrupted(signal.SIGHUP,
                                preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        with open(self.path("b.npy"), "rb") as reader:
            self.assertNotEqual(reader.read(), b"")
        tool.communicate(timeout=TIMEOUT_S)
        self.assertEqual(tool.returncode, OK)
        self.assertEqual(self.files(), ["a.npy", "b.npy"])


if __name__ == "__main__":
    unittest.main()
