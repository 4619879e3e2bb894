#!/usr/bin/env python3
# abi.py - what a program built against the library relies on, as a list that can be compared
# SPDX-License-Identifier: Apache-2.0
"""Usage: tools/abi.py [--write] LIBRARY [HEADER [LIST]]

LIBRARY is the shared library, HEADER include/broadloom/broadloom.h, LIST include/abi.txt.  The list
has a line "what = how" for each exported symbol, and for each function, struct, member, enumerator,
typedef and constant of the header: with types, values, sizes and offsets in bytes.

Compares the list with what the library and the header have now, and says what was removed, changed
or added; fails if there is a difference.  --write writes the list instead: by that a change is
said to be meant, and shows in review.

The header is read by clang, and what it lays out is printed by a program that cc compiles, so
that it is the compiler that says it.  The list holds for 64-bit machines (LP64).
"""
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
HEAD = """\
# abi.txt - what a program built against the library relies on; made by `make abi`
# SPDX-License-Identifier: Apache-2.0
#
# `make check-abi` compares it with the library and the header.  Sizes and offsets are in bytes, on
# 64-bit machines.  Removed or changed: programs have to be built anew.  Added: old ones still run.
"""
# How the header is read, not what a program relies on; a version is to change.
NOT_LISTED = re.compile(r"BL_(API|NODISCARD|VERSION_\w+)$|BROADLOOM_\w+_H$")


def run(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **more)
    if done.returncode != 0:
        sys.exit(f"abi: {' '.join(command[:2])} failed:\n{done.stderr.strip()}")
    return done.stdout


def exported(library):
    """The lines for the library itself."""
    soname = re.search(r"SONAME\s+(\S+)", run(["objdump", "-p", library]))
    yield "soname", soname.group(1) if soname else "none"
    for line in sorted(run(["nm", "-D", "--defined-only", library]).splitlines()):
        _, kind, name = line.split()
        yield f"symbol {name}", {"T": "a function", "R": "read-only data"}.get(kind, f"data ({kind})")


class Header:
    """The declarations of the header, as lines whose value is text or a C expression."""

    def __init__(self, path):
        self.path = path
        self.lines = []  # (what, text or None, arguments of printf)
        tree = json.loads(run(["clang", "-std=c11", "-fsyntax-only", "-Xclang",
                               "-ast-dump=json", "-x", "c", path]))
        file = None
        for node in tree["inner"]:
            where = node.get("loc", {})
            where = where.get("expansionLoc", where)
            file = where.get("file", file)  # named only where it is another than before
            if file == path:
                self.declaration(node)
        self.constants()

    def add(self, what, text, *values):
        self.lines.append((what, text, values))

    def declaration(self, node):
        kind, name = node["kind"], node.get("name")
        if kind == "FunctionDecl":
            self.add(f"function {name}", node["type"]["qualType"])
        elif kind == "TypedefDecl":
            self.add(f"typedef {name}", node["type"]["qualType"])
        elif kind == "EnumDecl":
            self.add(f"enum {name}", "%zu bytes", f"sizeof(enum {name})")
            for constant in node.get("inner", []):
                if constant["kind"] == "EnumConstantDecl":
                    self.add(f"enum {name}.{constant['name']}", "%lld", f"(long long){constant['name']}")
        elif kind == "RecordDecl" and node.get("completeDefinition"):
            tag = f"{node['tagUsed']} {name}"
            self.add(tag, "%zu bytes, aligned to %zu", f"sizeof({tag})", f"_Alignof({tag})")
            self.members(node, tag, "")

    def members(self, node, tag, prefix):
        """The fields of a struct or union; those of one without a name stand in it, by a path."""
        nested = None
        for field in node.get("inner", []):
            if field["kind"] == "RecordDecl":
                nested = field
            elif field["kind"] == "FieldDecl":
                path = prefix + field["name"]
                kind = field["type"]["qualType"]
                unnamed = "(" in kind and (" at " in kind or "unnamed" in kind or "anonymous" in kind)
                self.add(f"{tag}.{path}", (nested["tagUsed"] if unnamed else kind) + ", %zu bytes at %zu",
                         f"sizeof((({tag} *)0)->{path})", f"offsetof({tag}, {path})")
                if unnamed:
                    self.members(nested, tag, path + ".")
                nested = None

    def constants(self):
        """What is defined as a macro without arguments: its text."""
        text = run(["cc", "-std=c11", "-E", "-dM", "-x", "c", self.path])
        defined = dict(re.findall(r"^#define (BL_\w+) (.+)$", text, re.MULTILINE))
        for name in sorted(defined):
            if not NOT_LISTED.match(name):
                self.add(f"constant {name}", defined[name].strip())

    def listed(self):
        """The lines, with the numbers that a compiled program prints."""
        printed = [f'    printf("{text}\\n", {", ".join(values)});'
                   for _, text, values in self.lines if values]
        program = "\n".join([f'#include "{os.path.abspath(self.path)}"', "#include <stdio.h>",
                             "#include <stddef.h>", "int main(void)", "{",
                             '    printf("%zu\\n", sizeof(void *) + sizeof(long));', *printed, "    return 0;", "}",
                             ""])
        with tempfile.TemporaryDirectory() as work:
            source, built = os.path.join(work, "abi.c"), os.path.join(work, "abi")
            with open(source, "w", encoding="utf-8") as out:
                out.write(program)
            run(["cc", "-std=c11", source, "-o", built])
            width, *numbers = run([built]).splitlines()
        if width != "16":
            sys.exit("abi: the list is for machines whose long and pointers have 64 bits")
        numbers = iter(numbers)
        for what, text, values in self.lines:
            yield what, next(numbers) if values else text


def read_list(path):
    with open(path, encoding="utf-8") as text:
        rows = [line.rstrip("\n").split(" = ", 1) for line in text if not line.startswith("#")]
    return {row[0]: row[1] for row in rows if len(row) == 2}


def differences(old, new):
    for what in old:
        if what not in new:
            yield "removed", f"{what} (was {old[what]})"
        elif old[what] != new[what]:
            yield "changed", f"{what}: was {old[what]}, is {new[what]}"
    for what in new:
        if what not in old:
            yield "added", f"{what} = {new[what]}"


def main():
    arguments = [a for a in sys.argv[1:] if a != "--write"]
    if not 1 <= len(arguments) <= 3 or arguments[0].startswith("-"):
        sys.exit("usage: tools/abi.py [--write] LIBRARY [HEADER [LIST]]")
    library = arguments[0]
    header = arguments[1] if len(arguments) > 1 else os.path.join(ROOT, "include/broadloom/broadloom.h")
    kept = arguments[2] if len(arguments) > 2 else os.path.join(ROOT, "include/abi.txt")
    new = dict([*exported(library), *Header(header).listed()])
    if "--write" in sys.argv[1:]:
        with open(kept, "w", encoding="utf-8") as out:
            out.write(HEAD + "".join(f"{what} = {how}\n" for what, how in new.items()))
        print(f"abi: {len(new)} lines written")
        return 0
    counts = {"removed": 0, "changed": 0, "added": 0}
    for how, text in differences(read_list(kept), new):
        counts[how] += 1
        print(f"{how}: {text}")
    print(f"abi: {len(new)} lines, " + ", ".join(f"{n} {how}" for how, n in counts.items()))
    if any(counts.values()):
        print("If that is meant: make abi, and say it in CHANGELOG.md")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
