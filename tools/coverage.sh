#!/usr/bin/env bash
# coverage.sh - gcovr over a build with counters: HTML, text, and a table against the floors
# SPDX-License-Identifier: Apache-2.0
#
# Usage: tools/coverage.sh BUILD [--raise]
# Writes into BUILD: html/ (every line), coverage.txt (every file), coverage.md (every room) and
# coverage.json.  --raise is that of tools/coverage.py.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
shift

mkdir -p "$build/html"
# A line counts as run if it ran in any of the units that it is compiled into.  One job: gcovr 5.2
# never ends where one of several fails.
gcovr --root . --gcov-executable "$PWD/tools/gcov_nameless.sh" \
    --filter src/ --filter conform/ --filter cli/ --json "$build/coverage.json" "$build"
gcovr --root . --add-tracefile "$build/coverage.json" --txt "$build/coverage.txt" \
    --html-details "$build/html/index.html" --html-title "Broadloom: coverage"
tools/coverage.py "$@" "$build/coverage.json" | tee "$build/coverage.md"
echo "line by line: $build/html/index.html"
