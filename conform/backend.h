/*
 * backend.h - what a case can be run on
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CONFORM_BACKEND_H
#define BL_CONFORM_BACKEND_H

#include <stdbool.h>

#include "broadloom/broadloom.h"

/* Something that applies operators.  `apply` is called as bl_apply is.  Models are run by
 * the library's sessions, or not at all. */
struct bl_conform_backend {
    const char *name;
    bl_status (*apply)(bl_context *context, const bl_node *node,
                       const bl_tensor *const *inputs, size_t input_count,
                       bl_tensor **outputs, size_t output_count, bl_error *err);
    bool runs_models;
    bool is_device; /* a context is made for it; what it cannot do is skipped */
};

/* The backend of that name, or NULL.  "vulkan:1" is "vulkan", on that device. */
const struct bl_conform_backend *bl_conform_backend_find(const char *name);

/* The i-th, or NULL past the end. */
const struct bl_conform_backend *bl_conform_backend_at(size_t i);

#endif
