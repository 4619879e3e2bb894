#!/usr/bin/env python3
# coverage.py - lines and branches that the tests ran, room by room, against a floor
# SPDX-License-Identifier: Apache-2.0
"""Usage: tools/coverage.py [--raise] [--files ROOM] COVERAGE.json

COVERAGE.json is what `gcovr --json` writes.  Prints a table with a row for each room and fails if
a room, or src/ as a whole, lies below its floor in tools/coverage_floor.json.  A floor is in
percent, and only ever rises:
  --raise       write into that file what a room now has, where that is more
  --files ROOM  print the files of one room, and which of their lines never ran
"""
import argparse
import json
import math
import os
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
FLOORS = os.path.join(ROOT, "tools", "coverage_floor.json")
# How far a share may lie below what was measured when the floor was raised: which thread takes a
# unit, and so whether a branch of the pool runs, differs from run to run.
SLACK = 0.5
# What each room of the library has to have in any case: lines, in percent.
LEAST = 90


def room_of(path):
    """src/base, src/backends/cpu, conform, cli: the folder of a file."""
    return os.path.dirname(path)


class Count:
    def __init__(self):
        self.ran, self.all, self.taken, self.ways = 0, 0, 0, 0

    def add(self, file):
        for line in file["lines"]:
            if line.get("gcovr/noncode"):
                continue
            self.all += 1
            self.ran += line["count"] > 0
            self.ways += len(line["branches"])
            self.taken += sum(branch["count"] > 0 for branch in line["branches"])

    def lines(self):
        return 100 * self.ran / self.all if self.all else 100

    def branches(self):
        return 100 * self.taken / self.ways if self.ways else 100


def count_rooms(files):
    """{room: Count}, and "src" for all that lies below it."""
    rooms = {}
    for file in files:
        path = file["file"]
        for name in {room_of(path), path.split("/")[0]}:
            rooms.setdefault(name, Count()).add(file)
    return rooms


def print_table(rooms, floors):
    """The table; returns what fell below its floor, a line for each."""
    faults = []
    print("| room | lines | of | floor | branches | of | floor |")
    print("|---|---|---|---|---|---|---|")
    for name, count in sorted(rooms.items()):
        floor = floors.get(name, {"lines": 0, "branches": 0})
        print(f"| `{name}/` | {count.lines():.1f} % | {count.all} | {floor['lines']} % "
              f"| {count.branches():.1f} % | {count.ways} | {floor['branches']} % |")
        if name.startswith("src") and count.lines() < LEAST:
            faults.append(f"{name}/: {count.lines():.2f} % of lines, the library is to have {LEAST} %")
        if name not in floors:
            faults.append(f"{name}/ has no floor; tools/coverage.py --raise gives it one")
        for what, share in (("lines", count.lines()), ("branches", count.branches())):
            if share < floor[what]:
                faults.append(f"{name}/: {share:.2f} % of {what}, the floor is {floor[what]} %")
    for name in sorted(set(floors) - set(rooms)):
        faults.append(f"{name}/ has a floor, and no file of it was measured")
    return faults


def raise_floors(rooms, floors):
    """Write the floors anew; how many rose."""
    raised = 0
    for name, count in rooms.items():
        floor = floors.setdefault(name, {"lines": 0, "branches": 0})
        for what, share in (("lines", count.lines()), ("branches", count.branches())):
            new = max(0, math.floor(10 * (share - SLACK)) / 10)
            if new > floor[what]:
                floor[what] = new
                raised += 1
    rows = [f'  "{name}": {json.dumps(floors[name])}' for name in sorted(floors)]
    with open(FLOORS, "w", encoding="utf-8") as out:
        out.write("{\n" + ",\n".join(rows) + "\n}\n")
    return raised


def spans(numbers):
    """[1, 2, 3, 7] as "1-3 7"."""
    parts = []
    for number in numbers:
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


def print_files(files, room):
    for file in files:
        if room_of(file["file"]) == room:
            count = Count()
            count.add(file)
            missed = [line["line_number"] for line in file["lines"]
                      if line["count"] == 0 and not line.get("gcovr/noncode")]
            print(f"{file['file']}: {count.ran} of {count.all} lines; missed: {spans(missed)}")


def main():
    parser = argparse.ArgumentParser(description="coverage, room by room, against a floor")
    parser.add_argument("--raise", dest="raising", action="store_true")
    parser.add_argument("--files", metavar="ROOM")
    parser.add_argument("json")
    with_ = parser.parse_args()
    with open(with_.json, encoding="utf-8") as source:
        files = json.load(source)["files"]
    if not files:
        sys.exit(f"coverage: {with_.json} has no files; were the tests run?")
    if with_.files:
        print_files(files, with_.files)
        return 0
    floors = {}
    if os.path.exists(FLOORS):
        with open(FLOORS, encoding="utf-8") as source:
            floors = json.load(source)
    rooms = count_rooms(files)
    if with_.raising:
        print(f"coverage: {raise_floors(rooms, floors)} floors raised")
    faults = print_table(rooms, floors)
    for fault in faults:
        print(fault)
    whole = rooms.get("src", Count())
    print(f"coverage: src/ {whole.lines():.1f} % of lines, {whole.branches():.1f} % of branches; "
          f"{len(rooms)} rows, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
