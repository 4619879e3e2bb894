"""targets.py - what Broadloom sets itself to reach, and what it has reached

SPDX-License-Identifier: Apache-2.0

A target is met where the worst of its cases meets it.
"""
import dataclasses
import re
import statistics

FLOAT_PAIR = "f16|bf16"


@dataclasses.dataclass(frozen=True)
class Target:
    name: str
    pattern: str        # of the names of its cases
    share: float = None       # of the ceiling, one thread
    ort: float = None         # times as fast as ONNX Runtime, the same threads
    numpy: float = None       # times as fast as NumPy, one thread
    nanoseconds: float = None  # at most


BINARY = "(Add|Sub|Mul|Max|Min|And|Equal|Greater)"
PATTERN_NAMES = "(row|row64|col|col64|chan|chan7|outer|rank8|rank8x)"

TARGETS = (
    Target("Add Sub Mul Max Min And Equal Greater, 16M elements",
           rf"^(?!Add_b?f16_){BINARY}_\w+_16M$", 0.92, 1.35),
    Target("Add Sub Mul Max Min And Equal Greater, 64K in cache",
           rf"^(?!Add_b?f16_){BINARY}_\w+_64K$", 0.85, 1.4),
    Target("Sum of 4 inputs, 16M", r"^Sum4_f32_16M$", 0.90, 2.5),
    Target("Sum of 8 inputs, 16M", r"^Sum8_f32_16M$", 0.90, 3),
    Target("Sum of 15 inputs, 16M", r"^Sum15_f32_16M$", 0.90, 3.5),
    Target("Sum and Add in float16, bfloat16", r"^(Add|Sum\d+)_b?f16_(64K|1M|16M|row|col)$",
           0.85, 4),
    Target("broadcasts: row, col, channel, outer, rank 8, mask",
           rf"^((?!Pow_|Add_f16_)\w+_f32_{PATTERN_NAMES}|Add_i\d+_(row|col)|Where_f32_mask)$",
           0.80, 1.3),
    Target("broadcasts with an innermost axis of 3", r"^(?!Pow_)\w+_f32_(row3|col3|inner)$", 0.80, 15),
    Target("Where", r"^Where_f32_(64K|1M|16M|mask|maskrow)$", 0.85, 2.5),
    Target("PRelu", r"^PRelu_f32_(64K|1M|16M|chan|row)$", 0.85, 15),
    Target("Pow float32", r"^Pow_f32_(64K|1M|16M|row|col|inner)$", None, 8, 1),
    Target("Pow with scalar exponent 2", r"^Pow_f32_sq$", 0.85, 1.3),
    Target("Pow with scalar exponent 3", r"^Pow_f32_cube$", 0.85, 2.5),
    Target("Pow with scalar exponent 0.5", r"^Pow_f32_sqrt$", 0.85, 10),
    Target("integer Div, Mod", r"^(Div|Mod)_[iu]\d+_", None, 3),
    Target("chains: normalise, a*b+c*d-e, bias+residual",
           r"^chain_(norm_f32|fma_f32_(1M|16M)|biasres_f32)$", 0.80, 2.2),
    Target("tanh-GELU", r"^chain_gelu_(mul|pow)_f32$", None, 3),
    Target("tanh-GELU against the hand-fused FastGelu", r"^chain_gelu_fast_f32$", None, 1.3),
    Target("SwiGLU", r"^chain_swiglu_f32$", None, 1.5),
    Target("Gemm 1024 cubed with a bias", r"^Gemm_f32_bias_(row|col)$", None, 1.0),
    Target("Add of 64 elements", r"^Add_f32_64$", None, 8, 3, 150),
    Target("Max, Min, Mean float16; Pow int64", r"^((Max|Min|Mean)\d*_f16_1M|Pow_i64_1M)$",
           None, 10),
)
TWO_THREADS = 1.7  # times one thread, where the ceiling doubles
LARGE_BYTES = 3 << 20  # smaller cases are not worth a second thread


# ---- Figures of an entry of the JSON file ----

def time_of(entry, system, threads):
    """The median in ns, or None."""
    for figure in entry["systems"]:
        if (figure["system"], figure["threads"]) == (system, threads):
            return figure.get("median_ns")
    return None


def figure_of(entry, system, threads):
    for figure in entry["systems"]:
        if (figure["system"], figure["threads"]) == (system, threads):
            return figure
    return None


def share_of(entry, system, threads):
    """bytes / time / ceiling, of the ceiling with as many threads; None where one is missing."""
    figure = figure_of(entry, system, threads) or {}
    ceiling = entry["ceilings"].get(str(threads))
    if "share" in figure or not ceiling or "median_ns" not in figure:
        return figure.get("share")
    return entry["bytes"] / figure["median_ns"] / ceiling["gbps"]


def ratio_of(entry, peer, threads):
    """How many times as fast as a peer Broadloom is, with as many threads."""
    figure = figure_of(entry, peer, threads) or {}
    own = time_of(entry, "broadloom", threads)
    if "times_ours" in figure or not own or "median_ns" not in figure:
        return figure.get("times_ours")
    return figure["median_ns"] / own


# ---- Verdicts ----

def reached(entries, figure):
    """(worst, median, name of the worst) of a figure over entries that have it, or None."""
    found = [(figure(entry), entry["name"]) for entry in entries]
    found = sorted(item for item in found if item[0] is not None)
    if not found:
        return None
    return found[0][0], statistics.median(value for value, _ in found), found[0][1]


def judge(data):
    """A row of each target that has cases in the data: (target, cases, {what: (wanted, reached)},
    verdict), where the verdict is True, False, or None for not measured."""
    rows = []
    for target in TARGETS:
        entries = [entry for entry in data["cases"] if re.search(target.pattern, entry["name"])]
        if not entries:
            continue
        parts = {}
        if target.share:
            parts["share"] = target.share, reached(entries, lambda e: share_of(e, "broadloom", 1))
        if target.ort:
            parts["ort"] = target.ort, reached(entries, lambda e: ratio_of(e, "ort", 1))
        if target.numpy:
            parts["numpy"] = target.numpy, reached(entries, lambda e: ratio_of(e, "numpy", 1))
        if target.nanoseconds:
            parts["speed"] = 1, reached(entries, lambda e: speed(e, target.nanoseconds))
        known = [value[0] >= wanted for wanted, value in parts.values() if value]
        verdict = False if False in known else None if len(known) < len(parts) else True
        rows.append((target, entries, parts, verdict))
    return rows


def speed(entry, limit):
    ns = time_of(entry, "broadloom", 1)
    return limit / ns if ns else None


def two_threads(data):
    """(case, speedup, how much faster the ceiling gets) of large cases that both were run on."""
    rows = []
    for entry in data["cases"]:
        one, two = (time_of(entry, "broadloom", threads) for threads in (1, 2))
        ceilings = [entry["ceilings"].get(threads) for threads in ("1", "2")]
        if entry["bytes"] >= LARGE_BYTES and one and two and all(ceilings):
            rows.append((entry["name"], one / two, ceilings[1]["gbps"] / ceilings[0]["gbps"]))
    return rows
