"""measure.py - one case on every system: check, calibrate, time in turn

SPDX-License-Identifier: Apache-2.0

All systems work on the same memory.  First each result is compared with Broadloom's on one
thread; then, repetition after repetition, each system is timed once, in an order that is shuffled
each time, so that a machine that slows down or speeds up does so for all of them.
"""
import ctypes
import gc
import math
import os
import random
import time

import machine
import native as nat
import peers
from cases import LETTERS, Operand, type_number

SAMPLE_NS = 200e3       # a sample is at least this long, in as many runs as it takes
SLOW_NS = 100e6         # a run this long needs no warming up
REPETITIONS = (5, 400)  # at least, at most
SLOW_SAMPLES = 2        # of a system that has spent the whole case's time by itself
TRIAL = 3               # repetitions after which slow ceiling kernels are left out
TRIAL_RATIO = 1.1
PAUSE_NS = 5e6          # a pause in which other threads use less than QUIET_NS is quiet;
QUIET_NS = 0.5e6        # the system may count another thread's time in ticks of 4 ms
PAUSES_MAX = 40
SETS_MAX = 64
SENTINEL = 0xA5


class System:
    """A system on one case: its runner, its samples, or why it has none."""

    def __init__(self, name, threads, make, kernel=None):
        self.name, self.threads, self.kernel = name, threads, kernel
        self.runner, self.error, self.check = None, None, None
        self.samples = []  # ns a run
        self.turns = []    # the repetition of each sample
        self.runs = self.warm = 1
        self.spent = 0  # ns, on all runs
        self.dropped = False
        try:
            self.runner = make()
        except peers.Unable as problem:
            self.error = str(problem)
        except nat.NativeError as problem:
            self.error = short_error(str(problem))

    def time(self, runs):
        ns = self.runner.time(runs)
        self.spent += ns
        return ns

    def calibrate(self, size, hot, evict):
        """Choose the runs of a sample, and those before it that are not timed: enough to get
        out of the caches what the last system left there, in them what this one needs."""
        taken = self.time(1)
        while taken < SAMPLE_NS / 2:  # one run says little: it has to warm up, and may be short
            self.runs = min(10 * self.runs, math.ceil(self.runs * SAMPLE_NS / max(taken, 1)))
            taken = self.time(self.runs)
        self.runs = max(1, math.ceil(self.runs * SAMPLE_NS / taken))
        self.warm = max(1, self.runs // 2 if hot else math.ceil(evict / size))
        if taken >= SLOW_NS:
            self.warm = 0

    def sample(self, turn):
        if self.warm:
            self.time(self.warm)
        self.samples.append(self.time(self.runs) / self.runs)
        self.turns.append(turn)
        if self.threads > 1 and self.kernel is None:
            settle()

    def median(self):
        return quantile(self.samples, 0.5)

    def report(self):
        entry = {"system": self.name, "threads": self.threads}
        if self.kernel:
            entry["kernel"] = self.kernel
        if self.check:
            entry["check"] = self.check
        if self.error or not self.samples:
            entry["error"] = self.error or "not timed"
            return entry
        entry.update(median_ns=self.median(), low_ns=quantile(self.samples, 0.25),
                     high_ns=quantile(self.samples, 0.75), min_ns=min(self.samples),
                     samples=len(self.samples), runs=self.runs)
        return entry


def times_as_long(system, other):
    """How many times as long a system takes as another one: the median over the repetitions in
    which both were timed, so that a machine that changes its speed between them does no harm."""
    theirs = dict(zip(other.turns, other.samples))
    ratios = [ns / theirs[turn] for turn, ns in zip(system.turns, system.samples)
              if turn in theirs]
    return quantile(ratios, 0.5) if ratios else None


def settle():
    """Wait until all other threads sleep: ONNX Runtime's spin for some 50 ms after a run, and
    also when they are new, and would take a processor from whoever is timed next.

    This one does not sleep: a processor that has is slower for some milliseconds.
    """
    for _ in range(PAUSES_MAX):
        before = others_ns()
        end = time.perf_counter_ns() + PAUSE_NS
        while time.perf_counter_ns() < end:
            pass
        if others_ns() - before < QUIET_NS:
            return


def others_ns():
    """The processor time of this process that its other threads have used."""
    return time.process_time_ns() - time.thread_time_ns()


def short_error(message):
    if "Could not find an implementation" in message or "NOT_IMPLEMENTED" in message:
        return "no kernel"
    return message


def quantile(values, part):
    ordered = sorted(values)
    at = part * (len(ordered) - 1)
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)


