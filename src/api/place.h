/*
 * place.h - where the tensors of a call lie: on the host, or on the context's device
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_API_PLACE_H
#define BL_API_PLACE_H

#include <stdbool.h>

#include "broadloom/broadloom.h"

/* True if one of the tensors, some of which may be NULL, lies on a device. */
bool bl_place_any(const bl_tensor *const *tensors, size_t count);

/* Check that tensors of a call lie where the context can use them. */
bl_status bl_place_check(const bl_context *context, const bl_tensor *const *tensors,
                         size_t count, const char *what, bl_error *err);

/* The same of all tensors of a call; attributes are read by the host. */
bl_status bl_place_check_call(const bl_context *context, const bl_node *node,
                              const bl_tensor *const *inputs, size_t input_count,
                              bl_tensor *const *outputs, size_t output_count,
                              bl_error *err);

/* True for a node that only the host runs: functions of whole tensors, and strings. */
bool bl_place_for_host(const bl_node *node, const bl_tensor *const *inputs, size_t count,
                       const bl_tensor *output);

/* Inputs of a call, with copies in place of those on the device that the host is to read. */
struct bl_host_inputs {
    bl_allocator allocator;
    const bl_tensor **inputs; /* [count] */
    bl_tensor **copies;       /* [count], NULL where there is none */
    size_t count;
};

/* @param op  the host reads only those whose values tell the shape of its result; NULL: all. */
bl_status bl_host_inputs_make(struct bl_host_inputs *made, const bl_context *context,
                              const bl_op *op, const bl_tensor *const *inputs, size_t count,
                              bl_error *err);
void bl_host_inputs_free(struct bl_host_inputs *made);

#endif
