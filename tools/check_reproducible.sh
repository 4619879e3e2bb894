#!/usr/bin/env bash
# check_reproducible.sh - two builds, at two places and times, give the same bytes
# SPDX-License-Identifier: Apache-2.0
#
# Usage: tools/check_reproducible.sh WORK [JOBS]
# Makes the archives twice (tools/dist.sh), in folders of different names and depths below WORK, with
# another time zone, language, mask and number of jobs, and no compiler cache.  Compares the
# libraries and the tool as they were built, what was installed, the archives, and the bill of materials.
set -euo pipefail
[ $# -ge 1 ] || {
    echo "usage: tools/check_reproducible.sh WORK [JOBS]" >&2
    exit 2
}
root=$(cd "$(dirname "$0")/.." && pwd)
jobs=${2:-2}
rm -rf "$1"
mkdir -p "$1"
work=$(cd "$1" && pwd)
first=$work/a
second=$work/another/place/b

export CCACHE_DISABLE=1
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || echo 1)}
export SOURCE_DATE_EPOCH

# build FOLDER JOBS: archives with the bill of materials, and an installed tree, of one build.
build() {
    "$root/tools/dist.sh" "$1/packing" "$1/archives" "$2" >"$1/sums"
    cmake --install "$1/packing/source/build" --prefix "$1/installed" >/dev/null
}
mkdir -p "$first" "$second"
since=$SECONDS
(umask 022 && TZ=UTC LC_ALL=C build "$first" "$jobs")
(umask 027 && TZ=Pacific/Apia LC_ALL=C.UTF-8 build "$second" $((jobs + 1)))

faults=0
compared=0
# same NAME: the two files or links of that name are the same.
same() {
    compared=$((compared + 1))
    if [ -L "$first/$1" ]; then
        [ "$(readlink "$first/$1")" = "$(readlink "$second/$1")" ] && return
    elif cmp -s "$first/$1" "$second/$1" &&
        [ "$(stat -c %a "$first/$1")" = "$(stat -c %a "$second/$1")" ]; then
        return
    fi
    echo "differs: ${1#packing/source/}"
    faults=$((faults + 1))
}

list() { (cd "$1" && find installed archives ! -type d | LC_ALL=C sort); }
if ! diff <(list "$first") <(list "$second"); then
    echo "differs: the names of the files"
    faults=$((faults + 1))
fi
for name in libbroadloom.so libbroadloom.a broadloom; do
    same "packing/source/build/$name"
done
while IFS= read -r name; do
    same "$name"
done < <(list "$first")

# That a folder's name is nowhere in what is given away is what the same bytes rest on.
if grep -rlaF "$work" "$first/installed"; then
    echo "differs: the files above name the folder they were built in"
    faults=$((faults + 1))
fi
echo "reproducible: two builds in $((SECONDS - since)) s, $compared files compared, $faults differ"
[ "$faults" -eq 0 ]
