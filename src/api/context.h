/*
 * context.h - what a context holds
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_API_CONTEXT_H
#define BL_API_CONTEXT_H

#include "api/call_cache.h"
#include "broadloom/broadloom.h"
#include "exec/exec.h"

struct bl_context {
    bl_allocator allocator;
    struct bl_exec exec; /* kernels and threads */
    struct bl_call_cache calls;
    bl_mapping mapping;
};

/* The allocator of a context; malloc and free for NULL. */
const bl_allocator *bl_context_allocator(const bl_context *context);

/* How it wants files to be held; guarded for NULL. */
bl_mapping bl_context_mapping(const bl_context *context);

#endif
