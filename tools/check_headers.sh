#!/usr/bin/env bash
# check_headers.sh - compile each header alone, the public one also as C99 and C++
# SPDX-License-Identifier: Apache-2.0
#
# Usage: tools/check_headers.sh
# CC and CXX name the compilers.  Templates (.tmpl.h) are no headers and are left out.
set -euo pipefail
cd "$(dirname "$0")/.."
CC=${CC:-cc}
CXX=${CXX:-c++}
public=include/broadloom/broadloom.h

strict=(-Wall -Wextra -Wpedantic -Werror -fsyntax-only -Iinclude -Isrc -I.)
# The build gives these to every file of ours; users of the public header have neither.
own=(-D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64)
# Vectors wider than the baseline has are passed among functions of one unit alone.
own+=(-Wno-psabi)

faults=0
count=0
# compile NAME COMMAND...: the command reads a file that includes the header NAME twice.
compile() {
    local name=$1
    shift
    count=$((count + 1))
    printf '#include "%s"\n#include "%s"\ntypedef int bl_no_empty_unit;\n' "$name" "$name" |
        "$@" - || {
        echo "$name: does not compile alone ($*)"
        faults=$((faults + 1))
    }
}

while IFS= read -r header; do
    name=${header#src/}
    compile "${name#include/}" "$CC" -std=c11 "${strict[@]}" "${own[@]}" -x c
done < <(find include src conform cli -name '*.h' ! -name '*.tmpl.h' | sort)

compile "${public#include/}" "$CC" -std=c99 "${strict[@]}" -x c
compile "${public#include/}" "$CXX" -std=c++11 "${strict[@]}" -x c++
compile "${public#include/}" "$CXX" -std=c++20 "${strict[@]}" -x c++

echo "headers: $count compiled, $faults faults"
[ "$faults" -eq 0 ]
