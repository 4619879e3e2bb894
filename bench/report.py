#!/usr/bin/env python3
"""report.py - tables and plots of what bench.py measured

SPDX-License-Identifier: Apache-2.0

Usage: report.py FILE.json [--markdown FILE] [--svg FILE]
Without options, the tables go to the standard output as Markdown.
"""
import argparse
import json
import os
import statistics
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import plots  # noqa: E402
from targets import (LARGE_BYTES, TWO_THREADS, figure_of, judge, ratio_of,  # noqa: E402
                     reached, share_of, time_of, two_threads)

NAMES = {"broadloom": "Broadloom", "ort": "ONNX Runtime", "ort-binding": "ORT with IoBinding",
         "numpy": "NumPy", "numexpr": "numexpr"}
GROUP_TITLES = {"same": "Operands of one shape", "more": "Further operators and types",
                "types": "Every type", "bcast": "Broadcasting", "gemm": "Matrix products",
                "call": "Calls of 64 elements", "chain": "Chains (bytes as if fused)",
                "scale": "Further sizes and numbers of inputs"}


# ---- Numbers as text ----

def microseconds(ns):
    us = ns / 1e3
    return f"{us:.3f}" if us < 1 else f"{us:.2f}" if us < 10 else f"{us:.1f}" if us < 100 \
        else f"{us:.0f}"


def size_text(count):
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count} B"


def cache_text(count):
    return f"{count >> 20} MiB" if count >= 1 << 20 else f"{count >> 10} KiB"


def times(value):
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def percent(value):
    return f"{100 * value:.0f} %"


def systems_of(data):
    """(system, threads) in the order in which they first occur."""
    found = {}
    for entry in data["cases"]:
        for figure in entry["systems"]:
            found.setdefault((figure["system"], figure["threads"]))
    return list(found)


def cell(figure):
    """A system's time, or why there is none."""
    if figure is None:
        return ""
    if "error" not in figure:
        return microseconds(figure["median_ns"])
    message = figure["error"].replace("|", "/").replace("\n", " ")
    return message if len(message) < 40 else message[:38] + "…"


def spread(figure):
    """How far the middle half of the samples lies apart."""
    if figure is None or "error" in figure:
        return ""
    return percent((figure["high_ns"] - figure["low_ns"]) / figure["median_ns"])


def mismatches(data):
    """(case, system, what) of everything that is wrong: results that differ, and runs of ours
    that failed.  What a peer cannot do is not wrong."""
    found = []
    for entry in data["cases"]:
        for figure in entry["systems"]:
            own = figure["system"] == "broadloom"
            if figure.get("error") == "mismatch" or (own and "error" in figure and
                                                     figure["error"] != "not timed"):
                found.append((entry["name"], f"{NAMES[figure['system']]} {figure['threads']}T",
                              figure.get("check") or figure["error"]))
    return found


# ---- Parts ----

def header(data):
    machine = data["machine"]
    cache = ", ".join(f"{name} {cache_text(size)}" for name, size in machine["caches"].items()
                      if not name.endswith("i"))
    versions = ", ".join(f"{NAMES.get(name, name)} {version}"
                         for name, version in sorted(data["versions"].items()))
    loads = max(machine["load"][0], data["load_after"][0])
    busy = loads > machine["processors"] + 0.5
    return [f"{machine['date'][:10]}, {machine['cpu']}, {machine['processors']} processors "
            f"({cache}), {size_text(machine['memory_bytes'])} of memory, {machine['system']} "
            f"{machine['kernel']}.",
            f"{versions}; kernels: {data['tier']}, commit {machine['commit']}, "
            f"{machine['compiler']}.",
            f"Load average {machine['load'][0]:.1f} before, {data['load_after'][0]:.1f} after"
            f"{': the machine was busy, take the figures with care' if busy else ''}."]


def verdict_text(verdict):
    return {True: "met", False: "**not met**", None: "not measured"}[verdict]


def part_text(parts, name, show):
    """wanted and reached of one part of a target, as two cells."""
    if name not in parts:
        return ["", ""]
    wanted, value = parts[name]
    if value is None:
        return [show(wanted), "not measured"]
    worst, middle, case = value
    text = show(worst) if worst == middle else f"{show(worst)} … {show(middle)}"
    return [show(wanted), f"{text} ({case})" if worst < wanted else text]


def two_thread_ratio(entries):
    found = reached(entries, lambda entry: ratio_of(entry, "ort", 2))
    return f"{times(found[0])} … {times(found[1])}" if found else ""


