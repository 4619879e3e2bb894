"""native.py - bench/native/ from Python: memory, and one runner for each system and case

SPDX-License-Identifier: Apache-2.0
"""
import ctypes
import glob
import os

from cases import OPSET, type_number

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ERROR_BYTES = 2048
PAGE = 2 << 20
FLOATS_BYTE = 0x3f  # four of them are the float 0.747
STAGGER = 256  # bytes; see bench/native/ceiling.c


class NativeError(Exception):
    """What a function of the library says of its failure."""


class Array(ctypes.Structure):
    _fields_ = [("dtype", ctypes.c_int32), ("rank", ctypes.c_int32),
                ("dims", ctypes.POINTER(ctypes.c_int64))]


class Job(ctypes.Structure):
    _fields_ = [("op", ctypes.c_char_p), ("model", ctypes.c_char_p),
                ("opset", ctypes.c_int32), ("threads", ctypes.c_int32),
                ("sets", ctypes.c_int32), ("input_count", ctypes.c_int32),
                ("arrays", ctypes.POINTER(Array)), ("bytes", ctypes.POINTER(ctypes.c_size_t)),
                ("data", ctypes.POINTER(ctypes.c_void_p))]


POINTER, INT, LONG, DOUBLE = ctypes.c_void_p, ctypes.c_int, ctypes.c_int64, ctypes.c_double
TEXT, SIZE, JOB = ctypes.c_char_p, ctypes.c_size_t, ctypes.POINTER(Job)
LONGS, DOUBLES = ctypes.POINTER(LONG), ctypes.POINTER(DOUBLE)
FUNCTIONS = {  # as in native.h: result, arguments
    "native_time": (DOUBLE, [POINTER, LONG, TEXT]),
    "native_free": (None, [POINTER]),
    "native_memory_new": (POINTER, [SIZE]),
    "native_memory_free": (None, [POINTER, SIZE]),
    "native_fill": (INT, [POINTER, ctypes.c_int32, LONG, DOUBLE, DOUBLE, ctypes.c_uint64, TEXT]),
    "native_compare": (LONG, [POINTER, POINTER, ctypes.c_int32, LONG, DOUBLE, DOUBLE, DOUBLES]),
    "native_broadloom_new": (POINTER, [JOB, TEXT]),
    "native_broadloom_memory": (INT, [JOB, LONGS, LONGS, TEXT]),
    "native_ort_version": (TEXT, [TEXT, TEXT]),
    "native_ort_new": (POINTER, [TEXT, JOB, INT, TEXT]),
    "native_ceiling_name": (TEXT, [INT]),
    "native_ceiling_reads": (INT, [INT]),
    "native_ceiling_new": (POINTER, [INT, INT, INT, POINTER, SIZE, SIZE, TEXT]),
    "bl_version": (TEXT, []),
    "bl_cpu_isa": (TEXT, []),
}


def find_library(build):
    """The path of bench_native in a build folder, or None."""
    found = glob.glob(os.path.join(build, "bench", "libbench_native.*"))
    return found[0] if found else None


class Native:
    def __init__(self, path):
        self.path = path
        self.library = ctypes.CDLL(path)
        for name, (result, arguments) in FUNCTIONS.items():
            function = getattr(self.library, name)
            function.restype, function.argtypes = result, arguments

    def call(self, name, *arguments):
        """Call a function whose last argument is the error; None or below 0 is a failure."""
        error = ctypes.create_string_buffer(ERROR_BYTES)
        result = getattr(self.library, name)(*arguments, error)
        if result is None or (not isinstance(result, bytes) and result < 0):
            raise NativeError(error.value.decode("utf-8", "replace") or f"{name} failed")
        return result

    def ceiling_kernels(self):
        """(number, name, arrays read) of each kernel of this machine."""
        kernels = []
        while True:
            name = self.library.native_ceiling_name(len(kernels))
            if name is None:
                return kernels
            reads = self.library.native_ceiling_reads(len(kernels))
            kernels.append((len(kernels), name.decode(), reads))


class Memory:
    """Memory that grows to what the largest case needs, and is used again for the next one."""

    def __init__(self, native):
        self.native = native
        self.address, self.size = None, 0

    def reserve(self, size):
        if size > self.size:
            self.free()
            self.address = self.native.library.native_memory_new(size)
            if self.address is None:
                raise NativeError(f"no memory for {size / 1e9:.1f} GB of operands")
            self.size = size
            # Pages that nobody has written to are one page of zeros, which stays in the cache.
            ctypes.memset(self.address, FLOATS_BYTE, size)
        return self.address

    def free(self):
        """Give it back."""
        if self.address is not None:
            self.native.library.native_memory_free(self.address, self.size)
        self.address, self.size = None, 0


def layout(sizes, sets):
    """(offsets of each set's operands, bytes in all).

    Large operands begin at a huge page, small ones at a cache line; the k-th of a set is k times
    STAGGER further on, so that no two lie alike in a page.
    """
    offsets, end = [], 0
    for _ in range(sets):
        row = []
        for k, size in enumerate(sizes):
            align = PAGE if size >= PAGE else 64
            start = -(-end // align) * align + k * STAGGER
            row.append(start)
            end = start + size
        offsets.append(row)
    return offsets, end + PAGE


def make_job(operands, addresses, op=None, model=None, threads=1):
    """A Job; `operands` are inputs, then the output, `addresses` a list of them for each set."""
    count = len(operands)
    dims = [(LONG * max(1, len(o.shape)))(*o.shape) for o in operands]
    arrays = (Array * count)(*[Array(type_number(o.dtype), len(o.shape), d)
                               for o, d in zip(operands, dims)])
    data = (ctypes.c_void_p * (count * len(addresses)))(*[a for row in addresses for a in row])
    job = Job(op.encode() if op else None, model.encode() if model else None, OPSET, threads,
              len(addresses), count - 1, arrays, (SIZE * count)(*[o.bytes for o in operands]), data)
    job.keep = dims  # the structs hold bare pointers
    return job


class Runner:
    """A system made ready for a case."""

    def __init__(self, native, handle, job=None):
        self.native, self.handle = native, handle
        self.job = job  # holds memory that the handle points to
        self.error = ctypes.create_string_buffer(ERROR_BYTES)
        self.native_time = native.library.native_time

    def time(self, runs):
        """Nanoseconds that `runs` runs took."""
        ns = self.native_time(self.handle, runs, self.error)
        if ns < 0:
            raise NativeError(self.error.value.decode("utf-8", "replace"))
        return ns

    def free(self):
        if self.handle is not None:
            self.native.library.native_free(self.handle)
        self.handle = None


def broadloom_runner(native, job):
    return Runner(native, native.call("native_broadloom_new", job), job)


def ort_runner(native, library, job, binding=False):
    return Runner(native, native.call("native_ort_new", library.encode(), job, int(binding)),
                  job)


def ceiling_runner(native, kernel, threads, sets, address, stride, size):
    return Runner(native, native.call("native_ceiling_new", kernel, threads, sets, address,
                                      stride, size))


def broadloom_memory(native, job):
    """(bytes the context holds, the most that a run holds beyond that)"""
    context, call = LONG(), LONG()
    native.call("native_broadloom_memory", job, ctypes.byref(context), ctypes.byref(call))
    return context.value, call.value


def find_ort(build):
    """ONNX Runtime's shared library: $BENCH_ORT_LIB, or what `make bench-peers` unpacked."""
    named = os.environ.get("BENCH_ORT_LIB")
    if named:
        return named
    found = glob.glob(os.path.join(build, "peers", "**", "libonnxruntime.so*"), recursive=True)
    return min(found, key=len) if found else None
