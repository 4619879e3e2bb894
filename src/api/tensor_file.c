/*
 * tensor_file.c - tensors from files and to files
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "api/context.h"
#include "base/guard.h"
#include "base/status.h"
#include "io/npy.h"
#include "io/pb.h"
#include "tensor/tensor.h"

static bool ends_with(const char *name, const char *ending)
{
    const size_t length = strlen(name);

    return length >= strlen(ending) && strcmp(name + length - strlen(ending), ending) == 0;
}

/* BL_FORMAT_AUTO if the ending says nothing. */
static bl_format format_of_name(const char *name)
{
    return ends_with(name, ".npy")  ? BL_FORMAT_NPY
           : ends_with(name, ".pb") ? BL_FORMAT_PB
                                    : BL_FORMAT_AUTO;
}

static bl_status check_format(bl_format format, const char *function, bl_error *err)
{
    if (format == BL_FORMAT_AUTO || format == BL_FORMAT_NPY || format == BL_FORMAT_PB)
        return BL_OK;
    return bl_fail(err, BL_ERR_ARGUMENT, "%s: %d is no format", function, (int)format);
}

/* `external` is where a .pb's elements may be that are not in it; NULL: nowhere. */
static bl_tensor *read_source(const struct bl_source *source, bl_format format,
                              const bl_allocator *allocator, struct bl_external *external,
                              bl_error *err)
{
    const struct bl_pb_places places = {.external = external};

    if (format == BL_FORMAT_AUTO)
        format = format_of_name(source->name);
    if (format == BL_FORMAT_AUTO)
        format = bl_npy_is(source) ? BL_FORMAT_NPY : BL_FORMAT_PB;
    return format == BL_FORMAT_NPY
               ? bl_npy_read(source, allocator, err)
               : bl_pb_read(bl_wire_of(source), allocator, &places, err);
}

static bl_tensor *read_file(const bl_context *context, const char *path, bl_format format,
                            bl_error *err)
{
    const bl_allocator *allocator = bl_context_allocator(context);
    /* Its elements are copied, so the file is read rather than mapped. */
    const struct bl_map_options with = {*allocator, BL_MAPPING_NONE};
    struct bl_external external;
    bl_tensor *tensor = NULL;
    struct bl_map map;

    if (path == NULL) {
        bl_fail(err, BL_ERR_ARGUMENT, "bl_tensor_read: the path is NULL");
        return NULL;
    }
    if (check_format(format, "bl_tensor_read", err) != BL_OK)
        return NULL;
    bl_external_init(&external, allocator, bl_context_mapping(context));
    if (bl_external_set_beside(&external, path, err) == BL_OK &&
        bl_map_open(path, bl_external_open_folder(&external), &with, &map, err) == BL_OK) {
        const struct bl_source source = {path, map.bytes, map.size};

        tensor = read_source(&source, format, allocator, &external, err);
        bl_map_close(allocator, &map);
    }
    if (bl_external_check(&external, err) != BL_OK) {
        bl_tensor_free(tensor);
        tensor = NULL;
    }
    bl_external_close(&external);
    return tensor;
}

bl_tensor *bl_tensor_read(bl_context *context, const char *path, bl_format format,
                          bl_error *err)
{
    const bl_allocator *allocator = bl_context_allocator(context);
    const struct bl_fpenv saved = bl_fpenv_enter();
    bl_tensor *tensor = read_file(context, path, format, err);

    bl_fpenv_leave(saved);
    return tensor != NULL ? tensor : bl_guard_explain_null(allocator, err);
}

bl_tensor *bl_tensor_read_memory(bl_context *context, const void *bytes, size_t size,
                                 bl_format format, const char *name, bl_error *err)
{
    static const unsigned char none[1];

    if (bytes == NULL && size > 0) {
        bl_fail(err, BL_ERR_ARGUMENT, "bl_tensor_read_memory: the bytes are NULL");
        return NULL;
    }
    if (check_format(format, "bl_tensor_read_memory", err) != BL_OK)
        return NULL;
    const struct bl_source source = {name != NULL ? name : "memory",
                                     bytes != NULL ? bytes : none, size};

    const bl_allocator *allocator = bl_context_allocator(context);
    const struct bl_fpenv saved = bl_fpenv_enter();
    bl_tensor *tensor = read_source(&source, format, allocator, NULL, err);

    bl_fpenv_leave(saved);
    return tensor != NULL ? tensor : bl_guard_explain_null(allocator, err);
}

/* Check the arguments and choose the format. */
static bl_status start_writing(const bl_tensor *tensor, const char *path, bl_format *format,
                               const char *function, bl_error *err)
{
    if (tensor == NULL || path == NULL)
        return bl_fail(err, BL_ERR_ARGUMENT, "%s: the %s is NULL", function,
                       tensor == NULL ? "tensor" : "path");
    if (tensor->device != NULL)
        return bl_fail(err, BL_ERR_ARGUMENT,
                       "cannot write %s: the tensor lies on a device, download it first",
                       path);
    BL_TRY(check_format(*format, function, err));
    if (*format == BL_FORMAT_AUTO)
        *format = format_of_name(path);
    if (*format == BL_FORMAT_AUTO)
        return bl_fail(err, BL_ERR_ARGUMENT,
                       "cannot write %s: its ending is neither .npy nor .pb, and no format "
                       "is given",
                       path);
    return BL_OK;
}

static bl_status write_to(struct bl_writer *writer, const bl_tensor *tensor,
                          bl_format format, bl_error *err)
{
    const bl_status status = format == BL_FORMAT_NPY ? bl_npy_write(tensor, writer, err)
                                                     : bl_pb_write(tensor, writer, err);

    return bl_writer_close(writer, status, err);
}

bl_status bl_tensor_write(const bl_tensor *tensor, const char *path, bl_format format,
                          bl_error *err)
{
    struct bl_writer writer;

    BL_TRY(start_writing(tensor, path, &format, "bl_tensor_write", err));
    BL_TRY(bl_writer_open(&writer, path, err));
    return write_to(&writer, tensor, format, err);
}

bl_status bl_tensor_write_fd(const bl_tensor *tensor, int fd, bl_format format,
                             const char *name, bl_error *err)
{
    struct bl_writer writer;

    BL_TRY(start_writing(tensor, name, &format, "bl_tensor_write_fd", err));
    bl_writer_open_fd(&writer, name, fd);
    return write_to(&writer, tensor, format, err);
}
