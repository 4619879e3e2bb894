#!/usr/bin/env bash
# setup.sh - find the commands and libraries that are missing, and install just those
# SPDX-License-Identifier: Apache-2.0
#
# Usage: tools/setup.sh build|test|gpu|check|machines
#   build  what compiles the library and the tool
#   test   that, and what the tests need
#   gpu    that, and the second of the devices that the GPU backend is tried on
#   check  `test`, and what the checks of the continuous integration need
#   machines  that, and what builds and runs for other machines: cross compilers, qemu, WASI
#
# On Debian and its relatives, as root or with sudo that asks for no password, the missing
# packages are installed; elsewhere they are named, and the exit status is 2.  Quiet when
# nothing is missing.
set -euo pipefail

level=${1:-build}
case $level in
    build | test | gpu | check | machines) ;;
    *)
        echo "usage: tools/setup.sh build|test|gpu|check|machines" >&2
        exit 2
        ;;
esac

missing=()  # for people
packages=() # Debian's names

# need PACKAGE WHAT CHECK...: without success of the check, WHAT is missing and PACKAGE has it.
need() {
    local package=$1 what=$2
    shift 2
    "$@" >/dev/null 2>&1 && return
    missing+=("$what")
    packages+=("$package")
}

can_install() {
    command -v apt-get && { [ "$(id -u)" = 0 ] || sudo -n true; }
}

# want PACKAGE WHAT CHECK...: as need, but only where it can be installed; otherwise the project
# does without.
want() {
    can_install >/dev/null 2>&1 || return 0
    need "$@"
}

have_library() {
    pkg-config --exists "$1"
}

have_ninja_or_make() {
    command -v ninja || command -v make
}

# CMake finds no headers of libc without the development files, whatever compiler there is.
have_libc_headers() {
    have_header stdio.h
}

have_header() {
    echo "#include <$1>" | cc -E -x c -
}

# clang names a library that it does not have without a folder.
have_libfuzzer() {
    [ -e "$(clang -print-file-name=libclang_rt.fuzzer-"$(uname -m)".a)" ]
}

# A file whose name begins so.
have_file() {
    compgen -G "$1*"
}

find_missing() {
    missing=()
    packages=()
    need gcc "a C11 compiler (cc)" command -v cc
    need libc6-dev "the C library's headers" have_libc_headers
    need cmake "CMake 3.21 or newer" command -v cmake
    need ninja-build "ninja or make" have_ninja_or_make
    need pkg-config "pkg-config" command -v pkg-config
    need libjansson-dev "jansson 2.11 or newer, with headers" have_library jansson
    want libpng-dev "libpng, with headers (for the picture example)" have_library libpng
    want libvulkan-dev "Vulkan's headers (for the GPU backend)" have_header vulkan/vulkan_core.h
    want glslang-dev "glslang, with headers (for the GPU's shaders)" \
        have_header glslang/Include/glslang_c_interface.h
    want spirv-tools "SPIRV-Tools' static libraries (for the GPU's shaders)" command -v spirv-val
    [ "$level" = build ] && return
    want mesa-vulkan-drivers "a Vulkan driver that runs on the processor" \
        have_file /usr/share/vulkan/icd.d/lvp_icd
    want vulkan-validationlayers "Vulkan's validation layer" \
        have_file /usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation
    want libmpfr-dev "MPFR, with headers (for the accuracy of float64)" have_header mpfr.h
    need libcmocka-dev "cmocka, with headers" have_library cmocka
    need g++ "a C++ compiler (c++)" command -v c++
    need python3 "Python 3" command -v python3
    need binutils "nm and objdump" command -v objdump
    [ "$level" = test ] && return
    if [ "$level" = gpu ]; then
        want chromium "SwiftShader, the least of Vulkan's devices" \
            have_file /usr/lib/chromium/vk_swiftshader_icd
        return
    fi
    need make "make" command -v make
    need git "git" command -v git
    need gcc "gcc" command -v gcc
    need clang "clang" command -v clang
    need libclang-rt-14-dev "clang's sanitizers and libFuzzer" have_libfuzzer
    want llvm "llvm-symbolizer (for the names in reports)" command -v llvm-symbolizer
    need clang-tidy "clang-tidy" command -v clang-tidy
    need clang-format "clang-format" command -v clang-format
    need shellcheck "shellcheck" command -v shellcheck
    need cppcheck "cppcheck" command -v cppcheck
    need gcovr "gcovr" command -v gcovr
    want npm "npm (for the schemas of make sbom and make check-workflows)" command -v npm
    [ "$level" = machines ] || return 0
    need_machine aarch64-linux-gnu arm64
    need_machine s390x-linux-gnu s390x
    need_machine i686-linux-gnu i386
    need qemu-user "qemu's user emulation" command -v qemu-aarch64
    need clang-14 "clang 14" command -v clang-14
    need llvm-14 "llvm-ar-14" command -v llvm-ar-14
    need lld-14 "the WebAssembly linker wasm-ld-14" command -v wasm-ld-14
    need wasi-libc "a C library for WASI" test -e /usr/include/wasm32-wasi/stdio.h
    need libclang-rt-14-dev-wasm32 "clang's runtime for WebAssembly" have_wasm_runtime
    need nodejs "node" command -v node
}

# need_machine TRIPLE ARCHITECTURE: its gcc and C library; Debian's names differ.
need_machine() {
    need "gcc-$1" "gcc for $1" command -v "$1-gcc"
    need "libc6-dev-$2-cross" "a C library for $1" test -e "/usr/$1/include/stdio.h"
}

have_wasm_runtime() {
    ls /usr/lib/llvm-14/lib/clang/*/lib/wasi/libclang_rt.builtins-wasm32.a
}

find_missing
[ ${#missing[@]} -eq 0 ] && exit 0

say_what_is_needed() {
    echo "These are needed and were not found:" >&2
    printf '  %s\n' "${missing[@]}" >&2
    echo "On Debian or Ubuntu: apt-get install ${packages[*]}" >&2
    exit 2
}

command -v apt-get >/dev/null 2>&1 || say_what_is_needed
as_root=()
if [ "$(id -u)" != 0 ]; then
    sudo -n true 2>/dev/null || say_what_is_needed
    as_root=(sudo -n)
fi

echo "setup: installing ${packages[*]}"
install() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "${packages[@]}" </dev/null
}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
"${as_root[@]}" apt-get update -qq >"$log" 2>&1 </dev/null || cat "$log" >&2
if ! install >"$log" 2>&1; then
    cat "$log" >&2
    say_what_is_needed
fi

find_missing
[ ${#missing[@]} -eq 0 ] || say_what_is_needed
