"""limits_test.py - limits of the tool, and what Ctrl-C does

SPDX-License-Identifier: Apache-2.0
"""
import os
import signal
import subprocess
import time
import unittest

from tool import OK, TOOL, ToolTest, environment

# Many seconds of work, and little to read.
LONG = ("apply", "MatMul", "int64[4000,4000]=1", "int64[4000,4000]=1")


class Limits(ToolTest):
    def test_bytes(self):
        self.refuses("max_tensor_bytes is 102400, but a tensor float32.30000. has 120000 bytes",
                     "apply", "Abs", "float32[30000]=1", "--max-bytes", "100K")
        self.refuses("max_bytes is 153600, .* held, and .* more were asked for",
                     "apply", "Abs", "float32[30000]=1", "--max-bytes", "150K")
        self.succeeds("apply", "Abs", "float32[30000]=1", "--max-bytes", "2M")

    def test_elements(self):
        self.refuses("max_tensor_elements is 9, but a tensor int8.3,4. has 12 elements",
                     "apply", "Add", "int8[3,1]=1", "int8[4]=1", "--max-elements", "9")

    def test_work(self):
        self.refuses("MatMul-13: max_work is 1024, 0 are spent, and the node takes 8000 more",
                     "apply", "MatMul", "int32[20,20]=1", "int32[20,20]=1", "--max-work", "1K")

    def test_models(self):
        model = os.path.join("examples", "gelu", "gelu.onnx")
        source = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        path = os.path.join(source, model)
        if not os.path.exists(path):
            self.skipTest(f"{model} is not there")
        for command in ("run", "inspect"):
            more = ("--random", "1") if command == "run" else ()
            self.refuses("max_bytes is 10240", command, path, *more, "--max-bytes", "10K")

    def test_amounts(self):
        for text in ("0", "-1", "", "1.5", "1Q", "1KB", "9999999999999999999", "9000000T", " 1"):
            self.refuses("--max-work '.*' is neither a whole number", "apply", "Abs", "int8[]=1",
                         f"--max-work={text}")
        for text in ("1", "1K", "1M", "1G", "8T", "unlimited"):
            self.succeeds("apply", "Abs", "int8[]=-1", f"--max-work={text}")


class Interrupts(ToolTest):
    def interrupt(self, *args):
        tool = subprocess.Popen([TOOL, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, env=environment())
        time.sleep(1.5)
        self.assertIsNone(tool.poll(), "it was done before it could be interrupted")
        tool.send_signal(signal.SIGINT)
        out, err = tool.communicate(timeout=60)
        return tool.returncode, out.decode(), err.decode()

    def test_it_ends_as_by_the_signal(self):
        for more in ((), ("--threads", "2")):
            self.assertEqual(self.interrupt(*LONG, *more),
                             (-signal.SIGINT, "", "broadloom: interrupted\n"))

    def test_no_file_is_left(self):
        self.write("y.npy", "before")
        self.assertEqual(self.interrupt(*LONG, "-o", self.path("y.npy"))[0], -signal.SIGINT)
        self.assertEqual(os.listdir(self.folder), ["y.npy"])
        with open(self.path("y.npy"), "rb") as file:
            self.assertEqual(file.read(), b"before")

    def test_a_shell_sees_130(self):
        line = '"$0" "$@" & tool=$!; sleep 1.5; kill -INT $tool; wait $tool; echo $?'
        # In the background a shell lets SIGINT be ignored, unless it has jobs (set -m).
        done = subprocess.run(["bash", "-c", "set -m; " + line, TOOL, *LONG], check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, env=environment(), timeout=120)
        self.assertEqual((done.returncode, done.stdout.split()[-1]), (OK, b"130"))


if __name__ == "__main__":
    unittest.main()
