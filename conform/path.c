/*
 * path.c - paths put together
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "conform/path.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "conform/heap.h"

char *bl_path_join(const char *folder, const char *name)
{
    const size_t length = strlen(folder);
    const bool slash = length > 0 && folder[length - 1] != '/';
    char *path = bl_heap_get(length + strlen(name) + 2);

    if (path != NULL) {
        memcpy(path, folder, length);
        if (slash)
            path[length] = '/';
        memcpy(path + length + slash, name, strlen(name) + 1);
    }
    return path;
}

const char *bl_path_last(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}