class Measurer:
    """Measures cases, one after the other, in memory that it keeps."""

    def __init__(self, native, options, folder):
        self.native, self.options, self.folder = native, options, folder
        self.operands = nat.Memory(native)
        self.areas = nat.Memory(native)  # what the ceiling's kernels work on
        self.reference = nat.Memory(native)
        self.kernels = native.ceiling_kernels()
        self.random = random.Random(1)
        llc = machine.last_level_bytes()
        self.evict = 2 * llc
        self.cold = max(256 << 20, 4 * llc)

    def sets(self, case):
        """How many sets of operands are used in turn: one where they shall stay in the cache."""
        if case.hot:
            return 1
        room = (machine.meminfo("MemAvailable") or 1 << 40) // 3 // case.bytes
        return max(1, min(SETS_MAX, math.ceil(self.cold / case.bytes), room))

    # ---- Operands ----

    def place(self, case, sets):
        """Fill set 0, copy it to the others; the addresses of each set's operands."""
        operands = case.inputs + [case.output]
        offsets, total = nat.layout([operand.bytes for operand in operands], sets)
        base = self.operands.reserve(total)
        addresses = [[base + offset for offset in row] for row in offsets]
        for k, (operand, address) in enumerate(zip(case.inputs, addresses[0])):
            self.native.call("native_fill", address, type_number(operand.dtype), operand.count,
                             operand.low, operand.high, k + 1)
        for row in addresses[1:]:
            for operand, start, to in zip(case.inputs, addresses[0], row):
                ctypes.memmove(to, start, operand.bytes)
        for row in addresses:
            ctypes.memset(row[-1], SENTINEL, case.output.bytes)
        return addresses

    def write_model(self, case, ort):
        path = os.path.join(self.folder, f"{case.name}{'.ort' if ort else ''}.onnx")
        with open(path, "wb") as file:
            file.write(case.model(ort))
        return path

    def broadloom_job(self, case, addresses, threads):
        """bl_apply where the case is one operator, else a session of its model."""
        operands = case.inputs + [case.output]
        if case.op is None:
            return nat.make_job(operands, addresses, model=self.write_model(case, False),
                                threads=threads)
        return op_job(case, addresses, threads)

    # ---- Systems ----

    def systems(self, case, addresses):
        operands = case.inputs + [case.output]
        made = [System("broadloom", threads, lambda t=threads: nat.broadloom_runner(
            self.native, self.broadloom_job(case, addresses, t)))
            for threads in self.options.threads]
        for peer in self.options.peers:
            if peer == "numpy":
                made.append(System(peer, 1, lambda: peers.numpy_runner(case, addresses)))
            elif peer == "numexpr":
                made += [System(peer, threads, lambda t=threads: peers.numexpr_runner(
                    case, addresses, t)) for threads in self.options.threads]
            else:
                made += [System(peer, threads, lambda t=threads, b=peer == "ort-binding":
                                self.ort(case, operands, addresses, t, b))
                         for threads in self.options.threads]
        return made

    def ort(self, case, operands, addresses, threads, binding):
        if not self.options.ort_library:
            raise peers.Unable("not installed")
        job = nat.make_job(operands, addresses, model=self.write_model(case, True),
                           threads=threads)
        return nat.ort_runner(self.native, self.options.ort_library, job, binding)

    def ceilings(self, case, sets):
        """The kernels that a case is held against: sums only where it reads a lot for each byte
        that it writes."""
        if case.group == "call":
            return []
        area = case.bytes // 64 * 64 + (16 << 10)
        stride = -(-area // nat.PAGE) * nat.PAGE if case.bytes >= nat.PAGE else area
        base = self.areas.reserve(stride * sets)
        made = []
        for threads in self.options.threads:
            for number, name, reads in self.kernels:
                if reads <= 2 or case.reads >= 2.9:
                    system = System("ceiling", threads, lambda n=number, t=threads:
                                    nat.ceiling_runner(self.native, n, t, sets, base, stride,
                                                       case.bytes), name)
                    floats = case.bytes // 4 // (reads + 1) // threads // 64 * 64
                    system.bytes = 4 * floats * threads * (reads + 1)
                    made.append(system)
        return [system for system in made if system.error is None]

    # ---- Checking ----

    def check(self, case, systems, addresses):
        """Run each system once, on set 0, and compare with the first one's result."""
        output, size = addresses[0][-1], case.output.bytes
        reference = self.reference.reserve(max(size, 64))
        first = None
        for system in systems:
            if system.error:
                continue
            ctypes.memset(output, SENTINEL, size)
            try:
                system.runner.time(1)
            except nat.NativeError as problem:
                system.error = short_error(str(problem))
                continue
            except Exception as problem:  # whatever a peer raises: it is shown in the table
                system.error = f"{type(problem).__name__}: {problem}"
                continue
            if first is None:
                first = system
                ctypes.memmove(reference, output, size)
                continue
            self.compare(case, system, output, reference)

    def compare(self, case, system, output, reference):
        own = system.name == "broadloom"
        tolerance = None if own else case.tolerance
        relative, absolute = (tolerance.relative, tolerance.absolute) if tolerance else (0, 0)
        worst = ctypes.c_double()
        different = self.native.library.native_compare(
            output, reference, type_number(case.output.dtype), case.output.count, relative,
            absolute, ctypes.byref(worst))
        if different != 0:
            system.check = (f"{different} of {case.output.count} elements differ, by up to "
                            f"{worst.value:.3g}")
            system.error = "mismatch"
        elif worst.value == 0:
            system.check = "equal"
        else:
            system.check = f"within {worst.value:.2g}: {tolerance.reason}"

    # ---- Timing ----

    def rounds(self, case, systems, ceilings):
        alive = [system for system in systems + ceilings if system.error is None]
        settle()
        for system in alive:
            system.calibrate(case.bytes, case.hot, self.evict)
            if system.threads > 1:
                settle()
        start = time.monotonic()
        for repetition in range(REPETITIONS[1]):
            if repetition >= REPETITIONS[0] and time.monotonic() - start > self.options.seconds:
                break
            if repetition == TRIAL:
                drop_slow_kernels(ceilings)
                alive = [system for system in alive if not system.dropped]
            order = list(alive)
            self.random.shuffle(order)
            for system in order:
                if (system.spent > 1e9 * self.options.seconds and
                        len(system.samples) >= SLOW_SAMPLES):
                    continue
                try:
                    system.sample(repetition)
                except nat.NativeError as problem:
                    system.error = short_error(str(problem))
                    alive.remove(system)

    def measure(self, case):
        """Everything about one case, as it goes into the JSON file."""
        sets = self.sets(case)
        addresses = self.place(case, sets)
        systems, ceilings = self.systems(case, addresses), []
        gc.collect()
        gc.disable()
        try:
            self.check(case, systems, addresses)
            if not self.options.check_only:
                ceilings = self.ceilings(case, sets)
                self.rounds(case, systems, ceilings)
        finally:
            gc.enable()
            for system in systems + ceilings:
                if system.runner is not None:
                    system.runner.free()
        entry = {"name": case.name, "group": case.group, "op": case.title, "type": case.dtype,
                 "shapes": case.shapes, "elements": case.output.count,
                 "inputs": len(case.inputs), "bytes": case.bytes, "flops": case.flops,
                 "mode": "hot" if case.hot else "cold", "sets": sets, "quick": case.quick,
                 "systems": [system.report() for system in systems]}
        best = best_kernels(ceilings)
        entry["ceilings"] = {
            str(threads): {"gbps": rate(kernel), "kernel": kernel.kernel,
                           "ns": case.bytes / rate(kernel)} for threads, kernel in best.items()}
        relate(case, systems, best, entry["systems"])
        return entry

    def memory(self, case, threads):
        """(bytes the context holds, bytes a run holds beyond that)"""
        addresses = self.place(case, 1)
        return nat.broadloom_memory(self.native, self.broadloom_job(case, addresses, threads))

    def free(self):
        for memory in (self.operands, self.areas, self.reference):
            memory.free()


def op_job(case, addresses, threads):
    """A job whose operands are those of the operator, constants among them."""
    constants = {name: (ctypes.c_float * len(constant.values))(*constant.values)
                 for name, constant in case.constants.items()}
    places = {name: k for k, name in enumerate(LETTERS[:len(case.inputs)])}
    operands, columns = [], []
    for name in case.op_operands():
        if name in places:
            operands.append(case.inputs[places[name]])
            columns.append(lambda row, k=places[name]: row[k])
        else:
            operands.append(Operand("f32", case.constants[name].shape))
            address = ctypes.addressof(constants[name])
            columns.append(lambda row, a=address: a)
    operands.append(case.output)
    columns.append(lambda row: row[-1])
    job = nat.make_job(operands, [[column(row) for column in columns] for row in addresses],
                       op=case.op, threads=threads)
    job.keep = (job.keep, constants)
    return job


def drop_slow_kernels(ceilings):
    """Of each number of threads, leave those kernels that are nearly as fast as its fastest."""
    for threads in {system.threads for system in ceilings}:
        rivals = [system for system in ceilings if system.threads == threads]
        best = max(rate(system) for system in rivals)
        for system in rivals:
            system.dropped = rate(system) * TRIAL_RATIO < best


def rate(system):
    """Bytes a nanosecond, that is, GB/s, of a ceiling's kernel."""
    return system.bytes / system.median()


def best_kernels(ceilings):
    """{threads: the kernel that moves the most bytes a second}"""
    best = {}
    for system in ceilings:
        if system.dropped or not system.samples:
            continue
        if system.threads not in best or rate(system) > rate(best[system.threads]):
            best[system.threads] = system
    return best


def relate(case, systems, best, figures):
    """Add to each figure its share of the ceiling, and how many times as long it takes as
    Broadloom does with as many threads."""
    own = {system.threads: system for system in systems if system.name == "broadloom"}
    for system, figure in zip(systems, figures):
        if "error" in figure:
            continue
        kernel, ours = best.get(system.threads), own.get(system.threads)
        slower = times_as_long(system, kernel) if kernel else None
        if slower:
            figure["share"] = case.bytes / kernel.bytes / slower
        ratio = times_as_long(system, ours) if ours else None
        if ratio:
            figure["times_ours"] = ratio
