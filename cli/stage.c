/*
 * stage.c - several files that appear together, whole, or not at all
 *
 * SPDX-License-Identifier: Apache-2.0
 */
/* realpath is of POSIX's X/Open part. */
#define _XOPEN_SOURCE 700
#include "cli/stage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/interrupt.h"
#include "cli/message.h"

struct bl_staged {
    const char *path; /* as it was asked for */
    bl_stage_writer *writer;
    const void *what;
    char *target;    /* what the path leads to; NULL: written in place */
    char *temporary; /* beside the target */
    char *old;       /* the same, a second name of what the target was */
    struct bl_unfinished unfinished;
    bool is_new;     /* there was no target */
    bool is_saved;   /* there is one, as `old` */
    bool is_renamed; /* the target is the new file */
};

bool bl_stage_start(struct bl_stage *stage, size_t most)
{
    stage->count = 0;
    stage->files = calloc(most + 1, sizeof *stage->files);
    if (stage->files == NULL)
        bl_message("out of memory for %zu files", most);
    bl_interrupt_start();
    return stage->files != NULL;
}

static bool cannot_write(const struct bl_staged *file)
{
    bl_message("cannot write %s: %s", file->path, strerror(errno));
    return false;
}

/* ---- Where ------------------------------------------------------------------------------ */

/* Links are followed, as when the file were opened to be written. */
static char *target_of(const char *path)
{
    char *target = realpath(path, NULL);

    return target != NULL || errno != ENOENT ? target : strdup(path);
}

/* True for what cannot be replaced by another file: pipes, devices, links into nowhere, and those of /proc to files
 * that have no name any more. */
static bool is_written_in_place(const char *path)
{
    struct stat there, link;

    if (strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0)
        return true;
    if (stat(path, &there) != 0)
        return lstat(path, &link) == 0;
    char *target = realpath(path, NULL);
    const bool has_name = target != NULL;

    free(target);
    return !S_ISREG(there.st_mode) || !has_name;
}

/* A name in the target's folder that nothing else has. */
static char *name_beside(const char *target, size_t number, const char *ending)
{
    const char *slash = strrchr(target, '/');
    const int folder = slash != NULL ? (int)(slash - target) + 1 : 0;
    const size_t room = (size_t)folder + 64;
    char *name = malloc(room);

    if (name != NULL)
        snprintf(name, room, "%.*s.broadloom-%lx-%zx.%s", folder, target, (long)getpid(),
                 number, ending);
    return name;
}

static bool name_files(struct bl_staged *file, size_t number)
{
    file->target = target_of(file->path);
    if (file->target == NULL)
        return cannot_write(file);
    file->temporary = name_beside(file->target, number, "part");
    file->old = name_beside(file->target, number, "old");
    if (file->temporary != NULL && file->old != NULL)
        return true;
    bl_message("out of memory for the name of a file");
    return false;
}

static bool is_twice(const struct bl_stage *stage, const struct bl_staged *file)
{
    for (size_t i = 0; i + 1 < stage->count; i++)
        if (stage->files[i].target != NULL &&
            strcmp(stage->files[i].target, file->target) == 0)
            return true;
    return false;
}

/* ---- Writing ------------------------------------------------------------------------------ */

/* Make the temporary file; its descriptor, or -1. */
static int make_temporary(struct bl_staged *file)
{
    struct stat there;

    file->is_new = stat(file->target, &there) != 0;
    /* A file that may not be written to is not replaced, though its folder would allow it. */
    if (!file->is_new && faccessat(AT_FDCWD, file->target, W_OK, AT_EACCESS) != 0)
        return -1;
    /* Who could not read the old file cannot read the new one. */
    const mode_t mode = file->is_new ? 0666 : there.st_mode & 0666;

    bl_interrupt_hold();
    const int fd = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);

    if (fd >= 0) {
        file->unfinished.path = file->temporary;
        bl_interrupt_add(&file->unfinished);
    }
    bl_interrupt_release();
    return fd;
}

/* Some file systems have no fsync. */
static bool sync_file(int fd)
{
    return fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP || errno == ENOSYS;
}

static bool write_temporary(struct bl_staged *file)
{
    const int fd = make_temporary(file);

    if (fd < 0)
        return cannot_write(file);
    if (!file->writer(file->what, file->path, fd)) {
        close(fd);
        return false;
    }
    const bool synced = sync_file(fd);
    const int reason = errno;

    if (close(fd) == 0 && synced)
        return true;
    errno = synced ? errno : reason;
    return cannot_write(file);
}

bool bl_stage_add(struct bl_stage *stage, const char *path, bl_stage_writer *writer,
                  const void *what)
{
    struct bl_staged *file = &stage->files[stage->count++];

    *file = (struct bl_staged){.path = path, .writer = writer, .what = what};
    if (is_written_in_place(path))
        return true;
    if (!name_files(file, stage->count))
        return false;
    if (is_twice(stage, file)) {
        bl_message("two outputs go to %s", path);
        return false;
    }
    return write_temporary(file);
}

static bool write_tensor(const void *what, const char *path, int fd)
{
    bl_error err;
    const bl_status status = fd < 0
                                 ? bl_tensor_write(what, path, BL_FORMAT_AUTO, &err)
                                 : bl_tensor_write_fd(what, fd, BL_FORMAT_AUTO, path, &err);

    if (status != BL_OK)
        bl_message("%s", err.message);
    return status == BL_OK;
}

bool bl_stage_tensor(struct bl_stage *stage, const char *path, const bl_tensor *tensor)
{
    return bl_stage_add(stage, path, write_tensor, tensor);
}

/* ---- Names -------------------------------------------------------------------------------- */

/* Give the file its name.  What had it keeps another, where the file system has hard links. */
static bool rename_file(struct bl_staged *file)
{
    file->is_saved = !file->is_new && link(file->target, file->old) == 0;
    file->is_renamed = rename(file->temporary, file->target) == 0;
    if (file->is_renamed)
        file->unfinished.path = NULL;
    return file->is_renamed || cannot_write(file);
}

static void restore(struct bl_staged *file)
{
    if (!file->is_renamed || file->target == NULL)
        return;
    if (file->is_saved && rename(file->old, file->target) == 0)
        file->is_saved = false;
    else if (!file->is_new || unlink(file->target) != 0)
        bl_message("note: %s is the new file all the same", file->path);
}

static bool rename_all(struct bl_stage *stage)
{
    bool done = true;

    for (size_t i = 0; i < stage->count && done; i++)
        done = stage->files[i].target == NULL || rename_file(&stage->files[i]);
    for (size_t i = 0; i < stage->count; i++) {
        if (!done)
            restore(&stage->files[i]);
        if (stage->files[i].is_saved)
            unlink(stage->files[i].old);
    }
    return done;
}

bool bl_stage_commit(struct bl_stage *stage)
{
    for (size_t i = 0; i < stage->count; i++)
        if (stage->files[i].target == NULL &&
            !stage->files[i].writer(stage->files[i].what, stage->files[i].path, -1))
            return false;
    bl_interrupt_hold();
    const bool done = rename_all(stage);

    bl_interrupt_release();
    return done;
}

void bl_stage_end(struct bl_stage *stage)
{
    for (size_t i = 0; stage->files != NULL && i < stage->count; i++)
        if (stage->files[i].unfinished.path != NULL)
            unlink(stage->files[i].unfinished.path);
    bl_interrupt_stop();
    for (size_t i = 0; stage->files != NULL && i < stage->count; i++) {
        free(stage->files[i].target);
        free(stage->files[i].temporary);
        free(stage->files[i].old);
    }
    free(stage->files);
}
