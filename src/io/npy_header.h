/*
 * npy_header.h - the header of a .npy file
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_IO_NPY_HEADER_H
#define BL_IO_NPY_HEADER_H

#include <stdbool.h>

#include "io/source.h"

#define BL_NPY_MAGIC "\x93NUMPY"
#define BL_NPY_MAGIC_BYTES 6

struct bl_npy_header {
    bl_dtype dtype;
    bool little;        /* numbers have their lowest byte first */
    bool fortran_order; /* the first axis runs fastest */
    bl_shape shape;
    size_t data; /* the offset of the first element */
};

/* Read the header; nothing is allocated, and the data are not looked at. */
bl_status bl_npy_header_read(const struct bl_source *source, struct bl_npy_header *header,
                             bl_error *err);

/* The longest header written: 64 axes of 20 characters, and some 80 bytes around them. */
#define BL_NPY_HEADER_BYTES 1536

/* Write the header of a row-major, little-endian array to `out`, of BL_NPY_HEADER_BYTES.
 * Returns its size, or 0 for a type that .npy does not have. */
size_t bl_npy_header_write(bl_dtype dtype, const bl_shape *shape, char *out);

#endif
