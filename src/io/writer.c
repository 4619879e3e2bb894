/*
 * writer.c - write a file whole or not at all
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "io/file.h"
#include "io/wasi.h"

#define MOST_LINKS 40 /* in a chain, as in Linux */
#define MOST_NAMES 100
#define MOST_AT_ONCE ((size_t)1 << 30) /* one write(); Linux takes 2^31 - 4096 at most */

static bl_status cannot_write(const struct bl_writer *writer, int number, bl_error *err)
{
    char reason[BL_REASON_BYTES];

    return bl_fail(err, BL_ERR_IO, "cannot write %s: %s", writer->path,
                   bl_system_reason(number, reason));
}

/* ---- Where to write --------------------------------------------------------- */

/* The length of the folder part of a path, with its last slash; 0 if there is none. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

/* Follow the links that the last part of `path` is, into writer->target.  Unlike realpath
 * this goes on to a file that is not there yet, as opening the link for writing would. */
static bl_status follow_links(struct bl_writer *writer, bl_error *err)
{
    char *target = writer->target;
    char link[BL_PATH_BYTES];

    if (strlen(writer->path) >= BL_PATH_BYTES)
        return cannot_write(writer, ENAMETOOLONG, err);
    memcpy(target, writer->path, strlen(writer->path) + 1);
    for (int i = 0; i < MOST_LINKS; i++) {
        const ssize_t got = readlink(target, link, sizeof link);

        if (got < 0)
            return BL_OK;
        const size_t length = (size_t)got;
        const size_t folder = length > 0 && link[0] == '/' ? 0 : folder_length(target);

        if (folder + length >= BL_PATH_BYTES)
            return cannot_write(writer, ENAMETOOLONG, err);
        memcpy(target + folder, link, length);
        target[folder + length] = '\0';
    }
    return cannot_write(writer, ELOOP, err);
}

/* Make a new file in the target's folder.  Its name does not contain the target's, which
 * may be as long as names can be. */
static bl_status open_temporary(struct bl_writer *writer, mode_t mode, bl_error *err)
{
    const size_t folder = folder_length(writer->target);
    char *name = writer->temporary + folder;
    const size_t room = BL_PATH_BYTES - folder;

    memcpy(writer->temporary, writer->target, folder);
    for (int i = 0; i < MOST_NAMES; i++) {
        struct timespec now = {0};

        clock_gettime(CLOCK_REALTIME, &now);
        if (snprintf(name, room, ".broadloom-%lx-%lx-%x.tmp", (unsigned long)getpid(),
                     (unsigned long)now.tv_nsec, (unsigned)i) >= (int)room)
            return cannot_write(writer, ENAMETOOLONG, err);
        writer->fd = open(writer->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (writer->fd >= 0) {
            writer->renames = true;
            return BL_OK;
        }
        if (errno != EEXIST)
            break;
    }
    return cannot_write(writer, errno, err);
}

void bl_writer_open_fd(struct bl_writer *writer, const char *name, int fd)
{
    writer->path = name;
    writer->fd = fd;
    writer->renames = false;
    writer->keeps_open = true;
    writer->used = 0;
}

bl_status bl_writer_open(struct bl_writer *writer, const char *path, bl_error *err)
{
    struct stat there;
    struct stat end;
    mode_t mode = 0666;

    bl_writer_open_fd(writer, path, -1);
    writer->keeps_open = false;
    if (strcmp(path, "/dev/stdout") == 0) {
        /* Not opened by name: that would start at byte 0 again of a file that standard
         * output appends to, and fails on a socket. */
        writer->fd = dup(STDOUT_FILENO);
        return writer->fd >= 0 ? BL_OK : cannot_write(writer, errno, err);
    }
    BL_TRY(follow_links(writer, err));
    if (stat(path, &there) == 0) {
        /* Links under /proc lead to more than their text says: to pipes, to deleted files.
         */
        if (!S_ISREG(there.st_mode) || stat(writer->target, &end) != 0 ||
            there.st_ino != end.st_ino || there.st_dev != end.st_dev) {
            writer->fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY);
            return writer->fd >= 0 ? BL_OK : cannot_write(writer, errno, err);
        }
        if (faccessat(AT_FDCWD, writer->target, W_OK, AT_EACCESS) != 0)
            return cannot_write(writer, errno, err);
        mode &= there.st_mode; /* who could not read the old file cannot read the new one */
    }
    return open_temporary(writer, mode, err);
}

/* ---- Writing ---------------------------------------------------------------- */

static bl_status write_out(struct bl_writer *writer, const unsigned char *bytes,
                           size_t size, bl_error *err)
{
    while (size > 0) {
        const ssize_t got =
            write(writer->fd, bytes, size < MOST_AT_ONCE ? size : MOST_AT_ONCE);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) /* 0 is not to be expected, and would repeat for ever */
            return cannot_write(writer, got < 0 ? errno : EIO, err);
        bytes += got;
        size -= (size_t)got;
    }
    return BL_OK;
}

static bl_status flush(struct bl_writer *writer, bl_error *err)
{
    const size_t used = writer->used;

    writer->used = 0;
    return write_out(writer, writer->buffer, used, err);
}

bl_status bl_writer_put(struct bl_writer *writer, const void *bytes, size_t size,
                        bl_error *err)
{
    if (size > sizeof writer->buffer - writer->used)
        BL_TRY(flush(writer, err));
    if (size > sizeof writer->buffer)
        return write_out(writer, bytes, size, err);
    if (size > 0)
        memcpy(writer->buffer + writer->used, bytes, size);
    writer->used += size;
    return BL_OK;
}

/* Some file systems have no fsync. */
static bl_status sync_file(const struct bl_writer *writer, bl_error *err)
{
    if (fsync(writer->fd) == 0 || errno == EINVAL || errno == ENOTSUP || errno == ENOSYS)
        return BL_OK;
    return cannot_write(writer, errno, err);
}

bl_status bl_writer_close(struct bl_writer *writer, bl_status status, bl_error *err)
{
    if (status == BL_OK)
        status = flush(writer, err);
    if (writer->renames && status == BL_OK)
        status = sync_file(writer, err);
    /* A network file system may say only here that the disk is full. */
    if (!writer->keeps_open && close(writer->fd) != 0 && errno != EINTR && status == BL_OK)
        status = cannot_write(writer, errno, err);
    if (!writer->renames)
        return status;
    if (status == BL_OK && rename(writer->temporary, writer->target) != 0)
        status = cannot_write(writer, errno, err);
    if (status != BL_OK)
        unlink(writer->temporary);
    return status;
}
