#!/usr/bin/env python3
# check_layers.py - fail where a room includes one that it may not
# SPDX-License-Identifier: Apache-2.0
"""Usage: tools/check_layers.py [ROOT]

Rooms stand in order from the ground up and may name only rooms above themselves in this list, so
a circle cannot be written down.  Everyone may include the public header.  A room is a folder
of src/, or conform/, or cli/; tests, bench and fuzz may include anything and are not read.
"""
import os
import re
import sys

ROOMS = [  # room, the rooms it may include besides itself
    ("broadloom", ""),
    ("base", ""),
    ("cpu", ""),
    ("shape", "base"),
    ("tensor", "base shape"),
    ("ops", "base shape tensor"),
    ("graph", "base shape tensor ops"),
    ("kernels", "base cpu tensor ops"),
    ("plan", "base shape tensor ops graph"),
    ("io", "base shape tensor ops graph"),
    ("backends", "base cpu tensor ops kernels plan"),
    ("exec", "base cpu tensor plan backends"),
    ("api", "base tensor shape ops graph plan io exec"),
    ("conform", "base tensor io"),
    ("cli", "conform"),
]
# Where "room/header.h" is looked for, and where the rooms lie themselves.
TREES = ["include", "src", "."]
SOURCES = ["include/broadloom", "src", "conform", "cli"]
INCLUDE = re.compile(r'\s*#\s*include\s*"([^"]*)"')


def table():
    """The rooms as {room: set of rooms it may include}; checks that the list is in order."""
    allowed = {}
    for room, below in ROOMS:
        for name in below.split():
            if name not in allowed:
                sys.exit(f"check_layers: {room} names {name}, which is not above it in the list")
        allowed[room] = set(below.split()) | {room, "broadloom"}
    return allowed


def files(root):
    for top in SOURCES:
        for folder, _, names in sorted(os.walk(os.path.join(root, top))):
            for name in sorted(names):
                if name.endswith((".c", ".h", ".def")):
                    yield os.path.relpath(os.path.join(folder, name), root)


def room_of(path):
    parts = path.split("/")
    return parts[1] if parts[0] in ("src", "include") else parts[0]


def faults(root, path, allowed):
    """The faults of one file, as (line number, text)."""
    room = room_of(path)
    if room not in allowed:
        yield 1, f"{room}/ is no room; add it to the list in tools/check_layers.py"
        return
    with open(os.path.join(root, path), encoding="utf-8") as text:
        for number, line in enumerate(text, 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            header = match.group(1)
            target = header.split("/")[0]
            if "/" not in header or target not in allowed:
                yield number, f'"{header}" names no room; include by room path'
            elif target not in allowed[room]:
                yield number, f'{room} may not include "{header}"'
            elif not any(os.path.exists(os.path.join(root, t, header)) for t in TREES):
                yield number, f'"{header}" does not exist'


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..")
    allowed = table()
    read, found = 0, 0
    for path in files(root):
        read += 1
        for number, text in faults(root, path, allowed):
            found += 1
            print(f"{path}:{number}: {text}")
    print(f"layers: {read} files, {len(ROOMS)} rooms, {found} faults")
    return 1 if found or not read else 0


if __name__ == "__main__":
    sys.exit(main())
