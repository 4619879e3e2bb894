/*
 * fuzz.c - what the fuzz targets share: promises, memory that is counted, files
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "fuzz/fuzz.h"

#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conform/compare.h"

/* Memory that cannot be had is NULL, as without a sanitizer; and nothing larger than this, so that
 * a few bytes that ask for much do not make the machine swap. */
#define SANITIZER_OPTIONS "allocator_may_return_null=1:max_allocation_size_mb=64"

/* The sanitizers look these up by name; others never call them. */
const char *__asan_default_options(void); /* NOLINT(*-reserved-identifier) */
const char *__msan_default_options(void); /* NOLINT(*-reserved-identifier) */

const char *__asan_default_options(void)
{
    return SANITIZER_OPTIONS ":strict_string_checks=1:quarantine_size_mb=16";
}

const char *__msan_default_options(void)
{
    return SANITIZER_OPTIONS;
}

/* ---- Promises ------------------------------------------------------------------------- */

/* Standard error, also after libFuzzer has closed it to keep a target quiet. */
static int report_fd = STDERR_FILENO;

__attribute__((constructor)) static void keep_standard_error(void)
{
    const int copy = dup(STDERR_FILENO);

    if (copy >= 0)
        report_fd = copy;
}

void fuzz_fail(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    dprintf(report_fd, "broken promise: ");
    vdprintf(report_fd, format, args);
    dprintf(report_fd, "\n");
    va_end(args);
    abort();
}

void fuzz_check_failure(const bl_error *err)
{
    if (err->status <= BL_OK || err->status >= BL_STATUS_COUNT)
        fuzz_fail("a failure with status %d", (int)err->status);
    if (memchr(err->message, '\0', sizeof err->message) == NULL)
        fuzz_fail("a message without an end");
    if (err->message[0] == '\0')
        fuzz_fail("a failure without a message (%s)", bl_status_name(err->status));
}

void fuzz_check_error(const bl_error *err)
{
    fuzz_check_failure(err);
    for (const char *p = err->message; *p != '\0'; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7F)
            fuzz_fail("byte %02x in the message \"%s\"", (unsigned char)*p, err->message);
}

bool fuzz_same(const bl_tensor *a, const bl_tensor *b)
{
    static const struct bl_compare_rule same = {
        .allow_nan = true, .exact = true, .max_ulp = -1};
    char why[BL_COMPARE_TEXT];

    if (bl_compare(a, b, &same, why))
        return true;
    dprintf(report_fd, "%s\n", why);
    return false;
}

/* ---- Memory that is counted -------------------------------------------------------------- */

/* No byte more than was asked for, so that AddressSanitizer sees the end. */
static void *counted_alloc(void *user, size_t bytes, size_t alignment)
{
    struct fuzz_budget *budget = user;
    void *memory = NULL;

    if (bytes > budget->most - budget->spent ||
        posix_memalign(&memory, alignment, bytes > 0 ? bytes : 1) != 0) {
        budget->refused = true;
        return NULL;
    }
    budget->spent += bytes;
    budget->live += bytes;
    if (budget->live > budget->peak)
        budget->peak = budget->live;
    return memory;
}

static void counted_free(void *user, void *memory, size_t bytes)
{
    struct fuzz_budget *budget = user;

    if (bytes > budget->live)
        fuzz_fail("%zu bytes given back, of %zu", bytes, budget->live);
    budget->live -= bytes;
    free(memory);
}

bl_allocator fuzz_allocator(struct fuzz_budget *budget)
{
    return (bl_allocator){counted_alloc, counted_free, budget};
}

bl_context *fuzz_context(struct fuzz_budget *budget, int threads)
{
    const bl_allocator allocator = fuzz_allocator(budget);
    bl_context_options options = BL_CONTEXT_DEFAULTS;
    bl_error err;

    options.threads = threads;
    options.allocator = &allocator;
    bl_context *context = bl_context_new(&options, &err);

    if (context == NULL)
        fuzz_fail("no context: %s", err.message);
    return context;
}

void fuzz_check_freed(const struct fuzz_budget *budget)
{
    if (budget->live != 0)
        fuzz_fail("%zu bytes were not given back", budget->live);
}

/* ---- Files ----------------------------------------------------------------------------------- */

static char folder[64];

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    (void)info;
    (void)kind;
    (void)at;
    return remove(path);
}

void fuzz_remove(const char *path)
{
    if (nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS) != 0)
        fuzz_fail("cannot remove '%s'", path);
}

static void remove_folder(void)
{
    fuzz_remove(folder);
}

const char *fuzz_path(const char *name)
{
    static char path[sizeof folder + 64];

    if (folder[0] == '\0') {
        strcpy(folder, "/tmp/broadloom-fuzz-XXXXXX");
        if (mkdtemp(folder) == NULL)
            fuzz_fail("no folder in /tmp");
        atexit(remove_folder);
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

void fuzz_write(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");

    if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        fuzz_fail("cannot write %s", path);
}
