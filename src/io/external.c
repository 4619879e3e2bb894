/*
 * external.c - elements of tensors that lie in files beside a model
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#if defined(__linux__)
#define _GNU_SOURCE /* O_PATH */
#endif
#include "io/external.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "io/writer.h"

/* To look files up in a folder, it has to be entered only, not read. */
#if defined(O_PATH)
#define OPEN_FOLDER O_PATH
#elif defined(O_SEARCH)
#define OPEN_FOLDER O_SEARCH
#else
#define OPEN_FOLDER O_RDONLY
#endif

/* Fields of StringStringEntryProto. */
enum { KEY = 1, VALUE = 2 };

/* A file that is open.  Files are few: one, or one a tensor. */
struct bl_external_file {
    struct bl_external_file *next;
    struct bl_map map;
    size_t location_size;
    char location[];
};

/* ---- What a tensor says ------------------------------------------------------- */

static bl_status read_number(const struct bl_wire *text, uint64_t *number, bl_error *err)
{
    const unsigned char *digits = bl_wire_bytes(text);
    const size_t count = bl_wire_left(text);
    char quote[BL_QUOTE_BYTES];
    bool good = count > 0;

    *number = 0;
    for (size_t i = 0; i < count && good; i++) {
        const unsigned digit = (unsigned)digits[i] - '0';

        good = digit <= 9 && *number <= (UINT64_MAX - digit) / 10;
        *number = 10 * *number + digit;
    }
    if (good)
        return BL_OK;
    return bl_fail_at(err, BL_ERR_FORMAT, text->source, text->at,
                      "external data: '%s' is no offset or length of 64 bits",
                      bl_quote(digits, count, quote));
}

static bool key_is(const struct bl_wire *key, const char *word)
{
    return bl_wire_left(key) == strlen(word) &&
           memcmp(bl_wire_bytes(key), word, strlen(word)) == 0;
}

bl_status bl_external_read_entry(const struct bl_wire_field *field,
                                 struct bl_external_place *place, bl_error *err)
{
    struct bl_wire entry = field->body;
    struct bl_wire key = {entry.source, entry.at, entry.at};
    struct bl_wire value = key;

    BL_TRY(bl_wire_expect(field, BL_WIRE_BYTES, err));
    while (entry.at < entry.end) {
        struct bl_wire_field part;

        BL_TRY(bl_wire_next(&entry, &part, err));
        if (part.number != KEY && part.number != VALUE)
            continue;
        BL_TRY(bl_wire_expect(&part, BL_WIRE_BYTES, err));
        *(part.number == KEY ? &key : &value) = part.body;
    }
    if (key_is(&key, "location")) {
        place->location = bl_wire_bytes(&value);
        place->location_size = bl_wire_left(&value);
    } else if (key_is(&key, "offset")) {
        return read_number(&value, &place->offset, err);
    } else if (key_is(&key, "length")) {
        place->has_length = true;
        return read_number(&value, &place->length, err);
    }
    return BL_OK;
}

/* ---- The folder ------------------------------------------------------------------- */

void bl_external_init(struct bl_external *external, const bl_allocator *allocator,
                      bl_mapping mapping)
{
    *external = (struct bl_external){.with = {*allocator, mapping}, .fd = -1};
}

static bl_status set_folder(struct bl_external *external, const char *folder, size_t size,
                            bl_error *err)
{
    char *copy = bl_mem_alloc(&external->with.allocator, size + 1);

    if (copy == NULL)
        return bl_fail(err, BL_ERR_MEMORY, "out of memory for a path of %zu bytes", size);
    memcpy(copy, folder, size);
    copy[size] = '\0';
    external->folder = copy;
    external->folder_bytes = size + 1;
    return BL_OK;
}

bl_status bl_external_set_folder(struct bl_external *external, const char *folder,
                                 bl_error *err)
{
    return set_folder(external, folder, strlen(folder), err);
}

