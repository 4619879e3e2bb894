#!/usr/bin/env bash
# planted_faults.sh - the checks in tools/ find the faults that are planted for them
# SPDX-License-Identifier: Apache-2.0
#
# Usage: tests/planted_faults.sh
# Makes a small tree that is clean, sees that the checks pass, then plants one fault at a time.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

wrong=0
checked=0

# write FILE [LINE...]: a C file with a right head, then the lines.
write() {
    local file=$1 name=${1##*/}
    shift
    mkdir -p "$tree/$(dirname "$file")"
    printf '/*\n * %s - a file of the test\n *\n * SPDX-License-Identifier: Apache-2.0\n */\n' \
        "$name" >"$tree/$file"
    [ $# -eq 0 ] || printf '%s\n' "$@" >>"$tree/$file"
}

lay_out() {
    rm -rf "${tree:?}"/*
    mkdir "$tree/tools" "$tree/conform" "$tree/cli"
    cp "$root"/tools/check_*.sh "$root"/tools/check_layers.py "$tree/tools"
    cp "$root/.clang-format" "$tree"
    write include/broadloom/broadloom.h '#include <stdint.h>'
    write src/base/status.h '#include "broadloom/broadloom.h"'
    write src/ops/op.h '#include "base/status.h"'
    write src/ops/op.c '#include "ops/op.h"'
}

# expect CHECK PATTERN: the check fails, and says something that matches.
expect() {
    local check=$1 pattern=$2 output
    checked=$((checked + 1))
    if output=$("$tree/tools/$check" 2>&1); then
        echo "$check passed, expected: $pattern"
        wrong=$((wrong + 1))
    elif ! grep -qE -- "$pattern" <<<"$output"; then
        printf '%s\n' "$check did not say: $pattern; it said:" "$output"
        wrong=$((wrong + 1))
    fi
    lay_out
}

lay_out
for check in check_layers.py check_headers.sh; do
    "$tree/tools/$check" >/dev/null || {
        echo "$check fails on a clean tree"
        exit 1
    }
done

write src/base/upward.c '#include "ops/op.h"'
expect check_layers.py '^src/base/upward.c:6: base may not include "ops/op.h"'
write src/attic/old.c
expect check_layers.py '^src/attic/old.c:1: attic/ is no room'
write src/ops/near.c '#include "op.h"'
expect check_layers.py '^src/ops/near.c:6: "op.h" names no room'
write src/ops/gone.c '#include "base/gone.h"'
expect check_layers.py '^src/ops/gone.c:6: "base/gone.h" does not exist'
write cli/deep.c '#include "base/status.h"'
expect check_layers.py '^cli/deep.c:6: cli may not include "base/status.h"'

write src/base/needy.h 'size_t bl_needy(void);'
expect check_headers.sh '^base/needy.h: does not compile alone'

write src/base/tab.c $'\tint x;'
expect check_style.sh '^src/base/tab.c:6: a tab'
write src/base/blank.c 'int x; '
expect check_style.sh '^src/base/blank.c:6: blanks at the end'
write src/base/crlf.c $'int x;\r'
expect check_style.sh '^src/base/crlf.c:6: a carriage return'
write src/base/hidden.c $'int x; /* \u200b */'
expect check_style.sh '^src/base/hidden.c:6: an invisible character'
write src/base/cut.c
printf 'int x;' >>"$tree/src/base/cut.c"
expect check_style.sh '^src/base/cut.c: no newline at the end'
write src/base/name.c
mv "$tree/src/base/name.c" "$tree/src/base/other.c"
expect check_style.sh '^src/base/other.c:2: the file does not start'
echo 'int x;' >"$tree/src/base/bare.c"
expect check_style.sh '^src/base/bare.c:1: no SPDX line'
write src/base/long.c
printf '/* line %d */\n' {1..500} >>"$tree/src/base/long.c"
expect check_style.sh '^src/base/long.c:505: longer than 500 lines'
if command -v clang-format >/dev/null; then
    write src/base/shape.c 'int  x;'
    expect check_style.sh '^src/base/shape.c: not as clang-format has it'
fi

echo "planted faults: $checked, $((checked - wrong)) found"
[ "$wrong" -eq 0 ]
