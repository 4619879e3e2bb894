#!/usr/bin/env python3
"""compare.py - name what got slower or faster from one file of bench.py to another

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import json
import os
import statistics
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from report import columns, load, markdown_table, microseconds  # noqa: E402

OK, FAILED, USAGE = 0, 1, 2
SMALLEST = 0.02  # a change below this is no news, however quiet the machines were

EXPLANATION = """\
BEFORE and AFTER may be several files each, with commas between them: measured in turn, they
show how much this machine changes from run to run.

A case has changed where the middle halves of its samples on both sides do not overlap, and the
medians differ by more than 2 %.  With --relative, times are taken in units of the machine's
ceiling in the same run, for machines or hours that differ.

exit status: 0 nothing got slower by more than --percent, 1 something did, or fails now, 2 usage
"""


def parse_arguments():
    parser = argparse.ArgumentParser(
        description="Name what got slower or faster from one file of bench.py to another.",
        epilog=EXPLANATION, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", metavar="BEFORE.json[,...]")
    parser.add_argument("after", metavar="AFTER.json[,...]")
    parser.add_argument("--percent", type=float, default=10, metavar="P",
                        help="a slowdown by more than this is a failure (10)")
    parser.add_argument("--system", default="broadloom", metavar="NAME",
                        help="whose times: broadloom, ort, numpy, numexpr (broadloom)")
    parser.add_argument("--relative", action="store_true", help="in units of the ceiling")
    parser.add_argument("--format", choices=("text", "markdown", "json"), default="text")
    return parser.parse_args()


def figures(data, system, relative):
    """{(case, threads): its figures}; an error in place of times is kept."""
    found = {}
    for entry in data["cases"]:
        for figure in entry["systems"]:
            if figure["system"] != system:
                continue
            key = entry["name"], figure["threads"]
            ceiling = entry["ceilings"].get(str(figure["threads"]))
            if "error" in figure:
                found[key] = figure
            elif not relative:
                found[key] = dict(figure, unit=1)
            elif ceiling:
                found[key] = dict(figure, unit=ceiling["gbps"])
    return found


def merged(datas, system, relative):
    """The figures of several files as one: the median of medians, the widest range."""
    files = [figures(data, system, relative) for data in datas]
    found = {}
    for key in {key for file in files for key in file}:
        these = [file[key] for file in files if key in file]
        wrong = [figure for figure in these if "error" in figure]
        found[key] = wrong[0] if wrong else {
            "low": min(figure["low_ns"] * figure["unit"] for figure in these),
            "median": statistics.median(f["median_ns"] * f["unit"] for f in these),
            "high": max(figure["high_ns"] * figure["unit"] for figure in these),
            "median_ns": statistics.median(figure["median_ns"] for figure in these)}
    return found


def verdict(before, after):
    """("slower", "faster" or "same", median after / before)"""
    ratio = after["median"] / before["median"]
    if ratio > 1 + SMALLEST and after["low"] > before["high"]:
        return "slower", ratio
    if ratio < 1 / (1 + SMALLEST) and after["high"] < before["low"]:
        return "faster", ratio
    return "same", ratio


def compare(before, after, options):
    """What --format json prints, of two lists of files' data."""
    old = merged(before, options.system, options.relative)
    new = merged(after, options.system, options.relative)
    result = {"system": options.system, "relative": options.relative,
              "percent": options.percent, "slower": [], "faster": [], "same": 0, "fails": [],
              "only_before": [], "only_after": []}
    ratios = []
    for key in sorted(old.keys() | new.keys()):
        name = {"case": key[0], "threads": key[1]}
        if key not in new or key not in old:
            result["only_before" if key in old else "only_after"].append(name)
            continue
        if "error" in new[key]:
            if "error" not in old[key]:
                result["fails"].append(dict(name, error=new[key]["error"]))
            continue
        if "error" in old[key]:
            result["only_after"].append(name)
            continue
        kind, ratio = verdict(old[key], new[key])
        ratios.append(ratio)
        if kind == "same":
            result["same"] += 1
        else:
            result[kind].append(dict(name, ratio=ratio, before_ns=old[key]["median_ns"],
                                     after_ns=new[key]["median_ns"]))
    result["slower"].sort(key=lambda row: -row["ratio"])
    result["faster"].sort(key=lambda row: row["ratio"])
    result["median_ratio"] = statistics.median(ratios) if ratios else None
    result["failed"] = bool(result["fails"]) or any(
        row["ratio"] > 1 + options.percent / 100 for row in result["slower"])
    result["same_machine"] = len({data["machine"]["cpu"] for data in before + after}) == 1
    return result


def change(ratio):
    return f"{100 * (ratio - 1):+.0f} %" if ratio < 2 else f"{ratio:.2f} times"


def table(rows, options):
    lines = [["case", "threads", "before µs", "after µs", "time", ""]]
    for row in rows:
        beyond = row["ratio"] > 1 + options.percent / 100
        lines.append([row["case"], str(row["threads"]), microseconds(row["before_ns"]),
                      microseconds(row["after_ns"]), change(row["ratio"]),
                      "too much" if beyond else ""])
    return markdown_table(lines) if options.format == "markdown" else columns(lines)


def show(result, options):
    head = "## " if options.format == "markdown" else ""
    lines = []
    if not result["same_machine"]:
        lines += ["The files are of different machines" + (
            "." if options.relative else "; --relative may tell more."), ""]
    for kind in ("slower", "faster"):
        if result[kind]:
            lines += [f"{head}{len(result[kind])} {kind}", "",
                      *table(result[kind], options), ""]
    for row in result["fails"]:
        lines += [f"fails now: {row['case']}, {row['threads']} threads: {row['error']}", ""]
    for kind, words in (("only_before", "not measured after"),
                        ("only_after", "not measured before")):
        if result[kind]:
            names = ", ".join(dict.fromkeys(row["case"] for row in result[kind]))
            lines += [f"{words}: {names}", ""]
    middle = result["median_ratio"]
    lines.append(f"{len(result['slower'])} slower, {len(result['faster'])} faster, "
                 f"{result['same']} the same within the noise"
                 f"{f'; median time {change(middle)}' if middle else ''}")
    return "\n".join(lines)


def main():
    options = parse_arguments()
    before, after = ([load(path) for path in paths.split(",")]
                     for paths in (options.before, options.after))
    result = compare(before, after, options)
    if options.format == "json":
        print(json.dumps(result, indent=1))
    else:
        print(show(result, options))
    return FAILED if result["failed"] else OK


if __name__ == "__main__":
    sys.exit(main())
