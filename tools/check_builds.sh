#!/usr/bin/env bash
# check_builds.sh - build in every way that users build, and see that results stay the same bits
# SPDX-License-Identifier: Apache-2.0
#
# Usage: tools/check_builds.sh [NAME...]
#        tools/check_builds.sh --list
# For each build: configure in build-builds/NAME, build the programs below with warnings as errors,
# and run them.  Stops at the first that fails.  What is built is chosen so that all kernels and
# the roads to them are in: exact_bits compares the results with those of every other machine.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=$(nproc 2>/dev/null || echo 2)
programs=(exact_bits kernel_check half_test random_apply_test random_graph_test shape_test)
tests='^(machines/exact-bits|unit/(half|random_apply|random_graph|shape)_test)$'

# NAME COMPILER OPTIONS...: the level is that of all code, kernels too.
builds=(
    "gcc-O0 gcc -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O0 -DBL_KERNEL_OPTIMIZATION=-O0"
    "gcc-O1 gcc -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O1 -DBL_KERNEL_OPTIMIZATION=-O1"
    "gcc-O2 gcc -DCMAKE_BUILD_TYPE=RelWithDebInfo"
    "gcc-O3 gcc -DCMAKE_BUILD_TYPE=Release -DBL_KERNEL_OPTIMIZATION=-O3"
    "gcc-debug gcc -DCMAKE_BUILD_TYPE=Debug"
    "gcc-lto gcc -DCMAKE_BUILD_TYPE=Release -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON"
    "gcc-unity gcc -DCMAKE_BUILD_TYPE=Release -DBL_UNITY=ON"
    "clang-O0 clang -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O0 -DBL_KERNEL_OPTIMIZATION=-O0"
    "clang-O1 clang -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O1 -DBL_KERNEL_OPTIMIZATION=-O1"
    "clang-O2 clang -DCMAKE_BUILD_TYPE=RelWithDebInfo"
    "clang-O3 clang -DCMAKE_BUILD_TYPE=Release -DBL_KERNEL_OPTIMIZATION=-O3"
    "clang-lto clang -DCMAKE_BUILD_TYPE=Release -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON"
    "clang-unity clang -DCMAKE_BUILD_TYPE=Release -DBL_UNITY=ON"
    "gcc-nothreads gcc -DCMAKE_BUILD_TYPE=Release -DBL_THREADS=OFF"
)

# check NAME COMPILER OPTIONS...
check() {
    local name=$1 compiler=$2 since=$SECONDS
    local folder=build-builds/$name
    shift 2
    printf '==> %s\n' "$name"
    cmake -S . -B "$folder" -DCMAKE_C_COMPILER="$compiler" -DBL_WERROR=ON -DBL_BUILD_TESTS=ON \
        -DBL_INSTALL=OFF "$@" >/dev/null
    cmake --build "$folder" --parallel "$jobs" --target "${programs[@]}" >"$folder/log" 2>&1 || {
        tail -n 40 "$folder/log"
        echo "check_builds: $name does not build"
        exit 1
    }
    "$folder/tests/kernel_check" --quick | tail -n 1
    ctest --test-dir "$folder" --parallel "$jobs" --output-on-failure -R "$tests" >"$folder/log" || {
        tail -n 40 "$folder/log"
        echo "check_builds: a test fails in $name"
        exit 1
    }
    echo "$name: passed in $((SECONDS - since)) s"
}

if [ "${1:-}" = --list ]; then
    printf '%s\n' "${builds[@]%% *}"
    exit 0
fi
done=0
for build in "${builds[@]}"; do
    read -ra words <<<"$build"
    [ $# -eq 0 ] || [[ " $* " == *" ${words[0]} "* ]] || continue
    check "${words[@]}"
    done=$((done + 1))
done
[ "$done" -gt 0 ] || {
    echo "check_builds: no build '$*'; there are: ${builds[*]%% *}" >&2
    exit 2
}
echo "check_builds: $done builds passed, in $SECONDS s"
