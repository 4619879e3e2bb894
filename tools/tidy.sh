#!/usr/bin/env bash
# tidy.sh - clang-tidy over every C file of the library, the kit and the tool, in parallel
# SPDX-License-Identifier: Apache-2.0
#
# Usage: tools/tidy.sh BUILD [JOBS]
# BUILD is a folder that CMake has configured with clang; .clang-tidy says what is checked.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
jobs=${2:-2}

mapfile -t files < <(sed -n 's/^  "file": "\(.*\)",\{0,1\}$/\1/p' "$build/compile_commands.json" |
    grep -E "^$PWD/(src|conform|cli)/" | sort -u)
[ ${#files[@]} -gt 0 ] || {
    echo "tidy: $build/compile_commands.json names no file" >&2
    exit 2
}

# The files in which the functions that tidy_hints.h wraps are defined.
definitions='/(src/base/status|src/io/source|cli/message)\.c$'
status=0
# tidy ARGUMENT...: run over the files named on the standard input.  What clang-tidy writes to the
# standard error is how many warnings of system headers it left out.
tidy() {
    xargs -r -d '\n' -n 1 -P "$jobs" \
        clang-tidy -p "$build" --quiet --warnings-as-errors='*' "$@" 2>/dev/null || status=1
}
# The hints come before a file's first line, and so before what it asks of the system's headers.
asks='^ *#define _(GNU|DEFAULT)_SOURCE'
hints=(--extra-arg=-I"$PWD" --extra-arg=-include --extra-arg="$PWD/tools/tidy_hints.h")
mapfile -t asking < <(grep -lE "$asks" "${files[@]}")
tidy "${hints[@]}" \
    < <(printf '%s\n' "${files[@]}" | grep -vE "$definitions" | grep -vxFf <(printf '%s\n' "${asking[@]}"))
tidy "${hints[@]}" --extra-arg=-D_GNU_SOURCE= --extra-arg=-D_DEFAULT_SOURCE= \
    < <(printf '%s\n' "${asking[@]}")
tidy < <(printf '%s\n' "${files[@]}" | grep -E "$definitions")

if [ $status -eq 0 ]; then
    echo "tidy: ${#files[@]} files, nothing found"
else
    echo "tidy: ${#files[@]} files, see the findings above"
fi
exit $status
