/*
 * sandbox.c - a file with others around it, in a temporary folder
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "conform/sandbox.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"
#include "conform/heap.h"
#include "conform/path.h"

#ifdef __wasi__
/* POSIX's, which WASI lacks. */
static char *mkdtemp(char *name)
{
    char *end = name + strlen(name) - 6; /* XXXXXX */

    for (unsigned i = 0; i < 0x10000; i++) {
        snprintf(end, 7, "%06x", i);
        if (mkdir(name, 0700) == 0)
            return name;
        if (errno != EEXIST)
            break;
    }
    return NULL;
}
#endif

/* More folders up than this are no case, but a mistake. */
#define MAX_CLIMB 32

static bl_status no_memory(bl_error *err)
{
    return bl_fail(err, BL_ERR_MEMORY, "no memory for temporary files");
}

/* ---- What is made -------------------------------------------------------- */

/* Room for one more in the list, so that what is made is always in it. */
static bl_status reserve(struct bl_sandbox *sandbox, bl_error *err)
{
    if (sandbox->count < sandbox->room)
        return BL_OK;
    const size_t room = 2 * sandbox->room + 16;
    char **made = bl_heap_grow(sandbox->made, room * sizeof *made);

    if (made == NULL)
        return no_memory(err);
    sandbox->made = made;
    sandbox->room = room;
    return BL_OK;
}

/* Makes a folder and takes over its path; one that is already there is right too. */
static bl_status make_folder(struct bl_sandbox *sandbox, char *path, bl_error *err)
{
    if (path == NULL)
        return no_memory(err);
    bl_status status = reserve(sandbox, err);

    if (status == BL_OK && mkdir(path, 0700) == 0) {
        sandbox->made[sandbox->count++] = path;
        return BL_OK;
    }
    if (status == BL_OK && errno != EEXIST)
        status = bl_fail(err, BL_ERR_IO, "%s: cannot be made: %s", path,
                         strerror(bl_heap_note(errno)));
    free(path);
    return status;
}

static bool write_bytes(const struct bl_sandbox_file *file, const char *path)
{
    FILE *stream = fopen(path, "wbx");

    if (stream == NULL)
        return false;
    /* An empty file may have no bytes at all. */
    const bool written =
        file->size == 0 || fwrite(file->bytes, 1, file->size, stream) == file->size;

    return fclose(stream) == 0 && written;
}

/* Makes a file or a link and takes over its path. */
static bl_status make_file(struct bl_sandbox *sandbox, const struct bl_sandbox_file *file,
                           char *path, bl_error *err)
{
    bl_status status = reserve(sandbox, err);

    if (status != BL_OK) {
        free(path);
        return status;
    }
    errno = 0;
    if (file->link != NULL ? symlink(file->link, path) == 0 : write_bytes(file, path)) {
        sandbox->made[sandbox->count++] = path;
        return BL_OK;
    }
    status = bl_fail(err, BL_ERR_IO, "%s: cannot be made: %s", path,
                     strerror(bl_heap_note(errno)));
    if (errno != EEXIST)
        unlink(path); /* the part that was written */
    free(path);
    return status;
}

/* ---- Where it is made ---------------------------------------------------- */

/* The length of the path's first name. */
static size_t name_length(const char *path)
{
    return strcspn(path, "/");
}

/* True if that is the path's first name. */
static bool is_name(const char *path, const char *name)
{
    return name_length(path) == strlen(name) && memcmp(path, name, strlen(name)) == 0;
}

/* How many folders a relative path leads up at most. */
static int climb_of(const char *path)
{
    int level = 0, least = 0;

    for (;; path++) {
        if (is_name(path, ".."))
            level--;
        else if (!is_name(path, ".") && name_length(path) > 0)
            level++;
        if (level < least)
            least = level;
        path += name_length(path);
        if (*path == '\0')
            return -least;
    }
}

/* Cut the last name off a path. */
static void go_up(char *path)
{
    char *slash = strrchr(path, '/');

    if (slash != NULL)
        *slash = '\0';
}

/* Make a file with the folders on its way.  `folder` is where the path starts. */
/* Add `length` bytes of text to a path that has room for them. */
static void append(char *path, const char *text, size_t length)
{
    const size_t end = strlen(path);

    memcpy(path + end, text, length);
    path[end + length] = '\0';
}

