"""compare_test.py - bench/compare.py on made-up files: what it names, its exit status

SPDX-License-Identifier: Apache-2.0
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

from figures import SOURCE, data, entry, error, figure

SCRIPT = os.path.join(SOURCE, "bench", "compare.py")


class Compare(unittest.TestCase):
    def compare(self, before, after, *options):
        """(exit status, standard output, standard error); each side is one file's data or a list"""
        with tempfile.TemporaryDirectory() as folder:
            sides = []
            for side, contents in (("a", before), ("b", after)):
                paths = []
                for i, content in enumerate(contents if isinstance(contents, list) else [contents]):
                    paths.append(os.path.join(folder, f"{side}{i}.json"))
                    with open(paths[-1], "w", encoding="utf-8") as file:
                        json.dump(content, file)
                sides.append(",".join(paths))
            done = subprocess.run([sys.executable, SCRIPT, *sides, *options], text=True,
                                  capture_output=True, timeout=60, check=False)
        return done.returncode, done.stdout, done.stderr

    def test_several_files_show_the_noise_between_runs(self):
        runs = [data(entry("Add_f32_1M", [figure("broadloom", 1, ns)]))
                for ns in (1000, 1400, 1380, 1390)]
        self.assertEqual(self.compare(runs[0], runs[2])[0], 1)
        self.assertEqual(self.compare(runs[:2], runs[2:])[0], 0)

    def verdict(self, before, after, *options, spread=0.01):
        """The JSON that comes of one case whose median changes so, and the exit status."""
        a = data(entry("Add_f32_1M", [figure("broadloom", 1, before, spread)]))
        b = data(entry("Add_f32_1M", [figure("broadloom", 1, after, spread)]))
        code, out, _ = self.compare(a, b, "--format", "json", *options)
        return json.loads(out), code

    def test_nothing_changed(self):
        result, code = self.verdict(1000, 1000)
        self.assertEqual((code, result["slower"], result["faster"], result["same"]), (0, [], [], 1))

    def test_much_slower_fails(self):
        result, code = self.verdict(1000, 1300)
        self.assertEqual(code, 1)
        self.assertEqual(result["slower"][0]["case"], "Add_f32_1M")
        self.assertAlmostEqual(result["slower"][0]["ratio"], 1.3)

    def test_a_little_slower_is_named_but_does_not_fail(self):
        result, code = self.verdict(1000, 1050)
        self.assertEqual((code, len(result["slower"])), (0, 1))
        result, code = self.verdict(1000, 1050, "--percent", "4")
        self.assertEqual((code, len(result["slower"])), (1, 1))

    def test_faster_is_named(self):
        result, code = self.verdict(1000, 700)
        self.assertEqual((code, len(result["faster"])), (0, 1))

    def test_within_the_noise_is_the_same(self):
        result, code = self.verdict(1000, 1300, spread=0.2)
        self.assertEqual((code, result["same"]), (0, 1))

    def test_tiny_changes_are_no_news(self):
        result, code = self.verdict(1000, 1015, spread=0.001)
        self.assertEqual((code, result["same"]), (0, 1))

    def test_relative_to_the_ceiling(self):
        a = data(entry("Add_f32_1M", [figure("broadloom", 1, 1000)], gbps=(50, 100)))
        b = data(entry("Add_f32_1M", [figure("broadloom", 1, 2000)], gbps=(25, 50)))
        self.assertEqual(self.compare(a, b)[0], 1)
        self.assertEqual(self.compare(a, b, "--relative")[0], 0)

    def test_a_case_that_fails_now(self):
        a = data(entry("Add_f32_1M", [figure("broadloom", 1, 1000)]))
        b = data(entry("Add_f32_1M", [error("broadloom", 1, "mismatch")]))
        code, out, _ = self.compare(a, b)
        self.assertEqual(code, 1)
        self.assertIn("fails now: Add_f32_1M", out)

    def test_cases_of_one_file_are_named(self):
        a = data(entry("Add_f32_1M", [figure("broadloom", 1, 1000)]))
        b = data(entry("Mul_f32_1M", [figure("broadloom", 1, 1000)]))
        code, out, _ = self.compare(a, b)
        self.assertEqual(code, 0)
        self.assertIn("not measured after: Add_f32_1M", out)
        self.assertIn("not measured before: Mul_f32_1M", out)

    def test_other_systems_can_be_compared(self):
        a = data(entry("Add_f32_1M", [figure("broadloom", 1, 9), figure("ort", 1, 1000)]))
        b = data(entry("Add_f32_1M", [figure("broadloom", 1, 9), figure("ort", 1, 2000)]))
        self.assertEqual(self.compare(a, b)[0], 0)
        self.assertEqual(self.compare(a, b, "--system", "ort")[0], 1)

    def test_texts(self):
        a = data(entry("Add_f32_1M", [figure("broadloom", 1, 1000)]))
        b = data(entry("Add_f32_1M", [figure("broadloom", 1, 2500)]), cpu="Another")
        code, out, _ = self.compare(a, b)
        self.assertEqual(code, 1)
        self.assertIn("different machines", out)
        self.assertIn("2.50 times", out)
        self.assertIn("too much", out)
        self.assertIn("1 slower, 0 faster, 0 the same within the noise", out)
        self.assertIn("## 1 slower", self.compare(a, b, "--format", "markdown")[1])

    def test_files_that_are_none(self):
        good = data(entry("Add_f32_1M", [figure("broadloom", 1, 1000)]))
        code, _, err = self.compare(good, {"format": 2})
        self.assertEqual(code, 2)
        self.assertIn("is not a file of bench.py", err)


if __name__ == "__main__":
    unittest.main()
