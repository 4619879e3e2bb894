"""machine.py - where and with what a measurement was made

SPDX-License-Identifier: Apache-2.0
"""
import datetime
import glob
import os
import platform
import re
import subprocess

from native import ROOT


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().strip()
    except OSError:
        return ""


def output(*command):
    """The first line of what a command prints; "" if it cannot be run."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip().split("\n")[0] if done.returncode == 0 else ""


def caches():
    """Bytes of a processor's caches, such as {"L1d": 32768, "L2": 524288, "L3": 33554432}."""
    found = {}
    for folder in sorted(glob.glob("/sys/devices/system/cpu/cpu0/cache/index*")):
        kind = {"Data": "d", "Instruction": "i"}.get(read(folder + "/type"), "")
        match = re.fullmatch(r"(\d+)([KM]?)", read(folder + "/size"))
        if match:
            size = int(match[1]) << {"": 0, "K": 10, "M": 20}[match[2]]
            found["L" + read(folder + "/level") + kind] = size
    return found


def last_level_bytes():
    sizes = [size for name, size in caches().items() if not name.endswith("i")]
    return max(sizes, default=32 << 20)


def meminfo(field):
    match = re.search(rf"^{field}:\s+(\d+) kB", read("/proc/meminfo"), re.M)
    return int(match[1]) << 10 if match else 0


def processors():
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def cpu_model():
    info = read("/proc/cpuinfo")
    model = re.search(r"^(?:model name|Model)\s*:\s*(.*)$", info, re.M)
    family = re.search(r"^cpu family\s*:\s*(\d+)$", info, re.M)
    number = re.search(r"^model\s*:\s*(\d+)$", info, re.M)
    text = model[1] if model else platform.processor() or platform.machine()
    if family and number:
        text += f" (family {family[1]}, model {number[1]})"
    return text


def compiler(build):
    """The compiler that a build folder was configured for, with its version."""
    cache = read(os.path.join(build, "CMakeCache.txt"))
    path = re.search(r"^CMAKE_C_COMPILER:\w+=(.*)$", cache, re.M)
    kind = re.search(r"^CMAKE_BUILD_TYPE:\w+=(.*)$", cache, re.M)
    line = output(path[1], "--version") if path else ""
    return f"{line}, {kind[1]}" if line and kind else line or "unknown"


def commit():
    name = output("git", "-C", ROOT, "describe", "--always", "--dirty", "--abbrev=10")
    return name or "unknown"


def describe(build):
    return {"date": datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
            "cpu": cpu_model(), "processors": processors(), "caches": caches(),
            "memory_bytes": meminfo("MemTotal"), "kernel": platform.release(),
            "system": platform.system(), "architecture": platform.machine(),
            "huge_pages": read("/sys/kernel/mm/transparent_hugepage/enabled"),
            "compiler": compiler(build), "commit": commit(),
            "python": platform.python_version(), "load": list(os.getloadavg())}