def target_table(data):
    rows = [["target", "cases", "share wanted", "share reached", "× ORT wanted", "× ORT reached",
             "× ORT, 2 threads", "other", "verdict"]]
    for target, entries, parts, verdict in judge(data):
        other = []
        if "numpy" in parts:
            wanted, got = part_text(parts, "numpy", times)
            other.append(f"× NumPy {got} of {wanted}")
        if "speed" in parts:
            ns = time_of(entries[0], "broadloom", 1)
            other.append(f"{ns:.0f} ns of {target.nanoseconds:.0f}" if ns else "not measured")
        rows.append([target.name, str(len(entries)), *part_text(parts, "share", percent),
                     *part_text(parts, "ort", times), two_thread_ratio(entries),
                     "; ".join(other), verdict_text(verdict)])
    return rows


def two_threads_line(data):
    rows = two_threads(data)
    if not rows:
        return ""
    doubling = [row for row in rows if row[2] >= 1.9]
    fair = [row[1] / row[2] for row in rows]
    line = (f"Two threads, {len(rows)} cases over {size_text(LARGE_BYTES)}: median "
            f"{statistics.median(row[1] for row in rows):.2f} times one thread, where the ceiling "
            f"gets {statistics.median(row[2] for row in rows):.2f} times as high "
            f"(worst ratio of the two: {min(fair):.2f}).")
    if doubling:
        worst = min(doubling, key=lambda row: row[1])
        reached = sum(row[1] >= TWO_THREADS for row in doubling)
        line += (f" Where it doubles, {reached} of {len(doubling)} reach the wanted "
                 f"{TWO_THREADS}; the worst is {worst[0]} with {worst[1]:.2f}.")
    return line


def case_row(entry, systems):
    row = [entry["op"], entry["name"], entry["shapes"], entry["type"], entry["mode"]]
    row += [cell(figure_of(entry, *system)) for system in systems]
    for peer, threads in (("ort", 1), ("ort", 2), ("numpy", 1)):
        if any(name == peer for name, _ in systems):
            ratio = ratio_of(entry, peer, threads)
            row.append(times(ratio) if ratio else "")
    for system, threads in systems:
        if system in ("broadloom", "ort"):
            share = share_of(entry, system, threads)
            row.append(percent(share) if share and entry["group"] != "gemm" else "")
    ceiling = entry["ceilings"].get("1")
    row.append(f"{ceiling['gbps']:.0f} ({ceiling['kernel']})" if ceiling else "")
    row.append(spread(figure_of(entry, "broadloom", 1)))
    return row


def case_heads(systems):
    heads = ["op", "case", "shapes", "type", "mode"]
    heads += [f"{NAMES[system]} {threads}T" if system != "numpy" else "NumPy"
              for system, threads in systems]
    for peer, head in (("ort", "× ORT 1T"), ("ort", "× ORT 2T"), ("numpy", "× NumPy")):
        if any(name == peer for name, _ in systems):
            heads.append(head)
    heads += [f"{'share' if system == 'broadloom' else 'ORT share'} {threads}T"
              for system, threads in systems if system in ("broadloom", "ort")]
    return heads + ["ceiling 1T, GB/s", "spread"]


def markdown_table(rows):
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return lines[:1] + ["|" + "---|" * len(rows[0])] + lines[1:]


def losses(data):
    """Where a peer is faster, by how much."""
    found = []
    for entry in data["cases"]:
        for peer, threads in (("ort", 1), ("ort", 2), ("numpy", 1), ("numexpr", 1),
                              ("numexpr", 2)):
            ratio = ratio_of(entry, peer, threads)
            if ratio and ratio < 1:
                found.append((ratio, entry["name"], f"{NAMES[peer]} {threads}T"))
    return sorted(found)


def markdown(data):
    lines = ["# Measurements", "", *header(data), "", "## Targets", ""]
    targets = target_table(data)
    lines += markdown_table(targets) if len(targets) > 1 else ["No case of a target was run."]
    lines += ["", "Reached: the worst case … the median of the cases; one thread. Shares are of the "
              "machine's ceiling in the same run, at the same number of bytes.", ""]
    lines += [line for line in (two_threads_line(data), "") if line]
    wrong = mismatches(data)
    if wrong:
        lines += ["## Wrong results", ""]
        lines += [f"- {case}, {system}: {what}" for case, system, what in wrong] + [""]
    lines += ["", "## Where we lose", ""]
    lost = losses(data)
    lines += [f"- {case}: {system} is {1 / ratio:.2f} times as fast" for ratio, case, system in lost]
    lines += [] if lost else ["Nowhere in this run."]
    systems = systems_of(data)
    for group, title in GROUP_TITLES.items():
        entries = [entry for entry in data["cases"] if entry["group"] == group]
        if entries:
            lines += ["", f"## {title}", "", "Times are medians, in µs.", ""]
            lines += markdown_table([case_heads(systems)] +
                                    [case_row(entry, systems) for entry in entries])
    return "\n".join(lines).replace("\n\n\n", "\n\n") + "\n"


