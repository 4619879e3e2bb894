/*
 * fuzz.h - what a fuzz target is, and what all of them share
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A target is a file NAME_fuzz.c with LLVMFuzzerTestOneInput: it does one thing with the bytes, and
 * ends the process where a promise does not hold.  It is linked with libFuzzer to search
 * (`make fuzz`), and with replay.c to run over files (the tests fuzz/NAME).
 */
#ifndef BL_FUZZ_FUZZ_H
#define BL_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "broadloom/broadloom.h"

/* ---- libFuzzer's names ------------------------------------------------------------- */

/* The target.  Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Only in targets that have a mutator of their own: change data[0 .. size - 1] in place, up to
 * `most` bytes.  Returns the new size. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

/* libFuzzer's own mutations, for such a mutator to call. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

/* ---- Promises ------------------------------------------------------------------------- */

/* Say what does not hold, and abort: the fuzzer then keeps the bytes. */
_Noreturn void fuzz_fail(const char *format, ...) BL_PRINTF(1, 2);

/* What every failure has to leave: a status and a text; of the library it is one line without control
 * characters (the tool masks them when it prints). */
void fuzz_check_failure(const bl_error *err);
void fuzz_check_error(const bl_error *err);

/* True if type, shape and all bits are the same; every NaN counts as the same. */
bool fuzz_same(const bl_tensor *a, const bl_tensor *b);

/* ---- Memory that is counted -------------------------------------------------------------- */

/* An allocator's state: set `most`, zero the rest. */
struct fuzz_budget {
    size_t most;  /* bytes that may be given out in all; what was given back counts too */
    size_t spent; /* of these */
    size_t live;  /* bytes that were not given back */
    size_t peak;  /* the most that `live` has been */
    bool refused; /* something was asked for and not given */
};

/* The budget has to outlive what is allocated. */
bl_allocator fuzz_allocator(struct fuzz_budget *budget);

/* A context of so many threads that allocates from the budget.  Never NULL. */
bl_context *fuzz_context(struct fuzz_budget *budget, int threads);

/* Fail if something was not given back. */
void fuzz_check_freed(const struct fuzz_budget *budget);

/* ---- Files ----------------------------------------------------------------------------------- */

/* False under MemorySanitizer: that of clang 14 does not see fstat of glibc 2.33 and later fill in its
 * result, and takes it for uninitialised. */
#define FUZZ_HAS_FILES 1
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#undef FUZZ_HAS_FILES
#define FUZZ_HAS_FILES 0
#endif
#endif

/* The path of `name` in an empty folder that is this process's own, and is removed when it
 * ends well.  The text lives until the next call. */
const char *fuzz_path(const char *name);

/* Remove a file, or a folder and all that is in it. */
void fuzz_remove(const char *path);

void fuzz_write(const char *path, const void *bytes, size_t size);

#endif
