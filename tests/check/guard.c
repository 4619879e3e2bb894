/*
 * guard.c - memory between two pages that trap
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "guard.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MARGIN 256

bool guard_map(struct guard *guard, size_t size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t pages = (size + page - 1) / page;
    unsigned char *mapped =
        mmap(NULL, (pages + 2) * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (mapped == MAP_FAILED)
        return false;
    guard->bytes = mapped + page;
    guard->size = pages * page;
    return mprotect(guard->bytes, guard->size, PROT_READ | PROT_WRITE) == 0;
}

void guard_unmap(struct guard *guard)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);

    munmap(guard->bytes - page, guard->size + 2 * page);
}

void *guard_place(const struct guard *guard, size_t size, bool at_end)
{
    return at_end ? guard->bytes + guard->size - size : guard->bytes;
}

void guard_fill(const struct guard *guard)
{
    memset(guard->bytes, GUARD_FILLED, guard->size);
}

static bool is_filled(const unsigned char *from, const unsigned char *to)
{
    for (; from < to; from++)
        if (*from != GUARD_FILLED)
            return false;
    return true;
}

bool guard_only_wrote(const struct guard *guard, const void *place, size_t size)
{
    const unsigned char *first = place;
    const size_t before = (size_t)(first - guard->bytes);
    const size_t after = guard->size - before - size;

    return is_filled(first - (before < MARGIN ? before : MARGIN), first) &&
           is_filled(first + size, first + size + (after < MARGIN ? after : MARGIN));
}
