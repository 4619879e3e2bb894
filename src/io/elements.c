/*
 * elements.c - elements between memory and files: order of axes, byte order, packing
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/elements.h"

#include <string.h>

#include "base/checked.h"
#include "base/compiler.h"
#include "tensor/dtype.h"

bool bl_elements_raw_bytes(bl_dtype dtype, int64_t count, int64_t *bytes)
{
    const struct bl_dtype_info *info = bl_dtype_info(dtype);
    const int64_t per_byte = bl_elements_per_byte(dtype);

    if (per_byte > 1) {
        *bytes = count / per_byte + (count % per_byte != 0);
        return true;
    }
    return bl_count_mul(count, info->bytes, bytes);
}

unsigned bl_elements_per_byte(bl_dtype dtype)
{
    const unsigned bits = bl_dtype_info(dtype)->bits;

    return bits > 0 && bits < 8 ? 8 / bits : 1;
}

/* ---- Packed types ----------------------------------------------------------- */

void bl_elements_unpack(bl_dtype dtype, const unsigned char *packed, size_t count,
                        unsigned char *out)
{
    const struct bl_dtype_info *info = bl_dtype_info(dtype);
    const unsigned per_byte = 8 / info->bits;
    const unsigned mask = (1u << info->bits) - 1;
    /* Flipping the sign bit and taking it away again extends the sign. */
    const unsigned sign = info->kind == BL_KIND_INT ? 1u << (info->bits - 1) : 0;

    for (size_t i = 0; i < count; i++) {
        const unsigned shift = (unsigned)(i % per_byte) * info->bits;

        out[i] = (unsigned char)(((packed[i / per_byte] >> shift & mask) ^ sign) - sign);
    }
}

/* The reverse, in place.  Returns the bytes that the elements now take. */
static size_t pack(bl_dtype dtype, unsigned char *elements, size_t count)
{
    const unsigned bits = bl_dtype_info(dtype)->bits;
    const unsigned per_byte = 8 / bits;
    const unsigned mask = (1u << bits) - 1;
    size_t bytes = 0;

    for (size_t i = 0; i < count; i += per_byte) {
        unsigned byte = 0;

        for (unsigned j = 0; j < per_byte && i + j < count; j++)
            byte |= (elements[i + j] & mask) << (j * bits);
        elements[bytes++] = (unsigned char)byte;
    }
    return bytes;
}

/* ---- Byte order and bools --------------------------------------------------- */

/* Reverse the bytes of numbers of `width` bytes.  Called with a constant width, so that the
 * inner loop becomes one instruction. */
BL_FORCE_INLINE void swap(unsigned char *numbers, size_t count, size_t width)
{
    for (size_t i = 0; i < count; i++) {
        unsigned char *number = numbers + i * width;
        unsigned char swapped[8];

        for (size_t j = 0; j < width; j++)
            swapped[j] = number[width - 1 - j];
        memcpy(number, swapped, width);
    }
}

void bl_elements_to_host(bl_dtype dtype, void *elements, size_t count, bool little)
{
    const struct bl_dtype_info *info = bl_dtype_info(dtype);
    unsigned char *bytes = elements;
    /* A complex number is two numbers, each with its bytes in order. */
    const unsigned parts = info->kind == BL_KIND_COMPLEX ? 2 : 1;

    if (info->kind == BL_KIND_BOOL)
        for (size_t i = 0; i < count; i++)
            bytes[i] = bytes[i] != 0;
    if (little == bl_host_is_little())
        return;
    switch (info->bytes / parts) {
    case 2:
        swap(bytes, count * parts, 2);
        break;
    case 4:
        swap(bytes, count * parts, 4);
        break;
    case 8:
        swap(bytes, count * parts, 8);
        break;
    }
}

/* ---- Order of axes ---------------------------------------------------------- */

