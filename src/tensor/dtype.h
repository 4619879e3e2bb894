/*
 * dtype.h - what the library knows of each element type
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_TENSOR_DTYPE_H
#define BL_TENSOR_DTYPE_H

#include <stddef.h>

#include "broadloom/broadloom.h"

enum bl_kind {
    BL_KIND_UINT,
    BL_KIND_INT,
    BL_KIND_FLOAT,
    BL_KIND_BOOL,
    BL_KIND_COMPLEX,
    BL_KIND_STRING
};

struct bl_dtype_info {
    const char *name;
    const char *onnx_name;
    unsigned bytes; /* an element in memory */
    unsigned bits;  /* an element in a file's raw data; 0 for strings */
    unsigned alignment;
    enum bl_kind kind;
};

/* What is known of a type; NULL for BL_UNDEFINED and for a value that is no type. */
const struct bl_dtype_info *bl_dtype_info(bl_dtype dtype);

/* A list such as "float16, float32 and float64" of a set (bit BL_FLOAT32 and so on) in
 * `buffer`, which it returns. */
char *bl_dtype_set_text(uint64_t set, char *buffer, size_t size);

#endif
