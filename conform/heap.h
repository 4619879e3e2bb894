/*
 * heap.h - memory of the kit, which remembers whether it ever ran out
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A case that fails for want of memory says nothing about what it tests, and one that has to fail would pass.  So
 * the run as a whole has failed then, whatever its cases said.  jansson says nothing of it in many places: the tool
 * hands it bl_heap_get (json_set_alloc_funcs).
 */
#ifndef BL_CONFORM_HEAP_H
#define BL_CONFORM_HEAP_H

#include <stdbool.h>
#include <stddef.h>

#include "broadloom/broadloom.h"

/* As malloc, calloc, realloc, strdup and strndup; to be freed by free. */
void *bl_heap_get(size_t size);
void *bl_heap_zero(size_t count, size_t size);
void *bl_heap_grow(void *memory, size_t size);
char *bl_heap_text(const char *text);
char *bl_heap_text_part(const char *text, size_t size);

/* An allocator for contexts.  A case may ask for more than there is, and be right to fail; so only what is small
 * counts. */
extern const bl_allocator bl_heap_allocator;

/* The C library set errno to `number`; what ran out may have been its memory.  Returns the number. */
int bl_heap_note(int number);

/* A tensor of the default allocator's; of one that is not small it does not count that memory is short. */
bl_tensor *bl_heap_tensor(bl_dtype dtype, const bl_shape *shape, bl_error *err);

/* What a call came to that asked for no more than a file holds.  Returns the status. */
bl_status bl_heap_note_status(bl_status status);

/* True if an allocation has failed since the program began. */
bool bl_heap_ran_out(void);

#endif