struct bl_elements bl_elements_of(const bl_tensor *tensor)
{
    return (struct bl_elements){.data = tensor->data,
                                .width = bl_dtype_size(tensor->dtype),
                                .shape = &tensor->shape,
                                .stride = tensor->stride,
                                .row_major = bl_tensor_is_row_major(tensor),
                                .left = tensor->count};
}

/* `step` is in bytes.  Called with a constant width, as swap is. */
BL_FORCE_INLINE void gather(unsigned char *out, const unsigned char *from, ptrdiff_t step,
                            size_t count, size_t width)
{
    for (size_t i = 0; i < count; i++)
        memcpy(out + i * width, from + (ptrdiff_t)i * step, width);
}

static void copy_run(unsigned char *out, const unsigned char *from, int64_t stride,
                     size_t count, size_t width)
{
    if (stride == 1 || count == 1) {
        memcpy(out, from, count * width);
        return;
    }
    const ptrdiff_t step = (ptrdiff_t)stride * (ptrdiff_t)width;

    switch (width) {
    case 1:
        gather(out, from, step, count, 1);
        break;
    case 2:
        gather(out, from, step, count, 2);
        break;
    case 4:
        gather(out, from, step, count, 4);
        break;
    case 8:
        gather(out, from, step, count, 8);
        break;
    default:
        gather(out, from, step, count, width);
    }
}

/* Move on by `count` elements, at most to the end of the last axis.  An axis of size 1 may
 * have any stride, so that no offset is formed which is not that of an element. */
static void advance(struct bl_elements *elements, int64_t count)
{
    elements->left -= count;
    for (int axis = elements->shape->rank - 1; axis >= 0; axis--) {
        const int64_t index = elements->index[axis];
        const int64_t stride = elements->stride[axis];

        if (count < elements->shape->dim[axis] - index) {
            elements->index[axis] += count;
            elements->at += count * stride;
            return;
        }
        elements->index[axis] = 0;
        elements->at -= index == 0 ? 0 : index * stride;
        count = 1;
    }
}

size_t bl_elements_next(struct bl_elements *elements, void *out, size_t most)
{
    const int last = elements->shape->rank - 1;
    const size_t width = elements->width;
    unsigned char *to = out;
    size_t done = 0;

    while (done < most && elements->left > 0) {
        const unsigned char *from = elements->data + elements->at * (int64_t)width;
        size_t run = most - done;

        if (elements->row_major || last < 0) {
            if ((uint64_t)elements->left < run)
                run = (size_t)elements->left;
            memcpy(to + done * width, from, run * width);
            elements->at += (int64_t)run;
            elements->left -= (int64_t)run;
        } else {
            const int64_t rest = elements->shape->dim[last] - elements->index[last];

            if ((uint64_t)rest < run)
                run = (size_t)rest;
            copy_run(to + done * width, from, elements->stride[last], run, width);
            advance(elements, (int64_t)run);
        }
        done += run;
    }
    return done;
}

bl_status bl_elements_write(const bl_tensor *tensor, struct bl_writer *writer,
                            bl_error *err)
{
    /* A whole number of elements of every type; all but the last chunk fill whole bytes. */
    unsigned char chunk[8192];
    const struct bl_dtype_info *info = bl_dtype_info(tensor->dtype);
    const bool packed = bl_elements_per_byte(tensor->dtype) > 1;
    struct bl_elements elements = bl_elements_of(tensor);
    size_t count;

    if (elements.row_major && bl_host_is_little() && !packed && info->kind != BL_KIND_BOOL)
        return bl_writer_put(writer, tensor->data, (size_t)tensor->count * info->bytes,
                             err);
    while ((count = bl_elements_next(&elements, chunk, sizeof chunk / info->bytes)) > 0) {
        size_t bytes = count * info->bytes;

        if (packed)
            bytes = pack(tensor->dtype, chunk, count);
        else
            bl_elements_to_host(tensor->dtype, chunk, count, true);
        BL_TRY(bl_writer_put(writer, chunk, bytes, err));
    }
    return BL_OK;
}
