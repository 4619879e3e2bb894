"""figures.py - made-up files of bench.py for the tests

SPDX-License-Identifier: Apache-2.0
"""
import os
import sys

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(SOURCE, "bench"))


def figure(system, threads, median, spread=0.01, **more):
    return dict({"system": system, "threads": threads, "median_ns": median,
                 "low_ns": median * (1 - spread), "high_ns": median * (1 + spread),
                 "min_ns": median * (1 - 2 * spread), "samples": 9, "runs": 1}, **more)


def error(system, threads, text, **more):
    return dict({"system": system, "threads": threads, "error": text}, **more)


def entry(name, systems, size=1 << 26, group="same", gbps=(50, 100), **more):
    ceilings = {str(threads): {"gbps": rate, "kernel": "triad nt avx2", "ns": size / rate}
                for threads, rate in zip((1, 2), gbps)}
    return dict({"name": name, "group": group, "op": name.split("_")[0], "type": "f32",
                 "shapes": "2×[1048576]", "elements": 1 << 20, "inputs": 2, "bytes": size,
                 "flops": 0, "mode": "cold", "sets": 4, "quick": True, "systems": systems,
                 "ceilings": ceilings}, **more)


def data(*entries, cpu="A processor"):
    machine = {"date": "2026-01-02T03:04:05+00:00", "cpu": cpu, "processors": 2,
               "caches": {"L1d": 32 << 10, "L1i": 32 << 10, "L3": 32 << 20},
               "memory_bytes": 8e9, "kernel": "6.1", "system": "Linux",
               "architecture": "x86_64", "huge_pages": "[madvise]", "compiler": "cc (D) 12.2, Release",
               "commit": "0123456789", "python": "3.11", "load": [0.1, 0.1, 0.1]}
    return {"format": 1, "machine": machine, "versions": {"broadloom": "0.1.0", "ort": "1.30.0"},
            "tier": "avx2", "load_after": [0.2, 0.1, 0.1], "threads": [1, 2], "seconds": 0.5,
            "cases": list(entries)}
