#!/usr/bin/env bash
# docs_test.sh - what the documents say is so: links, commands, the table of operators
# SPDX-License-Identifier: Apache-2.0
#
# Usage: tests/docs_test.sh TOOL
set -euo pipefail
tool=$(realpath "$1")
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root"

wrong=0
report() {
    echo "$1"
    wrong=$((wrong + 1))
}

# ---- docs/operators.md is what the tool writes ---
"$tool" ops --format markdown | cmp - docs/operators.md ||
    report "docs/operators.md is not up to date: make docs"

# ---- The README's numbers are the tool's ---
# "operators  19, in 84 versions, 634 with their element types"
read -ra numbers < <("$tool" info | sed -n 's/^operators//p' | tr -c '0-9\n' ' ')
grep -q "${numbers[0]} operators in ${numbers[1]} versions, and ${numbers[2]} pairs" README.md ||
    report "README.md does not say: ${numbers[0]} operators in ${numbers[1]} versions, and ${numbers[2]} pairs"

# ---- Links between the documents lead somewhere ---
documents=(*.md docs/*.md)
links=0
for document in "${documents[@]}"; do
    while IFS= read -r target; do
        links=$((links + 1))
        [ -e "$(dirname "$document")/${target%%#*}" ] || report "$document: no $target"
    done < <(grep -oE '\]\([^)#][^)]*\)' "$document" | sed 's/^](//; s/)$//' | grep -v '^http')
done
[ "$links" -gt 0 ] || report "no links were found"

# ---- The commands of the README's quick start ---
# They run in an empty folder; the division by zero has to fail, by name, and no other may.
commands=0
while IFS= read -r command; do
    commands=$((commands + 1))
    status=0
    output=$(cd "$work" && PATH=$(dirname "$tool"):$PATH \
        bash -c "${command/ fixtures/ $root/fixtures}" 2>&1) || status=$?
    case "$command:$status" in
        *' Div '*:2) grep -q 'division by zero' <<<"$output" ;;
        *:0) ;;
        *) false ;;
    esac || report "README.md: '$command' gave $status and printed: $output"
done < <(sed -n '/^```sh$/,/^```$/p' README.md | grep '^broadloom ')
[ "$commands" -ge 5 ] || report "README.md has only $commands commands"

echo "docs: ${#documents[@]} documents, $links links, $commands commands, $wrong faults"
[ "$wrong" -eq 0 ]
