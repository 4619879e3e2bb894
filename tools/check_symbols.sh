#!/usr/bin/env bash
# check_symbols.sh - what the built libraries export, need, weigh, and which instructions they use
# SPDX-License-Identifier: Apache-2.0
#
# Usage: tools/check_symbols.sh [BUILD]
#   1. the shared library exports bl_ names only, and each of them is in the public header
#   2. every global name of the static library starts with bl_
#   3. the shared library needs the C library and libm, nothing else
#   4. stripped, it is smaller than 2 MB
#   5. no writable data: there is no global state; but the table of src/io/map_guard.c, which says why
#   6. on x86, no AVX instruction outside the objects of *_avx2.c and *_avx512.c
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$root/build}
shared=$build/libbroadloom.so
static=$build/libbroadloom.a
header=$root/include/broadloom/broadloom.h
max_bytes=2000000

faults=0
report() {
    echo "$1"
    faults=$((faults + 1))
}

for file in "$shared" "$static"; do
    [ -f "$file" ] || {
        echo "check_symbols: $file is not there; build first" >&2
        exit 2
    }
done

exported=$(nm -D --defined-only "$shared" | awk '{ print $3 }' | sort)
count=$(wc -l <<<"$exported")
for name in $exported; do
    grep -qE "\b$name\(" "$header" || report "libbroadloom.so exports $name, which is not public"
done
for name in $(grep -oE '\bbl_[a-z0-9_]+\(' "$header" | tr -d '(' | sort -u); do
    grep -qx "$name" <<<"$exported" ||
        ! grep -qE "^BL_API.*\b$name\(" "$header" ||
        report "libbroadloom.so does not export $name, which is public"
done

for name in $(nm -g --defined-only "$static" 2>/dev/null | awk 'NF == 3 { print $3 }' | grep -v '^bl_' | sort -u); do
    report "libbroadloom.a has the global name $name"
done

for library in $(objdump -p "$shared" | awk '$1 == "NEEDED" { print $2 }'); do
    case $library in
        libc.so.* | libm.so.* | libpthread.so.* | ld-linux*) ;;
        *) report "libbroadloom.so needs $library" ;;
    esac
done

stripped=$(mktemp)
trap 'rm -f "$stripped"' EXIT
strip -o "$stripped" "$shared"
bytes=$(wc -c <"$stripped")
[ "$bytes" -lt $max_bytes ] || report "libbroadloom.so is $bytes bytes stripped, the limit is $max_bytes"

# Tables of pointers lie in .data.rel.ro, which is read-only once the library is loaded.
writable=$(objdump -t "$static" 2>/dev/null |
    awk '/ O (\.data|\.bss|\.tbss|\.tdata|\*COM\*)\t/ { print $NF }' | sort -u)
for name in $writable; do
    [ "$name" != guards ] || continue
    report "libbroadloom.a has writable data, $name"
done

# Every AVX instruction is written with a leading v and works on xmm, ymm or zmm registers.
avx_outside() {
    objdump -d --no-show-raw-insn "$static" | awk '
        /^[^ ]*\.o:/ { object = $1; skip = object ~ /_avx(2|512)\.c/ }
        /^[0-9a-f]+ </ { name = $2 }
        !skip && /\tv[a-z0-9]+ .*%[xyz]mm/ && !(object name in seen) {
            seen[object name] = 1
            print object " " name " " $2
        }'
}
if objdump -f "$shared" | grep -q 'x86-64'; then
    while read -r place; do
        report "an AVX instruction in $place"
    done < <(avx_outside)
fi

echo "symbols: $count exported, $bytes bytes stripped, $faults faults"
[ "$faults" -eq 0 ]
