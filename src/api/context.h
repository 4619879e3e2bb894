/*
 * context.h - what a context holds
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_API_CONTEXT_H
#define BL_API_CONTEXT_H

#include "api/call_cache.h"
#include "base/guard.h"
#include "broadloom/broadloom.h"
#include "exec/exec.h"

struct bl_context {
    bl_allocator allocator; /* a guard's */
    struct bl_exec exec;    /* kernels and threads */
    struct bl_call_cache calls;
    bl_mapping mapping;
    int64_t work; /* that the call or run at hand has asked for: see max_work */
};

/* The allocator of a context; malloc and free for NULL. */
const bl_allocator *bl_context_allocator(const bl_context *context);

/* How it wants files to be held; guarded for NULL. */
bl_mapping bl_context_mapping(const bl_context *context);
/* bl_apply as a part of a run: its work adds to that of the run, the floating-point environment is
 * set, and `err` is not NULL.  (apply.c) */
bl_status bl_context_apply(bl_context *context, const bl_node *node,
                           const bl_tensor *const *inputs, size_t input_count,
                           bl_tensor **outputs, size_t output_count, bl_error *err);

#endif
