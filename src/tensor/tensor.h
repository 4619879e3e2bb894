/*
 * tensor.h - a tensor: type, shape, strides, and memory that it owns or borrows
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_TENSOR_TENSOR_H
#define BL_TENSOR_TENSOR_H

#include <stdbool.h>

#include "broadloom/broadloom.h"

struct bl_tensor {
    bl_dtype dtype;
    bl_shape shape;
    int64_t stride[BL_MAX_RANK]; /* in elements */
    int64_t count;
    void *data; /* the element at index 0 on every axis */
    bool owned; /* data, and for strings each element's bytes, are ours to free */
    bool writable;
    bl_allocator allocator;
    /* Of a tensor on a device: data is a place there, which no code of ours follows. */
    void *device; /* NULL: the tensor is the host's */
    void *mapped; /* what the host reads and writes meanwhile, or NULL */
    void (*free_data)(struct bl_tensor *tensor); /* gives its memory back */
};

/* Check the type and shape of a tensor against the limits of an allocator (base/guard.h).  The type
 * is one, and the shape has a count.  BL_ERR_LIMIT names the limit and the tensor. */
bl_status bl_tensor_check_limits(const bl_allocator *allocator, bl_dtype dtype,
                                 const bl_shape *shape, bl_error *err);

/* An owned, row-major tensor whose elements are unspecified (strings: empty).  `allocator`
 * is copied. */
bl_tensor *bl_tensor_make(const bl_allocator *allocator, bl_dtype dtype,
                          const bl_shape *shape, bl_error *err);

/* An owned, row-major tensor without data yet, which is set by who asks for it. */
bl_tensor *bl_tensor_make_header(const bl_allocator *allocator, bl_dtype dtype,
                                 const bl_shape *shape, bl_error *err);

/* Bytes of a row-major tensor's elements.  Cannot overflow once the tensor exists. */
size_t bl_tensor_bytes(const bl_tensor *tensor);

/* The same as bl_tensor_make, filled with zeros. */
bl_tensor *bl_tensor_make_zero(const bl_allocator *allocator, bl_dtype dtype,
                               const bl_shape *shape, bl_error *err);

/* A tensor over the caller's memory; as bl_tensor_borrow, but it need not be aligned. */
bl_tensor *bl_tensor_make_borrowed(const bl_allocator *allocator, bl_dtype dtype,
                                   const bl_shape *shape, const int64_t *strides,
                                   void *data, bool writable, bl_error *err);

/* True if the elements are aligned for their type.  Those of a model's file may be not. */
bool bl_tensor_is_aligned(const bl_tensor *tensor);

/* The addresses from `first` up to but not including `end` that the elements lie in. */
void bl_tensor_extent(const bl_tensor *tensor, uintptr_t *first, uintptr_t *end);

/* True if the elements lie row-major without gaps (axes of size 1 do not count). */
bool bl_tensor_is_row_major(const bl_tensor *tensor);

/* Make the strings of an owned tensor its own: each element borrows bytes when this is
 * called, and holds a copy of them afterwards.  On failure all elements are empty. */
bl_status bl_tensor_own_strings(bl_tensor *tensor, bl_error *err);

#endif
