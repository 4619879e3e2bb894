/*
 * heap.c - memory of the kit, which remembers whether it ever ran out
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "conform/heap.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* What a case asks for beyond this may be what it tests. */
#define SMALL ((size_t)1 << 20)

/* jansson's allocations come without an argument to find it by. */
static atomic_bool ran_out;

static void *note(void *memory)
{
    if (memory == NULL)
        atomic_store(&ran_out, true);
    return memory;
}

void *bl_heap_get(size_t size)
{
    return note(malloc(size));
}

void *bl_heap_zero(size_t count, size_t size)
{
    return note(calloc(count, size));
}

void *bl_heap_grow(void *memory, size_t size)
{
    return note(realloc(memory, size));
}

char *bl_heap_text(const char *text)
{
    return bl_heap_text_part(text, strlen(text));
}

char *bl_heap_text_part(const char *text, size_t size)
{
    char *copy = bl_heap_get(size + 1);

    if (copy == NULL)
        return NULL;
    memcpy(copy, text, size);
    copy[size] = '\0';
    return copy;
}

static void *context_alloc(void *user, size_t bytes, size_t alignment)
{
    void *memory = bl_allocator_default.alloc(user, bytes, alignment);

    return bytes < SMALL ? note(memory) : memory;
}

static void context_free(void *user, void *memory, size_t bytes)
{
    bl_allocator_default.free(user, memory, bytes);
}

const bl_allocator bl_heap_allocator = {context_alloc, context_free, NULL};

int bl_heap_note(int number)
{
    if (number == ENOMEM)
        note(NULL);
    return number;
}

bl_tensor *bl_heap_tensor(bl_dtype dtype, const bl_shape *shape, bl_error *err)
{
    bl_tensor *made = bl_tensor_new(NULL, dtype, shape, err);
    int64_t count;

    if (made == NULL && err->status == BL_ERR_MEMORY &&
        bl_shape_count(shape, &count, NULL) == BL_OK && count < (int64_t)SMALL)
        note(NULL);
    return made;
}

bl_status bl_heap_note_status(bl_status status)
{
    if (status == BL_ERR_MEMORY)
        note(NULL);
    return status;
}

bool bl_heap_ran_out(void)
{
    return atomic_load(&ran_out);
}
