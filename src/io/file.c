/*
 * file.c - read a whole file into memory
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checked.h"
#include "base/guard.h"
#include "base/mem.h"
#include "io/wasi.h"

/* The first step for a stream of unknown length: a pipe's buffer on Linux. */
#define FIRST_STEP ((size_t)1 << 16)

/* The most asked of one read(): some milliseconds', after which it is asked whether to stop. */
#define MOST_AT_ONCE ((size_t)16 << 20)

const char *bl_system_reason(int number, char *buffer)
{
    if (strerror_r(number, buffer, BL_REASON_BYTES) != 0)
        snprintf(buffer, BL_REASON_BYTES, "system error %d", number);
    return buffer;
}

static bl_status cannot_read(const char *path, int number, bl_error *err)
{
    char reason[BL_REASON_BYTES];

    return bl_fail(err, BL_ERR_IO, "cannot read %s: %s", path,
                   bl_system_reason(number, reason));
}

static bl_status grow(const char *path, const bl_allocator *from, struct bl_file *file,
                      size_t capacity, bl_error *err)
{
    unsigned char *bytes = bl_mem_alloc(from, capacity);

    if (bytes == NULL)
        return bl_fail(err, BL_ERR_MEMORY, "cannot read %s: no memory for %zu bytes", path,
                       capacity);
    if (file->size > 0)
        memcpy(bytes, file->bytes, file->size);
    bl_mem_free(from, file->bytes, file->capacity);
    file->bytes = bytes;
    file->capacity = capacity;
    return BL_OK;
}

/* How much to allocate first: a regular file's size and one byte more, so that the read
 * which finds the end needs no further memory.  Files under /proc say 0 and are read as
 * streams. */
static bl_status first_capacity(const char *path, int fd, size_t *capacity, bl_error *err)
{
    struct stat info;

    if (fstat(fd, &info) != 0)
        return cannot_read(path, errno, err);
    if (S_ISDIR(info.st_mode))
        return cannot_read(path, EISDIR, err);
    *capacity = FIRST_STEP;
    if (S_ISREG(info.st_mode) && info.st_size > 0) {
        if ((uintmax_t)info.st_size >= SIZE_MAX)
            return bl_fail(err, BL_ERR_LIMIT,
                           "cannot read %s: its %jd bytes are more than memory can address",
                           path, (intmax_t)info.st_size);
        *capacity = (size_t)info.st_size + 1;
    }
    return BL_OK;
}

static bl_status read_to_end(const char *path, int fd, const bl_allocator *from,
                             struct bl_file *file, bl_error *err)
{
    size_t capacity = 0;

    BL_TRY(first_capacity(path, fd, &capacity, err));
    BL_TRY(grow(path, from, file, capacity, err));
    for (;;) {
        BL_TRY(bl_guard_check(bl_guard_of(from), err));
        if (file->size == file->capacity) {
            if (!bl_size_mul(file->capacity, 2, &capacity))
                return bl_fail(err, BL_ERR_LIMIT,
                               "cannot read %s: it is more than memory can address", path);
            BL_TRY(grow(path, from, file, capacity, err));
        }
        const size_t room = file->capacity - file->size;
        const ssize_t got =
            read(fd, file->bytes + file->size, room < MOST_AT_ONCE ? room : MOST_AT_ONCE);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return cannot_read(path, errno, err);
        if (got == 0)
            return BL_OK;
        file->size += (size_t)got;
    }
}

bl_status bl_file_read_open(const char *path, int fd, const bl_allocator *from,
                            struct bl_file *file, bl_error *err)
{
    *file = (struct bl_file){0};
    const bl_status status = read_to_end(path, fd, from, file, err);

    if (status != BL_OK)
        bl_file_free(from, file);
    return status;
}

bl_status bl_file_read(const char *path, const bl_allocator *from, struct bl_file *file,
                       bl_error *err)
{
    /* Not opened by name, which fails where standard input is a socket. */
    const int fd = strcmp(path, "/dev/stdin") == 0 ? dup(STDIN_FILENO)
                                                   : open(path, O_RDONLY | O_CLOEXEC);

    *file = (struct bl_file){0};
    if (fd < 0)
        return cannot_read(path, errno, err);
    const bl_status status = bl_file_read_open(path, fd, from, file, err);

    close(fd);
    return status;
}

void bl_file_free(const bl_allocator *from, struct bl_file *file)
{
    bl_mem_free(from, file->bytes, file->capacity);
    *file = (struct bl_file){0};
}
