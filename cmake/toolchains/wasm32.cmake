# wasm32.cmake - WebAssembly with vectors, on WASI: clang-14 and Debian's wasi-libc, run by Node
# SPDX-License-Identifier: Apache-2.0
set(CMAKE_SYSTEM_NAME Generic) # no shared libraries
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(bl_machine wasm32-wasi)
set(CMAKE_C_COMPILER clang-14)
set(CMAKE_C_COMPILER_TARGET ${bl_machine})
set(CMAKE_AR llvm-ar-14)
set(CMAKE_RANLIB llvm-ranlib-14)
# Debian's headers for it lie within the system's own folder, of which nothing else may be seen.  No
# -mbulk-memory: with it clang 14 wants thread-local storage for errno, which this libc has not.
set(CMAKE_C_FLAGS_INIT "-nostdlibinc -isystem /usr/include/wasm32-wasi -msimd128 -mnontrapping-fptoint -msign-ext -D_WASI_EMULATED_GETPID")
# The reference computes in long double, whose printf is a library of its own; the stack is 64 kB otherwise.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-lc-printscan-long-double -lwasi-emulated-getpid -Wl,--strip-debug -Wl,-z,stack-size=1048576")
set(CMAKE_EXECUTABLE_SUFFIX_C .wasm)
set(CMAKE_CROSSCOMPILING_EMULATOR ${CMAKE_CURRENT_LIST_DIR}/../../tools/run_wasi.mjs)

include(${CMAKE_CURRENT_LIST_DIR}/cross_deps.cmake)
