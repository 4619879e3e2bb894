"""report_test.py - tables, verdicts and plots of made-up files; bench.py's command line

SPDX-License-Identifier: Apache-2.0
"""
import os
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

from figures import SOURCE, data, entry, error, figure
import measure
import native
import plots
import report
import targets

SIZE = 1 << 26
AT_CEILING = SIZE / 50  # ns of a case that reaches 50 GB/s


def add_16m(share, times_ort, name="Add_f32_16M"):
    own = AT_CEILING / share
    return entry(name, [figure("broadloom", 1, own), figure("broadloom", 2, own / 1.8),
                        figure("ort", 1, own * times_ort), figure("ort", 2, own),
                        figure("numpy", 1, own * 1.2)], SIZE)


def first_verdict(*entries):
    return targets.judge(data(*entries))[0][3]


class Targets(unittest.TestCase):
    def test_met(self):
        self.assertIs(first_verdict(add_16m(0.95, 1.5)), True)

    def test_the_worst_case_counts(self):
        self.assertIs(first_verdict(add_16m(0.95, 1.5), add_16m(0.5, 1.5, "Mul_f32_16M")), False)
        self.assertIs(first_verdict(add_16m(0.95, 1.2)), False)

    def test_without_the_peer_it_is_open(self):
        alone = entry("Add_f32_16M", [figure("broadloom", 1, AT_CEILING)], SIZE)
        self.assertIsNone(first_verdict(alone))

    def test_a_call_has_a_limit_in_nanoseconds(self):
        def call(ns):
            return entry("Add_f32_64", [figure("broadloom", 1, ns), figure("ort", 1, 1200),
                                        figure("numpy", 1, 450)], 768, "call")
        self.assertIs(first_verdict(call(140)), True)
        self.assertIs(first_verdict(call(151)), False)

    def test_two_threads(self):
        rows = targets.two_threads(data(add_16m(0.9, 1.5)))
        self.assertAlmostEqual(rows[0][1], 1.8)
        self.assertAlmostEqual(rows[0][2], 2)


class Ratios(unittest.TestCase):
    class Timed:
        def __init__(self, samples, turns=None):
            self.samples, self.turns = samples, turns or list(range(len(samples)))

    def test_a_machine_of_two_speeds_changes_no_ratio(self):
        ours, theirs = self.Timed([10, 10, 20, 20, 20]), self.Timed([15, 15, 30, 30, 30])
        self.assertAlmostEqual(measure.times_as_long(theirs, ours), 1.5)

    def test_only_repetitions_of_both_count(self):
        ours, theirs = self.Timed([10, 10, 10]), self.Timed([99, 40], [7, 1])
        self.assertAlmostEqual(measure.times_as_long(theirs, ours), 4)
        self.assertIsNone(measure.times_as_long(self.Timed([1], [8]), ours))

    def test_ratios_of_the_file_are_preferred(self):
        one = entry("Add_f32_16M", [figure("broadloom", 1, 100, share=0.5),
                                    figure("ort", 1, 300, times_ours=2)], SIZE)
        self.assertEqual(targets.ratio_of(one, "ort", 1), 2)
        self.assertEqual(targets.share_of(one, "broadloom", 1), 0.5)

    def test_quantiles(self):
        self.assertEqual(measure.quantile([4, 1, 3, 2], 0.5), 2.5)
        self.assertEqual(measure.quantile([7], 0.25), 7)


