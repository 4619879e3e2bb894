#!/usr/bin/env python3
"""bench.py - time Broadloom, the machine's ceiling and the peers side by side

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import json
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cases as table  # noqa: E402
import machine  # noqa: E402
import measure  # noqa: E402
import native  # noqa: E402
import peers  # noqa: E402
import report  # noqa: E402

OK, FAILED, USAGE = 0, 1, 2
PEERS = ("ort", "ort-binding", "numpy", "numexpr")
FORMAT = 1
MEMORY_CASES = ("Add_f32_64", "Add_f32_16M", "Sum15_f32_16M", "Sum4_f16_16M", "Add_bf16_16M",
                "Add_f32_inner", "Add_f32_row3", "Add_f32_col3", "Add_f32_rank8x",
                "Where_f32_mask", "PRelu_f32_16M", "Pow_f32_16M", "Gemm_f32_bias_row")
MEMORY_TARGET = 1e6  # bytes a thread

EXAMPLES = """\
examples:
  bench.py                                    the short list, ours and the ceiling
  bench.py --group types --filter _16M        a group, those of 16 Mi elements
  bench.py --filter '^Add_f32' --threads 1    cases by name, on one thread
  bench.py --peers ort,numpy,numexpr --group all --json out.json --markdown out.md --svg out.svg
  bench.py --memory                           what an operator allocates
  report.py out.json                          tables and plots of a file, later
  compare.py before.json after.json           what got slower

