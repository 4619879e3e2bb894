"""cases_test.py - the table of bench/cases.py: it fits together, and its models run

SPDX-License-Identifier: Apache-2.0
"""
import concurrent.futures
import math
import os
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(SOURCE, "bench"))
import cases as table  # noqa: E402
from targets import TARGETS  # noqa: E402

TOOL = os.environ.get("BROADLOOM_TOOL", "")
CASES = table.all_cases()


def small(shape):
    """A shape with few elements that broadcasts as the large one does."""
    return tuple(dim if dim < 3 else 2 + dim % 2 for dim in shape)


def shrink(case):
    """The case on few elements."""
    inputs = [table.Operand(o.dtype, small(o.shape), o.low, o.high) for o in case.inputs]
    output = table.Operand(case.output.dtype, small(case.output.shape))
    if case.op == "Gemm":
        output = table.Operand("f32", (inputs[0].shape[0], inputs[1].shape[1]))
    return table.dataclasses.replace(case, inputs=inputs, output=output)


def literal(operand, seed):
    """An operand as the tool's command line takes it; whole and half numbers in its range."""
    step = 0.5 if operand.dtype in table.FLOATS else 1
    low = math.ceil(operand.low / step)
    count = max(1, math.floor(operand.high / step) - low + 1)
    values = [step * (low + (7 * i + 3 * seed) % count) for i in range(operand.count)]
    dims = ",".join(map(str, operand.shape))
    texts = ",".join(f"{value:g}" for value in values)
    return f"{table.TYPES[operand.dtype][0]}[{dims}]={texts}"


def run(*args):
    done = subprocess.run([TOOL, *args], capture_output=True, text=True, timeout=120, check=False)
    return done.stdout if done.returncode == 0 else f"exit {done.returncode}: {done.stderr}"


class Table(unittest.TestCase):
    def test_names_are_unique_and_groups_known(self):
        names = [case.name for case in CASES]
        self.assertEqual(len(names), len(set(names)))
        for case in CASES:
            self.assertIn(case.group, table.GROUPS)
            self.assertRegex(case.name, r"^\w+$")

    def test_bytes_count_each_operand_once(self):
        for case in CASES:
            total = sum(table.product(o.shape) * table.TYPES[o.dtype][2]
                        for o in case.inputs + [case.output])
            self.assertEqual(case.bytes, total, case.name)
        by_name = {case.name: case for case in CASES}
        self.assertEqual(by_name["Add_f32_16M"].bytes, 3 * 4 << 24)
        self.assertEqual(by_name["Where_f32_1M"].bytes, 13 << 20)
        self.assertEqual(by_name["Greater_i64_16M"].bytes, 17 << 24)
        self.assertEqual(by_name["Add_f32_row3"].bytes, 2 * 12 * (1 << 20) + 12)
        self.assertEqual(by_name["Sum15_f32_1M"].reads, 15)

    def test_outputs_have_the_broadcast_shape(self):
        for case in CASES:
            if case.op and case.op != "Gemm":
                shapes = [operand.shape for operand in case.inputs]
                self.assertEqual(case.output.shape, table.broadcast(shapes), case.name)

    def test_ranges_are_in_order_and_integers_whole(self):
        for case in CASES:
            for operand in case.inputs:
                self.assertLess(operand.low, operand.high, case.name)
                if operand.dtype not in table.FLOATS:
                    self.assertEqual(operand.low, int(operand.low), case.name)

    def test_no_integer_is_divided_by_zero(self):
        for case in CASES:
            if case.op in ("Div", "Mod") and case.dtype not in table.FLOATS:
                self.assertGreater(case.inputs[1].low, 0, case.name)

    def test_the_steps_of_numpy_use_what_there_is(self):
        for case in CASES:
            known = set(table.LETTERS[:len(case.inputs)]) | set(case.constants)
            for _, *names in case.numpy or ():
                for name in names[:-1]:
                    if isinstance(name, str):
                        self.assertIn(name, known, case.name)
                known.add(names[-1])
            self.assertTrue(case.numpy is None or "y" in known, case.name)

    def test_the_short_list_is_short(self):
        quick = [case for case in CASES if case.quick]
        self.assertLessEqual(len(quick), 60)
        self.assertGreater(len({case.group for case in quick}), 5)

    def test_each_target_has_cases(self):
        for target in TARGETS:
            found = [case for case in CASES if re.search(target.pattern, case.name)]
            self.assertTrue(found, target.name)
            if target.share:
                self.assertTrue(all(case.group != "call" for case in found), target.name)

    def test_every_type_is_there_at_both_sizes(self):
        names = {case.name for case in CASES}
        for op in ("Add", "Sub", "Mul", "Max", "Min", "Equal", "Greater"):
            for dtype in table.NUMBERS:
                for size in ("64K", "16M"):
                    self.assertIn(f"{op}_{dtype}_{size}", names)


@unittest.skipUnless(TOOL, "BROADLOOM_TOOL does not name the tool")
class Models(unittest.TestCase):
    """A case's model gives what its operator gives, on few elements."""

    def outcome(self, case):
        """(what the model gives, what it is held against)"""
        literals = [literal(operand, k) for k, operand in enumerate(case.inputs)]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "case.onnx")
            with open(path, "wb") as file:
                file.write(case.model())
            named = [part for name, text in zip(table.LETTERS, literals)
                     for part in ("--input", f"{name}={text}")]
            got = run("run", path, *named, "--full")
            if case.op is None:
                return got, run("run", path, *named, "--full", "--no-fuse")
        operands = dict(zip(table.LETTERS, literals))
        for name, constant in case.constants.items():
            dims = ",".join(map(str, constant.shape))
            operands[name] = f"float32[{dims}]=" + ",".join(map(repr, constant.values))
        return got, run("apply", "--opset", str(table.OPSET), case.op, "--full",
                        *[operands[name] for name in case.op_operands()])

    def test_models_run_and_agree(self):
        distinct = {}
        for case in map(shrink, CASES):
            kind = case.op or case.name, case.dtype, tuple(o.shape for o in case.inputs)
            distinct.setdefault((kind, tuple(case.constants.values())), case)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            outcomes = list(pool.map(self.outcome, distinct.values()))
        for case, (got, wanted) in zip(distinct.values(), outcomes):
            self.assertNotIn("exit ", got, case.name)
            self.assertIn(table.TYPES[case.output.dtype][0] + "[", wanted, case.name)
            self.assertEqual(got.replace("y: ", ""), wanted.replace("y: ", ""), case.name)


if __name__ == "__main__":
    unittest.main()
