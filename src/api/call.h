/*
 * call.h - a call of bl_apply: what it is given, what its result is, what is said if it fails
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_API_CALL_H
#define BL_API_CALL_H

#include "api/context.h"

/* One call of bl_apply. */
struct bl_call {
    bl_context *context;
    const bl_node *node;
    struct bl_params params;
    const bl_tensor *const *inputs;
    size_t input_count;
    int64_t work;   /* see max_work */
    bool on_device; /* where a new result goes */
};

/* The type of the call's result, checked against the limits; sets its params and work. */
bl_status bl_call_infer(struct bl_call *call, size_t output_count, bl_tensor_type *output,
                        bl_error *err);

/* The status of a run, with a message if the element `failed` has no result. */
bl_status bl_call_explain(const struct bl_call *call, const bl_tensor *output,
                          bl_status status, int64_t failed, bl_error *err);

/* The status of a step; what cannot be done is said of the node. */
bl_status bl_call_of_node(const struct bl_call *call, bl_status status, bl_error *err);

#endif