bl_status bl_external_set_beside(struct bl_external *external, const char *path,
                                 bl_error *err)
{
    const char *slash = strrchr(path, '/');

    if (slash == NULL)
        return set_folder(external, ".", 1, err);
    return set_folder(external, path, slash == path ? 1 : (size_t)(slash - path), err);
}

bool bl_external_has_folder(const struct bl_external *external)
{
    return external->folder != NULL;
}

int bl_external_open_folder(struct bl_external *external)
{
    if (external->fd < 0 && external->folder != NULL && external->error == 0) {
        external->fd = open(external->folder, OPEN_FOLDER | O_DIRECTORY | O_CLOEXEC);
        if (external->fd < 0)
            external->error = errno;
    }
    return external->fd;
}

void bl_external_close_folder(struct bl_external *external)
{
    if (external->fd >= 0)
        close(external->fd);
    external->fd = -1;
}

bl_status bl_external_check(const struct bl_external *external, bl_error *err)
{
    for (const struct bl_external_file *file = external->files; file; file = file->next) {
        const unsigned char *location = (const unsigned char *)file->location;
        char quote[BL_QUOTE_BYTES];

        BL_TRY(
            bl_map_check(bl_quote(location, file->location_size, quote), &file->map, err));
    }
    return BL_OK;
}

void bl_external_close(struct bl_external *external)
{
    const bl_allocator *allocator = &external->with.allocator;

    while (external->files != NULL) {
        struct bl_external_file *file = external->files;

        external->files = file->next;
        bl_map_close(allocator, &file->map);
        bl_mem_free(allocator, file, sizeof *file + file->location_size);
    }
    bl_external_close_folder(external);
    bl_mem_free(allocator, external->folder, external->folder_bytes);
    external->folder = NULL;
}

/* ---- Locations ---------------------------------------------------------------------- */

/* The part of a path that begins at `part` is this word. */
static bool part_is(const char *part, const char *word)
{
    return strcspn(part, "/") == strlen(word) && strncmp(part, word, strlen(word)) == 0;
}

/* What is wrong with a location as a text; NULL: nothing. */
static const char *fault_of(const char *location, size_t size)
{
    if (size == 0)
        return "is empty";
    for (size_t i = 0; i < size; i++)
        if ((unsigned char)location[i] < 0x20 || location[i] == 0x7F)
            return "has a control character in it";
    if (strchr(location, '\\') != NULL)
        return "has a backslash in it";
    if (location[0] == '/')
        return "is absolute, but has to lie in the model's folder";
    for (const char *part = location; part != NULL;) {
        const char *slash = strchr(part, '/');

        if (part_is(part, ".."))
            return "leaves the model's folder";
        if (part_is(part, ""))
            return "has an empty part";
        part = slash != NULL ? slash + 1 : NULL;
    }
    return NULL;
}

static bl_status cannot_open(const struct bl_external *external, const char *location,
                             const char *why, bl_error *err)
{
    return bl_fail(err, BL_ERR_IO, "external data: cannot read '%s' in folder %s: %s",
                   location, external->folder, why);
}