exit status: 0 well, 1 a result is not what another system's is, or a failure, 2 usage
"""


def list_of(kind):
    def parse(text):
        try:
            return [kind(item) for item in text.split(",") if item]
        except ValueError:
            raise argparse.ArgumentTypeError(f"not a list: {text}") from None
    return parse


def thread_count(text):
    if int(text) < 1:
        raise ValueError(text)
    return int(text)


def parse_arguments():
    default_threads = [1] + ([2] if machine.processors() > 1 else [])
    parser = argparse.ArgumentParser(
        description="Time Broadloom, the machine's ceiling and the peers side by side.",
        epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--filter", metavar="REGEX", help="only cases whose name has it")
    add("--group", type=list_of(str), metavar="NAMES",
        help=f"cases of groups: all, quick, {', '.join(table.GROUPS)} (quick; all with --filter)")
    add("--seconds", type=float, default=0.7, metavar="S", help="for each case (0.7)")
    add("--threads", type=list_of(thread_count), default=default_threads, metavar="LIST",
        help=f"numbers of threads ({','.join(map(str, default_threads))})")
    add("--peers", type=list_of(str), default=[], metavar="NAMES",
        help=f"of {', '.join(PEERS)} (none)")
    add("--build", default=os.path.join(native.ROOT, "build"), metavar="DIR",
        help="where the library and bench_native were built (build)")
    add("--json", metavar="FILE", help="write all figures")
    add("--markdown", metavar="FILE", help="write the tables")
    add("--svg", metavar="FILE", help="write the plot of shares; FILE-against, FILE-scaling beside it")
    add("--check-only", action="store_true", help="compare results, time nothing")
    add("--memory", action="store_true", help="print what operators allocate, time nothing")
    add("--list", action="store_true", help="print the cases and stop")
    options = parser.parse_args()
    for peer in options.peers:
        if peer not in PEERS:
            parser.error(f"no peer is called {peer}; there are {', '.join(PEERS)}")
    groups = options.group or (["all"] if options.filter or options.memory else ["quick"])
    for group in groups:
        if group not in table.GROUPS + ("all", "quick"):
            parser.error(f"no group is called {group}; there are all, quick, "
                         f"{', '.join(table.GROUPS)}")
    options.group = groups
    try:
        options.chosen = choose(options)
    except re.error as problem:
        parser.error(f"--filter {options.filter}: {problem}")
    if not options.chosen:
        parser.error("no case has that name in these groups")
    if not options.threads:
        parser.error("--threads names none")
    for path in filter(None, (options.json, options.markdown, options.svg)):
        folder = os.path.dirname(path) or "."
        if not os.path.isdir(folder):  # found out now, not after half an hour
            parser.error(f"there is no folder {folder}")
    return options


def choose(options):
    chosen = []
    for case in table.all_cases():
        inside = ("all" in options.group or case.group in options.group or
                  ("quick" in options.group and case.quick))
        if inside and (not options.filter or re.search(options.filter, case.name)):
            chosen.append(case)
    return chosen


def list_cases(cases):
    for case in cases:
        print(f"{case.name:26} {case.group:6} {case.dtype:5} {'hot' if case.hot else 'cold':5}"
              f"{'quick ' if case.quick else '      '} {case.shapes}")
    print(f"{len(cases)} cases")


class Progress:
    """The line of the case in progress, on a terminal only."""

    def __init__(self, total):
        self.total, self.done = total, 0
        self.shown = sys.stderr.isatty()

    def step(self, name):
        self.done += 1
        if self.shown:
            sys.stderr.write(f"\r\033[K[{self.done}/{self.total}] {name}")
            sys.stderr.flush()

    def clear(self):
        if self.shown:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()


def give_up(message):
    print(f"bench: {message}", file=sys.stderr)
    sys.exit(FAILED)


def open_library(options):
    path = native.find_library(options.build)
    if path is None:
        give_up(f"no bench_native in {options.build}: "
                f"cmake --build {options.build} --target bench_native")
    return native.Native(path)


def find_peers(options, library):
    """Their versions; a peer that was asked for and is not there is a failure, not a gap."""
    versions = peers.load([peer for peer in options.peers if not peer.startswith("ort")])
    options.ort_library = None
    for peer in options.peers:
        if peer.startswith("ort"):
            options.ort_library = native.find_ort(options.build)
            if options.ort_library is None:
                give_up("ONNX Runtime is not there: make bench-peers, or name its library in "
                        "BENCH_ORT_LIB")
            try:
                version = library.call("native_ort_version", options.ort_library.encode())
            except native.NativeError as problem:
                give_up(str(problem))
            versions["ort"] = version.decode()
        elif peer not in versions:
            give_up(f"{peer} is not installed for {sys.executable}")
    return versions


def measure_memory(measurer, options):
    print("Memory beyond inputs and output, in bytes: what the context holds, and what one run "
          "holds\nbeyond that at most; target: under 1 MB a thread in all.\n")
    print(f"{'case':26} {'threads':>7} {'context':>10} {'run':>10} {'a thread':>10}")
    over = 0
    names = [case for case in options.chosen if options.filter or case.name in MEMORY_CASES]
    for case in names:
        for threads in options.threads:
            context, run = measurer.memory(case, threads)
            each = (context + run) / threads
            over += each >= MEMORY_TARGET
            print(f"{case.name:26} {threads:7} {context:10} {run:10} {each:10.0f}"
                  f"{'  over' if each >= MEMORY_TARGET else ''}")
    print("\nevery case is under 1 MB a thread" if over == 0 else f"\n{over} over the target")


def run_cases(measurer, options):
    entries, progress = [], Progress(len(options.chosen))
    for case in options.chosen:
        progress.step(case.name)
        try:
            entries.append(measurer.measure(case))
        except native.NativeError as problem:
            progress.clear()
            give_up(f"{case.name}: {problem}")
    progress.clear()
    return entries


def write(path, text):
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as problem:
        give_up(str(problem))


def write_files(data, options):
    """The files that were asked for; their paths."""
    written = []
    if options.json:
        write(options.json, json.dumps(data, indent=1) + "\n")
        written.append(options.json)
    if options.markdown:
        write(options.markdown, report.markdown(data))
        written.append(options.markdown)
    return written + (report.write_plots(data, options.svg) if options.svg else [])


def main():
    options = parse_arguments()
    if options.list:
        list_cases(options.chosen)
        return OK
    library = open_library(options)
    versions = find_peers(options, library)
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        measurer = measure.Measurer(library, options, folder)
        if options.memory:
            measure_memory(measurer, options)
            return OK
        before = machine.describe(options.build)
        entries = run_cases(measurer, options)
        measurer.free()
    versions["broadloom"] = library.library.bl_version().decode()
    tier = os.environ.get("BL_ISA") or library.library.bl_cpu_isa().decode()
    data = {"format": FORMAT, "machine": before, "versions": versions, "tier": tier,
            "load_after": list(os.getloadavg()), "threads": options.threads,
            "seconds": options.seconds, "cases": entries}
    print(report.check_summary(data) if options.check_only else report.text(data))
    for path in write_files(data, options):
        print(f"wrote {path}")
    return FAILED if report.mismatches(data) else OK


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:  # whoever read the output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(OK)
    except KeyboardInterrupt:
        sys.exit(130)