# ---- For a terminal ----

def columns(rows, left=1):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["  ".join(value.ljust(width) if i < left else value.rjust(width)
                      for i, (value, width) in enumerate(zip(row, widths))).rstrip()
            for row in rows]


def text(data):
    """The figures in short, and a summary."""
    systems = systems_of(data)
    heads = ["case", "mode"]
    heads += [f"{ {'broadloom': 'ours', 'ort': 'ORT'}.get(s, NAMES[s])} {t}T µs" for s, t in systems]
    own = [threads for system, threads in systems if system == "broadloom"]
    heads += [f"share {threads}T" for threads in own]
    peers = [(s, t) for s, t in systems if s != "broadloom"]
    heads += [f"× {'ORT' if s == 'ort' else NAMES[s]} {t}T" for s, t in peers]
    rows = [heads]
    for entry in data["cases"]:
        row = [entry["name"], entry["mode"]]
        row += [cell(figure_of(entry, *system)) for system in systems]
        shares = [share_of(entry, "broadloom", threads) for threads in own]
        row += [percent(share) if share else "" for share in shares]
        ratios = [ratio_of(entry, s, t) for s, t in peers]
        row += [times(ratio) if ratio else "" for ratio in ratios]
        rows.append(row)
    return "\n".join([*columns(rows), "", *header(data), "", *summary(data)])


def summary(data):
    lines = []
    for target, entries, parts, verdict in judge(data):
        got = []
        for name, show, label in (("share", percent, "of the ceiling"), ("ort", times, "× ORT"),
                                  ("numpy", times, "× NumPy")):
            if name in parts and parts[name][1]:
                wanted, value = parts[name]
                got.append(f"{show(value[0])} {label} (wanted {show(wanted)}"
                               f"{', ' + value[2] if value[0] < wanted else ''})")
        if "speed" in parts and parts["speed"][1]:
            got.append(f"{time_of(entries[0], 'broadloom', 1):.0f} ns "
                           f"(wanted {target.nanoseconds:.0f})")
        if got:
            mark = {True: "met    ", False: "NOT MET", None: "partly "}[verdict]
            lines.append(f"  {mark}  {target.name}: {'; '.join(got)}")
    lines = ["Targets (the worst case of each):", *lines] if lines else []
    two = two_threads_line(data)
    lines += [two] if two else []
    for case, system, what in mismatches(data):
        lines.append(f"WRONG: {case}, {system}: {what}")
    return lines


def check_summary(data):
    """Of a run that only compared: each case's outcome for each system."""
    systems = systems_of(data)[1:]
    rows = [["case"] + [f"{system} {threads}T" for system, threads in systems]]
    for entry in data["cases"]:
        figures = [figure_of(entry, *system) or {} for system in systems]
        rows.append([entry["name"]] + [figure.get("check", figure.get("error", ""))
                                       for figure in figures])
    wrong = len(mismatches(data))
    return "\n".join([*columns(rows, len(rows[0])), "",
                      f"{len(data['cases'])} cases, {wrong} wrong results"])


def write_plots(data, path):
    """The plot of shares at `path`, the two others beside it; the paths of what was written."""
    stem, ending = os.path.splitext(path)
    written = []
    for name, picture in ((path, plots.shares(data)),
                          (f"{stem}-against{ending or '.svg'}", plots.against(data)),
                          (f"{stem}-scaling{ending or '.svg'}", plots.scaling(data))):
        if picture:
            with open(name, "w", encoding="utf-8") as file:
                file.write(picture)
            written.append(name)
    return written


def give_up(message):
    print(f"{os.path.basename(sys.argv[0])}: {message}", file=sys.stderr)
    sys.exit(2)


def load(path):
    """The data of a file that bench.py wrote."""
    try:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
    except (OSError, ValueError) as problem:
        give_up(f"{path}: {problem}")
    if not isinstance(data, dict) or data.get("format") != 1:
        give_up(f"{path} is not a file of bench.py")
    return data


def main():
    parser = argparse.ArgumentParser(description="Tables and plots of what bench.py measured.")
    parser.add_argument("file", metavar="FILE.json")
    parser.add_argument("--markdown", metavar="FILE", help="write the tables there")
    parser.add_argument("--svg", metavar="FILE",
                        help="write the plot of shares; FILE-against, FILE-scaling beside it")
    options = parser.parse_args()
    data = load(options.file)
    if options.svg:
        for path in write_plots(data, options.svg):
            print(f"wrote {path}")
    if options.markdown:
        with open(options.markdown, "w", encoding="utf-8") as file:
            file.write(markdown(data))
        print(f"wrote {options.markdown}")
    elif not options.svg:
        print(markdown(data), end="")


if __name__ == "__main__":
    main()
