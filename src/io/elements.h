/*
 * elements.h - elements between memory and files: order of axes, byte order, packing
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The raw form is what both .npy and TensorProto.raw_data hold: elements row-major without
 * gaps, numbers little-endian, 4-bit elements two and 2-bit elements four to a byte, the
 * first of them in the lowest bits, the last byte filled up with zeros.
 *
 * In memory each of those has a byte of its own: int4 and int2 as the signed number that
 * they are, from -8 to 7 and -2 to 1, the others in the low bits.
 */
#ifndef BL_IO_ELEMENTS_H
#define BL_IO_ELEMENTS_H

#include <stdbool.h>

#include "io/writer.h"
#include "tensor/tensor.h"

/* True where numbers lie in memory with their lowest byte first. */
static inline bool bl_host_is_little(void)
{
    const unsigned short one = 1;

    return *(const unsigned char *)&one == 1;
}

/* The bytes of `count` elements in raw form; false if they do not fit an int64_t.  Not for
 * strings. */
bool bl_elements_raw_bytes(bl_dtype dtype, int64_t count, int64_t *bytes);

/* How many elements of a type a raw byte holds: 2 or 4 for the packed types, 1 for all
 * others. */
unsigned bl_elements_per_byte(bl_dtype dtype);

/* Take `count` elements of a packed type out of raw bytes, each to a byte of its own. */
void bl_elements_unpack(bl_dtype dtype, const unsigned char *packed, size_t count,
                        unsigned char *out);

/* Make elements copied as they were from a file right for this host, in place: numbers from
 * their byte order in the file, bools 0 or 1. */
void bl_elements_to_host(bl_dtype dtype, void *elements, size_t count, bool little);

/* Goes through elements in row-major order, however they lie. */
struct bl_elements {
    const unsigned char
        *data;    /* the element at index 0 on every axis; need not be aligned */
    size_t width; /* bytes an element */
    const bl_shape *shape;
    const int64_t *stride; /* [rank], in elements */
    bool row_major;        /* without gaps: the strides need not be looked at */
    int64_t left;
    int64_t at;                 /* the next element, in elements from `data` */
    int64_t index[BL_MAX_RANK]; /* of it, on each axis */
};

/* All the elements of a tensor. */
struct bl_elements bl_elements_of(const bl_tensor *tensor);

/* Copy the next elements, `most` at most, to `out`, without gaps.  Returns how many; 0 at
 * the end. */
size_t bl_elements_next(struct bl_elements *elements, void *out, size_t most);

/* Write a tensor's elements in raw form.  Not for strings. */
bl_status bl_elements_write(const bl_tensor *tensor, struct bl_writer *writer,
                            bl_error *err);

#endif
