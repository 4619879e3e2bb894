/*
 * device.h - tensors and other memory on a device, and copies between it and the host
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_EXEC_DEVICE_H
#define BL_EXEC_DEVICE_H

#include "base/text.h"
#include "exec/exec.h"
#include "tensor/tensor.h"

/* A new tensor, row-major, its elements unspecified.  It lies on the host where it is not wanted on
 * the device, or there is none; strings always do. */
bl_tensor *bl_exec_tensor_make(const struct bl_exec *exec, bool on_device, bl_dtype dtype,
                               const bl_shape *shape, bl_error *err);

/* Copy all elements of a row-major tensor, which may lie on either. */
bl_status bl_exec_upload(bl_tensor *tensor, const void *elements, bl_error *err);
bl_status bl_exec_download(const bl_tensor *tensor, void *elements, bl_error *err);

bl_status bl_exec_map(bl_tensor *tensor, bl_error *err);
bl_status bl_exec_unmap(bl_tensor *tensor, bl_error *err);

/* A new tensor of the host with the elements of one on the device. */
bl_tensor *bl_exec_to_host(const bl_allocator *allocator, const bl_tensor *tensor,
                           bl_error *err);

/* ---- Memory that is no tensor's -------------------------------------------------------------------
 */

/* Memory where the steps run; NULL on failure. */
void *bl_exec_alloc(const struct bl_exec *exec, size_t bytes, bl_error *err);
void bl_exec_free(const struct bl_exec *exec, void *memory, size_t bytes);

/* True for memory on the device. */
bool bl_exec_is_on_device(const struct bl_exec *exec, const void *memory);

/* Host memory that does not change until it is forgotten: a device keeps a copy of it. */
bl_status bl_exec_keep(const struct bl_exec *exec, const bl_tensor *tensor, bl_error *err);
void bl_exec_forget(const struct bl_exec *exec, const bl_tensor *tensor);

/*
 * A view of host memory with the elements of a layout whose data is on the device.
 *
 * @param memory  [*bytes] of the allocator's, to be freed.
 * @param read    the elements are wanted; else the memory is for a result.
 */
bl_status bl_exec_fetch(const struct bl_exec *exec, const bl_tensor *layout, bool read,
                        bl_tensor *view, void **memory, size_t *bytes, bl_error *err);

/* Write a fetched view's row-major elements to the layout that it stands for. */
bl_status bl_exec_put_back(const struct bl_exec *exec, const bl_tensor *view,
                           const bl_tensor *layout, bl_error *err);

/* ---- What there is -------------------------------------------------------------------------------- */

bl_status bl_exec_describe(size_t i, bl_device_info *info, bl_error *err);

/* Append the i-th line of what the device cannot do; false past the end. */
bool bl_exec_lacks(const struct bl_exec *exec, size_t i, struct bl_text *line);

#endif
