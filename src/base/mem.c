/*
 * mem.c - memory from the caller's allocator
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#if defined(__linux__)
#define _DEFAULT_SOURCE /* madvise */
#endif
#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "base/checked.h"
#include "base/compiler.h"

#ifdef MADV_HUGEPAGE

#define HUGE_PAGE ((size_t)2 << 20)

/* What malloc maps anew each time, in glibc, and so has to be faulted in: in huge pages that takes a
 * third of the time.  That they may be refused does not matter. */
#define LARGE ((size_t)32 << 20)

static void *large_alloc(size_t bytes)
{
    void *memory = aligned_alloc(HUGE_PAGE, bytes);

    if (memory != NULL)
        (void)madvise(memory, bytes, MADV_HUGEPAGE);
    return memory;
}

#endif

static void *default_alloc(void *user, size_t bytes, size_t alignment)
{
    (void)user;
    /* C11 wants a multiple of the alignment, and lets 0 bytes return NULL. */
    if (bytes > SIZE_MAX - alignment)
        return NULL;
    const size_t whole = (bytes + alignment - 1) / alignment * alignment;

#ifdef MADV_HUGEPAGE
    if (whole >= LARGE && alignment <= HUGE_PAGE && whole <= SIZE_MAX - HUGE_PAGE)
        return large_alloc((whole + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
#endif
    return aligned_alloc(alignment, whole == 0 ? alignment : whole);
}

static void default_free(void *user, void *memory, size_t bytes)
{
    (void)user;
    (void)bytes;
    free(memory);
}

const bl_allocator bl_allocator_default = {default_alloc, default_free, NULL};

void *bl_mem_alloc(const bl_allocator *from, size_t bytes)
{
    return from->alloc(from->user, bytes, BL_ALIGNMENT);
}

void *bl_mem_alloc_zero(const bl_allocator *from, size_t bytes)
{
    void *memory = bl_mem_alloc(from, bytes);

    if (memory != NULL)
        memset(memory, 0, bytes);
    return memory;
}

void *bl_mem_alloc_array(const bl_allocator *from, size_t count, size_t size)
{
    size_t bytes;

    return bl_size_mul(count, size, &bytes) ? bl_mem_alloc_zero(from, bytes) : NULL;
}

void bl_mem_free(const bl_allocator *from, void *memory, size_t bytes)
{
    if (memory != NULL)
        from->free(from->user, memory, bytes);
}
