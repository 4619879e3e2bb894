/*
 * failing_calls.c - make chosen calls of the C library fail in a program that is not ours to change
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Loaded with LD_PRELOAD (glibc).  Calls are counted from 0, from the start of the program on:
 *
 *     BL_FAIL_ALLOC=N       the N-th allocation fails
 *     BL_FAIL_ALLOC_FROM=N  and all after it
 *     BL_FAIL_RENAME=N      the N-th rename fails
 *     BL_FAIL_LINK=1        no hard link can be made, as on FAT
 *     BL_FAIL_FSYNC=1       the disk is full when a file is synced
 *     BL_CALLS=FILE         write the number of allocations there when the program ends
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where glibc has its own, under names that nobody replaces. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static atomic_long allocations;
static atomic_long renames;
static long fail_at = -1, fail_from = -1, fail_rename = -1;
static bool fail_link, fail_fsync, started;

static long number_of(const char *name)
{
    const char *text = getenv(name);

    return text != NULL ? atol(text) : -1;
}

__attribute__((constructor)) static void start(void)
{
    fail_at = number_of("BL_FAIL_ALLOC");
    fail_from = number_of("BL_FAIL_ALLOC_FROM");
    fail_rename = number_of("BL_FAIL_RENAME");
    fail_link = number_of("BL_FAIL_LINK") > 0;
    fail_fsync = number_of("BL_FAIL_FSYNC") > 0;
    started = true;
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("BL_CALLS");
    char text[32];

    started = false;
    if (path == NULL)
        return;
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    const int length = snprintf(text, sizeof text, "%ld\n", atomic_load(&allocations));

    if (fd >= 0 && write(fd, text, (size_t)length) == length)
        close(fd);
}

static bool fails(void)
{
    if (!started)
        return false;
    const long call = atomic_fetch_add(&allocations, 1);

    if (call != fail_at && (fail_from < 0 || call < fail_from))
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    return fails() ? NULL : __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    *memory = fails() ? NULL : __libc_memalign(alignment, size);
    return *memory != NULL ? 0 : ENOMEM;
}

int rename(const char *from, const char *to)
{
    if (atomic_fetch_add(&renames, 1) != fail_rename)
        return renameat(AT_FDCWD, from, AT_FDCWD, to);
    errno = EPERM;
    return -1;
}

int link(const char *from, const char *to)
{
    if (!fail_link)
        return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
    errno = EPERM;
    return -1;
}

int fsync(int fd)
{
    int (*real)(int) = NULL;

    if (fail_fsync) {
        errno = ENOSPC;
        return -1;
    }
    *(void **)&real = dlsym(RTLD_NEXT, "fsync");
    return real(fd);
}
