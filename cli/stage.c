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

#include "cli/message.h"

struct bl_staged {
    const char *path; /* as it was asked for */
    char *target;     /* what it leads to; NULL: written in place */
    char *temporary;  /* NULL: written in place, or committed */
};

bool bl_stage_start(struct bl_stage *stage, size_t most)
{
    stage->count = 0;
    stage->files = calloc(most + 1, sizeof *stage->files);
    if (stage->files == NULL)
        bl_message("out of memory for %zu files", most);
    return stage->files != NULL;
}

/* Links are followed, as when the file were opened to be written. */
static char *target_of(const char *path)
{
    char *target = realpath(path, NULL);

    return target != NULL || errno != ENOENT ? target : strdup(path);
}

/* True for what cannot be replaced by another file: pipes, devices, links into nowhere. */
static bool is_written_in_place(const char *path)
{
    struct stat there, link;

    if (strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0)
        return true;
    if (stat(path, &there) == 0)
        return !S_ISREG(there.st_mode);
    return lstat(path, &link) == 0;
}

/* Make an empty file beside the target, so that a folder that cannot be written to is found
 * before anything is computed for it. */
static char *make_temporary(const char *target, size_t number)
{
    const char *slash = strrchr(target, '/');
    const int folder = slash != NULL ? (int)(slash - target) + 1 : 0;
    const size_t room = (size_t)folder + 64;
    char *name = malloc(room);
    struct stat there;

    if (name == NULL)
        return NULL;
    snprintf(name, room, "%.*s.broadloom-%lx-%zx.part", folder, target, (long)getpid(),
             number);
    /* Who could not read the old file cannot read the new one. */
    const mode_t mode = stat(target, &there) == 0 ? there.st_mode & 0666 : 0666;
    const int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);

    if (fd >= 0) {
        close(fd);
        return name;
    }
    const int reason = errno;

    free(name);
    errno = reason;
    return NULL;
}

const char *bl_stage_add(struct bl_stage *stage, const char *path)
{
    struct bl_staged *file = &stage->files[stage->count];

    *file = (struct bl_staged){.path = path};
    if (is_written_in_place(path)) {
        stage->count++;
        return path;
    }
    file->target = target_of(path);
    for (size_t i = 0; i < stage->count && file->target != NULL; i++)
        if (stage->files[i].target != NULL &&
            strcmp(stage->files[i].target, file->target) == 0) {
            bl_message("two outputs go to %s", path);
            free(file->target);
            return NULL;
        }
    if (file->target != NULL)
        file->temporary = make_temporary(file->target, stage->count);
    if (file->temporary == NULL) {
        bl_message("cannot write %s: %s", path, strerror(errno));
        free(file->target);
        return NULL;
    }
    stage->count++;
    return file->temporary;
}

void bl_stage_message(const struct bl_stage *stage, const char *message)
{
    const struct bl_staged *file = &stage->files[stage->count - 1];
    const char *at = file->temporary != NULL ? strstr(message, file->temporary) : NULL;

    if (at == NULL)
        bl_message("%s", message);
    else
        bl_message("%.*s%s%s", (int)(at - message), message, file->path,
                   at + strlen(file->temporary));
}

bool bl_stage_commit(struct bl_stage *stage)
{
    for (size_t i = 0; i < stage->count; i++) {
        struct bl_staged *file = &stage->files[i];

        if (file->temporary == NULL)
            continue;
        if (rename(file->temporary, file->target) != 0) {
            bl_message("cannot write %s: %s", file->path, strerror(errno));
            return false;
        }
        free(file->temporary);
        file->temporary = NULL;
    }
    return true;
}

void bl_stage_end(struct bl_stage *stage)
{
    for (size_t i = 0; stage->files != NULL && i < stage->count; i++) {
        if (stage->files[i].temporary != NULL)
            unlink(stage->files[i].temporary);
        free(stage->files[i].temporary);
        free(stage->files[i].target);
    }
    free(stage->files);
}
