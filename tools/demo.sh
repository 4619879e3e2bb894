#!/usr/bin/env bash
# demo.sh - what Broadloom does, shown on real data: `make demo`
# SPDX-License-Identifier: Apache-2.0
#
# Usage: tools/demo.sh TOOL
# Every command is printed before it runs, and results are compared with what they have to be.
# What there is to look at stays in demo/ beside the tool.
set -euo pipefail
tool=$(realpath "${1:-build/broadloom}")
fixtures=$(realpath "$(dirname "$0")/../fixtures")
examples=$(realpath "$(dirname "$0")/../examples")
kept=$(dirname "$tool")/demo
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$kept"
cd "$work"
ln -s "$examples" examples

# print_command WORD...: as one would type it.
print_command() {
    printf '\n$'
    local word
    for word in "$@"; do
        [[ $word =~ ^[A-Za-z0-9_./=,-]+$ ]] && printf ' %s' "$word" || printf " '%s'" "$word"
    done
    printf '\n'
}

# show ARGUMENT...: print the tool's command, then run it.
show() {
    print_command broadloom "$@"
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

say "A model: GELU as exporters write it.  Eight nodes become one pass over memory"
show inspect examples/gelu/gelu.onnx --dim batch=64 --dim features=1024
show run examples/gelu/gelu.onnx --input 'x=float32[1,5]=-2,-1,0,1,2'

say "Fused or node by node: the same bits"
show run examples/gelu/gelu.onnx --random 1 --shape x=64,1024 --output y=fused.npy
show run examples/gelu/gelu.onnx --random 1 --shape x=64,1024 --output y=apart.npy --no-fuse
print_command cmp fused.npy apart.npy
cmp fused.npy apart.npy

say "A picture, made into what an image network wants: normalised, channels first"
picture=
normalize=$(dirname "$tool")/examples/normalize
if [ -x "$normalize" ]; then
    picture=$kept/normalized.png
    cp examples/normalize/picture.png "$kept/picture.png"
    print_command normalize examples/normalize/normalize.onnx "$kept/picture.png" "$picture"
    "$normalize" examples/normalize/normalize.onnx "$kept/picture.png" "$picture"
else
    echo "(the program that reads and writes pictures needs libpng, and was not built)"
    show run examples/normalize/normalize.onnx --random 1 --dim height=2 --dim width=4
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
printf '\ndemo: the normalised numbers are right, and the fixtures say: %s\n' "$passed"
[ -z "$picture" ] ||
    printf "demo: to look at: %s; what went in is %s\n" "$picture" "$kept/picture.png"
