#!/usr/bin/env bash
# run.sh - install, move what was installed, and use it as others would
# SPDX-License-Identifier: Apache-2.0
#
# Usage: tests/package/run.sh SOURCE BUILD
# Installs BUILD into a folder inside it and moves that, so that a path which was written down
# shows.  Then builds the README's program and a C++ one by find_package and by pkg-config, with
# the shared library and with the static one, and compares what they print.
set -euo pipefail
source=$1
build=$2
work=$build/package-test
CC=${CC:-cc}
CXX=${CXX:-c++}

fail() {
    echo "package: $1" >&2
    exit 1
}

rm -rf "$work"
mkdir -p "$work"
cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/prefix"
prefix=$work/prefix

# ---- What is installed ---
for file in include/broadloom/broadloom.h bin/broadloom share/man/man1/broadloom.1 \
    share/bash-completion/completions/broadloom; do
    [ -s "$prefix/$file" ] || fail "$file was not installed"
done
"$prefix/bin/broadloom" --version >/dev/null || fail "the installed tool does not run"
libdir=$(dirname "$(find "$prefix" -name libbroadloom.so)")

# ---- The program in the README, which is examples/quickstart.c without its head ---
sed -n '/^```c$/,/^```$/p' "$source/README.md" | sed '1d;/^```$/,$d' >"$work/quickstart.c"
[ -s "$work/quickstart.c" ] || fail "README.md has no C program"
sed '1,/^ \*\/$/d' "$source/examples/quickstart.c" | cmp - "$work/quickstart.c" ||
    fail "the C program in README.md is not that of examples/quickstart.c"
[ "$(wc -l <"$work/quickstart.c")" -le 15 ] || fail "the C program in README.md has over 15 lines"

quickstart_prints=$'11 22 33\n14 25 36'
consumer_prints=$'10 20 30\n20 40 60\nshape'

# expect PROGRAM TEXT: the program succeeds and prints the text.
expect() {
    local got
    got=$("$1") || fail "$1 failed"
    [ "$got" = "$2" ] || fail "$1 printed '$got', expected '$2'"
    echo "package: $(basename "$1") is right"
}

# ---- find_package ---
cmake -S "$source/tests/package" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix" \
    -DQUICKSTART="$work/quickstart.c" -DCMAKE_BUILD_TYPE=Release >"$work/cmake.log" 2>&1 &&
    cmake --build "$work/cmake" >>"$work/cmake.log" 2>&1 || {
    cat "$work/cmake.log" >&2
    fail "the CMake consumer does not build"
}
for kind in shared static; do
    expect "$work/cmake/quickstart_$kind" "$quickstart_prints"
    expect "$work/cmake/consumer_$kind" "$consumer_prints"
done

# ---- pkg-config ---
export PKG_CONFIG_PATH=$libdir/pkgconfig
[ "$(pkg-config --modversion broadloom)" = "$("$prefix/bin/broadloom" --version | awk '{ print $2 }')" ] ||
    fail "pkg-config and the tool disagree on the version"
read -ra cflags < <(pkg-config --cflags broadloom)
read -ra libs < <(pkg-config --libs broadloom)
read -ra static_libs < <(pkg-config --static --libs broadloom)
strict=(-Wall -Wextra -Wpedantic -Werror)

"$CC" -std=c11 "${strict[@]}" "${cflags[@]}" "$work/quickstart.c" -o "$work/quickstart_pc" \
    "${libs[@]}" -Wl,-rpath,"$libdir"
"$CXX" -std=c++11 "${strict[@]}" "${cflags[@]}" "$source/tests/package/consumer.cpp" \
    -o "$work/consumer_pc" "${libs[@]}" -Wl,-rpath,"$libdir"
"$CC" -std=c11 "${strict[@]}" "${cflags[@]}" -static "$work/quickstart.c" \
    -o "$work/quickstart_pc_static" "${static_libs[@]}"
expect "$work/quickstart_pc" "$quickstart_prints"
expect "$work/consumer_pc" "$consumer_prints"
expect "$work/quickstart_pc_static" "$quickstart_prints"

echo "package: installed, found by CMake and pkg-config, 7 programs right"
