/*
 * given.h - outputs that the caller gives: whether a result may be written there
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_API_GIVEN_H
#define BL_API_GIVEN_H

#include <stdbool.h>

#include "broadloom/broadloom.h"

/* Check that an output can take the node's result, of that type. */
bl_status bl_given_check(const bl_node *node, const bl_tensor *given,
                         const bl_tensor_type *type, bl_error *err);

/* True if writing the output while the inputs are read could change what is read. */
bool bl_given_needs_detour(const bl_node *node, const bl_tensor *const *inputs,
                           size_t input_count, const bl_tensor *output);

/* True if the addresses of two tensors' elements overlap. */
bool bl_tensors_meet(const bl_tensor *a, const bl_tensor *b);

#endif