/* Open `part` of a location in the folder `in`, unless it is a symbolic link. */
static bl_status open_part(const struct bl_external *external, const char *location, int in,
                           const char *part, int flags, int *fd, bl_error *err)
{
    char reason[BL_REASON_BYTES];
    struct stat info;

    *fd = openat(in, part, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | flags);
    if (*fd >= 0)
        return BL_OK;
    const int number = errno;

    if (fstatat(in, part, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(info.st_mode))
        return bl_fail(err, BL_ERR_FORMAT,
                       "external data: '%s' of the location '%s' is a symbolic link, which "
                       "may lead out of the model's folder",
                       part, location);
    return cannot_open(external, location, bl_system_reason(number, reason), err);
}

/* Open the file of a location, which has no fault, from the folder on, part by part. */
static bl_status open_location(const struct bl_external *external, const char *location,
                               int *fd, bl_error *err)
{
    char parts[BL_PATH_BYTES];
    bl_status status = BL_OK;
    int in = external->fd;

    memcpy(parts, location, strlen(location) + 1);
    for (char *part = parts; part != NULL && status == BL_OK;) {
        char *slash = strchr(part, '/');

        if (slash != NULL)
            *slash = '\0';
        /* Not to wait for the other end of what is a pipe. */
        status = open_part(external, location, in, part,
                           slash != NULL ? O_DIRECTORY : O_NONBLOCK, fd, err);
        if (in != external->fd)
            close(in);
        in = *fd;
        part = slash != NULL ? slash + 1 : NULL;
    }
    return status;
}

static bl_status map_location(struct bl_external *external, const char *location,
                              struct bl_map *map, bl_error *err)
{
    char reason[BL_REASON_BYTES];
    struct stat info;
    int fd;

    if (bl_external_open_folder(external) < 0)
        return cannot_open(external, location, bl_system_reason(external->error, reason),
                           err);
    BL_TRY(open_location(external, location, &fd, err));
    bl_status status = BL_OK;

    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
        status = cannot_open(external, location, "not a regular file", err);
    else if (info.st_size > 0) /* files of the system say 0, and may have no end */
        status = bl_map_file(location, fd, &external->with, map, err);
    close(fd);
    return status;
}

/* ---- Files --------------------------------------------------------------------------- */

static const struct bl_external_file *find_open(const struct bl_external *external,
                                                const struct bl_external_place *place)
{
    for (const struct bl_external_file *file = external->files; file; file = file->next)
        if (file->location_size == place->location_size &&
            memcmp(file->location, place->location, place->location_size) == 0)
            return file;
    return NULL;
}

static bl_status open_file(struct bl_external *external,
                           const struct bl_external_place *place, bl_error *err)
{
    const size_t size = place->location_size;
    char quote[BL_QUOTE_BYTES];
    char location[BL_PATH_BYTES];
    const char *fault = size < sizeof location ? NULL : "is too long";

    if (fault == NULL) {
        memcpy(location, place->location, size);
        location[size] = '\0';
        fault = fault_of(location, size);
    }
    if (fault != NULL)
        return bl_fail(err, BL_ERR_FORMAT, "external data: the location '%s' %s",
                       bl_quote(place->location, size, quote), fault);
    struct bl_external_file *file =
        bl_mem_alloc_zero(&external->with.allocator, sizeof *file + size);

    if (file == NULL)
        return bl_fail(err, BL_ERR_MEMORY, "out of memory for an external file");
    file->location_size = size;
    memcpy(file->location, location, size);
    const bl_status status = map_location(external, location, &file->map, err);

    if (status != BL_OK) {
        bl_mem_free(&external->with.allocator, file, sizeof *file + size);
        return status;
    }
    file->next = external->files;
    external->files = file;
    return BL_OK;
}

bl_status bl_external_find(struct bl_external *external,
                           const struct bl_external_place *place, uint64_t needed,
                           const unsigned char **bytes, bl_error *err)
{
    if (place->location == NULL)
        return bl_fail(err, BL_ERR_FORMAT, "external data: there is no location");
    const struct bl_external_file *file = find_open(external, place);

    if (file == NULL) {
        BL_TRY(open_file(external, place, err));
        file = external->files;
    }
    static const unsigned char none[1]; /* of a file without bytes */
    const uint64_t size = file->map.size;
    const uint64_t rest = place->offset <= size ? size - place->offset : 0;
    const uint64_t length = place->has_length ? place->length : rest;
    char quote[BL_QUOTE_BYTES];

    bl_quote(place->location, place->location_size, quote);
    if (place->offset > size || length > rest)
        return bl_fail(
            err, BL_ERR_FORMAT,
            "external data: offset %llu and length %llu are out of the bounds of "
            "'%s', which has %llu bytes",
            (unsigned long long)place->offset, (unsigned long long)length, quote,
            (unsigned long long)size);
    if (length != needed)
        return bl_fail(err, BL_ERR_FORMAT,
                       "data size mismatch: %llu bytes are needed, there are %llu in '%s'",
                       (unsigned long long)needed, (unsigned long long)length, quote);
    *bytes = size > 0 ? file->map.bytes + (size_t)place->offset : none;
    return BL_OK;
}
