/*
 * npy.h - NumPy's .npy files
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Source: numpy.lib.format, versions 1.0, 2.0 and 3.0.  The types are bool, the integers of
 * 8 to 64 bits, float16 to float64 and the complex ones; there are no others that both
 * sides know.
 */
#ifndef BL_IO_NPY_H
#define BL_IO_NPY_H

#include <stdbool.h>

#include "io/source.h"
#include "io/writer.h"

/* True if the bytes begin as every .npy file does. */
bool bl_npy_is(const struct bl_source *source);

/*
 * Read an array, of either byte order and either order of axes, into a row-major tensor.
 *
 * Errors: BL_ERR_FORMAT, also for bytes missing after the header or left over after the
 * data; BL_ERR_UNSUPPORTED for a type of NumPy's that is none of ours; BL_ERR_LIMIT;
 * BL_ERR_MEMORY.
 */
bl_tensor *bl_npy_read(const struct bl_source *source, const bl_allocator *allocator,
                       bl_error *err);

/* Write a tensor, row-major and little-endian.  BL_ERR_TYPE for a type that .npy does not
 * have. */
bl_status bl_npy_write(const bl_tensor *tensor, struct bl_writer *writer, bl_error *err);

#endif
