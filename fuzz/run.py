#!/usr/bin/env python3
"""run.py - let the fuzz targets search for a while, and say what came of it

SPDX-License-Identifier: Apache-2.0

Usage: fuzz/run.py BUILD [--seconds N] [--target NAME]... [--jobs N]

BUILD is a folder that was configured with BL_BUILD_FUZZ.  The seconds are shared out among the targets,
of which so many run at once.  Corpora are kept in BUILD/corpus, finds in BUILD/finds; the search
starts from them, from BUILD/fuzz/seeds and from fuzz/regressions.  Exit status: 0 nothing was found, 1 there
are finds, 2 it could not be run.
"""
import argparse
import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
SHOWN_EVERY = 10  # seconds between two lines of a target's progress
LIMITS = ["-timeout=30", "-rss_limit_mb=2048", "-max_len=4096"]
QUIET = ["arguments"]  # they print what the tool prints
# A GPU's driver is not what is searched, and may leave memory behind.
ENVIRONMENT = os.environ | {"VK_ICD_FILENAMES": "none", "VK_DRIVER_FILES": "none"}
STATUS = re.compile(rb"^#(\d+)\s+\S+\s+cov: (\d+) ft: \d+ corp: (\d+)")


class Run:
    """A target's search, and what is known of it so far."""

    def __init__(self, build, name, seconds):
        self.name, self.seconds = name, seconds
        self.program = os.path.join(build, "fuzz", "fuzz_" + name)
        self.seeds = os.path.join(build, "fuzz", "seeds", name)
        self.words = self.seeds + ".dict"
        self.corpus = os.path.join(build, "corpus", name)
        self.finds_folder = os.path.join(build, "finds", name)
        self.runs, self.edges, self.kept, self.took = 0, 0, 0, 0.0
        self.finds, self.last_lines, self.failed = [], [], False

    def command(self):
        folders = [self.corpus, self.seeds, os.path.join(ROOT, "fuzz", "regressions", self.name)]
        return ([self.program, f"-max_total_time={self.seconds}", f"-artifact_prefix={self.finds_folder}/", *LIMITS] +
                ([f"-dict={self.words}"] if os.path.exists(self.words) else []) +
                (["-close_fd_mask=3"] if self.name in QUIET else []) +
                [folder for folder in folders if os.path.isdir(folder)])

    def read_line(self, line):
        found = STATUS.match(line)
        if found:
            self.runs, self.edges, self.kept = (int(number) for number in found.groups())
        else:
            self.last_lines = self.last_lines[-40:] + [line.decode(errors="replace").rstrip()]

    def show(self):
        print(f"  {self.name:10} {self.took:6.0f} s  {self.runs:>12,} runs  {self.edges:>7,} edges  "
              f"{self.kept:>6,} inputs kept", flush=True)

    def search(self):
        for folder in (self.corpus, self.finds_folder):
            os.makedirs(folder, exist_ok=True)
        before, started, shown = set(os.listdir(self.finds_folder)), time.monotonic(), 0.0
        with subprocess.Popen(self.command(), env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT) as child:
            for line in child.stdout:
                self.read_line(line)
                self.took = time.monotonic() - started
                if self.took - shown >= SHOWN_EVERY:
                    shown = self.took
                    self.show()
        self.took = time.monotonic() - started
        self.show()
        # What was merely slow is a hint, not a find.
        new = sorted(set(os.listdir(self.finds_folder)) - before)
        self.finds = [os.path.join(self.finds_folder, name) for name in new if not name.startswith("slow-unit")]
        self.failed = child.returncode != 0
        return self


def report(runs):
    rows = [("target", "executions", "a second", "edges", "inputs kept", "finds")]
    for run in runs:
        rows.append((run.name, f"{run.runs:,}", f"{run.runs / max(run.took, 1e-3):,.0f}", f"{run.edges:,}",
                     f"{run.kept:,}", str(len(run.finds))))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(width) if i == 0 else cell.rjust(width)
                        for i, (cell, width) in enumerate(zip(row, widths))))


def explain(run):
    print(f"\n{run.name}: " + ("found" if run.finds else "ended, and left no reproducer; it said:"))
    for line in run.last_lines:
        print("    " + line)
    for path in run.finds:
        print(f"  reproduce: {os.path.relpath(run.program)} {os.path.relpath(path)}")
        print(f"  keep it:   cp {os.path.relpath(path)} fuzz/regressions/{run.name}/WHAT-IT-IS")


def choose(build, wanted):
    there = sorted(os.path.basename(path)[len("fuzz_"):] for path in glob.glob(os.path.join(build, "fuzz", "fuzz_*"))
                   if os.access(path, os.X_OK) and os.path.isfile(path))
    if not there:
        sys.exit(f"run.py: no fuzz target in {build}; cmake --build --preset fuzz makes them")
    for name in wanted:
        if name not in there:
            print(f"run.py: no target '{name}'; there are: {', '.join(there)}", file=sys.stderr)
            sys.exit(2)
    return wanted or there


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[2])
    parser.add_argument("build")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--target", action="append", default=[])
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    names = choose(options.build, options.target)
    jobs = max(1, min(options.jobs, len(names)))
    share = max(1, options.seconds * jobs // len(names))
    print(f"{len(names)} targets, {share} s each, {jobs} at once")
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        runs = list(pool.map(lambda name: Run(options.build, name, share).search(), names))
    print()
    report(runs)
    bad = [run for run in runs if run.failed or run.finds]
    for run in bad:
        explain(run)
    total = sum(run.runs for run in runs)
    found = ", ".join(f"{run.name}" for run in bad)
    print(f"\nfuzz: {total:,} executions, " + (f"faults found by: {found}" if bad else "nothing found"))
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
