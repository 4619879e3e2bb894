/*
 * cache_file.h - compiled shaders in a folder, from one process to the next
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A file holds bytes for a key, both whole, and a sum over them.  One that is damaged, cut or for
 * another key is as one that is not there; what cannot be written is not.
 */
#ifndef BL_BACKENDS_VULKAN_CACHE_FILE_H
#define BL_BACKENDS_VULKAN_CACHE_FILE_H

#include <stdbool.h>

#include "base/status.h"

struct bl_vk_cache_key {
    const char *folder;
    const char *ending; /* of the file's name */
    const void *key;
    size_t size;
};

/* A hash of bytes (FNV-1a). */
uint64_t bl_vk_hash(const void *bytes, size_t size);

/* The bytes for a key, from the allocator; false, and NULL, where there are none. */
bool bl_vk_cache_read(const struct bl_vk_cache_key *key, const bl_allocator *allocator,
                      void **bytes, size_t *size);

/* Write them to a file of another name, which then takes its own. */
void bl_vk_cache_write(const struct bl_vk_cache_key *key, const void *bytes, size_t size);

#endif
