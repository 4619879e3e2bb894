/*
 * npy.c - NumPy's .npy files
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/npy.h"

#include <string.h>

#include "io/elements.h"
#include "io/npy_header.h"
#include "shape/shape.h"
#include "tensor/dtype.h"

/* Fails unless the data are as long as the shape says.  numpy.load would leave bytes behind
 * them unread; here they are a file that is not what its header says. */
static bl_status check_size(const struct bl_source *source,
                            const struct bl_npy_header *header, int64_t *count,
                            bl_error *err)
{
    char text[BL_SHAPE_TEXT];
    const size_t left = source->size - header->data;
    int64_t bytes;

    bl_shape_text(&header->shape, text);
    if (bl_shape_count(&header->shape, count, NULL) != BL_OK ||
        !bl_elements_raw_bytes(header->dtype, *count, &bytes))
        return bl_fail_at(err, BL_ERR_LIMIT, source, header->data,
                          "size overflow: %s%s has more bytes than 63 bits can count",
                          bl_dtype_name(header->dtype), text);
    if ((uint64_t)bytes > left)
        return bl_fail_at(err, BL_ERR_FORMAT, source, header->data,
                          "truncated: %s%s needs %lld bytes of data, %zu are left",
                          bl_dtype_name(header->dtype), text, (long long)bytes, left);
    if ((uint64_t)bytes < left)
        return bl_fail_at(err, BL_ERR_FORMAT, source, header->data + (size_t)bytes,
                          "%zu bytes follow the data of %s%s", left - (size_t)bytes,
                          bl_dtype_name(header->dtype), text);
    return BL_OK;
}

/* Copy data whose first axis runs fastest into row-major order. */
static void transpose(const struct bl_source *source, const struct bl_npy_header *header,
                      int64_t count, void *out)
{
    int64_t stride[BL_MAX_RANK];
    int64_t step = 1;

    for (int i = 0; i < header->shape.rank; i++) {
        stride[i] = step;
        step *= header->shape.dim[i];
    }
    struct bl_elements elements = {.data = source->bytes + header->data,
                                   .width = bl_dtype_size(header->dtype),
                                   .shape = &header->shape,
                                   .stride = stride,
                                   .left = count};

    bl_elements_next(&elements, out, (size_t)count);
}

bool bl_npy_is(const struct bl_source *source)
{
    return source->size >= BL_NPY_MAGIC_BYTES &&
           memcmp(source->bytes, BL_NPY_MAGIC, BL_NPY_MAGIC_BYTES) == 0;
}

bl_tensor *bl_npy_read(const struct bl_source *source, const bl_allocator *allocator,
                       bl_error *err)
{
    struct bl_npy_header header;
    int64_t count;

    if (bl_npy_header_read(source, &header, err) != BL_OK ||
        check_size(source, &header, &count, err) != BL_OK)
        return NULL;
    const bl_status allowed =
        bl_tensor_check_limits(allocator, header.dtype, &header.shape, err);

    if (allowed != BL_OK) {
        bl_fail_prefix(err, allowed, "%s: byte %zu: ", source->name, header.data);
        return NULL;
    }
    bl_tensor *tensor = bl_tensor_make(allocator, header.dtype, &header.shape, err);

    if (tensor == NULL || count == 0)
        return tensor;
    if (header.fortran_order)
        transpose(source, &header, count, tensor->data);
    else
        memcpy(tensor->data, source->bytes + header.data, source->size - header.data);
    bl_elements_to_host(header.dtype, tensor->data, (size_t)count, header.little);
    return tensor;
}

bl_status bl_npy_write(const bl_tensor *tensor, struct bl_writer *writer, bl_error *err)
{
    char header[BL_NPY_HEADER_BYTES];
    const size_t size = bl_npy_header_write(tensor->dtype, &tensor->shape, header);

    if (size == 0)
        return bl_fail(err, BL_ERR_TYPE,
                       "cannot write %s: a .npy file cannot hold %s; a .pb file can",
                       writer->path, bl_dtype_name(tensor->dtype));
    BL_TRY(bl_writer_put(writer, header, size, err));
    return bl_elements_write(tensor, writer, err);
}
