#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run `broadloom conform` on a folder of ONNX's own tests, and compare what comes of each with the folder's index.

usage: check_onnx_tests.py TOOL FOLDER
FOLDER holds index.tsv: a line for each test with its category, tier (core18, wide, ext), operators and a note,
in a suite of several versions also with their tag.
Exit status: 0 all as expected, 1 a difference (each is named), 77 no such folder here.
"""
import collections
import csv
import json
import os
import subprocess
import sys

# What has to come of a test by the words in its note; the first that fits counts.
BY_NOTE = [
    ("sequence/optional", {"skipped"}),
    ("INVALID MODEL", {"failed"}),
    # Data that ONNX itself replaced: Cast to 4-bit types saturates, or rounds NaN another way.
    ("newer data", {"failed"}),
    # bfloat16 cut off instead of rounded.
    ("truncated", {"failed"}),
    # A few of these also have another shape than their model says, and are refused.
    ("UINT16", {"passed", "failed"}),
]
# Operators of the ext tier, and those of an opset in which they were experimental.
UNKNOWN = ("unknown operator", "exists from opset")


def expected(row):
    """The outcomes that are right for a test."""
    if row["tier"] == "ext" or ":0" in row["ops"]:
        return {"skipped"}
    for words, outcomes in BY_NOTE:
        if words in row["note"]:
            return outcomes
    return {"passed"}


def check(row, result):
    """What is wrong with the result of a test, or None."""
    if result is None:
        return "is not run"
    outcome, message = result["outcome"], result.get("message", "")
    if outcome not in expected(row):
        return f"{outcome}, but has to be {' or '.join(sorted(expected(row)))}: {message}"
    if outcome == "skipped" and "sequence" not in row["note"] and not any(w in message for w in UNKNOWN):
        return f"is skipped for another reason than its operator: {message}"
    return None


def main():
    tool, folder = sys.argv[1:]
    if not os.path.exists(folder):
        print(f"skipped: there is no {os.path.basename(folder)} beside the project")
        return 77
    with open(os.path.join(folder, "index.tsv"), encoding="utf-8", newline="") as file:
        rows = {os.path.join(row.get("tag", ""), row["category"], row["test"]): row
                for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}
    run = subprocess.run([tool, "conform", "--format", "json", folder], capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1):
        print(f"the tool exits with {run.returncode}: {run.stderr}")
        return 1
    results = {os.path.relpath(case["file"], folder): case for case in json.loads(run.stdout)["cases"]}
    differences = [f"{name} is not in the index" for name in sorted(results.keys() - rows.keys())]
    counts = collections.Counter()
    for name, row in sorted(rows.items()):
        wrong = check(row, results.get(name))
        if wrong:
            differences.append(f"{name} {wrong}")
        else:
            counts[row["tier"], results[name]["outcome"]] += 1
    for difference in differences:
        print(difference)
    for (tier, outcome), count in sorted(counts.items()):
        print(f"{tier}: {count} {outcome}, as expected")
    print(f"{len(rows)} tests, {len(differences)} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
