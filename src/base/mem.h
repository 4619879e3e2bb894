/*
 * mem.h - memory from the caller's allocator
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_BASE_MEM_H
#define BL_BASE_MEM_H

#include <stddef.h>

#include "broadloom/broadloom.h"

/* Buffers start on a cache line, which is also the widest vector. */
#define BL_ALIGNMENT 64

/* The next multiple of BL_ALIGNMENT, for parts of a buffer that are to be aligned like it.  `bytes`
 * is not within BL_ALIGNMENT of SIZE_MAX. */
static inline size_t bl_mem_round(size_t bytes)
{
    return (bytes + BL_ALIGNMENT - 1) / BL_ALIGNMENT * BL_ALIGNMENT;
}

/* malloc and free; used where the caller names no allocator. */
extern const bl_allocator bl_allocator_default;

/* `bytes` of memory aligned to BL_ALIGNMENT, or NULL.  0 bytes are an allocation like any
 * other. */
void *bl_mem_alloc(const bl_allocator *from, size_t bytes);

/* The same, filled with zeros. */
void *bl_mem_alloc_zero(const bl_allocator *from, size_t bytes);

/* `count` things of `size` bytes, zeros; NULL also where that is more than memory can address. */
void *bl_mem_alloc_array(const bl_allocator *from, size_t count, size_t size);

/* Give back what bl_mem_alloc gave, with the same number of bytes.  NULL is allowed. */
void bl_mem_free(const bl_allocator *from, void *memory, size_t bytes);

#endif
