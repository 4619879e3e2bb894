#!/usr/bin/env bash
# docs_test.sh - what the documents say is so: commands, programs, the table of operators
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

# block DOCUMENT LANGUAGE: the lines in the document's code blocks of that language.
block() {
    sed -n "/^\`\`\`$2\$/,/^\`\`\`\$/p" "$1" | grep -v '^```'
}

# ---- docs/operators.md is what the tool writes ---
"$tool" ops --format markdown | cmp - docs/operators.md ||
    report "docs/operators.md is not up to date: make docs"

# ---- The README's numbers are the tool's, and it names every operator ---
# "operators  19, in 84 versions, 634 with their element types"
read -ra numbers < <("$tool" info | sed -n 's/^operators//p' | tr -c '0-9\n' ' ')
grep -q "${numbers[0]} operators in ${numbers[1]} versions, and ${numbers[2]} pairs" README.md ||
    report "README.md does not say: ${numbers[0]} operators in ${numbers[1]} versions, and ${numbers[2]} pairs"
while read -r operator; do
    sed -n '/^## Operators$/,/^## /p' README.md | grep -qw "$operator" ||
        report "README.md does not name the operator $operator"
done < <(sed -n 's/^## \([A-Z][A-Za-z0-9]*\)$/\1/p' docs/operators.md)

# ---- The commands in the README and in docs/models.md ---
# They run in an empty folder; the division by zero has to fail, by name, and no other may.
ln -s "$root/fixtures" "$root/examples" "$work"
commands=0
while IFS= read -r command; do
    commands=$((commands + 1))
    status=0
    output=$(cd "$work" && PATH=$(dirname "$tool"):$PATH bash -c "$command" 2>&1) || status=$?
    case "$command:$status" in
        *' Div '*:2) grep -q 'division by zero' <<<"$output" ;;
        *:0) ;;
        *) false ;;
    esac || report "'$command' gave $status and printed: $output"
done < <({ block README.md sh && block docs/models.md sh; } | grep '^broadloom ')
[ "$commands" -ge 8 ] || report "there are only $commands commands"

# ---- The program in docs/models.md ---
# The one in the README is tried by tests/package/.  A library with sanitizers needs more to be
# linked: there the program is compiled only.
block docs/models.md c >"$work/models.c"
compile=("${CC:-cc}" -std=c11 -Wall -Wextra -Werror -I include "$work/models.c")
if grep -aqE '__[at]san_init' "$tool"; then
    "${compile[@]}" -fsyntax-only || report "the program in docs/models.md does not compile"
elif "${compile[@]}" "$(dirname "$tool")/libbroadloom.a" -lm -pthread -o "$work/models"; then
    output=$(cd "$work" && ./models) || report "the program in docs/models.md fails: $output"
    grep -q '^1 -> 0.841192$' <<<"$output" ||
        report "the program in docs/models.md printed: $output"
else
    report "the program in docs/models.md does not compile"
fi

# ---- The lines that docs/adding-an-operator.md shows are in the tree ---
lines=0
while IFS= read -r line; do
    lines=$((lines + 1))
    grep -rqF -- "$line" src conform || report "docs/adding-an-operator.md: nowhere in the tree: $line"
done < <(block docs/adding-an-operator.md c | grep -vE '^(|\.\.\.|[{}])$')
[ "$lines" -ge 8 ] || report "docs/adding-an-operator.md shows only $lines lines"

echo "docs: $commands commands, $lines lines, $wrong faults"
[ "$wrong" -eq 0 ]
