/*
 * cache_file.c - compiled shaders in a folder, from one process to the next
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "backends/vulkan/cache_file.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

#define PATH_BYTES 4096
/* No file of ours is larger: what a header asks for beyond it is damage. */
#define MOST_BYTES ((uint64_t)256 << 20)

/* What a file begins with; then the key, then the bytes. */
struct header {
    char magic[8];
    uint64_t key_size, size;
    uint64_t sum; /* of key and bytes */
};

static const char magic[8] = {'B', 'L', 'C', 'A', 'C', 'H', 'E', '1'};

#define FNV_START UINT64_C(0xCBF29CE484222325)

static uint64_t hash_on(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ at[i]) * UINT64_C(0x100000001B3);
    return hash;
}

uint64_t bl_vk_hash(const void *bytes, size_t size)
{
    return hash_on(FNV_START, bytes, size);
}

static uint64_t sum_of(const struct bl_vk_cache_key *key, const void *bytes, size_t size)
{
    return hash_on(hash_on(FNV_START, key->key, key->size), bytes, size);
}

/* False for a folder whose name is too long. */
static bool path_of(const struct bl_vk_cache_key *key, char path[PATH_BYTES])
{
    const int length =
        snprintf(path, PATH_BYTES, "%s/%016llx.%s", key->folder,
                 (unsigned long long)bl_vk_hash(key->key, key->size), key->ending);

    return length > 0 && length < PATH_BYTES;
}

/* True if the file goes on with the key. */
static bool has_key(FILE *file, const struct bl_vk_cache_key *key)
{
    const char *expected = key->key;
    char part[4096];

    for (size_t at = 0; at < key->size;) {
        const size_t left = key->size - at;
        const size_t now = left < sizeof part ? left : sizeof part;

        if (fread(part, 1, now, file) != now || memcmp(part, expected + at, now) != 0)
            return false;
        at += now;
    }
    return true;
}

static bool read_file(FILE *file, const struct bl_vk_cache_key *key,
                      const bl_allocator *allocator, void **bytes, size_t *size)
{
    struct header header;

    if (fread(&header, sizeof header, 1, file) != 1 ||
        memcmp(header.magic, magic, sizeof magic) != 0 || header.key_size != key->size ||
        header.size == 0 || header.size > MOST_BYTES || !has_key(file, key))
        return false;
    *size = (size_t)header.size;
    *bytes = bl_mem_alloc(allocator, *size);
    if (*bytes == NULL)
        return false;
    if (fread(*bytes, 1, *size, file) == *size && fgetc(file) == EOF &&
        sum_of(key, *bytes, *size) == header.sum)
        return true;
    bl_mem_free(allocator, *bytes, *size);
    *bytes = NULL;
    *size = 0;
    return false;
}

bool bl_vk_cache_read(const struct bl_vk_cache_key *key, const bl_allocator *allocator,
                      void **bytes, size_t *size)
{
    char path[PATH_BYTES];
    FILE *file = path_of(key, path) ? fopen(path, "rb") : NULL;

    *bytes = NULL;
    *size = 0;
    if (file == NULL)
        return false;
    const bool found = read_file(file, key, allocator, bytes, size);

    fclose(file);
    return found;
}

void bl_vk_cache_write(const struct bl_vk_cache_key *key, const void *bytes, size_t size)
{
    struct header header = {.key_size = key->size, .size = size};
    char path[PATH_BYTES], temporary[PATH_BYTES + 32];

    if (!path_of(key, path) || size > MOST_BYTES)
        return;
    memcpy(header.magic, magic, sizeof magic);
    header.sum = sum_of(key, bytes, size);
    snprintf(temporary, sizeof temporary, "%s.%ld", path, (long)getpid());
    FILE *file = fopen(temporary, "wb");

    if (file == NULL)
        return;
    bool written = fwrite(&header, sizeof header, 1, file) == 1 &&
                   fwrite(key->key, 1, key->size, file) == key->size &&
                   fwrite(bytes, 1, size, file) == size;

    written = fclose(file) == 0 && written;
    if (!written || rename(temporary, path) != 0)
        (void)remove(temporary);
}
