#!/usr/bin/env bash
# setup_peers.sh - fetch the systems that bench.py compares with
# SPDX-License-Identifier: Apache-2.0
#
# Usage: bench/setup_peers.sh FOLDER PYTHON
#   FOLDER  where ONNX Runtime's library is unpacked, from npm's package onnxruntime-node
#   PYTHON  which is to have NumPy and numexpr: Debian's packages, so Debian's own python3
#
# What is there is left alone.  NumPy and numexpr are installed on Debian and its relatives, as
# root or with sudo that asks for no password; elsewhere it is said what to install, and the exit
# status is 2.  With BENCH_ORT_LIB set, that library is used and nothing is fetched.
set -euo pipefail

[ $# = 2 ] || {
    echo "usage: bench/setup_peers.sh FOLDER PYTHON" >&2
    exit 2
}
folder=$1
python=$2
version=1.30.0

fail() {
    printf '%s\n' "bench-peers: $1" >&2
    exit 2
}

# ---- ONNX Runtime ----
have_ort() {
    [ -n "${BENCH_ORT_LIB:-}" ] ||
        [ -n "$(find "$folder" -name 'libonnxruntime.so*' 2>/dev/null | head -n 1)" ]
}

fetch_ort() {
    local machine
    case $(uname -sm) in
        "Linux x86_64") machine=linux/x64 ;;
        "Linux aarch64") machine=linux/arm64 ;;
        *) fail "no ONNX Runtime for $(uname -sm); name its library in BENCH_ORT_LIB" ;;
    esac
    command -v npm >/dev/null || fail "npm is needed for ONNX Runtime: apt-get install npm"
    echo "bench-peers: fetching onnxruntime-node@$version"
    mkdir -p "$folder"
    (
        cd "$folder"
        npm pack --silent "onnxruntime-node@$version" >/dev/null
        tar -xzf "onnxruntime-node-$version.tgz" --wildcards \
            "package/bin/*/$machine/libonnxruntime.so*"
        rm "onnxruntime-node-$version.tgz"
    )
    have_ort || fail "onnxruntime-node@$version has no library for $machine"
}

have_ort || fetch_ort

# ---- NumPy and numexpr ----
have_python_packages() {
    "$python" -c 'import numexpr, numpy' 2>/dev/null
}

install_python_packages() {
    local packages=(python3-numpy python3-numexpr) as_root=()
    command -v apt-get >/dev/null ||
        fail "$python has no NumPy or numexpr: install them for it, or set PEER_PYTHON"
    if [ "$(id -u)" != 0 ]; then
        sudo -n true 2>/dev/null ||
            fail "$python has no NumPy or numexpr: apt-get install ${packages[*]}"
        as_root=(sudo -n)
    fi
    echo "bench-peers: installing ${packages[*]}"
    "${as_root[@]}" apt-get update -qq >/dev/null 2>&1 </dev/null || true
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
        --no-install-recommends "${packages[@]}" >/dev/null 2>&1 </dev/null || true
    have_python_packages ||
        fail "$python still has no NumPy or numexpr: apt-get install ${packages[*]}"
}

have_python_packages || install_python_packages