class Tables(unittest.TestCase):
    def setUp(self):
        wrong = entry("Mul_f32_1M", [figure("broadloom", 1, 1000),
                                     error("ort", 1, "mismatch", check="3 of 8 elements differ")])
        lacking = entry("Add_bf16_1M", [figure("broadloom", 1, 1000),
                                        error("ort", 1, "no kernel")])
        self.data = data(add_16m(0.95, 1.5), wrong, lacking)

    def test_targets_stand_first(self):
        text = report.markdown(self.data)
        self.assertLess(text.index("## Targets"), text.index("## Operands of one shape"))
        row = next(line for line in text.split("\n") if line.startswith("| Add Sub Mul"))
        self.assertIn("| 92 % | 95 % | 1.35 | 1.50 |", row)
        self.assertIn("| met |", row)

    def test_rows_have_as_many_cells_as_the_head(self):
        lines = [line for line in report.markdown(self.data).split("\n") if line[:1] == "|"]
        table = [line for line in lines if line.startswith(("| op", "| Add |", "| Mul |"))]
        self.assertEqual(len(table), 4)
        self.assertEqual(len({line.count("|") for line in table}), 1)

    def test_what_a_peer_lacks_is_shown_and_is_no_fault(self):
        self.assertIn("no kernel", report.markdown(self.data))
        self.assertEqual([case for case, _, _ in report.mismatches(self.data)], ["Mul_f32_1M"])
        self.assertIn("3 of 8 elements differ", report.markdown(self.data))

    def test_losses_are_named(self):
        slow = add_16m(0.5, 0.8)
        self.assertIn("ONNX Runtime 1T is 1.25 times as fast", report.markdown(data(slow)))

    def test_terminal(self):
        text = report.text(self.data)
        self.assertIn("met      Add Sub Mul", text)
        self.assertIn("WRONG: Mul_f32_1M, ONNX Runtime 1T: 3 of 8 elements differ", text)

    def test_the_machine_is_said(self):
        text = report.markdown(self.data)
        for part in ("2026-01-02", "A processor", "L3 32 MiB", "1.30.0", "12.2", "0123456789"):
            self.assertIn(part, text)


class Plots(unittest.TestCase):
    def test_shares(self):
        picture = plots.shares(data(add_16m(0.95, 1.5), add_16m(1.5, 1.5, "Sub_<&>_16M")))
        root = xml.etree.ElementTree.fromstring(picture)
        texts = "".join(root.itertext())
        for part in ("Add f32 16M", "Sub <&> 16M", "1.5 ×", "A processor", "prefers-color-scheme"):
            self.assertIn(part, texts)

    def test_scaling(self):
        sizes = [entry(f"Add_f32_{tag}", [figure("broadloom", 1, n), figure("numpy", 1, 2 * n)],
                       12 * n, elements=n)
                 for tag, n in (("1K", 1 << 10), ("64K", 1 << 16), ("1M", 1 << 20))]
        picture = plots.scaling(data(*sizes))
        xml.etree.ElementTree.fromstring(picture)
        self.assertIn("64 Ki", picture)

    def test_nothing_to_draw(self):
        self.assertEqual(plots.shares(data()), "")
        self.assertEqual(plots.scaling(data()), "")


class Layout(unittest.TestCase):
    def test_operands_do_not_overlap(self):
        sizes = [5, 64, native.PAGE + 1, 3, native.PAGE]
        offsets, total = native.layout(sizes, 3)
        ends = 0
        for start, size in ((at, size) for row in offsets for at, size in zip(row, sizes)):
            self.assertGreaterEqual(start, ends)
            self.assertEqual(start % 64, 0)
            ends = start + size
        self.assertLessEqual(ends, total)


class CommandLine(unittest.TestCase):
    def bench(self, *args):
        script = os.path.join(SOURCE, "bench", "bench.py")
        return subprocess.run([sys.executable, script, *args], capture_output=True, text=True,
                              timeout=60, check=False)

    def test_list(self):
        done = self.bench("--list", "--filter", "^Add_f32_64$")
        self.assertEqual(done.returncode, 0)
        self.assertIn("1 cases", done.stdout)

    def test_usage(self):
        for args in (["--group", "nothing"], ["--filter", "("], ["--peers", "x"],
                     ["--filter", "^$"], ["--threads", "0"], ["--json", "no/such/file"]):
            done = self.bench(*args, "--list")
            self.assertEqual(done.returncode, 2, args)
            self.assertIn("bench.py: error:", done.stderr)

    def test_a_build_that_is_not_there(self):
        with tempfile.TemporaryDirectory() as folder:
            done = self.bench("--build", folder)
        self.assertEqual(done.returncode, 1)
        self.assertIn("--target bench_native", done.stderr)


if __name__ == "__main__":
    unittest.main()
