#!/usr/bin/env bash
# dist.sh - source and binary archives of the sources as they lie here, with checksums
# SPDX-License-Identifier: Apache-2.0
#
# Usage: tools/dist.sh WORK OUTPUT [JOBS]
#   WORK    a folder for an export of the sources and for its build; it is removed first
#   OUTPUT  where broadloom-VERSION-*.tar.gz, the bill of materials of what is in the binary
#           one, and SHA256SUMS go
# Packed is what git knows or would add; nothing that a build leaves behind.  The same sources give
# the same bytes: times are SOURCE_DATE_EPOCH, or the last commit's.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
[ $# -ge 2 ] || {
    echo "usage: tools/dist.sh WORK OUTPUT [JOBS]" >&2
    exit 2
}
rm -rf "$1"
mkdir -p "$1" "$2"
work=$(cd "$1" && pwd)
output=$(cd "$2" && pwd)
jobs=${3:-2}

SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || echo 0)}
export SOURCE_DATE_EPOCH
umask 022

# ---- An export: no files but those, and of their modes no more than who may run what ----
mkdir "$work/source"
cd "$root"
{ git ls-files -co --exclude-standard -z 2>/dev/null || find . -type f -not -path './build*' -print0; } |
    LC_ALL=C sort -z |
    tar --null --files-from=- --ignore-failed-read -cf - | tar -C "$work/source" -xf - --no-same-permissions

# ---- Build, without the tests, and pack ----
quietly() {
    "$@" >"$work/log" 2>&1 || {
        cat "$work/log" >&2
        exit 1
    }
}
quietly cmake -S "$work/source" -B "$work/source/build" -DCMAKE_BUILD_TYPE=Release -DBL_BUILD_TESTS=OFF
quietly cmake --build "$work/source/build" --parallel "$jobs"
for config in CPackConfig CPackSourceConfig; do
    (cd "$work/source/build" && quietly cpack --config "$config.cmake" -B "$work/packed")
done

# ---- Once more, in order: CPack takes files as the file system happens to name them ----
rm -f "$output"/broadloom-* "$output/SHA256SUMS"
mkdir "$work/unpacked"
for archive in "$work/packed"/broadloom-*.tar.gz; do
    name=$(basename "$archive" .tar.gz)
    tar -C "$work/unpacked" -xf "$archive"
    tar -C "$work/unpacked" --sort=name --owner=0 --group=0 --numeric-owner --format=gnu \
        --mtime="@$SOURCE_DATE_EPOCH" -cf - "$name" | gzip -9n >"$output/$name.tar.gz"
    # What is in the binary archive, where its files were stripped.
    [[ $name == *-source ]] ||
        quietly python3 "$root/tools/sbom.py" --installed "$work/unpacked/$name" \
            "$work/source/build" "$output/$name.cdx.json"
done
(cd "$output" && sha256sum broadloom-* >SHA256SUMS && cat SHA256SUMS)
