/*
 * map.c - a file's bytes, mapped where that is possible
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/map.h"

#include "io/map_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(_POSIX_MAPPED_FILES) && _POSIX_MAPPED_FILES > 0
#include <sys/mman.h>
#define HAS_MMAP 1
#else
#define HAS_MMAP 0
#endif

/* What takes as long to read as to map: some 20 microseconds. */
#define MAPPED_FROM ((intmax_t)1 << 18)

static bool map_memory(int fd, size_t size, struct bl_map *map)
{
#if HAS_MMAP
    void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);

    if (bytes == MAP_FAILED)
        return false;
    *map = (struct bl_map){.bytes = bytes, .size = size, .mapped = true};
    return true;
#else
    (void)fd, (void)size, (void)map;
    return false;
#endif
}

static void unmap_memory(struct bl_map *map)
{
#if HAS_MMAP
    munmap((void *)(uintptr_t)map->bytes, map->size);
#else
    (void)map;
#endif
}

static void hold_file(struct bl_map *map, const struct bl_file *file)
{
    *map = (struct bl_map){.bytes = file->bytes, .size = file->size, .file = *file};
}

static bl_status cannot_read(const char *path, int number, bl_error *err)
{
    char reason[BL_REASON_BYTES];

    return bl_fail(err, BL_ERR_IO, "cannot read %s: %s", path,
                   bl_system_reason(number, reason));
}

/* True if it is mapped now, as safe as is wanted. */
static bool map_as_wanted(int fd, size_t size, bl_mapping mapping, struct bl_map *map)
{
    if (mapping == BL_MAPPING_NONE || !map_memory(fd, size, map))
        return false;
    if (mapping == BL_MAPPING_TRUSTED)
        return true;
    map->guard = bl_map_guard_begin(map->bytes, size);
    if (map->guard == 0)
        unmap_memory(map);
    return map->guard != 0;
}

bl_status bl_map_file(const char *path, int fd, const struct bl_map_options *with,
                      struct bl_map *map, bl_error *err)
{
    struct bl_file file;
    struct stat info;

    if (fstat(fd, &info) != 0)
        return cannot_read(path, errno, err);
    if (info.st_size >= MAPPED_FROM && (uintmax_t)info.st_size <= PTRDIFF_MAX &&
        map_as_wanted(fd, (size_t)info.st_size, with->mapping, map))
        return BL_OK;
    BL_TRY(bl_file_read_open(path, fd, &with->allocator, &file, err));
    hold_file(map, &file);
    return BL_OK;
}

/* A file's name, and the folder that it is looked up in: an open one, or AT_FDCWD. */
struct place {
    int folder;
    const char *name;
};

static struct place place_of(int folder, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *last = slash != NULL ? slash + 1 : path;

    /* What ends in a slash is no file, and its whole name says so best. */
    if (folder < 0 || *last == '\0')
        return (struct place){AT_FDCWD, path};
    return (struct place){folder, last};
}

/* Not by what open() gave: to open a pipe twice is to lose what was in it. */
static bool is_regular(struct place place)
{
    struct stat info;

    return fstatat(place.folder, place.name, &info, 0) == 0 && S_ISREG(info.st_mode);
}

bl_status bl_map_open(const char *path, int folder, const struct bl_map_options *with,
                      struct bl_map *map, bl_error *err)
{
    const struct place place = place_of(folder, path);

    if (strcmp(path, "/dev/stdin") == 0) {
        struct bl_file file;

        BL_TRY(bl_file_read(path, &with->allocator, &file, err));
        hold_file(map, &file);
        return BL_OK;
    }
    /* Not to wait for the other end of what has become a pipe meanwhile. */
    const int flags = O_RDONLY | O_CLOEXEC | (is_regular(place) ? O_NONBLOCK : 0);
    const int fd = openat(place.folder, place.name, flags);

    if (fd < 0)
        return cannot_read(path, errno, err);
    const bl_status status = bl_map_file(path, fd, with, map, err);

    close(fd);
    return status;
}

bl_status bl_map_check(const char *path, const struct bl_map *map, bl_error *err)
{
    if (!bl_map_guard_is_damaged(map->guard))
        return BL_OK;
    return bl_fail(err, BL_ERR_IO,
                   "cannot read %s: it was cut short while it was open, or the disk failed",
                   path);
}

void bl_map_close(const bl_allocator *from, struct bl_map *map)
{
    bl_map_guard_end(map->guard);
    if (map->mapped)
        unmap_memory(map);
    else
        bl_file_free(from, &map->file);
    *map = (struct bl_map){0};
}
