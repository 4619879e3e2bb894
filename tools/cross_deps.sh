#!/usr/bin/env bash
# cross_deps.sh - jansson and cmocka for another machine, built from Debian's sources
# SPDX-License-Identifier: Apache-2.0
#
# Usage: tools/cross_deps.sh MACHINE...
#   MACHINE  the name of a file in cmake/toolchains: aarch64, s390x, i686, wasm32
#
# Debian's packages of these two for another architecture would need that architecture added to
# this system, and there are none for WebAssembly.  Their sources are small: they are fetched with
# apt (which checks their signatures) into build-cross/sources, by lists of its own, so that
# neither the system's lists nor its packages change, and root is not needed.  Static libraries
# and pkg-config files go to build-cross/TRIPLE.  Quiet when all is there.
set -euo pipefail
cd "$(dirname "$0")/.."
top=$PWD/build-cross
sources=$top/sources
packages=(jansson cmocka)
[ $# -gt 0 ] || {
    echo "usage: tools/cross_deps.sh MACHINE..." >&2
    exit 2
}

have_sources() {
    local package
    for package in "${packages[@]}"; do
        [ -f "$sources/$package/CMakeLists.txt" ] || return 1
    done
}

# The suite of the running Debian, so that the sources are those of its own packages.
fetch_sources() {
    local suite apt=$sources/apt package
    command -v apt-get >/dev/null || {
        echo "cross_deps: no apt-get; unpack the sources of ${packages[*]} in $sources/NAME" >&2
        exit 2
    }
    # shellcheck source=/dev/null
    suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
    echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
        "http://deb.debian.org/debian $suite main" >"$apt/sources.list"
    local options=(-qq -o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=-
        -o "Dir::State::lists=$apt/lists" -o "Dir::Cache=$apt/cache"
        -o APT::Sandbox::User=root)
    apt-get "${options[@]}" update
    (cd "$sources" && apt-get "${options[@]}" source --download-only "${packages[@]}")
    for package in "${packages[@]}"; do
        mkdir -p "$sources/$package"
        tar -x -f "$sources/$package"_*.orig.tar.?z -C "$sources/$package" --strip-components=1
    done
    rm -rf "$apt"
}

# triple MACHINE: its folder, as cmake/toolchains/MACHINE.cmake names it
triple() {
    sed -n 's/^set(bl_machine \(.*\))$/\1/p' "cmake/toolchains/$1.cmake"
}

for machine in "$@"; do
    [ -f "cmake/toolchains/$machine.cmake" ] || {
        echo "cross_deps: no machine '$machine' in cmake/toolchains" >&2
        exit 2
    }
    prefix=$top/$(triple "$machine")
    [ ! -f "$prefix/lib/pkgconfig/jansson.pc" ] || continue
    have_sources || fetch_sources
    echo "cross_deps: building ${packages[*]} for $machine"
    cmake -S cmake/cross_deps -B "$prefix/build" -DSOURCES="$sources" \
        -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/toolchains/$machine.cmake" \
        -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$prefix" \
        -DCMAKE_INSTALL_LIBDIR=lib >/dev/null
    cmake --build "$prefix/build" >/dev/null
    cmake --install "$prefix/build" >/dev/null
done