static bl_status place(struct bl_sandbox *sandbox, const struct bl_sandbox_file *file,
                       const char *folder, bl_error *err)
{
    const char *rest = file->path;
    char *at = bl_heap_get(strlen(folder) + strlen(file->path) + 2);
    bl_status status = BL_OK;

    if (at == NULL)
        return no_memory(err);
    memcpy(at, folder, strlen(folder) + 1);
    while (status == BL_OK && strchr(rest, '/') != NULL) {
        const size_t length = name_length(rest);

        if (is_name(rest, "..")) {
            go_up(at);
        } else if (length > 0 && !is_name(rest, ".")) {
            append(at, "/", 1);
            append(at, rest, length);
            status = make_folder(sandbox, bl_heap_text(at), err);
        }
        rest += length + 1;
    }
    if (status == BL_OK && (*rest == '\0' || is_name(rest, ".") || is_name(rest, "..")))
        status = bl_fail(err, BL_ERR_FORMAT, "'%.80s' is no path of a file", file->path);
    if (status != BL_OK) {
        free(at);
        return status;
    }
    append(at, "/", 1);
    append(at, rest, strlen(rest));
    return make_file(sandbox, file, at, err);
}

/* Places the files, or the links, of a list. */
static bl_status place_all(struct bl_sandbox *sandbox, const struct bl_sandbox_file *files,
                           size_t count, bool links, const char *folder, bl_error *err)
{
    for (size_t i = 0; i < count; i++)
        if ((files[i].link != NULL) == links && files[i].path[0] != '/')
            BL_TRY(place(sandbox, &files[i], folder, err));
    return BL_OK;
}

/* ---- The sandbox --------------------------------------------------------- */

static bl_status make_root(struct bl_sandbox *sandbox, bl_error *err)
{
    const char *place = getenv("TMPDIR");

    BL_TRY(reserve(sandbox, err));
    char *root =
        bl_path_join(place != NULL && *place != '\0' ? place : "/tmp", "broadloom-XXXXXX");

    if (root == NULL)
        return no_memory(err);
    if (mkdtemp(root) == NULL) {
        bl_fail(err, BL_ERR_IO, "%s: cannot be made: %s", root,
                strerror(bl_heap_note(errno)));
        free(root);
        return BL_ERR_IO;
    }
    sandbox->made[sandbox->count++] = root;
    return BL_OK;
}

static bl_status fill(struct bl_sandbox *sandbox, const struct bl_sandbox_file *file,
                      const struct bl_sandbox_file *beside, size_t count, bl_error *err)
{
    int depth = 1;

    for (size_t i = 0; i < count; i++)
        if (beside[i].path[0] != '/' && climb_of(beside[i].path) > depth)
            depth = climb_of(beside[i].path);
    if (depth > MAX_CLIMB)
        return bl_fail(err, BL_ERR_FORMAT, "a file lies %d folders up (more than %d)",
                       depth, MAX_CLIMB);
    BL_TRY(make_root(sandbox, err));
    for (int i = 0; i < depth; i++)
        BL_TRY(make_folder(sandbox,
                           bl_path_join(sandbox->made[sandbox->count - 1], "folder"), err));
    const char *folder = sandbox->made[sandbox->count - 1];

    sandbox->path = bl_path_join(folder, file->path);
    if (sandbox->path == NULL)
        return no_memory(err);
    BL_TRY(place(sandbox, file, folder, err));
    BL_TRY(place_all(sandbox, beside, count, false, folder, err));
    return place_all(sandbox, beside, count, true, folder, err);
}

bl_status bl_sandbox_open(struct bl_sandbox *out, const struct bl_sandbox_file *file,
                          const struct bl_sandbox_file *beside, size_t count, bl_error *err)
{
    *out = (struct bl_sandbox){NULL, NULL, 0, 0};
    const bl_status status = fill(out, file, beside, count, err);

    if (status != BL_OK)
        bl_sandbox_close(out);
    return status;
}

void bl_sandbox_close(struct bl_sandbox *sandbox)
{
    while (sandbox->count > 0) {
        char *path = sandbox->made[--sandbox->count];

        remove(path); /* what others put into a folder keeps it */
        free(path);
    }
    free(sandbox->made);
    free(sandbox->path);
    *sandbox = (struct bl_sandbox){NULL, NULL, 0, 0};
}
