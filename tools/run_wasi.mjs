#!/usr/bin/env -S node --no-warnings
// run_wasi.mjs - run a WebAssembly program of WASI under Node, as qemu runs those of other machines
// SPDX-License-Identifier: Apache-2.0
//
// Usage: tools/run_wasi.mjs PROGRAM.wasm [ARGUMENT]...
//        tools/run_wasi.mjs --imports PROGRAM.wasm    list what it needs from outside
// The program sees the whole file system, under absolute paths, and exits with its own status.
import { readFile } from "node:fs/promises";
import { argv, exit } from "node:process";
import { WASI } from "node:wasi";

const list = argv[2] === "--imports";
const program = argv[list ? 3 : 2];
if (!program) {
    console.error("usage: run_wasi.mjs [--imports] PROGRAM.wasm [ARGUMENT]...");
    exit(2);
}
const module = await WebAssembly.compile(await readFile(program));
if (list) {
    for (const { module: from, name } of WebAssembly.Module.imports(module)) console.log(`${from}.${name}`);
} else {
    const wasi = new WASI({
        version: "preview1",
        args: argv.slice(2),
        env: { TMPDIR: "/tmp", ...(process.env.BL_ISA && { BL_ISA: process.env.BL_ISA }) },
        preopens: { "/": "/" },
        returnOnExit: true,
    });
    const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
    process.exitCode = wasi.start(instance);
}
