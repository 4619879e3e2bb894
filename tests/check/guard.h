/*
 * guard.h - memory between two pages that trap
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CHECK_GUARD_H
#define BL_CHECK_GUARD_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes that may be read and written; the first byte before and after them may not. */
struct guard {
    unsigned char *bytes;
    size_t size; /* whole pages */
};

/* At least `size` bytes.  Returns false where the system has none. */
bool guard_map(struct guard *guard, size_t size);

void guard_unmap(struct guard *guard);

/* `size` of the bytes: the last ones, or the first. */
void *guard_place(const struct guard *guard, size_t size, bool at_end);

/* Fill all bytes with GUARD_FILLED, so that guard_only_wrote can tell what was written. */
#define GUARD_FILLED 0xC3
void guard_fill(const struct guard *guard);

/* True if the 256 bytes on either side of `size` bytes at `place` are as guard_fill left
 * them. */
bool guard_only_wrote(const struct guard *guard, const void *place, size_t size);

#endif
