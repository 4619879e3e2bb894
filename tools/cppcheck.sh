#!/usr/bin/env bash
# cppcheck.sh - cppcheck over every C file of the library, the kit, the tool and the examples
# SPDX-License-Identifier: Apache-2.0
#
# Usage: tools/cppcheck.sh [JOBS]
# JOBS is how many files are read at a time, 2 if it is not given.
# What is not reported, and why, stands in tools/cppcheck_suppressions.txt; a line there that
# suppresses nothing is a finding too.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${1:-2}

folders=(src cli conform examples)
# What it learns of each file, to follow calls from one to the next.  Kept from run to run it would
# not tell the suppressions that are of no use from those of files that have not changed.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mapfile -t files < <(find "${folders[@]}" -name '*.c' | LC_ALL=C sort)

# The configuration that is built on x86-64 by gcc; clang-tidy reads the one of clang.
options=(
    "--enable=warning,performance,portability,style,information" --std=c11 --platform=unix64
    --library=posix -Iinclude -Isrc -I.
    -D_POSIX_C_SOURCE=200809L -D__x86_64__=1 -D__GNUC__=12 -D__STDC_VERSION__=201112L
    --suppressions-list=tools/cppcheck_suppressions.txt
    --template='{file}:{line}: {severity}: {message} [{id}]'
    --cppcheck-build-dir="$work" --error-exitcode=1 --quiet -j "$jobs"
)
if cppcheck "${options[@]}" "${files[@]}"; then
    echo "cppcheck: ${#files[@]} files, nothing found"
else
    echo "cppcheck: ${#files[@]} files, see the findings above"
    exit 1
fi
