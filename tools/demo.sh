#!/usr/bin/env bash
# demo.sh - what Broadloom does, shown on real data: `make demo`
# SPDX-License-Identifier: Apache-2.0
#
# Usage: tools/demo.sh TOOL
# Every command is printed before it runs.  The last one reads what the others wrote, and its
# result is compared with what it has to be.
set -euo pipefail
tool=$(realpath "${1:-build/broadloom}")
fixtures=$(realpath "$(dirname "$0")/../fixtures")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# show ARGUMENT...: print the command as one would type it, then run it.
show() {
    printf '\n$ broadloom'
    local word
    for word in "$@"; do
        [[ $word =~ ^[A-Za-z0-9_./=,-]+$ ]] && printf ' %s' "$word" || printf " '%s'" "$word"
    done
    printf '\n'
    "$tool" "$@"
}

say() {
    printf '\n---- %s\n' "$1"
}

say "How shapes meet: three images of five channels, a scale for each channel"
show shape 3,5,2,2 5,1,1

say "An image of 2 channels, 2 x 3 pixels, and the mean and deviation of each channel, as files"
show apply Identity 'float32[1,2,2,3]=0,51,102,153,204,255,10,20,30,40,50,60' -o image.npy
show apply Identity 'float32[2,1,1]=127.5,35' -o mean.npy
show apply Identity 'float32[2,1,1]=51,12.5' -o deviation.npy

say "Normalise each channel: (image - mean) / deviation, broadcast over batch, rows and columns"
show apply Sub image.npy mean.npy -o centred.npy
show apply Div centred.npy deviation.npy -o normal.npy
show apply Identity normal.npy

say "A result that is exact in bfloat16, and one that cannot be: a clear error, no crash"
show apply Sum 'bfloat16[2,1]=1,2' 'bfloat16[3]=10,20,30' 'bfloat16[]=0.5'
if show apply Div 'int32[3]=7,-2147483648,5' 'int32[3]=2,-1,0' 2>&1; then
    echo "demo: a division by zero went unnoticed" >&2
    exit 1
fi

say "Check the operators against the fixtures, whose results come from exact arithmetic"
show conform "$fixtures"
passed=$("$tool" conform "$fixtures" | tail -n 1)

# The channel-wise normalisation above, worked out by hand.
want=$("$tool" apply Identity -f json \
    'float32[1,2,2,3]=-2.5,-1.5,-0.5,0.5,1.5,2.5,-2,-1.2,-0.4,0.4,1.2,2')
got=$("$tool" apply Identity -f json normal.npy)
[ "$got" = "$want" ] || {
    printf 'demo: normal.npy is wrong\n got %s\nwant %s\n' "$got" "$want" >&2
    exit 1
}
printf '\ndemo: the normalised image is right, and the fixtures say: %s\n' "$passed"
