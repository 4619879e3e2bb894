"""peers.py - NumPy and numexpr, on the operands that the other systems use

SPDX-License-Identifier: Apache-2.0

Both get what makes them fast: results go into given arrays, temporaries are allocated once, and
a call of NumPy is prepared so that only the call itself is left to time.
"""
import ctypes
import functools
import importlib
import itertools
import os
import sys
import time

from cases import LETTERS, NUMEXPR_TYPES, TYPES

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")  # NumPy is measured on one thread
os.environ.setdefault("NUMEXPR_MAX_THREADS", "64")

numpy = None
numexpr = None


def load(names):
    """Import those that are to be measured, and no other: numexpr starts threads when it is
    imported, and in a process with threads, each lock of malloc costs more.  Their versions."""
    global numpy, numexpr
    versions = {}
    for name in names:
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        versions[name] = module.__version__
        if name == "numexpr":
            numexpr = module
    numpy = sys.modules.get("numpy")  # numexpr brings it
    return versions


class Unable(Exception):
    """Why a peer cannot do a case."""


def view(operand, address):
    """A NumPy array over an operand's memory."""
    raw = (ctypes.c_char * operand.bytes).from_address(address)
    return numpy.frombuffer(raw, TYPES[operand.dtype][1]).reshape(operand.shape)


def constant_arrays(case):
    """Constants, scalars as NumPy's scalars, so that nothing is computed in double."""
    return {name: numpy.float32(c.values[0]) if c.shape == () else
            numpy.array(c.values, "float32").reshape(c.shape)
            for name, c in case.constants.items()}


class PythonRunner:
    """Like native.Runner: a list of calls for each set of operands, used in turn."""

    def __init__(self, calls):
        self.calls = calls  # [sets]: the calls of one run
        self.next = 0

    def time(self, runs):
        """Nanoseconds that `runs` runs took."""
        if len(self.calls) == 1 and len(self.calls[0]) == 1:
            call = self.calls[0][0]  # no inner loop: it would be a part of a small call's time
            start = time.perf_counter_ns()
            for _ in itertools.repeat(None, runs):
                call()
            return time.perf_counter_ns() - start
        todo = [self.calls[(self.next + i) % len(self.calls)] for i in range(runs)]
        self.next = (self.next + runs) % len(self.calls)
        start = time.perf_counter_ns()
        for calls in todo:
            for call in calls:
                call()
        return time.perf_counter_ns() - start

    def free(self):
        self.calls = []


def numpy_runner(case, addresses):
    if numpy is None:
        raise Unable("not installed")
    if case.numpy is None:
        raise Unable("no such type")
    named = constant_arrays(case)
    return PythonRunner([numpy_calls(case, row, named) for row in addresses])


def numpy_calls(case, addresses, constants):
    arrays = dict(constants)
    for name, operand, address in zip(LETTERS, case.inputs, addresses):
        arrays[name] = view(operand, address)
    arrays["y"] = view(case.output, addresses[-1])
    integer = arrays["y"].dtype.kind in "iub"

    def operand(name):
        if not isinstance(name, str):
            return name if integer else arrays["y"].dtype.type(name)
        if name not in arrays:  # t0, t1 ... hold values, m0, m1 ... truth
            dtype = "bool" if name[0] == "m" else arrays["y"].dtype
            arrays[name] = numpy.zeros(case.output.shape, dtype)
        return arrays[name]

    calls = []
    for function, *names in case.numpy:
        *inputs, output = [operand(name) for name in names]
        if function == "copy":
            calls.append(functools.partial(numpy.copyto, output, inputs[0]))
        elif function == "copy_where":
            calls.append(functools.partial(numpy.copyto, output, inputs[1], where=inputs[0]))
        elif function == "clip":
            calls.append(functools.partial(numpy.clip, *inputs, out=output))
        else:
            calls.append(functools.partial(getattr(numpy, function), *inputs, output))
    return calls


class NumexprRunner(PythonRunner):
    def __init__(self, calls, threads):
        super().__init__(calls)
        self.threads = threads

    def time(self, runs):
        if numexpr.set_num_threads(self.threads) != self.threads:
            super().time(1)  # new threads have started
        return super().time(runs)


def numexpr_runner(case, addresses, threads):
    if numexpr is None or numpy is None:
        raise Unable("not installed")
    if case.numexpr is None:
        raise Unable("no such function" if case.dtype in NUMEXPR_TYPES else "no such type")
    calls = []
    for row in addresses:
        names = constant_arrays(case)
        names["ZERO"] = numpy.dtype(TYPES[case.dtype][1]).type(0)
        names["QUARTER"] = numpy.float32(0.25)
        for name, operand, address in zip(LETTERS, case.inputs, row):
            names[name] = view(operand, address)
        calls.append([functools.partial(
            numexpr.evaluate, case.numexpr, local_dict=names, global_dict={},
            out=view(case.output, row[-1]), casting="same_kind")])
    return NumexprRunner(calls, threads)
