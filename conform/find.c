/*
 * find.c - the fixture files and ONNX tests below a path
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "conform/find.h"

#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/status.h"
#include "conform/heap.h"
#include "conform/path.h"

/* Deeper folders than this are no test suite. */
#define MAX_DEPTH 64

static bl_status no_memory(const char *path, bl_error *err)
{
    return bl_fail(err, BL_ERR_MEMORY, "%s: no memory to search it", path);
}

static bl_status unreadable(const char *path, bl_error *err)
{
    return bl_fail(err, BL_ERR_IO, "%s: cannot be opened: %s", path,
                   strerror(bl_heap_note(errno)));
}

static bl_status add(struct bl_found_list *list, const char *path, bool is_onnx_test,
                     bl_error *err)
{
    if (list->count == list->room) {
        const size_t room = list->room ? 2 * list->room : 64;
        struct bl_found *items = bl_heap_grow(list->items, room * sizeof *items);

        if (items == NULL)
            return no_memory(path, err);
        list->items = items;
        list->room = room;
    }
    char *copy = bl_heap_text(path);

    if (copy == NULL)
        return no_memory(path, err);
    list->items[list->count++] = (struct bl_found){copy, is_onnx_test};
    return BL_OK;
}

/* ---- A folder's entries -------------------------------------------------- */

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* By bytes, whatever the locale (alphasort goes by it). */
static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void free_entries(struct dirent **entries, int count)
{
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
}

/* ---- The search ---------------------------------------------------------- */

static bool ends_in(const char *name, const char *ending)
{
    const size_t length = strlen(name);

    return length > strlen(ending) && strcmp(name + length - strlen(ending), ending) == 0;
}

static bool holds_model(struct dirent **entries, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(entries[i]->d_name, "model.onnx") == 0)
            return true;
    return false;
}

static bl_status search(const char *path, int depth, struct bl_found_list *list,
                        bl_error *err);

static bl_status search_entry(const char *folder, const char *name, int depth,
                              struct bl_found_list *list, bl_error *err)
{
    char *path = bl_path_join(folder, name);
    struct stat info;
    bl_status status = BL_OK;

    if (path == NULL)
        return no_memory(folder, err);
    if (lstat(path, &info) == 0 && S_ISDIR(info.st_mode))
        status = search(path, depth + 1, list, err);
    else if (ends_in(name, ".json") && stat(path, &info) == 0 && S_ISREG(info.st_mode))
        status = add(list, path, false, err);
    free(path);
    return status;
}

static bl_status search(const char *path, int depth, struct bl_found_list *list,
                        bl_error *err)
{
    struct dirent **entries;
    bl_status status = BL_OK;

    if (depth > MAX_DEPTH)
        return bl_fail(err, BL_ERR_LIMIT, "%s: more than %d folders deep", path, MAX_DEPTH);
    const int count = scandir(path, &entries, is_visible, by_name);

    if (count < 0)
        return unreadable(path, err);
    if (holds_model(entries, count))
        status = add(list, path, true, err);
    else
        for (int i = 0; i < count && status == BL_OK; i++)
            status = search_entry(path, entries[i]->d_name, depth, list, err);
    free_entries(entries, count);
    return status;
}

bl_status bl_find(const char *path, struct bl_found_list *list, bl_error *err)
{
    const size_t before = list->count;
    struct stat info;

    if (stat(path, &info) != 0)
        return unreadable(path, err);
    if (!S_ISDIR(info.st_mode))
        return add(list, path, false, err);
    BL_TRY(search(path, 0, list, err));
    if (list->count == before)
        return bl_fail(err, BL_ERR_ARGUMENT,
                       "%s: nothing to run in it, neither *.json files nor ONNX tests",
                       path);
    return BL_OK;
}

void bl_found_list_free(struct bl_found_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i].path);
    free(list->items);
    *list = (struct bl_found_list){0};
}
